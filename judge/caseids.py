"""Case ids: what a case is called, and back from the name to the case.

    normal,M=65,N=33,K=17,alpha=0.5,beta=-1.25

Family first, then every drawn size axis and every scalar in the order of the spec.  An id says all
of a case, holds no character that a shell minds, and is checked when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from judge import expr
from judge import spec as specs
from judge.axes import broken, completed
from judge.model import Case, Spec, UserError

MAX_LENGTH = 500
_CHARACTERS = re.compile(r"[A-Za-z0-9_,=.+-]*\Z")


def make_case(
    spec: Spec, family: str, sizes: Mapping[str, int], scalars: Mapping[str, float], why: str = ""
) -> Case:
    """The case of these sizes (of the drawn axes at least) and scalars, with its id.

    Nothing is checked.  Raises ExpressionError where an axis cannot be computed.
    """
    drawn = {axis.name: sizes[axis.name] for axis in spec.drawn_axes}
    given = {scalar.name: scalars[scalar.name] for scalar in spec.scalars}
    words = [f"{name}={_number(value)}" for name, value in {**drawn, **given}.items()]
    return Case(",".join([family, *words]), family, completed(spec.axes, drawn), given, why)


def _number(value: float) -> str:
    """The shortest text that reads back as the same number, integers without a point."""
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)


def timed(spec: Spec) -> tuple[Case, ...]:
    """The sizes the spec wants timed, as cases: its first family and its simplest scalars."""
    if spec.challenge is not None:
        return spec.challenge.timed
    family = spec.families[0].name
    scalars = {one.name: specs.values(spec, family, one.name)[0] for one in spec.scalars}
    return tuple(make_case(spec, family, sizes, scalars, "timed") for sizes in spec.timed)


def parse_id(spec: Spec, text: str) -> Case:
    """The case of an id, in any order of its parts; the case's own id has the usual one.

    Raises UserError, one line: an unknown name, a size out of range, a scalar not allowed, ...
    """

    def fail(message: str) -> UserError:
        return UserError(f"case {text[:100]!r}: {message}; `make cases` lists the ids")

    if len(text) > MAX_LENGTH or not _CHARACTERS.match(text):
        raise fail(f"got other characters, or more than {MAX_LENGTH}, expected a case id")
    if spec.challenge is not None:
        by_id = {case.id: case for case in spec.challenge.cases}
        if text not in by_id:
            listed = ", ".join(by_id)
            raise UserError(f"case {text[:100]!r}: got no test of the challenge, expected {listed}")
        return by_id[text]
    family, *words = text.split(",")
    known = [member.name for member in spec.families]
    if family not in known:
        raise fail(f"got the family {family!r}, expected one of {', '.join(known)}")
    names = [axis.name for axis in spec.drawn_axes] + [scalar.name for scalar in spec.scalars]
    given: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in names or name in given:
            raise fail(f"got {word!r}, expected each of {', '.join(names)} once, as name=number")
        given[name] = value
    if missing := [name for name in names if name not in given]:
        raise fail(f"missing {', '.join(missing)}")
    sizes: dict[str, int] = {}
    for name, axis in specs.ranges(spec, family).items():
        value = given[name]
        whole = value.isdigit() and len(value) < 12
        if not whole or not axis.minimum <= int(value) <= axis.maximum:
            raise fail(f"{name}: got {value}, expected {axis.minimum} to {axis.maximum}")
        sizes[name] = int(value)
    scalars: dict[str, float] = {}
    for scalar in spec.scalars:
        allowed = {_number(v): v for v in specs.values(spec, family, scalar.name)}
        if given[scalar.name] not in allowed:
            raise fail(
                f"{scalar.name}: got {given[scalar.name]}, expected one of {', '.join(allowed)}"
            )
        scalars[scalar.name] = allowed[given[scalar.name]]
    if wrong := broken(spec.axes, spec.require, sizes):
        raise fail(f"got sizes for which {wrong} does not hold")
    if not fits(spec, sizes):
        raise fail(f"arrays beyond the memory limit of {spec.limits.memory_bytes // 2**20} MiB")
    return make_case(spec, family, sizes, scalars, "asked for")


def fits(spec: Spec, sizes: Mapping[str, int]) -> bool:
    """Whether the arrays of a call exist at these sizes and stay within the memory limit."""
    try:
        sizes = completed(spec.axes, sizes)
        lengths = [n for array in spec.arrays for n in specs.shape(array, sizes)]
        return min(lengths) >= 0 and specs.array_bytes(spec, sizes) <= spec.limits.memory_bytes
    except expr.ExpressionError:
        return False
