"""Judge and time every rung of a problem on a GPU, one after the other.

Inputs and right answers of the timed sizes are made once for all rungs, since at the largest they
take longer than a kernel does.  A rung that is not accepted is a result too: it has no time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from judge import caseids, run, speedreport
from judge.model import Build, CallFault, Progress, Report, Request, Spec, Speed, UserError, Verdict
from judge.printable import printable
from judge.run import Tell
from judge.rungs import Rung

Clock = Callable[[Build, Callable[[str], None]], Speed]
"""Times an accepted build at every timed size.  Raises CallFault."""


def gpu_clock(spec: Spec, seed: str) -> Clock:
    """The GPU's.  Raises BackendMissing."""
    from judge import gpu, gpuspeed, toolkit

    device = gpu.device()
    folders = [str(folder) for folder in toolkit.library_folders()]
    prepared: list[gpuspeed.Prepared] = []

    def clock(build: Build, hear: Callable[[str], None]) -> Speed:
        for case in caseids.timed(spec)[len(prepared) :]:
            hear(f"{case.id}: inputs and right answers, once")
            prepared.append(gpuspeed.prepare(spec, case, seed))
        return gpuspeed.measure(spec, build, prepared, device, folders, hear)

    return clock


def chosen(rungs: Sequence[Rung], only: Sequence[str]) -> tuple[Rung, ...]:
    """The rungs of these files, all if none is named.  Raises UserError for one that is not there.

    only: file names, with or without `.cu`
    """
    names = {rung.source.name for rung in rungs}
    for name in only:
        if not {name, f"{name}.cu"} & names:
            there = ", ".join(sorted(names))
            raise UserError(f"--only {printable(name)}: not in the ladder; there are: {there}")
    return tuple(
        rung for rung in rungs if not only or {rung.source.name, rung.source.stem} & set(only)
    )


def climb(
    spec: Spec, rungs: Sequence[Rung], clock: Clock, seed: str, tell: Tell
) -> Iterator[tuple[Rung, Report]]:
    """The report of each rung as soon as it is there, with its times where it is accepted."""
    for number, rung in enumerate(rungs):

        def hear(text: str, number: int = number, rung: Rung = rung) -> None:
            tell(Progress("ladder", number, len(rungs), f"{rung.name}: {text}"))

        hear("judge")
        request = Request(rung.source, spec, "gpu", rung.defines, seed=seed, timed=0)
        report = run.judge(request, tell)
        if report.verdict is Verdict.AC:
            assert report.build is not None
            try:
                report = replace(report, speed=clock(report.build, hear))
            except CallFault as error:
                report = replace(report, verdict=error.fault.verdict, fault=error.fault)
        yield rung, report


def line(rung: Rung, report: Report) -> str:
    """One rung in one line: verdict, name, and the time at each size or the reason."""
    head = f"{report.verdict.value:<4}{rung.name:<24}"
    if report.speed is None:
        fault = report.fault
        why = f"{fault.reason.value}: {fault.message}" if fault else "not timed"
        return f"{head}{printable(why, 160)}"
    times = (
        f"{speedreport.microseconds(one.cold.median_us)}{'?' if one.doubt else ''} us at "
        f"{speedreport.size(one.sizes)}"
        for one in report.speed.timed
    )
    return head + ", ".join(times)
