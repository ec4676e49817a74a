"""The conductor: one submission, one problem, one backend -> one Report.

In comes a Request, out goes a Report; the work is done by the rooms it calls, in this order: plan
the cases, compile (while inputs and answers are made), judge case by case, shrink the failing case,
look for what failing cases have in common and for the cause.  It never raises for a bad submission;
UserError (bad request) and JudgeError (broken judge or machine) pass through it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from judge import again, backend, caseids, cases, checker, notzeroed, patterns, shrink
from judge.answers import ROUNDS, Answers
from judge.backend import Backend, Session
from judge.counted import counted
from judge.model import (
    Array,
    Build,
    CallFault,
    Case,
    CaseResult,
    CompileError,
    Expected,
    Fault,
    JudgeError,
    Progress,
    Reason,
    Report,
    Request,
    Role,
    Verdict,
)

# A worker that died is started again, but a submission that kills every worker is not worth fifty.
MAX_DEATHS = 3
# Each further call would cost the whole time limit, or fill the memory again.
STOPPING = (Verdict.TLE, Verdict.MLE)
NOT_ALONE = "the failing case passes when it runs alone: state kept between calls, or a race"

Tell = Callable[[Progress], None]


def judge(request: Request, tell: Tell) -> Report:
    """Judge one submission and say all that is known about it.

    `tell` hears of progress, on the calling thread.  Raises UserError, JudgeError.
    """
    room = backend.load(request.backend)
    seed = request.seed or cases.new_seed()
    planned = _plan(request, seed, room)
    base = Report(
        problem=request.spec.slug,
        submission=request.source,
        backend=request.backend,
        seed=seed,
        defines=request.defines,
        verdict=Verdict.CE,
        fault=None,
        device=room.probe(),
        planned=len(planned),
        init={one.name: one.init.value for one in request.spec.outputs if one.role is Role.OUT},
        notes=request.spec.challenge.remarks if request.spec.challenge else (),
    )
    with Answers(request.spec, seed) as answers:
        answers.start(planned)
        return _judge(room, request, planned, answers, base, tell)


def _judge(
    room: Backend,
    request: Request,
    planned: Sequence[Case],
    answers: Answers,
    base: Report,
    tell: Tell,
) -> Report:
    """Compile, run, explain, time."""
    started = time.perf_counter()
    tell(Progress("build", 0, 1, request.source.name))
    try:
        build = room.compile(request.source, request.spec, request.defines)
    except CompileError as error:
        return replace(
            base,
            fault=error.fault,
            verdict=error.fault.verdict,
            log_path=error.log_path,
            build_seconds=time.perf_counter() - started,
        )
    tell(Progress("build", 1, 1, request.source.name))
    built = time.perf_counter()
    base = replace(base, build=build, build_seconds=built - started)
    checking = room.check and room.check(request)
    report = _run(room, build, planned, answers, base, tell)
    if report.failing is not None and request.case is None:
        report = _explain(room, build, report, report.failing, answers, tell)
    report = notzeroed.explained(report, answers, partial(_session, room, build, answers))
    if report.verdict is Verdict.AC:
        report = _time(room, build, report, request, tell)
    report = checking.beside(report) if checking else report
    if report.failing is not None:
        alone = NOT_ALONE not in report.notes
        case = report.failing.case.id if alone else None
        report = replace(report, again=again.command(request, base.seed, case))
    return replace(report, run_seconds=time.perf_counter() - built)


def _plan(request: Request, seed: str, room: Backend) -> tuple[Case, ...]:
    """The one case asked for, or all that fit the backend's budget."""
    if request.case is not None:
        return (caseids.parse_id(request.spec, request.case),)
    planned = cases.plan(request.spec, seed, room.BUDGET)
    if not planned:
        raise JudgeError(f"{request.spec.path}: no case was planned, so nothing could be checked")
    return planned


@contextmanager
def _session(room: Backend, build: Build, answers: Answers) -> Iterator[Session]:
    """A session whose worker dies with the block, whatever happened in it."""
    session = room.open_session(build, answers.spec)
    try:
        yield session
    finally:
        session.close()


def _run(
    room: Backend,
    build: Build,
    planned: Sequence[Case],
    answers: Answers,
    base: Report,
    tell: Tell,
) -> Report:
    """Judge the cases in order, on past wrong answers, until more is not worth the time."""
    results: list[CaseResult] = []
    deaths = 0
    with _session(room, build, answers) as session:
        for number, case in enumerate(planned):
            tell(Progress("run", number, len(planned), case.id))
            result, returned = judge_case(session, case, answers)
            results.append(result)
            deaths += not returned
            if result.verdict in STOPPING or deaths >= MAX_DEATHS:
                break
    tell(Progress("run", len(results), len(planned), ""))
    failing = next((result for result in results if result.fault), None)
    # What harmed nothing in one case may be the very fault of another.
    known = tuple(result.fault.message for result in results if result.fault)
    remarks = (n for result in results for n in result.notes if not n.startswith(known))
    return replace(
        base,
        verdict=failing.verdict if failing else Verdict.AC,
        fault=failing.fault if failing else None,
        results=tuple(results),
        failing=failing,
        notes=tuple(dict.fromkeys((*base.notes, *build.notes, *remarks)))[:6],
    )


def judge_case(session: Session, case: Case, answers: Answers) -> tuple[CaseResult, bool]:
    """Call `solve` with new content each round, the second at the same addresses; stop at a fault.

    Returns the result, and whether the worker came back from the last call.
    """
    started = time.perf_counter()
    previous: tuple[Mapping[str, Expected], Mapping[str, Array]] | None = None
    notes: tuple[str, ...] = ()
    printed = ""
    for round_ in ROUNDS:
        data, expected = answers.take(case, round_)
        schedule = answers.schedule(case, round_)
        outcome = session.call(data, schedule=schedule, same_addresses=round_ > 0)
        check = checker.check(answers.spec, data, expected, outcome, previous)
        notes += checker.remarks(outcome, check)
        printed = "\n".join(filter(None, (printed, outcome.printed)))
        fault = check.fault
        if fault is None and not 0 < check.checked == check.total:
            message = f"only {check.checked} of {counted(check.total, 'element')} checked"
            fault = Fault(Verdict.JE, Reason.INTERNAL, message)
        if fault is not None:
            break
        previous = (expected, outcome.outputs)
    result = CaseResult(
        case=case,
        fault=fault,
        check=check,
        seconds=time.perf_counter() - started,
        printed=printed,
        notes=tuple(dict.fromkeys(notes)),
    )
    return result, outcome.returned


def _time(room: Backend, build: Build, report: Report, request: Request, tell: Tell) -> Report:
    """How fast an accepted submission is; what is wrong in a timed call takes the AC back."""
    if room.measure is None or request.case is not None or request.timed == 0:
        return report

    # What only a GPU run needs is not loaded for the others.
    from judge import baselines

    def hear(text: str) -> None:
        tell(Progress("time", 0, 1, text))

    try:
        speed = room.measure(build, request.spec, report.seed, request.timed, hear)
    except CallFault as error:
        return replace(report, verdict=error.fault.verdict, fault=error.fault)
    return baselines.added(report, speed, request.spec)


def _explain(
    room: Backend, build: Build, report: Report, main: CaseResult, answers: Answers, tell: Tell
) -> Report:
    """The smallest case that fails the same way, and what the failing cases have in common.

    A case that only fails after others (state kept between calls), or only sometimes (a race), must
    not be handed out with a command that would then pass: it is tried alone, in a fresh worker.
    """
    report = replace(report, pattern=patterns.patterns(report.results, answers.spec))
    if main.verdict in STOPPING:
        return report

    def alike(result: CaseResult) -> CaseResult | None:
        return result if shrink.same_fault(result, main) else None

    def alone(case: Case) -> CaseResult | None:
        with _session(room, build, answers) as fresh:
            return alike(judge_case(fresh, case, answers)[0])

    tell(Progress("shrink", 0, 1, main.case.id))
    start = alone(shrink.smallest_of(report.results, main, answers.spec).case)
    if start is None:
        return replace(report, notes=(*report.notes, NOT_ALONE))
    with _session(room, build, answers) as session:
        # One worker for all tries, since starting one costs more than a small case ...
        smallest = shrink.shrink(
            answers.spec, start, lambda case: alike(judge_case(session, case, answers)[0])
        )
    # ... so the find is confirmed on its own: what earlier tries left behind may have helped.
    failing = start if smallest is start else alone(smallest.case) or start
    tell(Progress("shrink", 1, 1, failing.case.id))
    return replace(report, failing=failing, fault=failing.fault)
