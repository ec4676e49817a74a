"""The speed of an accepted submission as lines for people: times, kernels, peaks, the card.

In comes a Speed, out come (label, line); nothing is printed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from judge.counted import counted
from judge.model import DeviceState, KernelUse, Speed, TimedCase, Timing
from judge.printable import printable

_TIMES = ("size", "cold us", "+-", "n", "noise", "warm us", "clock us")
_RATES = ("TFLOP/s", "GB/s", "roofline")
_KERNELS = ("kernel", "grid", "block", "calls", "regs", "shared", "local", "occupancy")
_MOST_NAME = 40


def lines(speed: Speed) -> Iterator[tuple[str, str]]:
    """Label and line, most telling first; a label stands beside the first line of its kind."""
    yield from labelled("time", _times(speed))
    yield from labelled("warning", _warnings(speed))
    yield from labelled("kernels", _kernels(speed.kernels))
    yield from labelled("peaks", _peaks(speed))
    yield from labelled("card", _card(speed.before, speed.after))


def labelled(label: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The label beside the first line, nothing beside the others."""
    for number, text in enumerate(texts):
        yield "" if number else label, text


def size(sizes: Mapping[str, int]) -> str:
    """`1024 x 1024 x 1024`, in the order of the spec's axes."""
    return " x ".join(map(str, sizes.values()))


def microseconds(us: float) -> str:
    """Four digits, never in powers of ten: `9.021`, `236.9`, `18240`."""
    digits = 3 if us < 10 else 2 if us < 100 else 1 if us < 10_000 else 0
    return f"{us:.{digits}f}"


def rate(per_s: float) -> str:
    """Three digits, never in powers of ten: `0.12`, `9.07`, `35.4`, `4814`."""
    return f"{per_s:.{2 if per_s < 10 else 1 if per_s < 100 else 0}f}"


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines of equal columns, the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def percent(share: float) -> str:
    """A share of 1 with two digits that count: `0.35 %`, `12 %`."""
    return f"{share * 100:.2g} %" if share < 0.995 else f"{share * 100:.0f} %"


def _times(speed: Speed) -> Iterator[str]:
    yield from columns([(*_TIMES, *_RATES), *map(_time, speed.timed)])
    for timed in speed.timed:
        if timed.baselines:
            told = ", ".join(
                f"{one.median_us / timed.cold.median_us:.3g} x {printable(one.name, _MOST_NAME)}"
                for one in timed.baselines
            )
            dates = " and ".join(sorted({one.date for one in timed.baselines}))
            yield f"{size(timed.sizes)}: speed {told} (ledger {dates})"
    methods = dict.fromkeys(t.method for one in speed.timed for t in (one.cold, one.warm))
    overhead = max(one.overhead_us for one in speed.timed) if speed.timed else 0.0
    yield (
        f"by {' / '.join(methods)}; an empty call reads {overhead:.1f} us; "
        "cold: L2 flushed; clock: the judge's own"
    )


def _time(timed: TimedCase) -> tuple[str, ...]:
    cold, warm = timed.cold, timed.warm
    rates: tuple[str, ...] = ("", "", "")
    if timed.operations:
        rates = rate(timed.tera_per_s), rate(timed.giga_bytes_per_s), percent(timed.roofline)
    return (
        size(timed.sizes),
        microseconds(cold.median_us),
        f"{cold.half_width_us:.2g}",
        str(cold.samples),
        percent(cold.noise),
        microseconds(warm.median_us),
        "" if timed.slope_us is None else microseconds(timed.slope_us),
        *rates,
    )


def _warnings(speed: Speed) -> Iterator[str]:
    for timed in speed.timed:
        name = size(timed.sizes)
        if timed.doubt:
            yield f"{name}: this time is not believed: {printable(timed.doubt)}"
        for word, timing in (("cold", timed.cold), ("warm", timed.warm)):
            if timing.noisy:
                yield f"{name}: {word} time is noisy: {_interval(timing)}"
    for when, state in (("before", speed.before), ("after", speed.after)):
        if state.throttle:
            yield f"clocks were held back {when} the timing: {printable(state.throttle)}"
    others = max(speed.before.other_processes, speed.after.other_processes)
    if others:
        yield f"{counted(others, 'other process')} used the GPU"


def _interval(timing: Timing) -> str:
    return (
        f"{microseconds(timing.low_us)} to {microseconds(timing.high_us)} us "
        f"after {counted(timing.samples, 'sample')}"
    )


def _kernels(kernels: Sequence[KernelUse]) -> Iterator[str]:
    if kernels:
        yield from columns([_KERNELS, *map(_kernel, kernels)])


def _kernel(use: KernelUse) -> tuple[str, ...]:
    fit = use.occupancy
    return (
        printable(use.name.partition("(")[0], _MOST_NAME),
        _dimensions(use.grid),
        _dimensions(use.block),
        str(use.count),
        str(use.registers),
        f"{use.static_shared_bytes}+{use.dynamic_shared_bytes} B",
        f"{use.local_bytes} B",
        "" if fit is None else f"{percent(fit.share)}, by {fit.limit}",
    )


def _dimensions(sizes: tuple[int, int, int]) -> str:
    """`64x64`: without the trailing ones."""
    x, y, z = sizes
    return "x".join(map(str, (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)))


def _peaks(speed: Speed) -> Iterator[str]:
    best = speed.peaks
    yield (
        f"{best.bytes_per_s * 1e-9:.4g} GB/s, {best.operations_per_s * 1e-12:.4g} TFLOP/s: "
        f"{printable(best.source)}"
    )


def _card(before: DeviceState, after: DeviceState) -> Iterator[str]:
    """Each reading before and after; nothing where nvidia-smi does not answer."""
    readings = (
        ("SM", before.sm_mhz, after.sm_mhz, "MHz"),
        ("memory", before.memory_mhz, after.memory_mhz, "MHz"),
        ("", before.temperature_c, after.temperature_c, "C"),
        ("", before.power_w, after.power_w, "W"),
    )
    told = [
        f"{name} {first} -> {last} {unit}".strip() for name, first, last, unit in readings if first
    ]
    if told:
        yield printable(f"{', '.join(told)}; driver {before.driver}")
