"""The commands of those who write problems: list them, name the one a file is for, begin, lint.

As `commands.py`: finds files, calls the room that does the work, shows what it says.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from judge import output, paths
from judge.counted import counted
from judge.model import ExitCode, SpecError, UserError
from judge.printable import printable


def run(asked: argparse.Namespace) -> int:
    """One of the commands below; its exit code.  UserErrors pass."""
    commands: dict[str, Callable[[argparse.Namespace], int]] = {
        "problems": _problems,
        "which": _which,
        "new-problem": _new_problem,
        "lint-problem": _lint_problem,
    }
    return commands[asked.command](asked)


def _problems(asked: argparse.Namespace) -> int:
    from judge import problemtable, spec, tables

    if asked.write:
        print(paths.shown(problemtable.write()))
        return ExitCode.ACCEPTED
    good, wrong = [], spec.stray()
    for slug in spec.slugs():
        try:
            good.append(spec.load(slug))
        except SpecError as error:
            wrong.append(str(error))
    rows = list(problemtable.rows(good))
    output.write(sys.stdout, lambda screen: tables.problems(rows, screen))
    for line in wrong:
        output.warn(f"judge: {line}")
    return ExitCode.USAGE if wrong else ExitCode.ACCEPTED


def _which(asked: argparse.Namespace) -> int:
    from judge import find, which

    source = find.submission(asked.file)
    fits = which.fitting(source)
    if not fits:
        raise UserError(which.unfit(source))
    for fit in fits:
        same = "all" if fit.named == fit.count else f"{fit.named} of"
        names = f"{same} {counted(fit.count, 'parameter')} named as there"
        print(f"{fit.spec.slug}  {fit.spec.title}  ({names})")
    chosen = which.best(fits)
    if len(chosen) > 1:
        output.warn(
            f"{source.name}: the types of its solve fit {counted(len(chosen), 'problem')}; say "
            "which by --problem (PROBLEM=) or a line '// problem: NAME' at its top"
        )
    elif len(fits) > 1:
        output.warn(f"{source.name}: taken for {chosen[0].spec.slug}, whose names it has too")
    return ExitCode.ACCEPTED


def _new_problem(asked: argparse.Namespace) -> int:
    from judge import scaffold

    for path in scaffold.create(asked.name, asked.like):
        print(paths.shown(path))
    print(f"now: edit what is marked {scaffold.MARK}, then: make lint-problem NAME={asked.name}")
    return ExitCode.ACCEPTED


def _lint_problem(asked: argparse.Namespace) -> int:
    """Exit code 2, that of a wrong spec, where anything is missing or weak."""
    from judge import lint, spec

    if (asked.name is None) != asked.all:
        raise UserError("lint-problem: got neither or both of NAME and --all, expected one")
    strays = spec.stray() if asked.all else []
    for line in strays:
        print(printable(line, 2000))
    flaws = len(strays)
    for name in spec.slugs() if asked.all else [asked.name]:
        found = 0
        for line in lint.problem(name):
            print(printable(line, 2000), flush=True)
            found += 1
        if not found:
            print(f"{printable(name)}: nothing missing", flush=True)
        flaws += found
    return ExitCode.USAGE if flaws else ExitCode.ACCEPTED
