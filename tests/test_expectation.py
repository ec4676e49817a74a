"""The `// expect:` lines of submissions kept to test the judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import expectation
from judge.model import Reason, UserError, Verdict


def written(folder: Path, *lines: str) -> Path:
    """A submission with these first lines."""
    path = folder / "wa_x.cu"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_line_says_verdict_and_reasons(tmp_path: Path) -> None:
    """Any of the reasons will do, another verdict will not."""
    found = expectation.read(written(tmp_path, "// what", "// expect: WA mismatch|stale"))

    assert found.met(Verdict.WA, Reason.STALE)
    assert not found.met(Verdict.WA, Reason.PRECISION)
    assert not found.met(Verdict.RE, Reason.MISMATCH)


def test_a_gpu_may_see_it_otherwise(tmp_path: Path) -> None:
    """A line of its own for the GPU, which no other backend reads."""
    path = written(tmp_path, "// expect: RE out_of_bounds", "// expect gpu: WA guard_overwritten")

    assert expectation.read(path).verdict is Verdict.RE
    assert expectation.read(path, gpu=True).verdict is Verdict.WA


def test_a_gpu_may_be_right_by_chance(tmp_path: Path) -> None:
    """Of a race nobody knows what a GPU leaves; the CPU backend has to find it."""
    path = written(tmp_path, "// expect: WA mismatch", "// expect gpu: luck")

    lucky = expectation.read(path, gpu=True)
    assert lucky.met(Verdict.AC, Reason.ACCEPTED)
    assert lucky.met(Verdict.WA, Reason.NONFINITE)
    assert not lucky.met(Verdict.RE, Reason.OUT_OF_BOUNDS)
    assert not expectation.read(path).met(Verdict.AC, Reason.ACCEPTED)


@pytest.mark.parametrize(
    "lines",
    [
        ["// expects: WA mismatch"],
        ["// expect: WA mismatch", "// expect: WA stale"],
        ["", "", "", "", "", "// expect: WA mismatch"],
        ["// expect gpu: WA mismatch"],
        ["// expect: WA wrong"],
        ["// expect: OK accepted"],
    ],
)
def test_anything_else_is_refused(lines: list[str], tmp_path: Path) -> None:
    """One line near the top, of words that the judge knows."""
    with pytest.raises(UserError, match="expected one"):
        expectation.read(written(tmp_path, *lines))
