"""The submission's `solve`: which function it is, and what is wrong or worth saying about it.

For any backend: the text is looked at by tokens, before a compiler sees it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge import banned, signature
from judge.model import CompileError, Fault, Place, Reason, Spec, Verdict
from judge.printable import printable
from judge.signature import Declared
from judge.tokens import DIRECTIVE, Lines, nesting, tokenize

_SOLVE_H = re.compile(r'#\s*include\s*["<]solve\.h[">]')


@dataclass(frozen=True)
class Solve:
    """What the submission declares: `solve`, or else the functions that may be meant."""

    source: Path
    declared: Declared | None
    misses: Sequence[Declared]
    is_c: bool

    @property
    def callee(self) -> str:
        """How the entry calls it, with its namespaces."""
        return f"{self.declared.scope}solve" if self.declared else "solve"


def find(text: str, source: Path, spec: Spec) -> Solve:
    """Look for it.

    Raises CompileError where no compiler is needed to tell that it cannot be called.  A `solve` in
    the text that is no declaration may be behind an open brace or comment: then the compiler has
    more to say.
    """
    tokens, lines = tokenize(text), Lines(text)
    for token in tokens if spec.banned else ():
        unwanted = token.kind == DIRECTIVE and banned.included(token.text, spec.banned)
        if unwanted:
            name, header = unwanted
            message = f"includes {printable(header)}; this problem bans {name}: write it without"
            where = Place(str(source), lines(token.start))
            raise CompileError(Fault(Verdict.CE, Reason.BANNED, message, where))
    functions = list(signature.find_functions(tokens, nesting(tokens), lines))
    is_c = any(one.is_c for one in functions if one.name == "solve")
    found = Solve(
        source=source,
        declared=signature.choose(functions, spec),
        misses=signature.near_misses(functions, spec),
        is_c=is_c or _SOLVE_H.search(text) is not None,
    )
    wrong = signature.mismatch(found.declared, spec) if found.declared else None
    if found.declared and wrong:
        where = Place(str(source), found.declared.line)
        raise CompileError(Fault(Verdict.CE, Reason.SIGNATURE, wrong, where))
    if found.declared is None and not re.search(r"\bsolve\b", text):
        raise CompileError(missing(found, spec))
    return found


def missing(solve: Solve, spec: Spec) -> Fault:
    """There is no such function."""
    message = f"no function solve, expected {spec.declaration()}"
    line = 0
    if solve.misses:
        line = solve.misses[0].line
        message += f"; '{solve.misses[0].name}' on line {line} may be meant: rename it"
    return Fault(Verdict.CE, Reason.NO_SOLVE_SYMBOL, message, Place(str(solve.source), line))


def refused(solve: Solve, spec: Spec, details: tuple[str, ...] = ()) -> Fault:
    """The compiler did not find a way to call it with what the spec gives."""
    if solve.declared is None:
        return missing(solve, spec)
    message = f"solve: got {solve.declared.written()}, expected {spec.declaration()}"
    where = Place(str(solve.source), solve.declared.line)
    return Fault(Verdict.CE, Reason.SIGNATURE, message, where, details)


def notes(solve: Solve) -> tuple[str, ...]:
    """What to say beside any verdict."""
    if solve.is_c or solve.declared is None:
        return ()
    where = Place(str(solve.source), solve.declared.line)
    return (
        f'{where}: solve has no extern "C": accepted here; '
        "other judges look for the C symbol solve",
    )
