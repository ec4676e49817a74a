"""Every command names a file below the current folder by the same relative path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from judge import paths
from judge.find import ROOT

SUBMISSIONS = ROOT / "tests" / "submissions" / "gemm_fp16"
CASE = ("--case", "normal,M=2,N=3,K=4,alpha=1,beta=0")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with submissions below it."""
    for name in ("ac_no_extern_c", "wa_guards_flat_index", "wa_mutates_input", "ce_syntax"):
        shutil.copy(SUBMISSIONS / f"{name}.cu", tmp_path)
    (tmp_path / "below").mkdir()
    includes = '// problem: gemm_fp16\n#include "wrong.cuh"\n'
    (tmp_path / "below" / "ce_in_a_header.cu").write_text(includes, encoding="utf-8")
    (tmp_path / "below" / "wrong.cuh").write_text("int a = b;\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("run", "--backend", "cpu", *CASE), "ac_no_extern_c.cu:18: "),
        (("run", "--backend", "cpu", *CASE), "wa_guards_flat_index.cu:24: "),
        (("run", "--backend", "cpu", *CASE), "ce_syntax.cu:11: "),
        (("run", "--backend", "cpu", *CASE), "below/ce_in_a_header.cu"),
        (("run", "--backend", "cpu", *CASE), "wa_mutates_input.cu"),
        (("check",), "wa_guards_flat_index.cu:24: "),
        (("check",), "ce_syntax.cu:11: "),
        (("debug", "--no-gdb"), "ce_syntax.cu:11: "),
        (("sweep", "--backend", "cpu", "-D", "A=1,2"), "ce_syntax.cu"),
        (("which",), "ac_no_extern_c.cu"),
    ],
)
def test_no_command_prints_the_folder_that_the_user_stands_in(
    words: tuple[str, ...], name: str, here: Path
) -> None:
    """However the file was named, its path begins below the current folder."""
    command, *more = words
    file = str(here / name.split(":")[0])
    problem = [] if command == "which" else ["--problem", "gemm_fp16"]
    done = subprocess.run(
        [sys.executable, "-m", "judge", command, file, *problem, *more],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    said = done.stdout + done.stderr
    assert str(here) not in said
    assert command == "which" or name in said


def test_only_whole_paths_are_shortened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What lies elsewhere keeps its path, even where it ends like the current folder."""
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)

    assert paths.shortened(f"{tmp_path}/a.cu:3: got {tmp_path}/b.cu") == "a.cu:3: got b.cu"
    assert paths.shortened(f"/x{tmp_path}/a.cu") == f"/x{tmp_path}/a.cu"
    assert paths.shortened(f"{tmp_path}s/a.cu") == f"{tmp_path}s/a.cu"
    assert paths.shown(tmp_path / "below" / "a.cu") == "below/a.cu"
    assert paths.shown(tmp_path.parent) == str(tmp_path.parent)


def test_the_root_is_no_folder_to_shorten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below it lies everything, and a path of the system is known by its slash."""
    monkeypatch.chdir("/")

    assert paths.shortened("/usr/bin/g++: not found") == "/usr/bin/g++: not found"
