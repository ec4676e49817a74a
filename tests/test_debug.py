"""`judge debug`: one call on the terminal, under gdb or without."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from judge import cli, debug
from judge.find import ROOT
from judge.model import BackendMissing, ExitCode

CASE = "normal,N=100"
WRONG = """\
#include <cuda_runtime.h>
#include <cstdio>
__global__ void add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + WHAT * B[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    std::printf("solve of %d\\n", N);
    add<<<(N + 63) / 64, 64>>>(A, B, C, N);
}
"""


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A vector addition, right where WHAT is 1."""
    path = tmp_path / "mine.cu"
    path.write_text("// problem: vector_add\n" + WRONG, encoding="utf-8")
    return str(path)


def judge(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The command as it is typed, with `typed` on its terminal."""
    return subprocess.run(
        [sys.executable, "-m", "judge", *words],
        cwd=ROOT,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("what", "code", "said"), [(1, 0, "right"), (2, 1, "WA  mismatch")])
def test_without_gdb_it_prints_and_says_whether_it_was_right(
    what: int, code: int, said: str, source: str
) -> None:
    """What the submission prints comes at once, and the answer is checked like any other."""
    done = judge("debug", source, "--case", CASE, "--no-gdb", "-D", f"WHAT={what}")

    assert done.stdout == "solve of 100\n"
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr


def test_a_crash_is_explained_as_in_a_run(source: str) -> None:
    """Without gdb, the runtime says which thread of which kernel it was, and where."""
    path = Path(source)
    path.write_text(path.read_text().replace("WHAT * B[i]", "B[i + (1 << 20)]"))
    done = judge("debug", source, "--case", CASE, "--no-gdb")

    assert done.returncode == ExitCode.NOT_ACCEPTED
    assert "RE  out_of_bounds" in done.stderr
    assert "mine.cu:6" in done.stderr


def test_gdb_is_asked_to_stop_in_solve(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A gdb that is played runs the program it was given, and the answer counts."""
    seen = tmp_path / "seen"
    played = tmp_path / "gdb"
    played.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > {seen}\n'
        'while [ "$1" != --args ]; do shift; done\nshift\nexec "$@"\n'
    )
    played.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    code = cli.main(["debug", source, "--case", CASE, "-D", "WHAT=1"])
    words = seen.read_text().splitlines()

    assert code == ExitCode.ACCEPTED
    assert words[words.index("break solve") - 1] == "-ex"
    assert words.index("break solve") < words.index("run") < words.index("--args")
    assert words[words.index("--args") + 1] == sys.executable
    assert "break mine.cu:LINE" in capfd.readouterr().err


def test_without_gdb_installed_one_line_names_the_package(
    monkeypatch: pytest.MonkeyPatch, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 4, and the way around it."""
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "gdb" else real(name))
    with pytest.raises(BackendMissing, match="gdb: not found on PATH; install the package gdb"):
        debug.debugger()

    assert cli.main(["debug", source]) == ExitCode.BACKEND_MISSING
    (line,) = capsys.readouterr().err.splitlines()
    assert "--no-gdb" in line


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")
def test_gdb_stops_in_one_thread_of_a_kernel(source: str) -> None:
    """Lines are the submission's own; threadIdx, arguments and variables go by their names."""
    typed = "break mine.cu:6 if i == 70\ncontinue\nprint threadIdx\nprint blockIdx\nprint i + N\n"
    done = judge(
        *("debug", source, "--case", CASE, "-D", "WHAT=1"), typed=f"{typed}delete\ncontinue\nquit\n"
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "solve (A=" in done.stdout
    for shown in ("$1 = {x = 6, y = 0, z = 0}", "$2 = {x = 1, y = 0, z = 0}", "$3 = 170"):
        assert shown in done.stdout


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")
def test_gdb_that_is_left_early_gives_no_verdict(source: str) -> None:
    """Whoever quits in the middle is told that nothing was checked."""
    done = judge("debug", source, "--case", CASE, "-D", "WHAT=1", typed="quit\n")

    assert done.returncode == ExitCode.USAGE
    assert "gdb was left before solve returned" in done.stderr


def test_what_does_not_compile_says_so_in_a_line(source: str) -> None:
    """WHAT is not defined: CE, as a run says it."""
    done = judge("debug", source, "--case", CASE, "--no-gdb")

    assert done.returncode == ExitCode.NOT_ACCEPTED
    assert done.stderr.startswith("CE  compile")
    assert "mine.cu:6: 'WHAT' was not declared" in done.stderr
