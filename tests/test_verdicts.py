"""Every submission in tests/submissions/ gets the verdict its first line says.

The judge is tested on wrong submissions as much as on right ones.  `// expect: WA mismatch|stale`
names the verdict and the reasons that are right; the file's name begins with the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import Ahead, ahead_of

from judge import expectation, spec
from judge.find import ROOT
from judge.model import Reason, Report, Verdict
from judge.report import Screen, render

SUBMISSIONS = ROOT / "tests" / "submissions"
CHEATS = SUBMISSIONS / "cheats"
"""Of several problems, with headers of their own: tests/test_cheats.py."""
FILES = sorted(path for path in SUBMISSIONS.glob("*/*.cu") if path.parent != CHEATS)
# Known right and known wrong: if the judge is mistaken here, nothing else it says is worth reading.
CONTROLS = ("gemm_fp16/ac_synchronises.cu", "gemm_fp16/wa_zeros.cu", "gemm_fp16/wa_leaves_nan.cu")


@pytest.fixture(scope="module")
def ahead(request: pytest.FixtureRequest) -> Iterator[Ahead]:
    """All files compiled while others are judged."""
    yield from ahead_of(request)


def judged(path: Path, ahead: Ahead) -> Report:
    """The report of the CPU backend; what never ends shows it after 3 s as well as after 10."""
    endless = expectation.read(path).verdict is Verdict.TLE
    return ahead.judged(path, seconds=3.0 if endless else None)


def name(path: Path) -> str:
    """Problem and file, as pytest shows it."""
    return str(path.relative_to(SUBMISSIONS))


@pytest.mark.parametrize("control", CONTROLS)
def test_control(control: str, ahead: Ahead) -> None:
    """A known-right submission is accepted and known-wrong ones are not, or the session stops."""
    path = SUBMISSIONS / control
    verdict = expectation.read(path).verdict
    report = judged(path, ahead)
    if (report.verdict is Verdict.AC) != (verdict is Verdict.AC):
        screen = render(report, Screen())
        pytest.exit(f"the judge is broken: {control} must be {verdict.value}:\n{screen}", 3)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_verdict_is_the_one_expected(path: Path, ahead: Ahead) -> None:
    """Verdict and reason are those of the file's first lines."""
    report = judged(path, ahead)
    reason = report.fault.reason if report.fault else Reason.ACCEPTED

    assert expectation.read(path).met(report.verdict, reason), render(report, Screen())


@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_file_is_named_by_its_verdict(path: Path) -> None:
    """`ls` alone tells right from wrong, and each file says in words what it does."""
    verdict = expectation.read(path).verdict

    assert path.name.startswith(f"{verdict.value.lower()}_")


def test_no_submission_is_left_out() -> None:
    """Every file below tests/submissions is a case of the tests above, for a problem there is."""
    files = {path for path in SUBMISSIONS.rglob("*") if path.is_file()}

    assert files == {*FILES, *CHEATS.glob("*.cu")}
    assert {path.parent.name for path in FILES} <= set(spec.slugs())
