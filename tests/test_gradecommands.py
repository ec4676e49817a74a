"""`grade` as it is typed: killed, interrupted, resumed, and whatever submissions are called."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judge import devices, expectation
from judge.find import ROOT
from judge.grade import lines, store
from judge.grade.model import Graded
from judge.model import ExitCode, Reason, Verdict

HERE = Path(__file__).resolve().parent
PROBLEM = HERE / "problems" / "copy"
CORPUS = HERE / "submissions" / "gemm_fp16"
RIGHT = """
__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < N) B[i] = A[i];
}
extern "C" void solve(const float* A, float* B, int N) { k<<<(N + 63) / 64, 64>>>(A, B, N); }
"""
WRONG = RIGHT.replace("B[i] = A[i]", "B[i] = A[0]")


def command(*arguments: str, problem: str = str(PROBLEM)) -> list[str]:
    """The command line of a grading on the CPU."""
    head = [sys.executable, "-m", "judge", "grade", "--problem", problem, "--backend", "cpu"]
    return [*head, *arguments]


def run(
    arguments: list[str], cwd: Path = ROOT, expected: ExitCode = ExitCode.NOT_ACCEPTED
) -> subprocess.CompletedProcess[str]:
    """A grading to its end, with the exit code that it must have."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        arguments, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == expected, done.stdout + done.stderr
    return done


def results(out: Path) -> dict[str, Graded]:
    """What was written, by name; a name that has two lines is a fault."""
    graded = [lines.load(line) for line in (out / store.RESULTS).read_text().splitlines()]
    found = {one.name: one for one in graded}
    assert len(found) == len(graded)
    return found


def hears_ctrl_c() -> None:
    """Even where the tests run in the background of a shell, which ignores it for them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def begun(arguments: list[str], out: Path, count: int) -> subprocess.Popen[str]:
    """A grading that has written so many results."""
    process = subprocess.Popen(
        arguments,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hears_ctrl_c,
    )
    written = out / store.RESULTS
    deadline = time.monotonic() + 60
    while not written.exists() or written.read_bytes().count(b"\n") < count:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)
    return process


def gone(group: int) -> bool:
    """Whether nothing of a process group is left running, in time."""
    deadline = time.monotonic() + 10
    while running(group):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def running(group: int) -> list[str]:
    """The processes of a group, but for zombies: these tests may have inherited some."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(fields[2]) == group and fields[0] not in "ZX":
            found.append(path.parent.name)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five submissions, three of them right."""
    folder = tmp_path_factory.mktemp("hand-ins")
    for number in range(3):
        (folder / f"s{number}.cu").write_text(RIGHT + f"// {number}\n")
    (folder / "wrong.cu").write_text(WRONG)
    (folder / "broken.cu").write_text("int x")
    return folder


def test_kill_9_and_resume(folder: Path, tmp_path: Path) -> None:
    """Killed in the middle, the judge leaves no worker behind and goes on: every submission one
    line, none judged twice."""
    out = tmp_path / "out"
    arguments = command("--out", str(out), "--jobs", "1", str(folder))
    process = begun(arguments, out, 2)
    assert len(running(process.pid)) > 1
    process.kill()
    process.wait()
    assert gone(process.pid)
    process.communicate()
    before = (out / store.RESULTS).read_text().splitlines()

    again = run([*arguments, "--resume"])

    assert (out / store.RESULTS).read_text().splitlines()[: len(before)] == before
    assert f"going on: {len(before)} graded before" in again.stderr
    found = results(out)
    assert sorted(found) == sorted(path.name for path in folder.iterdir())
    assert {one.name: one.verdict for one in found.values() if one.verdict != "AC"} == {
        "wrong.cu": "WA",
        "broken.cu": "CE",
    }
    for name in ("results.csv", "junit.xml", "summary.md", "annotations.txt", "reports/s0.cu.txt"):
        assert (out / name).stat().st_size


def test_ctrl_c_says_how_to_go_on(folder: Path, tmp_path: Path) -> None:
    """Exit code 130, the command in one line, no traceback of any process, results kept."""
    out = tmp_path / "out"
    process = begun(command("--out", str(out), "--jobs", "2", str(folder)), out, 1)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)

    assert process.returncode == ExitCode.INTERRUPTED
    assert said.splitlines()[-1].startswith("judge: interrupted; go on with: ")
    assert said.rstrip().endswith(f"--out {out} --jobs 2 {folder} --resume")
    assert "Traceback" not in said
    assert results(out)
    assert gone(process.pid)


def test_no_name_harms_anybody(tmp_path: Path) -> None:
    """Line ends, escape sequences, bytes that are no text, what looks like an option, the longest;
    right, wrong and broken."""
    folder, out = tmp_path / "top", tmp_path / "out"
    folder.mkdir()
    texts = {
        b"-rf.cu": WRONG,
        b"a\n::error::b.cu": RIGHT,
        b"caf\xe9\x1b[2J.cu": f"// 2\n{RIGHT}",
        b"\xff\n.cu": RIGHT.replace("int i", "int i i", 1),
        b"x" * 252 + b".cu": "int x",
    }
    for name, text in texts.items():
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(text)

    done = run(command("--out", str(out), "."), cwd=folder)

    found = results(out)
    assert {os.fsencode(name) for name in found} == set(texts)
    assert [found[os.fsdecode(name)].verdict for name in texts] == ["WA", "AC", "AC", "CE", "CE"]
    fault = found[os.fsdecode(b"\xff\n.cu")].report["fault"]
    assert (fault["place"]["file"], fault["place"]["line"]) == ("\\udcff\n.cu", 3)
    for text in (done.stdout, done.stderr):
        assert all(line.isprintable() for line in text.splitlines())
        assert "\n::error::" not in text
    assert len(list((out / "reports").iterdir())) == len(texts)


def test_a_grading_gives_what_each_file_expects(tmp_path: Path) -> None:
    """A verdict of each kind, in a table with counts, the seed and where the files are."""
    folder, out = tmp_path / "top", tmp_path / "out"
    folder.mkdir()
    for name in ("ac_prints", "ce_syntax", "re_exit_zero", "wa_zeros"):
        shutil.copy(CORPUS / f"{name}.cu", folder)
    (folder / "eve").mkdir()
    shutil.copy(CORPUS / "wa_zeros.cu", folder / "eve")

    done = run(command("--out", str(out), "--seed", "7", str(folder), problem="gemm_fp16"))

    found = results(out)
    for path in folder.glob("*.cu"):
        report = found[path.name].report
        reason = report["fault"]["reason"] if report["fault"] else "accepted"
        assert expectation.read(path).met(Verdict(report["verdict"]), Reason(reason)), report
    assert found["eve"].submission == "eve/wa_zeros.cu"
    assert found["wa_zeros.cu"].same_as == "eve"
    assert "gemm_fp16  5 submissions  cpu" in done.stdout
    for row in ("  AC      1", "  WA      2", "  RE      1", "  CE      1", "  seed     7"):
        assert row in done.stdout.splitlines()
    assert "results.jsonl results.csv junit.xml" in done.stdout
    for name in ("eve.txt", "wa_zeros.cu.txt", "ce_syntax.cu.txt"):
        text = (out / "reports" / name).read_text()
        assert str(tmp_path) not in text  # where it lay is nobody's business
        assert ("eve" in text) is (name == "eve.txt")  # nor whose it is too
        assert "  again    python -m judge run" in text or name.startswith("ce")


@pytest.mark.skipif(bool(devices.gpu_files()), reason="there is a GPU")
def test_a_backend_that_is_missing_is_exit_code_4(folder: Path, tmp_path: Path) -> None:
    """It is the machine that lacks something; nothing was written."""
    out = tmp_path / "out"
    arguments = ["--out", str(out), "--backend", "gpu", str(folder)]
    done = run(command(*arguments), expected=ExitCode.BACKEND_MISSING)

    assert done.stderr.startswith("judge: backend gpu: no NVIDIA GPU is visible")
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: no such folder"),
        (["--jobs", "1", "--workers", "1", str(CORPUS)], "got more than one, expected one of them"),
        (["--out", str(CORPUS), str(CORPUS)], "is the graded folder"),
    ],
)
def test_a_slip_is_told_in_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    """Exit code 2, and OUT is not begun."""
    out = [] if "--out" in arguments else ["--out", str(tmp_path / "out")]
    done = run(command(*out, *arguments), expected=ExitCode.USAGE)

    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
