"""The CI examples do what they say, as far as a machine without those systems can show."""

from __future__ import annotations

import base64
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from judge.find import ROOT

EXAMPLES = ROOT / "examples" / "ci"
RIGHT = ROOT / "submissions" / "vector_add" / "one_each.cu"
WRONG = sorted((ROOT / "tests" / "submissions" / "vector_add").glob("wa_*.cu"))[0]
HOSTILE = r"""
#include <cstdio>
#include <cstdlib>
static void forge() {
    for (const char* path : {"RESULT", "/autograder/results/results.json"})
        if (FILE* file = fopen(path, "w")) {
            fputs("{\"score\": 100, \"tests\": []}", file);
            fclose(file);
        }
}
__attribute__((constructor)) static void early() { forge(); atexit(forge); }
extern "C" void solve(const float* A, const float* B, float* C, int N) { forge(); }
"""


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, unpacked as Gradescope does, with the virtual environment of this repository."""
    top = tmp_path_factory.mktemp("autograder")
    for folder in (top, *top.parents):  # the unprivileged user has to come in
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)
    subprocess.run(
        ["sh", str(EXAMPLES / "gradescope" / "make-zip.sh"), "vector_add", str(top / "a.zip")],
        check=True,
    )
    with zipfile.ZipFile(top / "a.zip") as archive:
        archive.extractall(top / "source")
    (top / "source" / "judge" / ".venv").symlink_to(ROOT / ".venv")
    return top


def user() -> dict[str, str]:
    """Nobody, unless the Python of this machine lies where only its owner may look."""
    python = Path(sys.executable).resolve()
    if all(folder.stat().st_mode & stat.S_IXOTH for folder in python.parents):
        return {}
    return {"AUTOGRADER_USER": ""}


def handed_in(top: Path, text: str, forged: bool = False) -> dict[str, Any]:
    """The results.json of a submission; `forged`: there is one before."""
    for name in ("submission", "results"):
        shutil.rmtree(top / name, ignore_errors=True)
        (top / name).mkdir()
    (top / "submission" / "mine.cu").write_text(text)
    if forged:
        (top / "results" / "results.json").write_text('{"score": 100}')
    done = subprocess.run(
        ["sh", str(top / "source" / "run_autograder")],
        env={**os.environ, "AUTOGRADER": str(top), **user()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    content: dict[str, Any] = json.loads((top / "results" / "results.json").read_text())
    assert content["stdout_visibility"] == "hidden", done.stdout
    return content


def test_gradescope_gives_points_for_what_is_right(autograder: Path) -> None:
    """The whole for a right submission, less for a wrong one, and a reason beside it."""
    right = handed_in(autograder, RIGHT.read_text())
    wrong = handed_in(autograder, WRONG.read_text(), forged=True)

    assert right["score"] == pytest.approx(100)
    assert {test["status"] for test in right["tests"]} == {"passed"}
    assert wrong["score"] < 100
    assert any(test["status"] == "failed" and test["output"] for test in wrong["tests"])


def test_gradescope_does_not_believe_a_submission(autograder: Path) -> None:
    """One that writes the results file itself gets the points of a wrong one: none."""
    target = autograder / "results" / "results.json"
    content = handed_in(autograder, HOSTILE.replace("RESULT", str(target)))

    assert content["score"] == 0
    assert content["tests"]


def test_gradescope_is_told_of_an_empty_hand_in(autograder: Path) -> None:
    """No file is no crash: zero points, and what was expected."""
    content = handed_in(autograder, "")
    (autograder / "submission" / "mine.cu").unlink()

    assert content["score"] == 0
    assert any("empty" in test["output"] for test in content["tests"])


def test_the_shell_scripts_are_right_sh() -> None:
    """Each is read by sh without complaint."""
    for name in ("setup.sh", "run_autograder", "make-zip.sh"):
        subprocess.run(["sh", "-n", str(EXAMPLES / "gradescope" / name)], check=True)


@pytest.mark.parametrize(("source", "code"), [(RIGHT, 0), (WRONG, 1)])
def test_the_workflow_judges(source: Path, code: int, tmp_path: Path) -> None:
    """Its judge step, run as the runner does: annotations, summary, and points for Classroom."""
    workflow = yaml.safe_load((EXAMPLES / "github-workflow.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["judge"]["steps"]
    (step,) = (one for one in steps if one.get("id") == "judge")
    assert all("@" in one["uses"] for one in steps if "uses" in one)
    (tmp_path / ".judge").symlink_to(ROOT)
    shutil.copy(source, tmp_path / "solution.cu")
    files = {name: str(tmp_path / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env={**os.environ, **workflow["env"], **files, "PROBLEM": "vector_add"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == code, done.stderr
    assert ("::error file=solution.cu" in done.stdout) is (code == 1) or "::error" in done.stdout
    assert "vector\\_add" in Path(files["GITHUB_STEP_SUMMARY"]).read_text()
    name, _, value = Path(files["GITHUB_OUTPUT"]).read_text().partition("=")
    result = json.loads(base64.b64decode(value))
    assert (name, result["status"]) == ("result", "fail" if code else "pass")
