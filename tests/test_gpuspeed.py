"""judge/gpuspeed.py: which sizes are timed, on what, and against which floor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fake_gpu import ATTRIBUTES, FakeDevice
from played_session import BYTES, SIZES, Clock, PlayedSession, case, gemm

from judge import caseids, gpubuild, gpunew, gpuspeed, gpustage, gputime, smi, timing
from judge import spec as specs
from judge.gpuarena import DeviceArena
from judge.gpustage import MOST_SETS
from judge.model import (
    Build,
    CallFault,
    DeviceState,
    Fault,
    KernelUse,
    Outcome,
    Peaks,
    Reason,
    Verdict,
)

BUILT = KernelUse("gemm(int)", "_Z4gemmi", (0, 0, 0), (0, 0, 0), 0, 0)
BUILD = Build(Path("s.so"), Path("s.cu"), 0, False, "", kernels=(BUILT,))
LAUNCHED = {
    "kernel": "_Z4gemmi",
    "grid": [1, 2, 1],
    "block": [256, 1, 1],
    "shared_bytes": 1024,
    "error": 0,
    "count": 1,
}
TOOK = {"registers": 64, "shared_bytes": 60000, "local_bytes": 8, "constant_bytes": 400}


CLOCK = Clock()
"""Which only played calls turn."""


class Worker(PlayedSession):
    """A played session that also answers for launches and attributes."""

    launches: Any = (LAUNCHED,)
    attributes_told: Any = (TOOK,)
    refusal: Outcome | None = None

    def __init__(self, build: Build, spec: Any, device: Any, libraries: Any, size: int) -> None:
        super().__init__(spec, device, us=50.0, clock=CLOCK)
        self._arena_bytes = size

    def start(self) -> Outcome | None:
        """Refused, if the test says so."""
        return self.refusal or super().start()

    def ask(self, message: Any, fields: Any, seconds: float) -> Any:
        """A plain call, the attributes, or what is played."""
        if message["do"] == "call":
            return {"seconds": 0.1, "launches": list(self.launches), "refused_bytes": 0}
        if message["do"] == "attributes":
            return {"attributes": list(self.attributes_told)}
        return super().ask(message, fields, seconds)


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No nvcc, no nvidia-smi, no worker process."""
    monkeypatch.setattr(gpuspeed, "Session", Worker)
    monkeypatch.setattr(gpubuild, "own_kernels", lambda capability: b"")
    monkeypatch.setattr(smi, "state", lambda: DeviceState(name="fake"))
    for room in (gpustage, gputime, gpunew):
        monkeypatch.setattr(room, "time", CLOCK)


def measure(device: FakeDevice) -> Any:
    """Time the small GEMM."""
    spec = gemm()
    prepared = gpuspeed.prepare(spec, case(spec, 0.0), "seed")
    return gpuspeed.measure(spec, BUILD, [prepared], device.as_device(), (), lambda text: None)


def test_the_floor_is_the_longer_of_bytes_and_operations() -> None:
    """4096^3 is bound by operations at an H200's rates, and by bytes where these are slow."""
    spec = specs.load("gemm_fp16")
    large = caseids.timed(spec)[1]

    fast = gpuspeed.floor(spec, large, Peaks(4.9e12, 1e15, ""))
    slow = gpuspeed.floor(spec, large, Peaks(1e11, 1e15, ""))

    assert fast == pytest.approx(2 * 4096**3 / 1e15 * 1e6)
    assert slow == pytest.approx(2 * 4 * 4096**2 / 1e11 * 1e6)


def test_a_size_is_prepared_once_for_all_submissions() -> None:
    """Contents, right answers, and whether a call can be repeated."""
    spec = gemm()

    plain, added = (gpuspeed.prepare(spec, case(spec, beta), "seed") for beta in (0.0, 1.0))

    assert (plain.repeatable, added.repeatable) == (True, False)
    assert len(plain.contents) == 3
    assert plain.contents[0].data.case.id == "normal,M=6,N=5,K=7,alpha=1,beta=0"


def test_control_a_right_submission_gets_times_and_kernels() -> None:
    """A time for each size; each kernel with what it takes and how many of its blocks fit."""
    found = measure(FakeDevice(16 << 20))

    assert [one.cold.median_us for one in found.timed] == [50.0]
    (kernel,) = found.kernels
    assert (kernel.name, kernel.grid, kernel.block) == ("gemm(int)", (1, 2, 1), (256, 1, 1))
    assert (kernel.registers, kernel.static_shared_bytes) == (64, 60000)
    assert kernel.occupancy is not None
    assert (kernel.occupancy.blocks, kernel.occupancy.limit) == (3, "shared memory")
    assert (found.before.name, found.after.name) == ("fake", "fake")
    assert found.peaks.bytes_per_s == pytest.approx(4.9e12, rel=0.01)


@pytest.mark.parametrize("told", [(), (None,), (7,), ({"registers": "many"},)])
def test_attributes_are_claims_too(monkeypatch: pytest.MonkeyPatch, told: Any) -> None:
    """What the worker says of its kernels may be missing or nonsense: the time stays."""
    monkeypatch.setattr(Worker, "attributes_told", told)

    found = measure(FakeDevice(16 << 20))

    assert found.kernels[0].registers == 0
    assert found.timed[0].cold.median_us == 50.0


def test_a_launch_without_threads_has_an_occupancy_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Block sizes are claims: zero and negative ones harm nothing."""
    for block in ([0, 1, 1], [-5, 1, 1]):
        monkeypatch.setattr(Worker, "launches", ({**LAUNCHED, "block": block},))

        assert measure(FakeDevice(16 << 20)).timed


def test_there_are_enough_sets_to_leave_the_cache() -> None:
    """Copies fill twice the L2 cache, so that none is there when its turn comes again."""
    spec = gemm()
    prepared = gpuspeed.prepare(spec, case(spec, 0.0), "seed")
    for cache, sets in ((100, 3), (1000, 11), (10**6, MOST_SETS)):
        device = FakeDevice(16 << 20)
        device.attributes = lambda cache=cache: {**ATTRIBUTES, "l2_cache_size": cache}  # type: ignore[method-assign]

        with gpuspeed.staged(spec, BUILD, prepared, device.as_device(), ()) as (session, stage):
            assert len(stage) == sets
            assert session.arena is not None
            assert session.arena.memory.capacity == sets * DeviceArena.span(BYTES)

        assert device.alive == 0


def test_a_submission_that_does_not_load_gets_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What start says is the fault; nothing is staged."""
    broken = Fault(Verdict.CE, Reason.COMPILE, "no symbol")
    monkeypatch.setattr(Worker, "refusal", Outcome(returned=False, fault=broken))

    with pytest.raises(CallFault) as raised:
        measure(FakeDevice())

    assert raised.value.fault is broken


def test_each_time_has_its_own_floor() -> None:
    """The floor comes from the device's attributes and the size's bytes and operations."""
    found = measure(FakeDevice(16 << 20))

    moved, done = 2 * (42 + 35 + 2 * 30), 2 * 6 * 5 * 7
    best = found.peaks
    assert found.timed[0].floor_us == timing.floor_us(
        moved, done, best.bytes_per_s, best.operations_per_s
    )
    assert found.timed[0].sizes == SIZES
