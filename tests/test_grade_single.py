"""`run --format`: one result for a student's own CI, in the formats that systems read."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import made_reports
import pytest

from judge import options, spec
from judge.find import ROOT
from judge.grade import single

HERE = Path(__file__).resolve().parent
GEMM = spec.load("gemm_fp16")
SUBMISSIONS = sorted((HERE / "submissions" / "vector_add").glob("wa_*.cu"))


def test_every_format_comes_from_one_run(tmp_path: Path) -> None:
    """Files and stdout, with the exit code of the verdict; the summary of GitHub is added to."""
    step = tmp_path / "step"
    step.write_text("before\n")
    wanted = [f"--format={name}={tmp_path / name}" for name in options.FORMATS]
    wanted += ["--format=annotations=-", f"--format=summary={step}"]
    done = subprocess.run(
        [sys.executable, "-m", "judge", "run", str(SUBMISSIONS[0]), "--backend", "cpu", *wanted],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "GITHUB_STEP_SUMMARY": str(step)},
    )  # fmt: skip

    assert done.returncode == 1, done.stderr
    assert "\n::error " in done.stdout
    assert ElementTree.parse(tmp_path / "junit").getroot().get("errors") is not None
    assert json.loads((tmp_path / "gradescope").read_text())["score"] < 100
    assert (tmp_path / "csv").read_text().startswith("name,")
    assert (tmp_path / "annotations").read_text().startswith("::error ")
    assert step.read_text().startswith("before\n## ")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*options.FORMATS, "step"])


def test_a_file_that_cannot_be_written_any_more_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What came in the way since the run began: one line, and a judge error."""
    target = tmp_path / "gone" / "junit.xml"
    request = made_reports.accepted()

    assert single.write(request, GEMM, [("junit", str(target))], 0) == 3
    assert f"judge: --format: {target}: cannot be written: No such file" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["junit", "junit=", "xml=a", "=a"])
def test_a_format_is_a_name_and_a_file(text: str) -> None:
    """What may be typed is said."""
    with pytest.raises(argparse.ArgumentTypeError, match="expected NAME=FILE with junit or csv"):
        options.named_file(text)


def test_the_names_are_the_formats() -> None:
    """Each name that may be typed has a format, and each format a name."""
    assert {*single._OF_ONE, *single._OF_THE_WHOLE} == set(options.FORMATS)
