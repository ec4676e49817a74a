"""A grading on a Dask cluster: real worker processes, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.grade import cluster
from judge.grade.job import Job
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
        made.append(Job(str(path), str(PROBLEM), "cpu", "1"))
    wrong = folder / "wrong.cu"
    wrong.write_text(RIGHT.replace("A[i]", "A[0]"))
    return [*made, Job(str(wrong), str(PROBLEM), "cpu", "1")]


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

    made = jobs(tmp_path, 5)
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

    assert sorted(number for number, _ in found) == list(range(6))
    verdicts = [result["report"]["verdict"] for _, result in sorted(found, key=lambda one: one[0])]
    assert verdicts == ["AC"] * 5 + ["WA"]
    assert [result["report"]["submission"] for _, result in found if result["report"]["fault"]] == [
        str(tmp_path / "wrong.cu")
    ]


def test_a_parcel_needs_no_file_system_of_ours(tmp_path: Path) -> None:
    """A node that sees neither the submission nor the problem judges it all the same."""
    made = jobs(tmp_path, 1)
    parcels = [cluster.pack(one) for one in made]
    for path in tmp_path.iterdir():
        path.unlink()

    assert [cluster.judge(one)["report"]["verdict"] for one in parcels] == ["AC", "WA"]


def test_a_node_with_another_judge_judges_nothing(tmp_path: Path) -> None:
    """Its results could differ: the report is JE and names both versions."""
    from dataclasses import replace

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
