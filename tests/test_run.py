"""The conductor, with a backend made of Python functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fake_backend import FakeBackend, Solve, outputs

from judge import backend, run
from judge import spec as specs
from judge.model import (
    Array,
    CallData,
    CallFault,
    CompileError,
    DeviceState,
    Fault,
    Outcome,
    Peaks,
    Progress,
    Reason,
    Report,
    Request,
    Speed,
    UserError,
    Verdict,
)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Report]:
    """Judge a Python `solve`: `judge(solve)`; what was heard of progress is `judge.heard`."""

    def go(make_solve: Callable[[], Solve] | FakeBackend, **asked: str) -> Report:
        fake = make_solve if isinstance(make_solve, FakeBackend) else FakeBackend(make_solve)
        monkeypatch.setattr(backend, "load", lambda name: fake)
        case, seed = asked.get("case"), asked.get("seed", "5eed")
        request = Request(Path("mine.cu"), specs.load("gemm_fp16"), "cpu", ("TILE=8",), case, seed)
        heard: list[Progress] = []
        report = run.judge(request, heard.append)
        go.fake, go.heard = fake, heard  # type: ignore[attr-defined]
        return report

    return go


def right(data: CallData, answer: Array) -> Outcome:
    """A submission without fault."""
    return outputs(answer)


def test_right_submission_is_accepted(judge: Callable[..., Report]) -> None:
    """Every planned case is judged in two calls, the second at the addresses of the first."""
    report = judge(lambda: right)

    assert report.verdict is Verdict.AC
    assert report.fault is None
    assert report.passed == report.planned == len(report.results) > 20
    assert report.again == ""
    assert report.notes == ("a note of the build",)
    [session] = judge.fake.sessions  # type: ignore[attr-defined]
    assert session.closed
    assert [same for _, _, same in session.calls[:4]] == [False, True, False, True]


def test_calls_of_a_case_have_other_content_and_other_schedules(
    judge: Callable[..., Report],
) -> None:
    """What the first call left behind is wrong for the second, and no schedule is plain forward."""
    judge(lambda: right)

    [session] = judge.fake.sessions  # type: ignore[attr-defined]
    first, second = (data.arrays["A"].tobytes() for data, _, _ in session.calls[2:4])
    schedules = [schedule for _, schedule, _ in session.calls]
    assert first != second
    assert 0 not in schedules
    assert len(set(schedules)) == len(schedules)


def test_same_seed_gives_the_same_calls(judge: Callable[..., Report]) -> None:
    """Data, order and schedules depend on the seed alone."""

    def calls() -> list[tuple[str, int, bytes]]:
        judge(lambda: right, seed="abc")
        [session] = judge.fake.sessions  # type: ignore[attr-defined]
        return [(d.case.id, s, d.arrays["B"].tobytes()) for d, s, _ in session.calls]

    assert calls() == calls()


def test_wrong_submission_is_shrunk_and_can_be_repeated(judge: Callable[..., Report]) -> None:
    """The case shown is the smallest that fails, with its pattern and the command to repeat it."""

    def odd_columns_missing(data: CallData, answer: Array) -> Outcome:
        if data.case.sizes["N"] >= 20:
            answer[:, 19] = 77.0
        return outputs(answer)

    report = judge(lambda: odd_columns_missing)

    assert report.verdict is Verdict.WA
    assert report.failing is not None
    assert report.failing.case.sizes == {"M": 1, "N": 20, "K": 1}
    assert report.fault == report.failing.fault
    assert any("N" in line for line in report.pattern)
    assert 0 < report.passed < report.planned
    assert f"--case {report.failing.case.id}" in report.again
    assert "--seed 5eed" in report.again
    assert "-D TILE=8" in report.again


def test_asking_for_one_case_judges_it_alone(judge: Callable[..., Report]) -> None:
    """`--case` runs just that case, wrong or right, and does not shrink it."""
    case = "normal,M=5,N=6,K=7,alpha=1,beta=0"

    report = judge(lambda: lambda data, answer: outputs(answer * 0 + 60000), case=case)

    assert [result.case.id for result in report.results] == [case]
    assert report.failing is not None
    assert report.failing.case.id == case
    assert len(judge.fake.sessions) == 1  # type: ignore[attr-defined]


def test_bad_case_id_is_the_users_fault(judge: Callable[..., Report]) -> None:
    """An id that cannot be parsed is one line, not a verdict."""
    with pytest.raises(UserError, match="nosuch"):
        judge(lambda: right, case="nosuch")


def test_failure_of_the_second_call_only_is_found(judge: Callable[..., Report]) -> None:
    """A submission that works once per process is not accepted."""

    def works_once() -> Solve:
        seen: list[CallData] = []

        def solve(data: CallData, answer: Array) -> Outcome:
            seen.append(data)
            return outputs(answer if len(seen) == 1 else answer * 0)

        return solve

    report = judge(works_once)

    assert report.verdict is Verdict.WA
    assert report.again.count("--case") == 1


def test_case_that_fails_only_after_others_is_not_handed_out_alone(
    judge: Callable[..., Report],
) -> None:
    """State kept between cases fails the run, and the command repeats the whole run."""

    def works_five_times() -> Solve:
        seen: list[CallData] = []

        def solve(data: CallData, answer: Array) -> Outcome:
            seen.append(data)
            return outputs(answer if len(seen) <= 5 else answer * 0 + 3)

        return solve

    report = judge(works_five_times)

    assert report.verdict is Verdict.WA
    assert run.NOT_ALONE in report.notes
    assert "--case" not in report.again
    assert "--seed 5eed" in report.again


def test_dead_workers_end_the_run_after_three(judge: Callable[..., Report]) -> None:
    """A submission that kills every worker is not tried fifty times."""
    fault = Fault(Verdict.RE, Reason.SIGNAL, "ended by SIGSEGV")

    report = judge(lambda: lambda data, answer: Outcome(returned=False, fault=fault))

    assert report.verdict is Verdict.RE
    assert len(report.results) == run.MAX_DEATHS < report.planned


@pytest.mark.parametrize("verdict", [Verdict.TLE, Verdict.MLE])
def test_costly_verdicts_end_the_run_at_once(
    judge: Callable[..., Report], verdict: Verdict
) -> None:
    """No second time limit is waited for, and nothing is shrunk."""
    fault = Fault(verdict, Reason.TIMEOUT, "too much")

    report = judge(lambda: lambda data, answer: Outcome(returned=False, fault=fault))

    assert report.verdict is verdict
    assert len(report.results) == 1
    assert len(judge.fake.sessions) == 1  # type: ignore[attr-defined]


def test_fault_is_not_told_again_as_a_note(judge: Callable[..., Report]) -> None:
    """A launch that failed without harm in one case explains the other cases, once."""
    fault = Fault(Verdict.RE, Reason.LAUNCH_LIMITS, "gemm was not launched")

    def never_launched(data: CallData, answer: Array) -> Outcome:
        return Outcome(returned=True, outputs={"C": data.arrays["C"]}, fault=fault)

    report = judge(lambda: never_launched)

    assert report.verdict is Verdict.RE
    assert report.passed >= 1  # alpha = 0 and beta = 1: leaving C alone is right
    assert report.notes == ("a note of the build",)


def test_what_both_calls_print_is_kept_apart(judge: Callable[..., Report]) -> None:
    """The second call's output begins on a line of its own."""
    talks = Outcome(returned=True, printed="sum 3")

    report = judge(lambda: lambda data, answer: replace(talks, outputs={"C": answer}))

    assert report.results[0].printed == "sum 3\nsum 3"


def test_compile_error_is_a_verdict(judge: Callable[..., Report]) -> None:
    """What does not build is CE with its place, and no case is run."""
    fault = Fault(Verdict.CE, Reason.COMPILE, "expected ';'")
    fake = FakeBackend(lambda: right, error=CompileError(fault, log_path=Path("log")))

    report = judge(fake)

    assert report.verdict is Verdict.CE
    assert report.fault == fault
    assert report.log_path == Path("log")
    assert report.results == ()
    assert fake.sessions == []


def test_silent_worker_is_not_accepted(judge: Callable[..., Report]) -> None:
    """A call that was not acknowledged is not right, whatever the buffers hold."""

    def silent(data: CallData, answer: Array) -> Outcome:
        return Outcome(returned=False, outputs={"C": answer})

    assert judge(lambda: silent).verdict is not Verdict.AC


def test_missing_output_is_not_accepted(judge: Callable[..., Report]) -> None:
    """An acknowledged call without its output cannot be checked, so it is not right."""
    report = judge(lambda: lambda data, answer: Outcome(returned=True))

    assert report.verdict is not Verdict.AC


def test_sessions_are_closed_when_the_judge_breaks(judge: Callable[..., Report]) -> None:
    """An exception of ours leaves no worker behind."""

    def breaks(data: CallData, answer: Array) -> Outcome:
        raise RuntimeError("ours")

    fake = FakeBackend(lambda: breaks)
    with pytest.raises(RuntimeError, match="ours"):
        judge(fake)

    assert [session.closed for session in fake.sessions] == [True]


SPEED = Speed((), (), Peaks(1.0, 1.0, "a table"), DeviceState(), DeviceState())


def test_accepted_submission_is_timed_where_the_backend_can(judge: Callable[..., Report]) -> None:
    """The time stands in the report of a GPU run; there is none without AC."""
    timed: list[object] = []

    def measure(*arguments: object) -> Speed:
        timed.append(arguments)
        return SPEED

    assert judge(FakeBackend(lambda: right, measure=measure)).speed == SPEED
    wrong = FakeBackend(lambda: lambda data, answer: outputs(answer * 0 + 1), measure=measure)
    assert judge(wrong).speed is None
    assert len(timed) == 1


def test_wrong_timed_call_takes_the_ac_back(judge: Callable[..., Report]) -> None:
    """A submission that behaves until it is timed is not accepted."""
    fault = Fault(Verdict.WA, Reason.MISMATCH, "wrong in a timed call")

    def measure(*arguments: object) -> Speed:
        raise CallFault(fault)

    report = judge(FakeBackend(lambda: right, measure=measure))

    assert report.verdict is Verdict.WA
    assert report.fault == fault
    assert report.speed is None


def test_progress_is_told_in_order(judge: Callable[..., Report]) -> None:
    """First the build, then every case, each with how many there are."""
    judge(lambda: right)

    heard = judge.heard  # type: ignore[attr-defined]
    assert [one.stage for one in heard[:2]] == ["build", "build"]
    runs = [one for one in heard if one.stage == "run"]
    assert [one.done for one in runs] == list(range(len(runs)))
    assert runs[-1].done == runs[-1].total
