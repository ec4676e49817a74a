"""judge/cage.py, landlock.py, seccomp.py, reach.py: what a boxed compiler cannot do.

What a worker cannot do is in tests/test_worker.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judge import cage, confine, reach
from judge.boxed import Completed, run_boxed
from judge.model import JudgeError
from judge.reach import ROOT, Reach

ENV = {"PATH": os.defpath, "LC_ALL": "C"}


def boxed(folder: Path, script: str, reads: tuple[Path, ...] = ()) -> Completed:
    """A shell script run as a compiler is."""
    argv = ["/bin/sh", "-c", script]
    return run_boxed(argv, folder, 10, 256 << 20, 4096, ENV, reads=reads)


def python(folder: Path, code: str) -> Completed:
    """The same with Python, for what a shell cannot try."""
    argv = [sys.executable, "-I", "-S", "-c", code]
    return run_boxed(argv, folder, 10, 256 << 20, 4096, ENV, reads=reach.interpreter())


def need(layer: str, or_bubblewrap: bool = True) -> None:
    """Skip where this system enforces it in no way; doctor says so too."""
    if layer not in confine.layers() and not (or_bubblewrap and confine.bubblewrap()):
        pytest.skip(f"this system has neither the layer '{layer}' of the cage nor bubblewrap")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file beside the folder that the program works in."""
    path = tmp_path / "secret"
    path.write_text("hunter2\n")
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder the program works in."""
    path = tmp_path / "place"
    path.mkdir()
    return path


def test_control_a_program_works_in_its_folder(place: Path) -> None:
    """It starts programs, writes, reads back, and reads the system's own files."""
    done = boxed(place, "echo yes > a && ln -s a b && cat b && ls /usr/bin/env && chmod +x a")

    assert (done.returncode, done.output) == (0, b"yes\n/usr/bin/env\n")


def test_a_file_that_is_named_is_read(place: Path, secret: Path) -> None:
    """What a compiler needs beside the system it is given by name."""
    assert boxed(place, f"cat {secret}", reads=(secret,)).output == b"hunter2\n"


@pytest.mark.parametrize(
    "path",
    ["../secret", "link", "/etc/passwd", f"{ROOT}/problems/gemm_fp16/problem.yaml", "/dev/mem"],
)
def test_a_file_that_is_not_named_is_not_read(place: Path, secret: Path, path: str) -> None:
    """Not beside its folder, not by a link, not of the system, not of the judge."""
    need(cage.FILES)
    done = boxed(place, f"ln -s {secret} link; cat {path}")

    assert done.returncode != 0
    assert b"Permission denied" in done.output or b"No such file" in done.output


def test_a_name_of_several_lines_names_no_further_file(place: Path, secret: Path) -> None:
    """Who sends a file called `x`, newline, the path of another, is not given that one to read."""
    need(cage.FILES)
    odd = Path(f"{place.parent}/x\n{secret}\ny")
    odd.parent.mkdir(parents=True, exist_ok=True)
    odd.write_text("odd")

    done = boxed(place, f"cat {secret}", reads=(odd,))

    assert b"hunter2" not in done.output


@pytest.mark.parametrize("path", ["../other", "/dev/shm/other", "/tmp/other", f"{ROOT}/other"])
def test_nothing_is_written_outside(place: Path, tmp_path: Path, path: str) -> None:
    """A compiler cannot touch other builds, the judge, or what everybody may write."""
    need(cage.FILES)
    before = Path(path) if Path(path).is_absolute() else tmp_path / "other"
    assert not before.exists()

    boxed(place, f"echo x > {path}")

    assert not before.exists()


def test_the_judges_environment_and_memory_are_out_of_reach(place: Path) -> None:
    """Neither is read through /proc."""
    need(cage.FILES)
    me = os.getpid()
    done = boxed(place, f"cat /proc/{me}/environ; cat /proc/{me}/mem; cat /proc/{me}/cmdline")

    assert done.returncode != 0
    assert b"pytest" not in done.output


def test_there_is_no_network(place: Path) -> None:
    """No socket of any family is made, so nothing is sent by what a submission includes."""
    need(cage.CALLS)
    code = "import _socket\nfor f in (1, 2, 10, 16):\n  try: _socket.socket(f)\n"
    code += "  except OSError: print(f, end=' ')\n"
    if cage.CALLS not in confine.layers():
        pytest.skip("without seccomp bubblewrap leaves sockets that lead nowhere")

    assert python(place, code).output == b"1 2 10 16 "


def test_nobody_is_signalled(place: Path) -> None:
    """A process of the same user outside lives on."""
    need(cage.CALLS)
    bystander = subprocess.Popen(["sleep", "20"])
    try:
        boxed(place, f"kill -9 {bystander.pid}; kill -9 {os.getpid()}")
        time.sleep(0.05)

        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_no_new_namespaces(place: Path) -> None:
    """A way to a new network or to mounts of its own is closed."""
    need(cage.CALLS, or_bubblewrap=False)
    code = "import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))"

    assert python(place, code).output == b"-1\n"


def test_a_program_that_is_not_there_is_the_judges_error(place: Path) -> None:
    """The launcher says so; it is never taken for a compiler's own failure."""
    with pytest.raises(JudgeError, match=r"^cage: nowhere: .*No such file"):
        run_boxed(["nowhere"], place, 5, 256 << 20, 4096, ENV)


def test_a_layer_that_fails_ends_the_program(place: Path) -> None:
    """What the kernel offers and does not hold is no reason to go on without it."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); from judge import cage, landlock\n"
    code += "landlock._RESTRICT = -1\ncage.main()"
    need(cage.FILES, or_bubblewrap=False)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT), "", "", "", "/bin/echo", "ran"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == cage.BROKEN
    assert "landlock" in done.stderr
    assert done.stdout == ""


def test_the_judges_own_folder_is_never_part_of_the_system(tmp_path: Path) -> None:
    """A judge below /opt or /usr hides itself: what is beside the way there stays readable."""
    for path in ("top/a", "top/b/judge/problems", "top/b/c"):
        (tmp_path / path).mkdir(parents=True)
    top = tmp_path / "top"

    assert list(reach.without(str(top), (top / "b" / "judge",))) == [f"{top}/a", f"{top}/b/c"]
    assert list(reach.without(str(top), (tmp_path / "other",))) == [str(top)]


def test_a_compiler_brings_its_own_folder_but_not_a_home() -> None:
    """A program in ~/bin does not open all of ~."""
    home = Path("/home/me")

    assert reach.prefix(Path("/opt/gcc-13/bin/g++"), (home,)) == (Path("/opt/gcc-13"),)
    assert reach.prefix(Path("/home/me/bin/g++"), (home,)) == (Path("/home/me/bin"),)


def test_a_worker_reads_no_problem_and_no_result() -> None:
    """The files of the judge are not among those a worker is given."""
    shown = [Path(path) for path in Reach(reach.interpreter()).cage()["reads"]]

    for name in ("problems", "results", "submissions", "build"):
        assert not any((ROOT / name).is_relative_to(path) for path in shown)


DEVICE = Path("/dev/null")  # stands for a GPU's


@pytest.mark.parametrize(
    ("layers", "wrapped"),
    [((cage.FILES, cage.CALLS), False), ((cage.CALLS,), True), ((cage.FILES,), True), ((), True)],
)
def test_bubblewrap_is_put_around_a_worker_on_a_gpu_where_the_kernel_lacks_a_layer(
    layers: tuple[str, ...], wrapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere it would only keep CUDA from the judge's memory."""
    monkeypatch.setattr(confine, "bubblewrap", lambda: "/usr/bin/bwrap")
    monkeypatch.setattr(confine, "layers", lambda: layers)

    assert confine.wraps(Reach(devices=(DEVICE,))) is wrapped
    assert confine.wraps(Reach())
    assert confine.wraps(Reach(programs=True))


def test_a_wrapped_worker_sees_its_devices_and_processes_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The command line of bubblewrap: no network, no process ids of others, the GPU's files."""
    monkeypatch.setattr(confine, "bubblewrap", lambda: "/usr/bin/bwrap")
    monkeypatch.setattr(confine, "layers", tuple)
    reach_ = Reach((Path("/data/s.so"),), devices=(DEVICE,))

    argv = confine.command(["worker"], tmp_path, confine.Bounds(1 << 20), reach_)
    line = " ".join(argv)

    assert {"--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent"} <= set(argv)
    assert "--dev-bind-try /dev/null /dev/null" in line
    assert "--ro-bind-try /data/s.so /data/s.so" in line
    assert f"--ro-bind {tmp_path} {tmp_path} --chdir {tmp_path} -- worker" in line
    assert " /home " not in line
    assert "--ro-bind / /" not in line
