"""Nsight Compute on warm calls: the few numbers that say what limits a kernel.

Source of the metrics: Nsight Compute, "Metrics Guide"; of the format: its CLI's `--csv --page raw`
with base units (nanoseconds, bytes, bytes a second, percent).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge import gputool, speedreport, toolkit
from judge.model import BackendMissing, Build, CallData, JudgeError, Spec
from judge.printable import printable

_STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
STALLS = {
    "long_scoreboard": "global or local memory",
    "short_scoreboard": "shared memory or special functions",
    "mio_throttle": "a full queue of shared memory and special instructions",
    "lg_throttle": "a full queue of global memory instructions",
    "math_pipe_throttle": "a busy arithmetic pipe",
    "barrier": "the other warps at a barrier",
    "wait": "fixed latency of the previous instruction",
    "no_instruction": "instructions to be fetched",
    "not_selected": "nothing: another warp was chosen",
}
METRICS = {
    "duration_ns": "gpu__time_duration.sum",
    "compute": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "memory": "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram_bytes": "dram__bytes.sum",
    "dram_bytes_per_s": "dram__bytes.sum.per_second",
    "dram": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "warps": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "registers": "launch__registers_per_thread",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    **{name: _STALL.format(name) for name in STALLS},
}
_NEAR_PEAK = 60.0
"""Percent of peak from which a unit is said to limit a kernel (Nsight Compute's own rule)."""


@dataclass(frozen=True)
class Kernel:
    """One launch as ncu saw it; `values` by the names of METRICS, absent where ncu has none."""

    name: str
    grid: str
    block: str
    values: Mapping[str, float]


def measure(
    build: Build,
    spec: Spec,
    data: CallData,
    folder: Path,
    metrics: Mapping[str, str] = METRICS,
    calls: int = 1,
) -> tuple[Kernel, ...]:
    """The launches of so many calls after a first one that nobody sees.

    metrics: names of METRICS with what ncu calls them; few enough to be read in one pass leave the
             caches as the call before left them
    folder:  an empty one for inputs and logs
    Raises BackendMissing, UserError, JudgeError.
    """
    program = toolkit.tool("ncu")
    argv = [
        *(str(program), "--csv", "--page", "raw", "--print-units", "base"),
        *("--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off"),
        *("--metrics", ",".join(metrics.values()), "--log-file", "{log}"),
    ]
    told = gputool.run(argv, build, spec, [data], folder, repeat=1 + calls, shown=calls)
    text = told.log + told.printed
    if "ERR_NVGPUCTRPERM" in text:
        raise BackendMissing(
            "ncu: this user may not read the GPU's counters (ERR_NVGPUCTRPERM); run as root, or "
            "let the driver allow it: NVreg_RestrictProfilingToAdminUsers=0"
        )
    found = parse(told.log)
    if not found:
        said = [line for line in text.splitlines() if "==ERROR==" in line]
        last = said[:1] or text.strip().splitlines()[-1:] or ["nothing"]
        raise JudgeError(f"ncu saw no kernel; it said: {printable(last[0], 200)}")
    return found


def parse(log: str) -> tuple[Kernel, ...]:
    """The launches of a raw page in CSV; none where there is no table."""
    lines = log.splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return ()
    table = list(csv.DictReader(io.StringIO("\n".join(lines[start:]))))
    # The first row holds the units.
    return tuple(_kernel(row) for row in table[1:] if row.get("Kernel Name"))


def _kernel(row: Mapping[str, str]) -> Kernel:
    values = {}
    for name, metric in METRICS.items():
        try:
            values[name] = float((row.get(metric) or "").replace(",", ""))
        except ValueError:
            continue
    name = row["Kernel Name"].partition("(")[0]
    return Kernel(name, row.get("Grid Size", ""), row.get("Block Size", ""), values)


def lines(kernels: Sequence[Kernel]) -> Iterator[str]:
    """What matters of each, in words."""
    for kernel in kernels:
        yield printable(f"{kernel.name}  grid {kernel.grid}, block {kernel.block}")
        yield from (f"  {label:<10} {text}" for label, text in _told(kernel.values))


def _told(v: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    if "duration_ns" in v:
        yield "time", f"{speedreport.microseconds(v['duration_ns'] / 1e3)} us, caches warm"
    if "compute" in v and "memory" in v:
        yield "limit", _limit(v["compute"], v["memory"])
    if "dram_bytes" in v:
        rate, share = v.get("dram_bytes_per_s", 0.0) / 1e9, v.get("dram", 0.0)
        megabytes = f"{v['dram_bytes'] / 1e6:.3g} MB"
        yield "DRAM", f"{megabytes} moved, {rate:.0f} GB/s, {share:.0f} % of its peak"
    if "warps" in v:
        registers = f"; {v['registers']:.0f} registers a thread" if "registers" in v else ""
        yield "occupancy", f"{v['warps']:.0f} % of the warps a multiprocessor holds{registers}"
    if v.get("wavefronts"):
        share = v.get("conflicts", 0.0) / v["wavefronts"]
        yield "shared", f"{share:.0%} of the passes over shared memory are bank conflicts"
    stalls = sorted(((v[name], name) for name in STALLS if v.get(name)), reverse=True)[:3]
    for number, (warps, name) in enumerate(stalls):
        text = f"{warps:.1f} warps an issue wait for {STALLS[name]} ({name})"
        yield "" if number else "stalls", text


def _limit(compute: float, memory: float) -> str:
    numbers = f"arithmetic {compute:.0f} % of peak, memory {memory:.0f} %"
    if max(compute, memory) < _NEAR_PEAK:
        return f"latency: neither is near its peak ({numbers})"
    return f"{'arithmetic' if compute > memory else 'memory, from L1 to DRAM'}: {numbers}"
