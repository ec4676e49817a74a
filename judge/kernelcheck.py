"""The check of a submission: a few calls under the check build, and what it found.

The check build is the CPU backend's with a runtime that holds every access of memory against a
shadow (judge/emu/check.h): it is slower, runs blocks one after another, and names the line of a
mistake that a wrong answer only shows.  It explains: a verdict stays what the cases said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from judge import cases, checker, cpubuild, lockstep, prebuilt
from judge.answers import ROUNDS, Answers
from judge.counted import counted
from judge.cpusession import Session
from judge.model import (
    Build,
    Case,
    CompileError,
    Fault,
    Finding,
    JudgeError,
    Limits,
    Mistake,
    Outcome,
    Reason,
    Report,
    Request,
    Spec,
    Verdict,
)

MOST = 8
"""Findings on one screen; a mistake has many sites."""
_SHADOW_FACTOR = 4
"""A cell of the shadow is twelve times what it stands for, but only what is touched has one."""
_MOST_WORK = 4e6
"""Operations of a case that is checked: 0.1 s."""
_SECONDS = 2.0
"""Of a call, where nobody asked for the check."""
_EXPLAINED = (Verdict.WA, Verdict.RE)
_CERTAIN = (Mistake.OUT_OF_BOUNDS, Mistake.RACE, Mistake.UNINITIALISED)
_ON_A_GPU = {
    Mistake.OUT_OF_BOUNDS: "it may read or change other data, or fail",
    Mistake.RACE: "the order may be another, and the answer with it",
    Mistake.UNINITIALISED: "another value may lie there, and change the answer if it is used",
    Mistake.BARRIER: "it may hang or go wrong",
    Mistake.SHUFFLE: "the value may be another",
}
"""Of the mistakes whose sentence does not say it."""
_OF_REASON = {
    Reason.OUT_OF_BOUNDS: Mistake.OUT_OF_BOUNDS,
    Reason.GUARD_OVERWRITTEN: Mistake.OUT_OF_BOUNDS,
    Reason.BARRIER_DIVERGENCE: Mistake.BARRIER,
    Reason.DEADLOCK: Mistake.DEADLOCK,
}


@dataclass(frozen=True)
class Checked:
    """What a check saw: cases, findings and, of the first call that was wrong, the fault."""

    cases: tuple[Case, ...]
    findings: tuple[Finding, ...]
    fault: Fault | None = None


def pick(spec: Spec, planned: Sequence[Case]) -> tuple[Case, ...]:
    """Two or three small cases: the smallest with several tiles and a tail in every axis, with two
    and with four of the smallest tiles, or else the smallest of all."""
    tile = min(spec.tiles, default=1)
    long = [axis.name for axis in spec.drawn_axes if axis.maximum > 4 * tile]
    by_work = sorted(planned, key=lambda case: (cases.work(spec, case), case.id))
    found: dict[str, Case] = {}
    for tiles in (2, 4):
        for case in by_work:
            sizes = [case.sizes[name] for name in long]
            ragged = bool(sizes) and all(n % tile and n > tiles * tile for n in sizes)
            if ragged and cases.work(spec, case) <= _MOST_WORK:
                found[case.id] = case
                break
    return tuple(found.values()) or tuple(by_work[:1])


def run(build: Build, spec: Spec, chosen: Sequence[Case], seed: str) -> Checked:
    """Call `solve` on each of the cases, each in a worker of its own."""
    limits = Limits(spec.limits.seconds_per_call, _SHADOW_FACTOR * spec.limits.memory_bytes)
    roomy = replace(spec, limits=limits)
    found: list[Finding] = []
    first: Fault | None = None
    with Answers(spec, seed) as answers:
        for case in chosen:
            with Session(build, roomy, prebuilt.runtime_library(prebuilt.CHECKING), 1) as session:
                for round_ in ROUNDS:
                    data, expected = answers.take(case, round_)
                    schedule = answers.schedule(case, round_)
                    outcome = session.call(data, schedule=schedule, same_addresses=round_ > 0)
                    fault = checker.check(spec, data, expected, outcome).fault
                    found += _of_call(outcome, fault)
                    first = first or fault
                    if fault is not None:
                        break
    return Checked(tuple(chosen), tuple(_ranked(found)), first)


class Beside:
    """A check begun when the cases are: its build is compiled while they run."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._pool = ThreadPoolExecutor(1)
        self._build = self._pool.submit(
            cpubuild.compile, request.source, request.spec, request.defines, check=True
        )

    def beside(self, report: Report) -> Report:
        """The report with what a check finds: of a failing case its cause, of an accepted one a
        doubt.  The verdict and its reason stay."""
        chosen = self._chosen(report)
        try:
            found = self._found(report, chosen) if chosen else ()
        except JudgeError as error:  # a verdict does not depend on its explanation
            return replace(report, notes=(*report.notes, f"no check: {error}"))
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)
        if not found:
            return report
        if report.fault is not None:
            luck = self._luck(report, found)
            return _explained(report, report.fault, found, luck)
        doubts = tuple(f"passes, but {_line(one)}{_on_a_gpu(one)}" for one in found[:2])
        return replace(report, notes=(*doubts, *report.notes))

    def _found(self, report: Report, chosen: Sequence[Case]) -> Sequence[Finding]:
        """What the verdict does not say itself."""
        try:
            build = self._build.result()
        except CompileError:  # only the fast build has to be accepted
            return ()
        limits = Limits(_SECONDS, self._request.spec.limits.memory_bytes)
        spec = replace(self._request.spec, limits=limits)
        # What the failing case does not show, a larger one may: it fails only now and then.
        attempts = [chosen] if report.fault is None else [[case] for case in chosen]
        for some in attempts:
            found = [
                one
                for one in run(build, spec, some, report.seed).findings
                if one.mistake is not Mistake.ERROR and not _is_known(one, report.fault)
            ]
            if found:
                return found
        return ()

    def _luck(self, report: Report, found: Sequence[Finding]) -> str:
        """What to say of a wrong answer by a race that is right where warps run in step."""
        if report.verdict is not Verdict.WA or found[0].mistake is not Mistake.RACE:
            return ""
        wrong = [one.case for one in report.results if one.fault is not None]
        small = [one for one in wrong if cases.work(self._request.spec, one) <= _MOST_WORK]
        passes = lockstep.passes(self._build.result(), self._request.spec, small, report.seed)
        return lockstep.SENTENCE if passes else ""

    def _chosen(self, report: Report) -> tuple[Case, ...]:
        """The cases worth a check: none where it could not say more, or would take too long."""
        spec = self._request.spec
        chosen: tuple[Case, ...] = ()
        if report.fault is None:
            chosen = pick(spec, [result.case for result in report.results])
        elif report.verdict in _EXPLAINED and report.failing is not None:
            chosen = (report.failing.case, *pick(spec, [one.case for one in report.results])[:1])
            if report.fault.reason is Reason.LAUNCH_LIMITS:
                chosen = ()
        return tuple(case for case in chosen if cases.work(spec, case) <= _MOST_WORK)


def _is_known(one: Finding, fault: Fault | None) -> bool:
    """Whether a runtime error is the finding itself."""
    return fault is not None and fault.verdict is Verdict.RE and one.place == fault.place


def _explained(report: Report, fault: Fault, found: Sequence[Finding], luck: str) -> Report:
    """The fault with the cause that was found, and the line of it where that is certain."""
    best = found[0]
    lines = [line for one in found[:2] for line in (f"check: {_line(one)}", *one.details)]
    lines += [luck] if luck else []
    place = best.place if best.mistake in _CERTAIN else None
    fault = replace(
        fault, place=fault.place or place, details=(*fault.details, *dict.fromkeys(lines))
    )
    failing = replace(report.failing, fault=fault) if report.failing is not None else None
    return replace(report, fault=fault, failing=failing)


def lines(checked: Checked) -> Iterator[str]:
    """The screen of a check, the most telling finding first."""
    for case in checked.cases:
        yield f"  on       {case.id}"
    found = checked.findings
    if not found:
        yield "  clean: no finding"
        if checked.fault is not None:
            yield f"  but not accepted: {checked.fault.message}"
        return
    yield f"  {counted(len(found), 'finding')}"
    for one in found[:MOST]:
        yield f"  {one.mistake.value:<14} {_line(one)}"
        yield from (f"  {'':<14} {detail}" for detail in one.details)
    if len(found) > MOST:
        yield f"  ... and {len(found) - MOST} more"


def _line(one: Finding) -> str:
    return f"{one.place}: {one.message}" if one.place else one.message


def _on_a_gpu(one: Finding) -> str:
    """What a finding means on a GPU for a submission that was right here."""
    means = _ON_A_GPU.get(one.mistake)
    return f"; on a GPU {means}" if means else ""


def _of_call(outcome: Outcome, fault: Fault | None) -> Iterator[Finding]:
    """The findings of one call, what ended it among them if nothing explains that better."""
    kept = [one for one in outcome.findings if fault is not None or not one.harmless]
    yield from kept
    seen = outcome.fault
    if seen is None or seen.verdict is not Verdict.RE:
        return
    mistake = _OF_REASON.get(seen.reason, Mistake.ERROR)
    if mistake is Mistake.ERROR and fault is None:  # an error that did no harm
        return
    if mistake in _OF_REASON.values() or not kept:
        if mistake is Mistake.OUT_OF_BOUNDS and any(one.mistake is mistake for one in kept):
            return
        yield Finding(mistake, seen.message, seen.place, details=seen.details)


def _ranked(found: Iterable[Finding]) -> list[Finding]:
    """Each place once, the kinds in the order of Mistake."""
    once: dict[tuple[Mistake, str], Finding] = {}
    for one in found:
        places = sorted({str(place) for place in (one.place, one.other) if place})
        once.setdefault((one.mistake, " ".join(places) or one.message), one)
    order = list(Mistake)
    return sorted(once.values(), key=lambda one: order.index(one.mistake))
