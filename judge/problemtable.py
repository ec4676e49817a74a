"""All problems in one table: docs/problems.md, and the list on the terminal.

Made from the specs alone, so that neither can say something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from judge import find, rungs, spec
from judge.model import Role, Spec, Tolerance

PAGE = "docs/problems.md"
_HEAD = """\
# The problems

Written by `make problems`: edit the folders of `problems/`, not this page.
[How to add one](../CONTRIBUTING.md#a-new-problem).

Pointers are device memory. *init* says what an output holds before a call: poison, zero, or random
numbers as an old result leaves; outputs that are also read have none. *right* says how far an
element may be from the exact result r.

| problem | `solve` | writes, init | right | timed sizes |
|---|---|---|---|---|
"""


def page(problems: Sequence[Spec]) -> str:
    """The whole of docs/problems.md."""
    return _HEAD + "".join(f"| {' | '.join(_cells(one))} |\n" for one in problems)


def write(root: Path = find.ROOT) -> Path:
    """Write the page of all problems.  Raises SpecError for a problem that is wrong."""
    path = root / PAGE
    path.parent.mkdir(exist_ok=True)
    path.write_text(page([spec.load(slug) for slug in spec.slugs()]), encoding="utf-8")
    return path


def rows(problems: Sequence[Spec]) -> Iterator[tuple[str, str, str, str]]:
    """Slug, title, how many submissions there are, and what is computed."""
    for one in problems:
        count = len(list(rungs.folder(one.slug).glob("*.cu")))
        yield one.slug, one.title, str(count), one.summary


def _cells(one: Spec) -> Iterator[str]:
    yield f"[{one.slug}](../problems/{one.slug}/statement.md)<br>{one.title}"
    parameters = ", ".join(argument.declaration() for argument in one.signature)
    yield f"`({parameters})`"
    yield "<br>".join(_written(one))
    yield "<br>".join(dict.fromkeys(right(one.tolerance[a.name]) for a in one.outputs))
    sizes = (" x ".join(str(s[axis.name]) for axis in one.drawn_axes) for s in one.timed)
    yield ", ".join(sizes) or "none"


def _written(one: Spec) -> Iterator[str]:
    for argument in one.outputs:
        begins = argument.init.value if argument.role is Role.OUT else "read too"
        yield f"{argument.name}: {begins}"


def right(rule: Tolerance) -> str:
    """A tolerance in a few characters."""
    if rule.rule == "exact":
        return "equal"
    if rule.rule == "ulp":
        return f"{rule.ulp:g} ulp"
    if rule.rule == "allclose":
        return f"{rule.atol:g} + {rule.rtol:g} abs(r)"
    return f"rounding, {rule.terms} terms in {rule.accumulate.c_type}"
