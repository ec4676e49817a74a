"""judge/cgroup.py: control groups, played by folders, and real ones where they can be made."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge import box, cgroup, processes
from judge.box import Box, Event
from judge.cgroup import Group
from judge.confine import Bounds
from judge.model import UserError

MIB = 1 << 20


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`parent` asks anew, and forgets what it found."""
    monkeypatch.delenv("JUDGE_CGROUP", raising=False)
    cgroup.parent.cache_clear()
    yield
    cgroup.parent.cache_clear()


def controllers(folder: Path, handed_on: str = "memory pids") -> Path:
    """A folder that looks like a group which hands these controllers on."""
    (folder / "cgroup.controllers").write_text("cpu memory pids")
    (folder / "cgroup.subtree_control").write_text(handed_on)
    return folder


def test_a_group_is_bounded_before_anything_is_in_it(tmp_path: Path) -> None:
    """Memory, and processes with their threads; the kernel ends all of it together."""
    group = Group(tmp_path, 64 * MIB, 20)

    assert (group.path / "memory.max").read_text() == str(64 * MIB)
    assert (group.path / "memory.oom.group").read_text() == "1"
    assert (group.path / "pids.max").read_text() == "20"


def test_groups_do_not_share_a_folder(tmp_path: Path) -> None:
    """Two boxes of one judge have a group each."""
    assert Group(tmp_path, MIB, 1).path != Group(tmp_path, MIB, 1).path


def test_the_kernel_says_that_memory_ran_out(tmp_path: Path) -> None:
    """One line of memory.events counts what was killed."""
    group = Group(tmp_path, MIB, 1)
    assert not group.out_of_memory()

    (group.path / "memory.events").write_text("low 0\nmax 12\noom 1\noom_kill 1\n")
    assert group.out_of_memory()


def test_a_box_that_the_kernel_ended_for_its_memory_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks like a killed program is the bound on memory."""
    group = Group(tmp_path, MIB, 64)
    monkeypatch.setattr(box, "_group", lambda bounds: group)
    program = ["/bin/sh", "-c", "exit 3"]
    with Box(program, cwd=tmp_path, env={}, bounds=Bounds(256 * MIB)) as running:
        (group.path / "memory.events").write_text("oom_kill 1\n")

        assert running.wait(time.monotonic() + 5) is Event.MEMORY
    assert (group.path / "cgroup.procs").read_text() == "0\n"
    assert (group.path / "cgroup.kill").read_text() == "1"


def test_without_a_delegated_group_there_is_none(fresh: None) -> None:
    """The judge makes no groups in a system that is another's to manage."""
    if cgroup.parent() is not None:
        pytest.skip("these tests run in a group that was delegated to them")
    assert box._group(Bounds(MIB)) is None


def test_a_folder_is_named_by_a_variable(
    fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """$JUDGE_CGROUP is taken where it hands both controllers on."""
    monkeypatch.setenv("JUDGE_CGROUP", str(controllers(tmp_path)))

    assert cgroup.parent() == tmp_path


def test_a_folder_that_hands_nothing_on_is_refused(
    fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable that is set and of no use is an error, not a silence."""
    monkeypatch.setenv("JUDGE_CGROUP", str(controllers(tmp_path, "cpu")))

    with pytest.raises(UserError, match=r"^JUDGE_CGROUP=.*got no memory and pids.*unset it$"):
        cgroup.parent()


def test_processes_of_a_delegated_group_go_down_a_level(tmp_path: Path) -> None:
    """A group that hands controllers on may hold no process itself."""
    controllers(tmp_path, "")
    (tmp_path / "cgroup.procs").write_text("4711\n")

    assert cgroup.hand_on(tmp_path)
    assert (tmp_path / "judge" / "cgroup.procs").read_text() == "4711"
    assert (tmp_path / "cgroup.subtree_control").read_text() in ("+memory", "+pids")


def test_a_group_without_controllers_is_of_no_use(tmp_path: Path) -> None:
    """Where memory and pids were not delegated, nothing is moved."""
    (tmp_path / "cgroup.controllers").write_text("hugetlb")

    assert not cgroup.hand_on(tmp_path)
    assert not (tmp_path / "judge").exists()


def test_our_own_group_is_found_by_its_mount(tmp_path: Path) -> None:
    """The path below the mount of version 2, wherever that is."""
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "22 1 0:19 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "23 1 0:20 / /somewhere rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
    )
    line = next(
        (one for one in Path("/proc/self/cgroup").read_text().splitlines() if one[:3] == "0::"),
        None,
    )
    if line is None:
        pytest.skip("this kernel runs without control groups of version 2")

    assert cgroup.own_group(mounts) == Path(f"/somewhere{line[3:].rstrip('/')}")
    assert cgroup.own_group(tmp_path / "none") is None


def test_a_real_group_takes_all_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What left its session and its parent dies with the group, with nobody looking for it."""
    own = cgroup.own_group()
    folder = own / f"judge-test-{os.getpid()}" if own else None
    try:
        assert folder is not None
        folder.mkdir()
    except (AssertionError, OSError):
        pytest.skip("no control group can be made here: it takes version 2, and the right to")
    group = object.__new__(Group)  # without the bounds, whose controllers may be missing here
    group.path = folder
    monkeypatch.setattr(box, "_group", lambda bounds: group)
    monkeypatch.setattr(processes, "end", lambda root, members: True)
    script = "setsid setsid sleep 60 & sleep 60"
    try:
        with Box(["/bin/sh", "-c", script], cwd=tmp_path, env={}, bounds=Bounds(256 * MIB)) as one:
            one.wait(time.monotonic() + 0.3)
            members = [int(pid) for pid in (folder / "cgroup.procs").read_text().split()]
            assert len(members) >= 2
        deadline = time.monotonic() + 2
        while (alive := set(members) & set(processes.table())) and time.monotonic() < deadline:
            for pid in alive:  # orphans are the judge's to wait for
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            time.sleep(0.01)

        assert not alive
    finally:
        group.close()
