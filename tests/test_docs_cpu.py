"""docs/cpu_backend.md: every feature of its table has a test, and every header of ours is on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge import run, spec
from judge.find import ROOT
from judge.model import Reason, Request

PAGE = (ROOT / "docs" / "cpu_backend.md").read_text(encoding="utf-8")
TABLE = PAGE.split("## Features")[1].split("## How near")[0]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TABLE.splitlines()
    if line.startswith("|") and not line.startswith("|---")
][1:]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_a_feature_has_a_test(row: list[str]) -> None:
    """What the page says of a feature is shown by a test that exists."""
    feature, answer, shown = row
    assert feature
    assert re.match(r"yes|no$|differs: |as |compiled|never", answer), answer
    file, _, name = shown.partition("::")
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    assert re.search(rf"^def {name}\(", text, re.MULTILINE), shown


def test_every_header_is_on_the_page() -> None:
    """A header that a submission may include is named, alone or by its folder."""
    include = ROOT / "judge" / "include"
    names = [path.relative_to(include) for path in sorted(include.rglob("*.h*"))]
    missing = [
        str(name)
        for name in names
        if name.parts[0] not in ("detail", "cub", "thrust") and f"`{name}`" not in PAGE
    ]

    assert missing == []
    assert "`cub/`" in PAGE
    assert "`thrust/`" in PAGE


def test_a_kernel_that_launches_one_is_refused_by_name(tmp_path: Path) -> None:
    """Dynamic parallelism is CE unsupported, at the line of the inner launch."""
    source = tmp_path / "nested.cu"
    source.write_text(
        "__global__ void inner(float* C) { C[0] = 1; }\n"
        "__global__ void outer(float* C) {\n    inner<<<1, 1>>>(C);\n}\n"
        'extern "C" void solve(const float* A, const float* B, float* C, int N) '
        "{ outer<<<1, 1>>>(C); }\n"
    )
    report = run.judge(Request(source, spec.load("vector_add"), "cpu"), lambda progress: None)

    assert report.fault is not None
    assert report.fault.reason is Reason.UNSUPPORTED
    assert "dynamic parallelism" in report.fault.message
    assert report.fault.place is not None
    assert report.fault.place.line == 3
