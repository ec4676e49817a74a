"""judge/devices.py: which backend this machine can run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from judge import devices
from judge.model import BackendMissing, ExitCode


def test_without_a_device_file_the_cpu_is_the_default(tmp_path: Path) -> None:
    """A laptop without a GPU needs no flag."""
    assert devices.choose(None, tmp_path) == ("cpu", "")


def test_asking_for_a_gpu_that_is_not_there_says_so_in_one_line(tmp_path: Path) -> None:
    """The message names what is missing and two ways on; the exit code is 4."""
    with pytest.raises(BackendMissing) as raised:
        devices.choose("gpu", tmp_path)

    assert str(raised.value) == (
        f"backend gpu: no NVIDIA GPU is visible on this machine (no {tmp_path}/nvidia0); "
        "use BACKEND=cpu (--backend cpu), or see `make doctor`"
    )
    assert raised.value.exit_code == ExitCode.BACKEND_MISSING


def test_pycuda_is_not_imported_where_there_is_no_device_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken CUDA installation cannot hurt a machine without a GPU."""
    for name in ("pycuda", "judge.gpu"):  # other tests may have imported them
        monkeypatch.delitem(sys.modules, name, raising=False)

    with pytest.raises(BackendMissing):
        devices.probe_gpu(tmp_path)

    assert "pycuda" not in sys.modules
    assert "judge.gpu" not in sys.modules


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["nvidia1", "nvidiactl", "nvidia-uvm", "nvidia0"], ["nvidia0", "nvidia1"]),
        (["dxg"], ["dxg"]),
        (["nvidiactl", "null"], []),
    ],
    ids=["two GPUs", "WSL2", "a driver without a GPU"],
)
def test_gpus_are_told_from_their_device_files(
    tmp_path: Path, names: list[str], expected: list[str]
) -> None:
    """Control files of the driver are no GPUs; the second GPU counts when the first is hidden."""
    for name in names:
        (tmp_path / name).touch()

    assert devices.gpu_files(tmp_path) == tuple(str(tmp_path / name) for name in expected)


def test_a_gpu_that_does_not_answer_is_named_and_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a GPU that cannot be used the CPU judges, and the user hears why."""
    (tmp_path / "nvidia0").touch()
    # Absent from sys.modules' point of view: importing it raises ImportError.
    monkeypatch.setitem(sys.modules, "judge.gpu", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())

    backend, remark = devices.choose(None, tmp_path)

    assert backend == "cpu"
    assert remark.startswith("a GPU is visible but not used: backend gpu: ")
