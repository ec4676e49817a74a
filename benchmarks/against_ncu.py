"""Hold the judge's warm times against Nsight Compute: python benchmarks/against_ncu.py [--size N].

On a GPU, for every rung of the ladder: the warm median as `judge` reports it, and the median of
what ncu reads for calls of the same build on the same inputs (the durations of a call's kernels,
added), with clocks and caches left as they are.  A rung meets the aim where the two differ by at
most 2 % or 1.5 us.  `empty call` is what the judge reads for a call that does nothing: it is part
of the judge's times and not of ncu's.  Prints a table; the exit code is 1 where a rung misses.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from judge import caseids, gpu, gpuspeed, profile, rungs, smi, speedreport, toolkit  # noqa: E402
from judge import spec as specs  # noqa: E402
from judge.model import CallFault, TimedCase  # noqa: E402
from judge.rungs import Rung  # noqa: E402

WITHIN, WITHIN_US = 0.02, 1.5
CALLS = 7
"""That ncu sees of each rung, after one that it does not."""
GATED = "gated events"
DURATION = {"duration_ns": profile.METRICS["duration_ns"]}
"""One metric is read in one pass: ncu then never puts memory back between two of them."""


def by_ncu(build, spec, prepared) -> tuple[float, int]:
    """Median microseconds of a call, and the kernels it launches."""
    data = prepared.contents[0].data
    with tempfile.TemporaryDirectory(prefix="judge-") as folder:
        found = profile.measure(build, spec, data, Path(folder), DURATION, CALLS)
    each = len(found) // CALLS
    assert each * CALLS == len(found), f"{len(found)} kernels in {CALLS} calls"
    us = [kernel.values["duration_ns"] / 1e3 for kernel in found]
    return statistics.median(sum(us[n * each : (n + 1) * each]) for n in range(CALLS)), each


def row(rung: Rung, timed: TimedCase, ncu_us: float, kernels: int) -> tuple[str, bool]:
    """A line of the table, and whether the aim is met."""
    warm = timed.warm
    difference = warm.median_us - ncu_us
    met = abs(difference) <= max(WITHIN * ncu_us, WITHIN_US)
    cells = (
        rung.name,
        f"{speedreport.microseconds(warm.median_us)} +- {warm.half_width_us:.2g}",
        speedreport.microseconds(ncu_us),
        f"{difference:+.2f}",
        f"{difference / ncu_us:+.1%}",
        f"{timed.overhead_us:.2f}",
        str(kernels),
        ("yes" if met else "NO") + (f" ({warm.method})" if warm.method != GATED else ""),
    )
    return f"| {' | '.join(cells)} |", met


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problem", default="gemm_fp16")
    parser.add_argument("--size", type=int, action="append", help="of the timed sizes; default: 1")
    parser.add_argument("--only", action="append", help="a rung's file, as naive.cu")
    asked = parser.parse_args()
    spec = specs.load(asked.problem)
    ladder = [r for r in rungs.rungs(spec) if not asked.only or r.source.name in asked.only]
    ncu = subprocess.run([toolkit.tool("ncu"), "--version"], capture_output=True, text=True)
    device, folders = gpu.device(), [str(one) for one in toolkit.library_folders()]
    with ThreadPoolExecutor(8) as pool:
        builds = list(pool.map(lambda one: gpu.compile(one.source, spec, one.defines), ladder))
    missed = 0
    for number in asked.size or [1]:
        case = caseids.timed(spec)[number - 1]
        prepared = gpuspeed.prepare(spec, case, "against ncu")
        driver = smi.state().driver
        print(f"\n{gpu.probe()}, driver {driver}; ncu {ncu.stdout.split('Version')[-1].strip()}")
        print(f"{case.id}, {CALLS} calls by ncu\n")
        heads = ("rung", "judge, us", "ncu, us", "difference, us", "", "empty call", "kernels")
        print(f"| {' | '.join(heads)} | within 2 % or 1.5 us |")
        print("|---|---:|---:|---:|---:|---:|---:|---|", flush=True)
        for rung, build in zip(ladder, builds, strict=True):
            try:
                speed = gpuspeed.measure(spec, build, [prepared], device, folders, lambda _: None)
            except CallFault:
                print(f"| {rung.name} | not accepted | | | | | | |", flush=True)
                continue
            line, met = row(rung, speed.timed[0], *by_ncu(build, spec, prepared))
            missed += not met
            print(line, flush=True)
        after = smi.state()
        print(f"\nSM {after.sm_mhz} MHz, clocks held back by: {after.throttle or 'nothing'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
