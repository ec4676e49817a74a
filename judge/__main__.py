"""`python -m judge`: refuse a Python that is too old in one line, then hand over to the CLI."""

import sys

# The one file that an old Python must be able to read, hence neither annotations nor f-strings.
if sys.version_info < (3, 10):  # noqa: UP036
    sys.exit("judge: python %d.%d is too old; use 3.10 or newer" % sys.version_info[:2])  # noqa: UP031

from judge import streams

if __name__ == "__main__":
    streams.settle()
    from judge.cli import main

    code = main()
    sys.stdout.flush()
    sys.exit(code)
