"""Does a statement say what its problem.yaml says?  Every number for people is one of the spec.

A statement has the sections Sizes, Values, What counts as right and Limits; white space and line
breaks mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge import paths
from judge import spec as specs
from judge.model import Argument, Flaw, Init, Role, Spec, Tolerance

SECTIONS = ("Sizes", "Values", "What counts as right", "Limits")
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_UNITS = {"half a unit": 0.5, "one unit": 1, "two units": 2, "three units": 3, "four units": 4}
_INITS = {
    Init.POISON: ("NaN", "poison", "0xA5"),
    Init.ZERO: ("zero", "zeros", "0"),
    Init.RANDOM: ("random", "old", "other numbers"),
}
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "="}


def flaws(spec: Spec) -> Iterator[Flaw]:
    """What the statement lacks, or says otherwise than the spec."""
    path = spec.path.parent / "statement.md"
    shown = paths.shown(path)
    if not path.is_file():
        yield Flaw(shown, "statement", "no file", "a text for people", "write it")
        return
    text = " ".join(path.read_text(encoding="utf-8").split())
    for what, wanted in _wanted(spec):
        if wanted not in text:
            yield Flaw(shown, what, "none", f"{wanted!r} as in {specs.FILE}", "say it there")
    for section in SECTIONS:
        if f" ## {section} " not in text:
            yield Flaw(shown, f"section {section}", "none", f"## {section}", "add it")
    yield from _inits(spec, shown, text)
    yield from _strangers(spec, shown, text)
    for output in spec.outputs:
        yield from _tolerance(spec.tolerance[output.name], output, shown, text)


def section(text: str, name: str) -> str:
    """A section of a statement that is one line; empty where there is none."""
    found = re.search(rf" ## {re.escape(name)} (.*?)(?= ## |$)", text)
    return found[1] if found else ""


def _wanted(spec: Spec) -> Iterator[tuple[str, str]]:
    """What each part of the spec reads like in a statement."""
    yield "signature", spec.declaration()
    for axis in spec.axes:
        if not axis.equals:
            yield f"sizes of {axis.name}", f"{axis.minimum} ≤ {axis.name} ≤ {axis.maximum}"
        elif not axis.hidden:
            yield f"size {axis.name}", f"{axis.name} = {axis.equals}"
    for text in spec.require:
        yield "requirement", re.sub("<=|>=|!=|==", lambda sign: _SIGNS[sign[0]], text)
    for scalar in spec.scalars:
        yield f"values of {scalar.name}", listed([f"{value:g}" for value in scalar.values])
    yield "tiles", listed([str(tile) for tile in spec.tiles])
    yield "time limit", f"{spec.limits.seconds_per_call:g} seconds"
    yield "memory limit", f"{spec.limits.memory_bytes >> 20} MiB"
    for sizes in spec.timed:
        drawn = (str(sizes[axis.name]) for axis in spec.drawn_axes)
        yield "timed sizes", " x ".join(drawn)
    if spec.timed and len(spec.drawn_axes) > 1:
        yield "order of timed sizes", f"({' x '.join(axis.name for axis in spec.drawn_axes)})"
    for name in spec.banned:
        yield "banned library", name


def listed(words: list[str]) -> str:
    """`1, 2 and 3`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _inits(spec: Spec, shown: str, text: str) -> Iterator[Flaw]:
    """A sentence under Values that names each output and says what it begins with."""
    sentences = section(text, "Values").split(". ")
    for output in spec.outputs:
        if output.role is not Role.OUT:
            continue
        words = _INITS[output.init]
        said = any(
            f"`{output.name}`" in sentence and any(word in sentence for word in words)
            for sentence in sentences
        )
        if not said:
            wanted = f"a sentence with `{output.name}` and one of {', '.join(words)}"
            what = f"init of {output.name}"
            yield Flaw(shown, what, "none under Values", wanted, f"it is init: {output.init.value}")


def _strangers(spec: Spec, shown: str, text: str) -> Iterator[Flaw]:
    """Numbers under Sizes and Limits that the spec has not."""
    known = {value for axis in spec.drawn_axes for value in (axis.minimum, axis.maximum)}
    known |= {*spec.tiles, *(size for sizes in spec.timed for size in sizes.values())}
    known |= {int(spec.limits.seconds_per_call), spec.limits.memory_bytes >> 20}
    derived = (*spec.require, *(axis.equals for axis in spec.axes))
    known |= {int(number) for part in derived for number in re.findall(r"\b\d+\b", part)}
    for name in ("Sizes", "Limits"):
        for number in dict.fromkeys(re.findall(r"\b\d+\b", section(text, name))):
            if int(number) not in known:
                expected = f"only numbers of {specs.FILE}"
                yield Flaw(shown, f"section {name}", number, expected, "correct one of the two")


def _tolerance(rule: Tolerance, output: Argument, shown: str, text: str) -> Iterator[Flaw]:
    """The rule of an output in words that a learner can check."""
    said = section(text, "What counts as right")
    numbers = {float(number) for number in _NUMBER.findall(said)}
    numbers |= {number for words, number in _UNITS.items() if words in said}
    missing = ""
    if rule.rule == "exact" and not re.search(r"\bequals?\b", said):
        missing = "the word equal"
    elif rule.rule == "ulp" and (rule.ulp not in numbers or "last place" not in said):
        missing = f"{rule.ulp:g} units in the last place"
    elif rule.rule == "allclose":
        missing = ", ".join(f"{n:g}" for n in (rule.rtol, rule.atol) if n and n not in numbers)
    elif rule.rule == "rounding" and not re.search(rf"\b{rule.accumulate.c_type}\b", said):
        missing = f"that sums are kept in {rule.accumulate.c_type}"
    if missing:
        what = f"tolerance of {output.name}"
        yield Flaw(shown, what, "none under What counts as right", missing, "say it there")
