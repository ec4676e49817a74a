"""What the CUDA runtime answered, as faults for people: launches explained, errors named.  Pure.

The launches come from the recorder in the worker, so they explain and never excuse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.counted import counted
from judge.model import Fault, KernelUse, Reason, Verdict
from judge.printable import printable

_NAMES = {
    1: "cudaErrorInvalidValue",
    2: "cudaErrorMemoryAllocation",
    9: "cudaErrorInvalidConfiguration",
    98: "cudaErrorInvalidDeviceFunction",
    209: "cudaErrorNoKernelImageForDevice",
    700: "cudaErrorIllegalAddress",
    701: "cudaErrorLaunchOutOfResources",
    702: "cudaErrorLaunchTimeout",
    710: "cudaErrorAssert",
    714: "cudaErrorHardwareStackError",
    715: "cudaErrorIllegalInstruction",
    716: "cudaErrorMisalignedAddress",
    717: "cudaErrorInvalidAddressSpace",
    718: "cudaErrorInvalidPc",
    719: "cudaErrorLaunchFailure",
    720: "cudaErrorCooperativeLaunchTooLarge",
}
_MEANING = {
    700: (Reason.OUT_OF_BOUNDS, "a kernel read or wrote outside every allocation"),
    714: (Reason.STACK_OVERFLOW, "a kernel overran its stack"),
    716: (Reason.MISALIGNED, "a kernel accessed an address that is no multiple of the access size"),
    710: (Reason.CUDA_ERROR, "an assert failed in a kernel"),
    702: (Reason.CUDA_ERROR, "a kernel ran longer than this system allows"),
}
_STICKY = range(700, 720)
_NOT_STICKY = (701, 713)
_SANITIZE = "`python -m judge sanitize FILE` names the line"


def is_sticky(error: int) -> bool:
    """Whether the context is lost: every later call of that process fails."""
    return error in _STICKY and error not in _NOT_STICKY


def launches(told: Sequence[Any], kernels: Sequence[KernelUse]) -> tuple[KernelUse, ...]:
    """The worker's list of launches, checked: what is not well formed is dropped.

    kernels: of the build, which have the names people write
    """
    readable = {one.symbol: one.name for one in kernels}
    found = []
    for one in told[:64]:
        if not isinstance(one, dict):
            continue
        grid, block = _triple(one.get("grid")), _triple(one.get("block"))
        numbers = (one.get("shared_bytes"), one.get("error"), one.get("count"))
        if grid and block and all(type(n) is int for n in numbers):
            symbol = printable(str(one.get("kernel", "?")), 200)
            found.append(
                KernelUse(
                    name=readable.get(symbol, symbol),
                    symbol=symbol,
                    grid=grid,
                    block=block,
                    dynamic_shared_bytes=int(one["shared_bytes"]),
                    count=int(one["count"]),
                    error=int(one["error"]),
                )
            )
    return tuple(found)


def notes(used: Sequence[KernelUse]) -> tuple[str, ...]:
    """Sentences on launches that did nothing and harmed nothing."""
    return tuple(
        f"{one.name} was launched with an empty grid or block and did nothing"
        for one in used
        if one.error and 0 in (*one.grid, *one.block)
    )


def fault(
    error: int,
    used: Sequence[KernelUse],
    kernels: Sequence[KernelUse],
    attributes: Mapping[str, int],
) -> Fault | None:
    """The fault of a call: a launch that was refused, else the device's error, else None.

    kernels: what the compiler says each takes
    """
    for one in used:
        if one.error and 0 not in (*one.grid, *one.block):
            why = refusal(one, kernels, attributes)
            reason = Reason.LAUNCH_LIMITS if why else Reason.CUDA_ERROR
            text = f"{one.name} was not launched: {why or named(one.error)}"
            return Fault(Verdict.RE, reason, text)
    if not error:
        return None
    reason, meaning = _MEANING.get(error, (Reason.CUDA_ERROR, ""))
    text = f"after the call the device reports {named(error)}"
    if meaning:
        text += f": {meaning}"
    details = (_SANITIZE,) if is_sticky(error) else ()
    return Fault(Verdict.RE, reason, text, details=details)


def named(error: int) -> str:
    """`cudaErrorIllegalAddress (700)`."""
    return f"{_NAMES.get(error, 'CUDA error')} ({error})"


def refusal(use: KernelUse, kernels: Sequence[KernelUse], attributes: Mapping[str, int]) -> str:
    """Which limit a refused launch is over, in words; empty if none that is known."""
    threads = use.block[0] * use.block[1] * use.block[2]
    most = attributes["max_threads_per_block"]
    if threads > most:
        return f"block {use.block} = {counted(threads, 'thread')}, limit {most}"
    for part, name in enumerate("xyz"):
        limit = attributes[f"max_block_dim_{name}"]
        if use.block[part] > limit:
            return f"block {use.block}: {name} = {use.block[part]}, limit {limit}"
        limit = attributes[f"max_grid_dim_{name}"]
        if use.grid[part] > limit:
            return f"grid {use.grid}: {name} = {use.grid[part]}, limit {limit}"
    kernel = next((one for one in kernels if one.symbol == use.symbol), None)
    static = kernel.static_shared_bytes if kernel else 0
    plain = attributes["max_shared_memory_per_block"]
    opt_in = attributes.get("max_shared_memory_per_block_optin", plain)
    asked = static + use.dynamic_shared_bytes
    if asked > opt_in:
        return f"{counted(asked, 'byte')} of shared memory a block, limit {opt_in}"
    if asked > plain:
        return (
            f"{counted(asked, 'byte')} of shared memory a block, limit {plain} without "
            "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "
            f"{opt_in} with it"
        )
    registers = attributes["max_registers_per_block"]
    if kernel and kernel.registers * threads > registers:
        return (
            f"{counted(kernel.registers, 'register')} x {counted(threads, 'thread')} = "
            f"{kernel.registers * threads}, limit {registers} a block; "
            f"__launch_bounds__({threads}) makes the compiler keep to it"
        )
    return ""


def _triple(value: Any) -> tuple[int, int, int] | None:
    if isinstance(value, list) and len(value) == 3 and all(type(part) is int for part in value):
        return value[0], value[1], value[2]
    return None
