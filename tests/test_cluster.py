"""A grading on a Dask cluster: real worker processes, one of which is killed in the middle."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.grade import cluster, seat
from judge.grade.job import Job
from judge.grade.seat import Seat
from judge.model import UserError

PROBLEM = Path(__file__).resolve().parent / "problems" / "copy"
RIGHT = """
#include "guard.h"
__global__ void k(const float* A, float* B, int N) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (GUARD) B[i] = A[i];
}
extern "C" void solve(const float* A, float* B, int N) { k<<<(N + 63) / 64, 64>>>(A, B, N); }
"""

# What distributed warns of is its own affair.
pytestmark = pytest.mark.filterwarnings("ignore")


def jobs(folder: Path, count: int) -> list[Job]:
    """Right programs, each with a header beside it, and at the end a wrong one."""
    (folder / "guard.h").write_text("#define GUARD i < N\n")
    made = []
    for number in range(count):
        path = folder / f"s{number}.cu"
        path.write_text(RIGHT + f"// {number}\n")
        made.append(Job(str(folder), path.name, str(PROBLEM), "cpu", "1"))
    wrong = folder / "wrong.cu"
    wrong.write_text(RIGHT.replace("A[i]", "A[0]"))
    return [*made, Job(str(folder), wrong.name, str(PROBLEM), "cpu", "1")]


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """A cluster of two worker processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as there:
        yield there


def test_the_work_of_a_lost_node_is_done_again(local: Any, tmp_path: Path) -> None:
    """A worker is killed while it judges: every job has one result, as if nothing had been."""
    import distributed

    made = jobs(tmp_path, 3)
    with distributed.Client(local.scheduler_address) as client:
        pids = list(client.run(os.getpid).values())

        def kill() -> None:
            time.sleep(0.3)
            os.kill(pids[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        with cluster.run(local.scheduler_address, None, False, made) as results:
            killer.start()
            found = list(results)
        killer.join()

    assert sorted(number for number, _ in found) == list(range(4))
    verdicts = [result["report"]["verdict"] for _, result in sorted(found, key=lambda one: one[0])]
    assert verdicts == ["AC"] * 3 + ["WA"]
    assert [result["report"]["submission"] for _, result in found if result["report"]["fault"]] == [
        "wrong.cu"
    ]


def test_a_file_that_is_none_is_refused_before_it_travels(local: Any, tmp_path: Path) -> None:
    """What cannot be packed costs no other job its result."""
    made = [replace(one, path="gone.cu") for one in jobs(tmp_path, 0)]
    with cluster.run(local.scheduler_address, None, False, made) as results:
        found = dict(results)

    assert [found[0]["report"][key] for key in ("verdict", "submission")] == ["CE", "gone.cu"]


def test_the_workers_of_this_machine_share_its_processors(local: Any) -> None:
    """Each has its own while there are enough: a judge uses all it may."""
    import distributed

    with distributed.Client(local.scheduler_address) as client:
        cluster._seated(client)
        seats = list(client.run(os.sched_getaffinity, 0).values())
        client.run(seat.sit, Seat(tuple(os.sched_getaffinity(0))))

    assert set().union(*seats) == os.sched_getaffinity(0)
    if len(os.sched_getaffinity(0)) > 1:
        assert not seats[0] & seats[1]


def test_a_cluster_without_a_gpu_is_told(local: Any) -> None:
    """Work for a GPU would wait for one for ever."""
    with (
        pytest.raises(UserError, match="no worker has a GPU; start one"),
        cluster.run(local.scheduler_address, None, True, []),
    ):
        pass


def test_workers_here_are_a_cluster_that_is_gone_afterwards(tmp_path: Path) -> None:
    """--workers N starts it and ends it."""
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    before = set(multiprocessing.active_children())
    made = [replace(one, path="gone.cu") for one in jobs(tmp_path, 0)]
    with cluster.run(None, 1, False, made) as results:
        started = set(multiprocessing.active_children()) - before
        found = dict(results)

    assert found[0]["report"]["verdict"] == "CE"
    assert started
    assert not started & set(multiprocessing.active_children())


def test_a_parcel_needs_no_file_system_of_ours(tmp_path: Path) -> None:
    """A node that sees neither the submission nor the problem judges it all the same."""
    made = jobs(tmp_path, 1)
    parcels = [cluster.pack(one) for one in made]
    for path in tmp_path.iterdir():
        path.unlink()

    assert [cluster.judge(one)["report"]["verdict"] for one in parcels] == ["AC", "WA"]


def test_a_node_with_another_judge_judges_nothing(tmp_path: Path) -> None:
    """Its results could differ: the report is JE and names both versions."""
    parcel = replace(cluster.pack(jobs(tmp_path, 0)[0]), version="0.0")
    fault = cluster.judge(parcel)["report"]["fault"]

    assert fault["verdict"] == "JE"
    assert "expected 0.0" in fault["message"]


def test_without_dask_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, no traceback, and what works without it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UserError, match=r"install it with .* or use --jobs"),
        cluster.run(None, 2, False, []),
    ):
        pass


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address stands in the message."""
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    monkeypatch.setattr(cluster, "_WAIT_SECONDS", 0.2)
    with (
        pytest.raises(UserError, match=r"--scheduler: tcp://127.0.0.1:9: no answer"),
        cluster.run("tcp://127.0.0.1:9", None, False, []),
    ):
        pass
