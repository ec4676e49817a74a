"""Every trick in tests/submissions/cheats/ ends in a verdict other than AC, or gains nothing.

Near the top of a file stands which problem it is for and what has to come of it:

    // expect: WA unwritten|mismatch      this verdict, for one of these reasons
    // expect-not: AC                     any verdict but this one
    // expect: gains nothing              if it is accepted, it is no faster than the same kernel
                                          without the trick: told by the clock, so on a GPU only
    // expect gpu: ...                    what else holds there

A trick that gets what it came for prints GOT.  docs/trust.md lists all tricks and what stops them.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from judge import (
    backend,
    caseids,
    confine,
    cpubuild,
    elements,
    find,
    gpubuild,
    isolation,
    processes,
    run,
    spec,
)
from judge.answers import Answers
from judge.find import ROOT
from judge.model import CompileError, Dtype, Fault, Reason, Report, Request, Spec, Verdict
from judge.program import Program
from judge.report import Screen, render

CHEATS = ROOT / "tests" / "submissions" / "cheats"
FILES = sorted(CHEATS.glob("*.cu"))
HEADER_LINES = 6
SEED = "test"
CASES = (
    "normal,M=64,N=64,K=64,alpha=1,beta=0",
    "normal,M=65,N=33,K=17,alpha=-1.25,beta=0.5",
)
GAINS_NOTHING = "gains nothing"
_EXPECT = re.compile(
    r"// expect(?P<gpu> gpu)?(?::|(?P<no>-not):) "
    r"(?:(?P<gain>gains nothing)|(?P<verdict>[A-Z]{2,3})(?: (?P<reasons>[a-z_]+(?:\|[a-z_]+)*))?)"
)


@dataclass(frozen=True)
class Expectation:
    """What must come of a trick.  verdict: the one it gets, or with `no` the one it must not get;
    None if all that counts is that it gains nothing."""

    verdict: Verdict | None
    no: bool
    reasons: frozenset[Reason]

    def met(self, verdict: Verdict, reason: Reason) -> bool:
        """Whether a verdict is as expected; that nothing is gained only a clock can tell."""
        if self.verdict is None:
            return True
        if self.no:
            return verdict is not self.verdict
        return verdict is self.verdict and reason in self.reasons


def expectation(path: Path, backend_: str) -> Expectation:
    """What a file says of itself."""
    lines = path.read_text(encoding="utf-8").splitlines()[:HEADER_LINES]
    found = {bool(m["gpu"]): m for m in map(_EXPECT.fullmatch, lines) if m}
    assert False in found, f"{path}: expected a line `// expect: ...` near the top"
    match = found.get(backend_ == "gpu", found[False])
    if match["gain"]:
        return Expectation(None, False, frozenset())
    reasons = (
        frozenset(map(Reason, (match["reasons"] or "").split("|"))) if match["reasons"] else ()
    )
    return Expectation(Verdict(match["verdict"]), bool(match["no"]), frozenset(reasons))


@dataclass(frozen=True)
class Result:
    """What the judge found, and everything of it that people would read."""

    verdict: Verdict
    reason: Reason
    text: str


def judged(path: Path, backend_: str, problem: Spec | None = None) -> Result:
    """The verdict over a whole and a ragged case, each called twice, in one worker."""
    problem = problem or spec.load(find.problem(path, None))
    room = backend.load(backend_)
    try:
        build = room.compile(path, problem, ())
    except CompileError as error:
        return _result(error.fault, (*error.fault.details, error.log))
    printed = []
    with Answers(problem, SEED) as answers:
        session = room.open_session(build, problem)
        try:
            for case in (caseids.parse_id(problem, one) for one in CASES):
                result, _ = run.judge_case(session, case, answers)
                printed.append(result.printed)
                if result.fault is not None:
                    return _result(result.fault, (*printed, *result.fault.details))
        finally:
            session.close()
    return Result(Verdict.AC, Reason.ACCEPTED, "\n".join(printed))


def _result(fault: Fault, more: tuple[str, ...]) -> Result:
    return Result(fault.verdict, fault.reason, "\n".join((fault.message, *more)))


def strangers() -> list[str]:
    """Processes that a trick left behind, by the names these give themselves."""
    found = []
    for pid in processes.table():
        try:
            name = Path(f"/proc/{pid}/comm").read_text().strip()
        except OSError:
            continue
        if name in ("judge-daemon", "judge-bomb"):
            found.append(f"{name} {pid}")
    return found


def check_trick(path: Path, backend_: str) -> Result:
    """Judge a trick and hold what came of it against what its file says."""
    problem = spec.load(find.problem(path, None))
    problem = replace(problem, limits=replace(problem.limits, seconds_per_call=3.0))
    found = judged(path, backend_, problem)
    expected = expectation(path, backend_)

    assert expected.met(found.verdict, found.reason), found
    assert strangers() == []
    assert "root:" not in found.text
    if not isolation.lacking(isolation.offered()):
        assert "GOT" not in found.text
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_trick_ends_as_its_file_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU backend: the verdict, no booty, nothing left behind."""
    monkeypatch.setattr(cpubuild, "SECONDS", 4.0)  # for the bombs
    check_trick(path, "cpu")


# What they are after shows on a clock only, so they are judged with their times.
CLOCK = [
    CHEATS / f"{name}.cu"
    for name in (
        *("side_stream", "late_thread", "mode_detect", "pointer_cache", "hash_cache"),
        *("constructor_work", "graph_replay", "patch_timer", "forge_and_skip"),
        *("persist_l2", "sleep_warmup"),
    )
]
HONEST = ROOT / "tests" / "submissions" / "gemm_fp16" / "ac_solve_h.cu"
"""The kernel that all of these launch, without a trick."""
BOMB = "compile_bomb_templates"


def timed(path: Path) -> Report:
    """The report of the GPU backend with the first timed size."""
    problem = spec.load(find.problem(path, None))
    return run.judge(Request(path, problem, "gpu", seed=SEED), lambda progress: None)


@pytest.fixture(scope="module")
def built() -> None:
    """Everything compiled side by side, as in test_gpu.py."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    room = backend.load("gpu")

    def build(path: Path) -> None:
        with contextlib.suppress(CompileError):
            room.compile(path, spec.load(find.problem(path, None)), ())

    build(HONEST)  # and with it what all of them need
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
        list(pool.map(build, (path for path in FILES if path.stem != BOMB)))


@pytest.fixture(scope="module")
def honest_us(built: None) -> float:
    """What the kernel takes at the first timed size."""
    speed = timed(HONEST).speed
    assert speed is not None
    assert speed.timed[0].doubt == ""
    return speed.timed[0].cold.median_us


@pytest.mark.gpu
@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    "path", [path for path in FILES if path not in CLOCK], ids=lambda path: path.stem
)
def test_a_trick_ends_on_a_gpu_as_its_file_says(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict, no booty, nothing left behind."""
    if path.stem == BOMB:
        monkeypatch.setattr(gpubuild, "SECONDS", 10.0)
    check_trick(path, "gpu")


@pytest.mark.gpu
@pytest.mark.timed
@pytest.mark.parametrize("path", CLOCK, ids=lambda path: path.stem)
def test_a_trick_of_the_clock_gains_nothing(path: Path, honest_us: float) -> None:
    """Not accepted, or not believed, or no faster than the same kernel without the trick."""
    report = timed(path)
    expected = expectation(path, "gpu")
    screen = render(report, Screen())

    if expected.verdict is not None:
        reason = report.fault.reason if report.fault else Reason.ACCEPTED
        assert expected.met(report.verdict, reason), screen
    elif report.verdict is Verdict.AC:
        assert report.speed is not None
        (found,) = report.speed.timed
        assert found.doubt or found.cold.median_us > 0.95 * honest_us, screen


UNCAGED = """\
import sys
sys.path.insert(0, sys.argv[1])
from judge import cage, worker
cage.enter = lambda **given: []
del sys.argv[1]
worker.main()
"""


@pytest.mark.skipif(bool(confine.bubblewrap()), reason="bubblewrap stops them a second time")
@pytest.mark.parametrize(
    "name", ["fill_disk", "network", "overwrite_results", "proc_mem", "read_files"]
)
def test_control_without_the_cage_a_trick_gets_what_it_wants(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tricks above are real ones: they print GOT where nothing stops them."""

    def uncaged(self: Program, pipes: Mapping[str, int]) -> list[str]:
        setting = json.dumps({**self.setting, "cage": {}, **pipes})
        return [sys.executable, *self.flags, "-c", UNCAGED, str(ROOT), setting]

    monkeypatch.setattr(Program, "command", uncaged)

    found = judged(CHEATS / f"{name}.cu", "cpu")

    assert found.verdict is Verdict.WA
    assert "GOT" in found.text


def test_control_an_answer_in_the_workers_memory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """`scan_expected` is accepted where a worker holds the answer: so none may."""
    problem = spec.load("gemm_fp16")
    case = caseids.parse_id(problem, CASES[0])
    with Answers(problem, SEED) as answers:
        _, expected = answers.take(case, 0)
    answer = elements.encode(expected["C"].value, Dtype.FLOAT16).tobytes()
    known = f"kept = bytes.fromhex({answer.hex()!r})\nworker.main()"
    knowing = UNCAGED.replace("worker.main()", known)

    def command(self: Program, pipes: Mapping[str, int]) -> list[str]:
        setting = json.dumps({**self.setting, "cage": {}, **pipes})
        return [sys.executable, *self.flags, "-c", knowing, str(ROOT), setting]

    monkeypatch.setattr(Program, "command", command)

    assert "GOT five elements" in judged(CHEATS / "scan_expected.cu", "cpu").text


PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (\w+) \|.*\| (tests/submissions/\S+\.cu) \|$", PAGE, re.MULTILINE))
# What other judges were fooled by.
KNOWN = re.findall(
    r"\w+",
    """
    noop_stale malloc_reuse scan_expected zeros constant_mean identity hardcoded_shape
    skip_last_tile skip_batch fp16_accumulate bf16_inputs drop_k_tail nan_fill inf_fill
    failed_launch race_missing_sync mutate_input oob_write swap_m_n ignore_beta predict_seed
    read_files incbin_expected side_stream late_thread mode_detect pointer_cache hash_cache
    constructor_work graph_replay patch_timer persist_l2 sleep_warmup write_pipe exit_zero
    atexit_pass print_pass overwrite_results proc_mem interpose break_check daemon hang_host
    hang_kernel fork_bomb memory_hog stdout_flood compile_bomb include_secret network
    """,
)


def test_every_known_trick_is_told_of_and_tried() -> None:
    """docs/trust.md has a row for each, and the row's file is there."""
    assert set(KNOWN) <= set(ROWS)
    assert [file for file in ROWS.values() if not (ROOT / file).is_file()] == []


def test_every_file_of_the_corpus_is_told_of() -> None:
    """A trick that is tried has its row."""
    assert {str(path.relative_to(ROOT)) for path in FILES} <= set(ROWS.values())


@pytest.mark.parametrize("trick", sorted(ROWS))
def test_the_page_tells_the_verdict_that_the_file_expects(trick: str) -> None:
    """What the table says is what CI holds the judge to."""
    path = ROOT / ROWS[trick]
    (said,) = re.findall(rf"^\| {trick} \|.*\| ([^|]+) \| {re.escape(ROWS[trick])} \|$", PAGE, re.M)
    verdicts = set(re.findall(r"\b[A-Z]{2,3}\b", said.split(" on a GPU")[0])) - {"GPU"}
    if path.parent != CHEATS:
        assert path.name.upper().startswith(tuple(f"{one}_" for one in verdicts))
        return
    expected = expectation(path, "cpu")
    if expected.verdict is None:
        assert said == GAINS_NOTHING or "on a GPU" in said
    elif not expected.no:
        assert verdicts == {expected.verdict.value}
    else:
        assert verdicts
        assert expected.verdict.value not in verdicts


def test_the_honest_files_of_the_page_are_there() -> None:
    """The controls are files that tests/test_verdicts.py holds to AC."""
    honest = re.findall(r"^\| [^|]+ \| (\S+\.cu)\b[^|]*\|$", PAGE, re.MULTILINE)

    assert len(honest) >= 7
    assert all((ROOT / path).is_file() for path in honest)
