"""What wrong outputs say: the reason, the place and the likely mistake, in sentences.

`wrong` explains one call; `patterns` says what the failing cases of a run have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from judge.compare import Comparison, bits, judge_elements
from judge.counted import counted
from judge.elements import decode
from judge.model import Array, CallData, Expected, Fault, Init, Reason, Role, Spec, Verdict, Worst
from judge.patterns import patterns as patterns
from judge.suspects import Suspect, suspects
from judge.where import describe

Previous = tuple[Mapping[str, Expected], Mapping[str, Array]]

# A reason must hold for this share of the wrong elements.
NEARLY_ALL = 0.95
# EMU_UNDEFINED of judge/emu/emu.h: what memory holds that nothing has written, but outputs.
UNDEFINED = 0xFFFB
# Nearly right: typical and worst error below these shares of the output's root mean square.
TYPICAL_ERROR, WORST_ERROR = 2.0**-7, 2.0**-4


def wrong(
    spec: Spec, data: CallData, found: Sequence[Comparison], previous: Previous | None
) -> Fault:
    """The fault of a call with wrong elements.

    found: the outputs that have some, at least one; the first of them gives reason and sentence.
    """
    first = found[0]
    before = _before(first, previous)
    reason = _plain_reason(first, before)
    named: tuple[Suspect, ...] = ()
    if reason in (Reason.MISMATCH, Reason.NONFINITE):
        named = suspects(spec, data, first, before)
    if reason is Reason.MISMATCH and _imprecise(first, named):
        reason = Reason.PRECISION
    details = [worst_line(first), *(suspect.words for suspect in named), *_shares(first, reason)]
    for other in found[1:]:
        details += [_sentence(spec, other, Reason.MISMATCH, named=True), worst_line(other)]
    message = _sentence(spec, first, reason, named=len(spec.outputs) > 1)
    return Fault(Verdict.WA, reason, message, details=tuple(details))


def worst_line(found: Comparison) -> str:
    """`worst C[64, 7]: got 0, expected -2.31, error 2.31, allowed 0.0023, usage 1004`."""
    worst = found.worst
    place = ", ".join(str(index) for index in worst.index)
    blank = bool(found.unwritten[worst.index])
    got = "nothing (never written)" if blank and found.poisoned else _got(worst)
    line = f"worst {worst.output}[{place}]: got {got}, expected {worst.expected:.6g}"
    if np.isfinite(worst.error):
        line += f", error {worst.error:.3g}"
    line += f", allowed {worst.allowed:.3g}"
    return line + (f", usage {worst.usage:.4g}" if np.isfinite(worst.usage) else "")


def _got(worst: Worst) -> str:
    """The value, with the digits it takes to see that it differs."""
    short, full = f"{worst.got:.6g}", f"{worst.got:.17g}"
    return full if short == f"{worst.expected:.6g}" else short


def _before(found: Comparison, previous: Previous | None) -> Expected | None:
    """The right answer of the previous call, if it had the same shape."""
    answer = previous[0].get(found.argument.name) if previous else None
    return answer if answer is not None and answer.value.shape == found.got.shape else None


def _plain_reason(found: Comparison, before: Expected | None) -> Reason:
    """The reason, as far as it shows without a guess at the mistake."""
    bad = found.wrong
    if found.unwritten[bad].mean() >= NEARLY_ALL:
        return Reason.UNWRITTEN
    if before is not None and _stale(found, before):
        return Reason.STALE
    if found.argument.dtype.is_float:
        infinite = ~np.isfinite(decode(found.got[bad], found.argument.dtype))
        if infinite.mean() >= 0.5:
            return Reason.NONFINITE
    return Reason.MISMATCH


def _stale(found: Comparison, before: Expected) -> bool:
    """Whether the wrong elements are the previous call's answer.

    Elements that are all one number prove nothing: zeros are as good an answer to any call.
    """
    got = found.got[found.wrong]
    if found.got.size > 1 and (bits(got) == bits(got[:1])).all():
        return False
    numbers = decode(got, found.argument.dtype)
    _, right = judge_elements(numbers, before.value[found.wrong], before.allowed[found.wrong])
    return bool(right.mean() >= NEARLY_ALL)


def _imprecise(found: Comparison, named: Sequence[Suspect]) -> bool:
    """Whether the right formula was computed in a lower precision, shown by example or by size."""
    if any(suspect.precision for suspect in named):
        return True
    if named or not found.argument.dtype.is_float:
        return False
    value = found.expected.value[np.isfinite(found.expected.value)].astype(np.float64)
    got = decode(found.got[found.wrong], found.argument.dtype)
    error, _ = judge_elements(got, found.expected.value[found.wrong], np.zeros(got.shape))
    size = float(np.sqrt(np.mean(value**2))) if value.size else 0.0
    return bool(np.median(error) <= TYPICAL_ERROR * size and error.max() <= WORST_ERROR * size)


def _sentence(spec: Spec, found: Comparison, reason: Reason, named: bool) -> str:
    """How many elements are wrong, in which way, and where."""
    count, total = int(np.count_nonzero(found.wrong)), found.wrong.size
    how = {
        Reason.UNWRITTEN: _left(found),
        Reason.STALE: "left over from the previous call",
        Reason.NONFINITE: "wrong, NaN or infinite",
        Reason.PRECISION: f"not precise enough, up to {found.usage:.3g} times the allowed error",
    }.get(reason, "wrong")
    name = f"{found.argument.name}: " if named else ""
    if count == total:
        return name + (
            f"all {counted(total, 'element')} {how}" if total > 1 else f"the only element {how}"
        )
    where = describe(found.wrong, found.argument.shape, spec.tiles)
    return f"{name}{count} of {counted(total, 'element')} {how}, {where}"


def _from_unwritten_memory(found: Comparison) -> int:
    """How many wrong elements hold what the CPU backend's memory begins with.

    Two bytes at the least: fewer are too few to be sure.
    """
    width = found.argument.dtype.itemsize // 2
    if not width:
        return 0
    halves = bits(np.ascontiguousarray(found.got)[found.wrong]).view(np.uint16)
    return int(np.count_nonzero((halves.reshape(-1, width) == UNDEFINED).all(axis=1)))


def _left(found: Comparison) -> str:
    """What an output looks like that was not written."""
    if found.poisoned:
        return "never written (init: poison)"
    if found.argument.role is Role.INOUT:
        return "left unchanged"
    init = found.argument.init
    return f"left {'at zero' if init is Init.ZERO else 'as found'} (init: {init.value})"


def _shares(found: Comparison, reason: Reason) -> list[str]:
    """What some of the wrong elements are, where it is not the reason already."""
    bad = int(np.count_nonzero(found.wrong))
    lines = []
    copied = _from_unwritten_memory(found)
    if copied:
        lines.append(
            f"{_some(copied, bad)} {_was(copied)} copied from memory that nothing had "
            "written: shared memory, cudaMalloc, or a result that is undefined"
        )
    if found.poisoned and reason is not Reason.UNWRITTEN:
        blank = int(np.count_nonzero(found.unwritten & found.wrong))
        if blank:
            lines.append(f"{_some(blank, bad)} {_was(blank)} never written")
    blanks = found.expected.value[found.unwritten & found.wrong]
    if found.poisoned and blanks.size and not blanks.any() and found.expected.value.any():
        lines.append("each element never written has the right answer 0: zeros are written, too")
    if found.argument.dtype.is_float and reason is Reason.MISMATCH:
        got = decode(found.got[found.wrong], found.argument.dtype)
        infinite = int(np.count_nonzero(~np.isfinite(got)))
        if infinite:
            lines.append(
                f"{_some(infinite, bad)} {'is' if infinite == 1 else 'are'} NaN or infinite"
            )
    return lines


def _some(count: int, bad: int) -> str:
    """So many of the wrong elements."""
    if count == bad:
        return f"all {counted(bad, 'wrong element')}" if bad > 1 else "the wrong element"
    return f"{count} of the {counted(bad, 'wrong element')}"


def _was(count: int) -> str:
    return "was" if count == 1 else "were"
