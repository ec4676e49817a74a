"""judge/cudaerrors.py: the runtime's answers as faults that name limit and numbers."""

from __future__ import annotations

from typing import Any

import pytest

from judge import cudaerrors
from judge.model import KernelUse, Reason, Verdict

HOPPER = {
    "max_threads_per_block": 1024,
    "max_block_dim_x": 1024,
    "max_block_dim_y": 1024,
    "max_block_dim_z": 64,
    "max_grid_dim_x": 2**31 - 1,
    "max_grid_dim_y": 65535,
    "max_grid_dim_z": 65535,
    "max_shared_memory_per_block": 49152,
    "max_shared_memory_per_block_optin": 232448,
    "max_registers_per_block": 65536,
}
INVALID_CONFIGURATION, OUT_OF_RESOURCES = 9, 701


def launch(**changed: Any) -> KernelUse:
    """A refused launch of the kernel gemm."""
    given = {
        "name": "gemm(int)",
        "symbol": "_Z4gemmi",
        "grid": (1, 1, 1),
        "block": (256, 1, 1),
        "dynamic_shared_bytes": 0,
        "count": 1,
        "error": INVALID_CONFIGURATION,
    }
    return KernelUse(**{**given, **changed})


def built(registers: int = 32, static: int = 0) -> list[KernelUse]:
    """What the compiler says gemm takes."""
    return [launch(error=0, registers=registers, static_shared_bytes=static)]


def reason(use: KernelUse, kernels: list[KernelUse] | None = None) -> str:
    """Why a launch was refused."""
    return cudaerrors.refusal(use, built() if kernels is None else kernels, HOPPER)


def test_too_many_threads() -> None:
    """64 x 64 threads: the product and the limit."""
    assert reason(launch(block=(64, 64, 1))) == "block (64, 64, 1) = 4096 threads, limit 1024"
    assert reason(launch(block=(32, 32, 1))) == ""


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"block": (1, 1, 65)}, "block (1, 1, 65): z = 65, limit 64"),
        ({"grid": (1, 65536, 1)}, "grid (1, 65536, 1): y = 65536, limit 65535"),
        ({"grid": (1, 1, 65536)}, "grid (1, 1, 65536): z = 65536, limit 65535"),
        ({"grid": (65536, 65535, 65535)}, ""),
    ],
)
def test_too_large_a_side(changed: dict[str, Any], text: str) -> None:
    """The side that is too long, and its limit; x of a grid may be long."""
    assert reason(launch(**changed)) == text


def test_shared_memory_that_needs_asking_for() -> None:
    """Over 48 KiB: the call that allows more, and how much."""
    told = reason(launch(dynamic_shared_bytes=49153))

    assert told.startswith("49153 bytes of shared memory a block, limit 49152 without cudaFunc")
    assert "cudaFuncAttributeMaxDynamicSharedMemorySize" in told
    assert told.endswith("232448 with it")
    assert reason(launch(dynamic_shared_bytes=232448)).endswith("232448 with it")
    assert reason(launch(dynamic_shared_bytes=49152)) == ""


def test_shared_memory_beyond_every_limit() -> None:
    """Over what can be asked for: no advice that would not help."""
    told = reason(launch(dynamic_shared_bytes=232449))

    assert told == "232449 bytes of shared memory a block, limit 232448"


def test_static_shared_memory_counts() -> None:
    """The kernel's own arrays and what the launch adds share one limit."""
    told = reason(launch(dynamic_shared_bytes=40000), built(static=10000))

    assert told.startswith("50000 bytes of shared memory a block")


def test_too_many_registers() -> None:
    """Registers x threads over the block's limit: the product, and the way out."""
    use = launch(block=(1024, 1, 1), error=OUT_OF_RESOURCES)

    assert reason(use, built(registers=80)) == (
        "80 registers x 1024 threads = 81920, limit 65536 a block; "
        "__launch_bounds__(1024) makes the compiler keep to it"
    )
    assert reason(use, built(registers=64)) == ""
    assert reason(use, []) == ""


def test_a_refused_launch_is_a_fault_of_the_call() -> None:
    """Though nothing crashed: the kernel by name, and the limit as reason."""
    fault = cudaerrors.fault(0, [launch(block=(64, 64, 1))], built(), HOPPER)

    assert fault is not None
    assert (fault.verdict, fault.reason) == (Verdict.RE, Reason.LAUNCH_LIMITS)
    assert fault.message == (
        "gemm(int) was not launched: block (64, 64, 1) = 4096 threads, limit 1024"
    )


def test_a_launch_refused_for_an_unknown_reason_keeps_its_error() -> None:
    """The runtime's name and number, and no invented limit."""
    fault = cudaerrors.fault(0, [launch(error=98)], built(), HOPPER)

    assert fault is not None
    assert fault.reason is Reason.CUDA_ERROR
    assert fault.message == "gemm(int) was not launched: cudaErrorInvalidDeviceFunction (98)"


def test_a_launch_that_went_well_is_no_fault() -> None:
    """Even one that looks impossible: the recorder's numbers are claims."""
    assert cudaerrors.fault(0, [launch(error=0, block=(64, 64, 1))], built(), HOPPER) is None


@pytest.mark.parametrize("changed", [{"grid": (0, 1, 1)}, {"block": (0, 1, 1)}])
def test_an_empty_launch_is_only_a_note(changed: dict[str, Any]) -> None:
    """It did nothing and harmed nothing: the output tells whether that was right."""
    used = [launch(**changed)]

    assert cudaerrors.fault(0, used, built(), HOPPER) is None
    assert cudaerrors.notes(used) == (
        "gemm(int) was launched with an empty grid or block and did nothing",
    )
    assert cudaerrors.notes([launch(), launch(**{**changed, "error": 0})]) == ()


@pytest.mark.parametrize(
    ("error", "reason", "words"),
    [
        (700, Reason.OUT_OF_BOUNDS, "cudaErrorIllegalAddress (700): a kernel read or wrote"),
        (714, Reason.STACK_OVERFLOW, "cudaErrorHardwareStackError (714)"),
        (716, Reason.MISALIGNED, "cudaErrorMisalignedAddress (716)"),
        (719, Reason.CUDA_ERROR, "cudaErrorLaunchFailure (719)"),
        (1234, Reason.CUDA_ERROR, "CUDA error (1234)"),
    ],
)
def test_an_error_of_the_device_is_named(error: int, reason: Reason, words: str) -> None:
    """Name, number and meaning of what a synchronise reported."""
    fault = cudaerrors.fault(error, [launch(error=0)], built(), HOPPER)

    assert fault is not None
    assert (fault.verdict, fault.reason) == (Verdict.RE, reason)
    assert fault.message.startswith(f"after the call the device reports {words}")


def test_a_lost_context_points_at_the_sanitizer() -> None:
    """compute-sanitizer names the line of an illegal access; for other errors it says nothing."""
    lost = cudaerrors.fault(700, (), (), HOPPER)
    other = cudaerrors.fault(1, (), (), HOPPER)

    assert lost is not None
    assert other is not None
    assert "sanitize" in lost.details[0]
    assert other.details == ()


@pytest.mark.parametrize(
    ("error", "sticky"),
    [(0, False), (1, False), (9, False), (700, True), (701, False), (710, True), (719, True)],
)
def test_sticky_errors_are_those_that_lose_the_context(error: int, sticky: bool) -> None:
    """A refused launch leaves the worker usable; an illegal address does not."""
    assert cudaerrors.is_sticky(error) is sticky


# --------------------------------------------------------------------------------------------------
# The list of launches comes from the worker, where the submission can write it

TOLD = {
    "kernel": "_Z4gemmi",
    "grid": [4, 5, 1],
    "block": [16, 16, 1],
    "shared_bytes": 2048,
    "error": 0,
    "count": 3,
}


def test_launches_get_the_names_people_write() -> None:
    """By the symbol; a kernel of a library keeps its symbol."""
    known, foreign = cudaerrors.launches([TOLD, {**TOLD, "kernel": "cublas_k"}], built())

    assert (known.name, known.symbol) == ("gemm(int)", "_Z4gemmi")
    assert (known.grid, known.block) == ((4, 5, 1), (16, 16, 1))
    assert (known.dynamic_shared_bytes, known.count, known.error) == (2048, 3, 0)
    assert foreign.name == "cublas_k"


@pytest.mark.parametrize(
    "hostile",
    [
        None,
        7,
        "launch",
        [],
        {},
        {**TOLD, "grid": [1, 2]},
        {**TOLD, "grid": [1, 2, "3"]},
        {**TOLD, "grid": [1, 2, True]},
        {**TOLD, "block": {"x": 1}},
        {**TOLD, "error": "0"},
        {**TOLD, "count": None},
        {**TOLD, "shared_bytes": 1.5},
    ],
)
def test_a_malformed_launch_is_dropped(hostile: Any) -> None:
    """Whatever stands there, the well-formed ones are kept and nothing is raised."""
    assert len(cudaerrors.launches([hostile, TOLD], built())) == 1


def test_a_flood_of_launches_is_cut() -> None:
    """64 are enough to explain anything."""
    assert len(cudaerrors.launches([TOLD] * 10_000, built())) == 64


def test_a_kernel_s_name_cannot_control_the_terminal() -> None:
    """Escapes and newlines are made harmless, and a long name is cut."""
    (used,) = cudaerrors.launches([{**TOLD, "kernel": "\x1b[2J\n" + "k" * 5000}], built())

    assert "\x1b" not in used.name
    assert "\n" not in used.name
    assert len(used.name) <= 300
