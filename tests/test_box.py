"""Programs in a box: what they may take, and that nothing of them is left."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judge import confine, processes, reach
from judge.box import Box, Event
from judge.boxed import Completed, run_boxed
from judge.confine import Bounds
from judge.model import JudgeError

MIB = 1 << 20
MARK = str(10**8 + secrets.randbelow(10**8))
"""Seconds that nothing else on this machine sleeps, to find the processes of these tests."""


def run(folder: Path, script: str, seconds: float = 10, memory: int = 256 * MIB) -> Completed:
    """A shell script in a box that keeps 4096 bytes of output."""
    argv = ["/bin/sh", "-c", script]
    env = {"PATH": os.defpath, "GIVEN": "yes"}
    return run_boxed(argv, folder, seconds, memory, 4096, env, reads=reach.interpreter())


def alive(marker: str) -> list[str]:
    """Processes with this text in their command line."""
    found = []
    for pid in processes.table():
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in line and pid != os.getpid():
            found.append(line.decode(errors="replace"))
    return found


def test_output_and_exit_status_come_back(tmp_path: Path) -> None:
    """stdout and stderr are kept in order, and the exit status is the program's."""
    done = run(tmp_path, "echo one; echo two >&2; exit 3")

    assert (
        done.returncode,
        done.output,
        done.cut,
        done.stopped,
    ) == (3, b"one\ntwo\n", False, None)


def test_stdin_is_empty(tmp_path: Path) -> None:
    """A program that reads stdin meets its end at once."""
    assert run(tmp_path, "cat; echo done").output == b"done\n"


def test_environment_is_only_what_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables of the judge do not reach the program."""
    monkeypatch.setenv("SECRET", "seed")

    output = run(tmp_path, "echo $GIVEN.$SECRET").output

    assert output == b"yes.\n"


def test_flood_of_output_is_cut_and_does_not_block(tmp_path: Path) -> None:
    """Ten megabytes are read to the end, 4096 bytes of them kept."""
    done = run(tmp_path, "yes | head -c 10000000; exit 5")

    assert (done.returncode, len(done.output), done.cut) == (5, 4096, True)


def test_endless_output_ends_with_the_time(tmp_path: Path) -> None:
    """A program that never stops printing is stopped by the clock."""
    done = run(tmp_path, "yes", seconds=0.3)

    assert done.stopped is Event.TIME
    assert done.seconds < 2


def test_time_limit_ends_a_sleeper(tmp_path: Path) -> None:
    """The wall clock counts, not the processor's."""
    done = run(tmp_path, "sleep 60", seconds=0.2)

    assert done.stopped is Event.TIME
    assert done.seconds < 2


def test_memory_limit_ends_a_hog(tmp_path: Path) -> None:
    """Resident memory over the bound is seen while the program still runs."""
    hog = f"{sys.executable} -S -c 'import time; x = b\"x\" * (400 << 20); time.sleep(9)'"

    done = run(tmp_path, hog, memory=200 * MIB)

    assert done.stopped is Event.MEMORY
    assert done.seconds < 5


def test_memory_of_children_counts(tmp_path: Path) -> None:
    """Two processes that are each below the bound are together above it."""
    half = f"{sys.executable} -S -c 'import time; x = b\"x\" * (150 << 20); time.sleep(9)'"

    done = run(tmp_path, f"{half} & {half} & wait", memory=200 * MIB)

    assert done.stopped is Event.MEMORY


def test_file_size_is_limited(tmp_path: Path) -> None:
    """A file cannot grow beyond the bound of 256 MiB."""
    run(tmp_path, "yes | head -c 300000000 > big")

    assert (tmp_path / "big").stat().st_size == 256 * MIB


def test_background_child_dies_with_the_program(tmp_path: Path) -> None:
    """What still runs in the same session is killed."""
    run(tmp_path, f"sleep {MARK} & exit 0")

    assert alive(MARK) == []


def test_daemon_dies_with_the_program(tmp_path: Path) -> None:
    """A double fork with a session of its own does not escape."""
    done = run(tmp_path, f'setsid sh -c "sleep {MARK} & exit 0" & sleep 0.3')

    assert done.returncode == 0
    assert alive(MARK) == []


def test_daemon_without_environment_dies_too(tmp_path: Path) -> None:
    """An orphan that took the box's mark off is still found as the judge's own child."""
    run(tmp_path, f'setsid env -i /bin/sh -c "sleep {MARK} & exit 0" & sleep 0.3')

    assert alive(MARK) == []


def test_other_children_of_the_judge_are_left_alone(tmp_path: Path) -> None:
    """The end of a box does not touch processes that no box started."""
    bystander = subprocess.Popen(["sleep", "30"])
    try:
        run(tmp_path, "setsid sleep 30 & exit 0")

        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_box_leaves_another_box_alone(tmp_path: Path) -> None:
    """Ending one box ends its own daemons, not those of a box beside it."""
    script = f'setsid env -i /bin/sh -c "sleep {MARK}7 & exit 0" & sleep 30'
    sleeper = ["/bin/sh", "-c", script]
    with Box(sleeper, cwd=tmp_path, env={"PATH": os.defpath}, bounds=Bounds(256 * MIB)) as other:
        assert other.wait(time.monotonic() + 0.3) is Event.TIME

        run(tmp_path, f"setsid sleep {MARK}8 & exit 0")

        assert alive(MARK + "8") == []
        assert len(alive("sleep\0" + MARK)) == 1
    assert alive(MARK + "7") == []


def test_fork_bomb_is_stopped(tmp_path: Path) -> None:
    """A program that doubles eleven times is ended when it passes its number of processes.

    Or, on a busy machine, when the memory of all of them is counted first.
    """
    code = "import os, time\nfor _ in range(11): os.fork()\ntime.sleep(20)"
    (tmp_path / f"bomb{MARK}.py").write_text(code)

    done = run(tmp_path, f"{sys.executable} -S bomb{MARK}.py")

    assert done.stopped in (Event.PROCESSES, Event.MEMORY)
    assert done.seconds < 8
    assert alive(f"bomb{MARK}.py") == []


def test_ended_by_a_signal(tmp_path: Path) -> None:
    """A signal shows as its negative number, or as 128 more than it behind bubblewrap."""
    expected = 128 + 24 if confine.bubblewrap() else -24

    assert run(tmp_path, "ulimit -St 1; while :; do :; done").returncode == expected


def test_missing_program_is_not_the_submissions_fault(tmp_path: Path) -> None:
    """A folder that is not there is the judge's error, in one line."""
    with pytest.raises(JudgeError, match="cannot be started"):
        run(tmp_path / "gone", "true")


def test_nothing_is_left_open(tmp_path: Path) -> None:
    """Twenty runs leave no descriptor and no zombie behind."""
    run(tmp_path, "true")
    before = len(os.listdir("/proc/self/fd"))

    for _ in range(20):
        run(tmp_path, "sleep 0.001 & exit 0")

    mine = [one for one in processes.table().values() if one.parent == os.getpid()]
    assert len(os.listdir("/proc/self/fd")) == before
    assert [one for one in mine if one.zombie] == []


def test_compiler_works_in_a_box(tmp_path: Path) -> None:
    """g++ builds a library within the bounds it is given."""
    (tmp_path / "a.cpp").write_text(
        "#include <vector>\nint f() { return std::vector<int>(3).size(); }"
    )
    argv = ["g++", "-shared", "-fPIC", "a.cpp", "-o", "a.so"]

    env = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)}
    done = run_boxed(argv, tmp_path, 60, 1 << 30, 4096, env)

    assert done.returncode == 0, done.output
    assert (tmp_path / "a.so").stat().st_size > 0
