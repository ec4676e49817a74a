"""The commands that need a GPU: ladder, compare, profile, sanitize.

Like `commands`: this room knows the order of things and the exit codes, nothing else.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from judge import output, paths
from judge.counted import counted
from judge.model import (
    Build,
    CallFault,
    CompileError,
    ExitCode,
    Progress,
    Report,
    Request,
    Spec,
    UserError,
    Verdict,
)
from judge.printable import printable
from judge.progress import Tell
from judge.rungs import Rung
from judge.versus import Versus

_JUDGE = "times come from a GPU alone; `make judge SUB=FILE` tells right from wrong without one"
_CHECK = "`make check-kernel SUB=FILE` finds bad accesses and races without one"
# None of these commands has another backend to offer.
INSTEAD = {"ladder": _JUDGE, "compare": _JUDGE, "profile": _JUDGE, "sanitize": _CHECK}


def run(asked: argparse.Namespace) -> int:
    """Run the command that was asked for; the exit code.  Raises UserError, JudgeError."""
    commands: dict[str, Callable[[argparse.Namespace], int]] = {
        "ladder": _ladder,
        "compare": _compare,
        "profile": _profile,
        "sanitize": _sanitize,
    }
    return commands[asked.command](asked)


def _ladder(asked: argparse.Namespace) -> int:
    from judge import devices, find, laddertable, ledger, rungs, spec

    if not asked.readme_only:
        devices.choose("gpu", instead=INSTEAD["ladder"])
    for slug in [asked.problem] if asked.problem is not None else spec.slugs():
        problem = spec.load(find.named_problem(slug))
        ladder = rungs.rungs(problem)
        if not asked.readme_only:
            _climb(problem, ladder, asked.only)
        table = laddertable.table(problem, ledger.read(ledger.path_of(problem.slug)), ladder)
        laddertable.rewrite(find.ROOT / "README.md", problem, table)
        output.write(sys.stdout, lambda screen, t=table: f"\n{t}")
    return ExitCode.ACCEPTED


def _climb(problem: Spec, rungs: tuple[Rung, ...], only: list[str]) -> None:
    """Judge, time and record the rungs, one line each as soon as it is known."""
    from judge import cases, history, ladder, ledger, progress, smi

    chosen, seed, driver = ladder.chosen(rungs, only), cases.new_seed(), smi.state().driver
    with progress.shown(sys.stderr) as tell:
        clock = ladder.gpu_clock(problem, seed)
        for rung, report in ladder.climb(problem, chosen, clock, seed, tell):
            ledger.append(ledger.lines(report, problem, driver), ledger.path_of(problem.slug))
            output.warn(history.append(report))
            output.write(sys.stdout, lambda screen, g=rung, r=report: ladder.line(g, r) + "\n")


def _compare(asked: argparse.Namespace) -> int:
    from judge import caseids, progress, report, tables

    sources, problem = _files([asked.file, asked.other], asked)
    timed = caseids.timed(problem)
    if asked.size > len(timed):
        raise UserError(
            f"--size {asked.size}: {problem.slug} has {counted(len(timed), 'timed size')}"
        )
    with progress.shown(sys.stderr) as tell:
        reports = [_judged(source, problem, tell) for source in sources]
        refused = [one for one in reports if one.verdict is not Verdict.AC]
        if not refused:
            try:
                found = _in_turns(problem, reports, asked.size - 1, tell)
            except CallFault as error:
                fault = error.fault
                line = f"{fault.verdict.value}  {fault.reason.value}  {fault.message}"
                return output.complain(line, ExitCode.NOT_ACCEPTED)
    for one in refused:
        output.write(sys.stdout, lambda screen, r=one: report.render(r, screen))
    if refused:
        return ExitCode.NOT_ACCEPTED
    sizes = timed[asked.size - 1].sizes
    output.write(sys.stdout, lambda screen: tables.versus(found, sources, problem, sizes, screen))
    return ExitCode.ACCEPTED


def _in_turns(problem: Spec, reports: list[Report], size: int, tell: Tell) -> Versus:
    """Both staged at once on the same inputs.  Raises CallFault."""
    from judge import caseids, cases, gpu, gpuspeed, toolkit, versus

    builds = [report.build for report in reports if report.build is not None]
    tell(Progress("time", 0, versus.MOST_QUADS, "inputs and right answers"))
    prepared = gpuspeed.prepare(problem, caseids.timed(problem)[size], cases.new_seed())
    folders = [str(folder) for folder in toolkit.library_folders()]

    def hear(done: int, most: int) -> None:
        tell(Progress("time", done, most, "in turns, A B B A"))

    with (
        gpuspeed.staged(problem, builds[0], prepared, gpu.device(), folders) as (_, a),
        gpuspeed.staged(problem, builds[1], prepared, gpu.device(), folders) as (_, b),
    ):
        return versus.in_turns((str(builds[0].source), a), (str(builds[1].source), b), hear)


def _judged(source: Path, problem: Spec, tell: Tell) -> Report:
    """Judge one without timing it, and keep that in the history."""
    from judge import history
    from judge import run as conductor

    report = conductor.judge(Request(source, problem, "gpu", timed=0), tell)
    output.warn(history.append(report))
    return report


def _profile(asked: argparse.Namespace) -> int:
    from judge import caseids, cases, gpu, profile, speedreport, toolkit

    (source,), problem = _files([asked.file], asked)
    toolkit.tool("ncu")
    build = _built(gpu.compile, source, problem, (*asked.defines, *asked.more_defines))
    if build is None:
        return ExitCode.NOT_ACCEPTED
    case = caseids.timed(problem)[0]
    data = cases.make(problem, case, cases.new_seed(), 0)
    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        found = profile.measure(build, problem, data, Path(folder))
    head = f"{problem.slug}  {source.name}  {speedreport.size(case.sizes)}, one warm call"
    text = "".join(f"{line}\n" for line in (printable(head), *profile.lines(found)))
    output.write(sys.stdout, lambda screen: text)
    return ExitCode.ACCEPTED


def _sanitize(asked: argparse.Namespace) -> int:
    from judge import cases, gpu, sanitize, toolkit

    (source,), problem = _files([asked.file], asked)
    toolkit.tool("compute-sanitizer")
    build = _built(gpu.compile, source, problem, (*asked.defines, *asked.more_defines))
    if build is None:
        return ExitCode.NOT_ACCEPTED
    seed = cases.new_seed()
    chosen = sanitize.pick(problem, cases.plan(problem, seed))
    head = [f"{problem.slug}  {source.name}", *(f"  on       {case.id}" for case in chosen)]
    output.write(sys.stdout, lambda screen: "".join(f"{printable(line)}\n" for line in head))
    clean = True
    more = [name for name in sanitize.MORE_TOOLS if getattr(asked, name)]
    for tool in (*sanitize.TOOLS, *more):
        with tempfile.TemporaryDirectory(prefix="judge-") as folder:
            found = sanitize.check(build, problem, chosen, tool, seed, Path(folder))
        clean = clean and not found
        text = "".join(f"{paths.shortened(line)}\n" for line in sanitize.lines(tool, found))
        output.write(sys.stdout, lambda screen, t=text: t)
    return ExitCode.ACCEPTED if clean else ExitCode.NOT_ACCEPTED


def _built(
    compile: Callable[..., Build], source: Path, problem: Spec, defines: tuple[str, ...]
) -> Build | None:
    """The build; None, after its error was told, where there is none."""
    try:
        return compile(source, problem, defines)
    except CompileError as error:
        fault = error.fault
        place = f"{fault.place}: " if fault.place else ""
        output.warn(f"{fault.verdict.value}  {fault.reason.value}  {place}{fault.message}")
        return None


def _files(names: list[str], asked: argparse.Namespace) -> tuple[list[Path], Spec]:
    """The sources, and the problem of the first.  Raises UserError, BackendMissing."""
    from judge import devices, find, spec, which

    sources = [find.submission(name, asked.problem) for name in names]
    folder, remark = which.problem(sources[0], asked.problem)
    output.warn(remark)
    problem = spec.load(folder)
    devices.choose("gpu", instead=INSTEAD[asked.command])
    return sources, problem
