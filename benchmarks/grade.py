"""How fast a folder is graded on the CPU backend: python benchmarks/grade.py [--count 300].

Hand-ins are made of this repository's right submissions of gemm_fp16, and a tenth of its wrong and
hostile ones; a comment makes each a file of its own, so that every one is compiled.  Printed are
the time of all, what a second worker brings, what grading costs beside `judge run` on the same
files, and the memory that all processes took together, quarter by quarter.  Not a test.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROBLEM = "gemm_fp16"
LADDER = ("naive", "tiled", "register_tiled", "vectorized", "double_buffered")
CORPUS = ROOT / "tests" / "submissions" / PROBLEM
JUDGE = (sys.executable, "-m", "judge")
MIB = 1 << 20


def hand_ins(folder: Path, count: int) -> list[Path]:
    """So many files, every tenth a wrong one; their texts are in no cache."""
    ladder = [ROOT / "submissions" / PROBLEM / f"{name}.cu" for name in LADDER]
    right = itertools.cycle([*ladder, *sorted(CORPUS.glob("ac_*.cu"))])
    wrong = itertools.cycle(sorted(set(CORPUS.glob("*.cu")) - set(CORPUS.glob("ac_*.cu")), key=str))
    # Neighbours in the alphabet are alike: go through the wrong ones in steps.
    wrong = itertools.islice(wrong, 0, None, 7)
    folder.mkdir()
    made = []
    for number in range(count):
        text = next(wrong if number % 10 == 9 else right).read_text()
        path = folder / f"student{number:04}.cu"
        path.write_text(f"{text}// {time.time_ns()}\n")
        made.append(path)
    return made


@dataclass
class Measured:
    """One grading.  memory_mib: of all its processes together, sampled"""

    seconds: float = 0.0
    judging: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)
    memory_mib: list[float] = field(default_factory=list)


def grade(folder: Path, out: Path, jobs: int, processors: set[int]) -> Measured:
    """Grade a folder on some processors, in a process of its own."""
    measured = Measured()
    command = [*JUDGE, "grade", "--problem", PROBLEM, "--backend", "cpu", "--jobs", str(jobs)]
    begun = time.perf_counter()
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)  # what is started inherits it
    process = subprocess.Popen(
        [*command, "--out", str(out), str(folder)],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.sched_setaffinity(0, mine)
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.25):
            measured.memory_mib.append(resident_mib(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    process.wait()
    measured.seconds = time.perf_counter() - begun
    ended.set()
    watcher.join()
    for line in (out / "results.jsonl").read_text().splitlines():
        graded = json.loads(line)
        measured.judging += graded["seconds"]
        measured.verdicts[graded["verdict"]] += 1
    return measured


def resident_mib(root: int) -> float:
    """Resident memory of a process and its descendants, shared pages counted in each."""
    parents, pages = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(path.parent.name)] = int(fields[1])
        pages[int(path.parent.name)] = int(fields[21])
    family = {root}
    while more := {one for one, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(pages.get(one, 0) for one in family) * os.sysconf("SC_PAGE_SIZE") / MIB


def one_by_one(files: list[Path]) -> float:
    """Seconds of `judge run` on each, one after the other."""
    begun = time.perf_counter()
    for path in files:
        command = [*JUDGE, "run", str(path), "--problem", PROBLEM, "--backend", "cpu"]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    return time.perf_counter() - begun


def show(what: str, count: int, measured: Measured, jobs: int) -> None:
    """A row of the table."""
    beside, each = 1 - measured.judging / (measured.seconds * jobs), measured.seconds / count
    verdicts = ", ".join(f"{many} {name}" for name, many in measured.verdicts.most_common())
    print(
        f"{what:<28}{count:4} in {measured.seconds:6.1f} s, {each:5.2f} s each, "
        f"not judging: {beside:.1%}; {verdicts}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="graded by all processors")
    parser.add_argument("--sample", type=int, default=60, help="graded by one, two and none")
    asked = parser.parse_args()
    mine = os.sched_getaffinity(0)
    print(f"{len(mine)} processors, load {os.getloadavg()[0]:.1f}, CPU backend", flush=True)
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        one_by_one(hand_ins(top / "first", 1))  # makes the runtime, where it is not there yet
        runs = (("1 worker, 1 processor", 1, {min(mine)}), ("1 worker, all processors", 1, mine))
        each = {}
        for number, (what, jobs, processors) in enumerate((*runs, ("2 workers", 2, mine))):
            folder = top / f"sample{number}"
            hand_ins(folder, asked.sample)
            each[what] = grade(folder, top / f"out{number}", jobs, processors)
            show(what, asked.sample, each[what], jobs)
        alone = one_by_one(hand_ins(top / "alone", asked.sample))
        print(f"judge run, one by one        {asked.sample:4} in {alone:6.1f} s", flush=True)
        all_processors = each["1 worker, all processors"].seconds
        for what, base in (
            ("2 workers against 1 on one processor", each["1 worker, 1 processor"].seconds),
            ("2 workers against 1 on all", all_processors),
            ("2 workers against `judge run`", alone),
        ):
            print(f"{what}: {base / each['2 workers'].seconds:.2f} times the throughput")
        print(f"1 worker on all against `judge run`: {all_processors / alone - 1:+.1%} time")
        hand_ins(top / "all", asked.count)
        whole = grade(top / "all", top / "out", len(mine), mine)
        show(f"{len(mine)} workers", asked.count, whole, len(mine))
        many = max(1, len(whole.memory_mib) // 4)
        quarters = [max(whole.memory_mib[at : at + many]) for at in range(0, 4 * many, many)]
        print("peak memory, quarter by quarter:", *(f"{one:.0f}" for one in quarters), "MiB")


if __name__ == "__main__":
    main()
