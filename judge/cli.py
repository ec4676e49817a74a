"""The command line: what may be typed, and the exit code of whatever happens.

Nothing heavy is imported here: `--help` and a typing error answer at once.  A user's fault is one
line on stderr; a fault of ours is one line and a log with the traceback, and exit code 3.
"""

from __future__ import annotations

import argparse
import re
import shlex
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from judge import __version__

EXIT_CODES = """\
exit codes:
  0  accepted                      3  the judge or the machine is broken (verdict JE)
  1  not accepted                  4  the backend asked for is not there
  2  wrong usage or a wrong spec   130  interrupted
"""
_DEFINE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", re.DOTALL)


def parser() -> argparse.ArgumentParser:
    """Every command and option, with its help."""
    top = argparse.ArgumentParser(
        prog="judge",
        description="Judge CUDA C++ submissions on this machine, with or without a GPU.",
        epilog=EXIT_CODES + "\nexample: python -m judge run tiled.cu -D TILE=32\n"
        "`python -m judge COMMAND --help` says more of a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"judge {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, what: str, more: str, example: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=what,
            description=f"{what[0].upper()}{what[1:]}. {more}",
            epilog=f"{EXIT_CODES}\nexample: python -m judge {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    run = command(
        "run",
        "judge one submission",
        "Every case of the problem is run;\na failing one is shrunk to the smallest that still "
        "fails, and shown.",
        "run tiled.cu -D TILE=32 --case normal,M=65,N=33,K=17,alpha=1,beta=0",
    )
    _submission(run)
    run.add_argument("--case", metavar="ID", help="run only this case; `cases` lists the ids")
    sweep = command(
        "sweep",
        "judge one submission under several -D values",
        "Every combination of\nthe values is judged and gets one row. Accepted only if every row "
        "is.",
        "sweep tiled.cu -D TILE=8,16,32,64",
    )
    _submission(sweep)
    cases = command(
        "cases",
        "show the cases of a problem",
        "One row a case: id, sizes, input family, scalars,\nwork, and why it is there.",
        "cases gemm_fp16 --seed 1",
    )
    _problem(cases)
    cases.add_argument("--seed", metavar="S", help="what the drawn cases are drawn from")
    gauge = command(
        "gauge",
        "show that a problem's tolerance tells right from wrong",
        "Outputs made\nright and wrong on purpose are checked: the right ones must pass, the wrong "
        "ones must not.",
        "gauge gemm_fp16",
    )
    _problem(gauge)
    new = command(
        "new",
        "begin a submission from a problem's starter",
        "Nothing is ever overwritten.",
        "new gemm_fp16 my_tiled",
    )
    new.add_argument("problem", metavar="PROBLEM", help="a folder of problems/")
    new.add_argument("name", metavar="NAME", help="of the new file in submissions/PROBLEM/")
    command(
        "doctor",
        "say what this machine has and lacks",
        "PASS, CAUTION or FAIL for each piece,\nwhat a missing one would give and how to get it. "
        "Exit code 4 if a needed piece is missing.",
        "doctor",
    )
    return top


def _submission(command: argparse.ArgumentParser) -> None:
    """The arguments that `run` and `sweep` share."""
    command.add_argument(
        "file", metavar="FILE", help="a .cu file: a path, or a name unique in submissions/"
    )
    command.add_argument("--problem", metavar="P", help="the problem, where FILE does not tell")
    command.add_argument(
        "--backend", choices=("cpu", "gpu"), help="default: gpu where there is one, else cpu"
    )
    command.add_argument(
        "-D",
        dest="defines",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=define,
        help="define a macro; may be repeated",
    )
    command.add_argument(
        "--defines",
        dest="more_defines",
        metavar="'N=V N=V'",
        action="extend",
        default=[],
        type=define_list,
        help="several at once, split as a shell would",
    )
    command.add_argument("--seed", metavar="S", help="what inputs are drawn from; default: new")
    command.add_argument(
        "--json", metavar="FILE", help="also write the report as a line of JSON; - is stdout"
    )


def _problem(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "problem", metavar="PROBLEM", nargs="?", help="a folder of problems/; default: all"
    )


def define(text: str) -> str:
    """`NAME=VALUE` as given, `NAME` as NAME=1.  Raises ArgumentTypeError."""
    match = _DEFINE.fullmatch(text)
    if match is None or "\0" in text:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected NAME=VALUE, as in TILE=32")
    return text if match[2] is not None else f"{text}=1"


def define_list(text: str) -> list[str]:
    """Several definitions in one string.  Raises ArgumentTypeError."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"got {text!r}: {str(error).lower()}") from error
    return [define(word) for word in words]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code.  Never a traceback on the terminal."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    asked = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _terminated)
    try:
        # Here, so that help and typing errors need none of it.
        from judge import commands
    except ModuleNotFoundError as error:
        return _say(f"judge: {error.name} is not installed for {sys.executable}; run `make setup`")
    except KeyboardInterrupt:
        return _say("judge: interrupted", 130)
    return commands.run(asked)


def _say(text: str, code: int = 2) -> int:
    print(text, file=sys.stderr)
    return code


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    """End by unwinding, so that a worker never outlives the judge that started it."""
    raise SystemExit(128 + number)
