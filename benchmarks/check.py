"""What a check build costs beside the fast one: python benchmarks/check.py [--case ID] [FILE ...].

Each file (by default the rungs of gemm_fp16) is called on one OS thread under both builds; printed
are the least milliseconds of a call and how many times the fast build's the check's are.
Not a test.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from judge import caseids, cpubuild, prebuilt, spec  # noqa: E402
from judge.answers import Answers  # noqa: E402
from judge.cpusession import Session  # noqa: E402
from judge.model import CompileError  # noqa: E402

CASE = "normal,M=128,N=128,K=128,alpha=1,beta=1"
ROUNDS = 5
MISSING = float("nan")


def milliseconds(path: Path, problem: str, case_id: str, check: bool) -> float:
    """The least of some calls; not a number where the submission does not end well."""
    loaded = spec.load(problem)
    case = caseids.parse_id(loaded, case_id)
    try:
        build = cpubuild.compile(path, loaded, (), check=check)
    except CompileError:
        return MISSING
    runtime = prebuilt.runtime_library(prebuilt.CHECKING if check else prebuilt.FAST)
    took = []
    with Answers(loaded, "1") as answers, Session(build, loaded, runtime, 1) as session:
        data, _ = answers.take(case, 0)
        for _ in range(ROUNDS):
            outcome = session.call(data, schedule=0, same_addresses=False)
            if outcome.fault is not None:
                return MISSING
            took.append(outcome.seconds)
    return min(took) * 1e3


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problem", default="gemm_fp16")
    parser.add_argument("--case", default=CASE, help="its id, as `make cases` lists it")
    parser.add_argument("files", nargs="*", type=Path)
    chosen = parser.parse_args()
    rungs = sorted((ROOT / "submissions" / chosen.problem).glob("*.cu"))
    print(f"{'':28}{'fast ms':>10}{'check ms':>10}{'times':>8}")
    for path in chosen.files or rungs:
        fast, slow = (milliseconds(path, chosen.problem, chosen.case, on) for on in (False, True))
        print(f"{path.stem:28}{fast:10.2f}{slow:10.2f}{slow / fast:8.1f}", flush=True)


if __name__ == "__main__":
    main()
