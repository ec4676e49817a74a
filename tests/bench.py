"""How long the judge itself takes on this machine: start-up, a first run, and runs after it.

make bench
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUBMISSION = ROOT / "submissions" / "gemm_fp16" / "tiled.cu"


def judged(*arguments: str) -> tuple[float, str]:
    """Seconds of wall clock, and what the judge printed.  Ends the program on a failure."""
    begun = time.perf_counter()
    process = subprocess.run(
        [sys.executable, "-m", "judge", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - begun
    if process.returncode != 0:
        sys.exit(f"bench: {' '.join(arguments)}: exit code {process.returncode}\n{process.stderr}")
    return seconds, process.stdout


def show(what: str, seconds: list[float]) -> None:
    """One row: the median, and how far the runs lie apart."""
    spread = f"{min(seconds):.2f} .. {max(seconds):.2f}"
    print(f"{what:<44}{statistics.median(seconds):6.2f} s   {spread} s, {len(seconds)} runs")


def main() -> None:
    """Print the table."""
    print(f"{len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}, CPU backend")
    show("--help", [judged("--help")[0] for _ in range(5)])
    show("cases (start-up with NumPy)", [judged("cases", "gemm_fp16")[0] for _ in range(5)])
    with tempfile.TemporaryDirectory() as folder:
        first = []
        for number in range(3):
            # Other text each time: a build that is in the cache would not be compiled.
            source = Path(folder) / f"tiled{number}.cu"
            source.write_text(
                f"// problem: gemm_fp16\n// {time.time_ns()}\n{SUBMISSION.read_text()}"
            )
            first.append(judged("run", str(source), "--backend", "cpu")[0])
    show("an edited submission, to the verdict", first)
    seconds, cases = [], 0
    for _ in range(5):
        taken, text = judged("run", str(SUBMISSION), "--backend", "cpu", "--json", "-")
        seconds.append(taken)
        cases = json.loads(text)["cases"]["run"]
    show(f"the same submission again, {cases} cases", seconds)


if __name__ == "__main__":
    main()
