"""The command line: what may be typed, and the exit code of whatever happens.

Nothing heavy is imported here: `--help` and a typing error answer at once.  A user's fault is one
line on stderr; a fault of ours is one line and a log with the traceback, and exit code 3.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from judge import __version__, options, streams, usage

EXIT_CODES = """\
exit codes:
  0  accepted                       4  the backend, or the sandbox, asked for is not there
  1  not accepted                 130  interrupted
  2  wrong usage or a wrong spec  141  who read what a command lists left early
  3  the judge or the machine is broken (verdict JE)
"""
# They have nothing more to do where nobody reads on.
ONLY_PRINT = ("cases", "gauge", "problems", "which", "lint-problem", "leaderboard", "doctor")
ENVIRONMENT = """\
environment:
  JUDGE_CACHE=FOLDER         where builds and logs go, in place of build/
  JUDGE_GPU_BUFFERS=shared   pass arrays to the GPU over host memory, not by CUDA IPC
"""


def parser() -> argparse.ArgumentParser:
    """Every command and option, with its help."""
    top = usage.Parser(
        prog="judge",
        description="Judge CUDA C++ submissions on this machine, with or without a GPU.",
        epilog=f"{EXIT_CODES}\n{ENVIRONMENT}\nexample: python -m judge run tiled.cu -D TILE=32\n"
        "`python -m judge COMMAND --help` says more of a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"judge {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, what: str, more: str, example: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=what,
            description=f"{what[0].upper()}{what[1:]}. {more}",
            epilog=f"{EXIT_CODES}\nexample: python -m judge {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    run = command(
        "run",
        "judge one submission",
        "Every case of the problem is run;\na failing one is shrunk to the smallest that still "
        "fails, and shown.",
        "run tiled.cu -D TILE=32 --case normal,M=65,N=33,K=17,alpha=1,beta=0",
    )
    options.submission(run)
    run.add_argument("--case", metavar="ID", help="run only this case; `cases` lists the ids")
    options.formats(run)
    check = command(
        "check",
        "find out-of-bounds accesses, races and unwritten reads without a GPU",
        "A few small\nragged cases run on the CPU backend with every access of memory watched. "
        "Exit code 1\nfor any finding or wrong answer, 0 only where there is none.",
        "check tiled.cu -D TILE=32",
    )
    check.add_argument("file", metavar="FILE", help="a .cu file")
    check.add_argument("--case", metavar="ID", help="only this case; `cases` lists the ids")
    check.add_argument("--seed", metavar="S", help="what inputs are drawn from; default: new")
    options.chosen(check)
    options.leetgpu(check)
    options.sandbox(check)
    options.defines(check)
    debug = command(
        "debug",
        "run one case of a submission under gdb",
        "Without a GPU: gdb stops in solve, and\nkernels have their lines, variables and "
        "threadIdx. The submission is not confined: debug only\nfiles you trust.",
        "debug tiled.cu --case normal,M=65,N=33,K=17,alpha=1,beta=0",
    )
    debug.add_argument("file", metavar="FILE", help="a .cu file")
    debug.add_argument("--case", metavar="ID", help="which case; default: a small ragged one")
    debug.add_argument("--seed", metavar="S", help="what inputs are drawn from; default: new")
    debug.add_argument(
        "--no-gdb", action="store_true", help="run it plainly, its prints on the terminal"
    )
    options.chosen(debug)
    options.defines(debug)
    sweep = command(
        "sweep",
        "judge one submission under several -D values",
        "Every combination of\nthe values is judged and gets one row, all with one seed. Accepted "
        "only if every row is.",
        "sweep tiled.cu -D TILE=8,16,32,64",
    )
    options.submission(sweep)
    cases = command(
        "cases",
        "show the cases of a problem",
        "One row a case: id, sizes, input family, scalars,\nwork, and why it is there.",
        "cases gemm_fp16 --seed 1",
    )
    options.problem(cases)
    cases.add_argument("--seed", metavar="S", help="what the drawn cases are drawn from")
    gauge = command(
        "gauge",
        "show that a problem's tolerance tells right from wrong",
        "Outputs made\nright and wrong on purpose are checked: the right ones must pass, the wrong "
        "ones must not.",
        "gauge gemm_fp16",
    )
    options.problem(gauge)
    new = command(
        "new",
        "begin a submission from a problem's starter",
        "Nothing is ever overwritten.",
        "new gemm_fp16 my_tiled",
    )
    new.add_argument("problem", metavar="PROBLEM", help="a folder of problems/")
    new.add_argument("name", metavar="NAME", help="of the new file in submissions/PROBLEM/")
    options.problem_authors(command)
    ladder = command(
        "ladder",
        "time every submission of a problem on a GPU",
        "Each is judged, timed at all sizes and\nrecorded in the ledger; then the table in "
        "README.md is written anew.",
        "ladder gemm_fp16",
    )
    options.problem(ladder)
    ladder.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        default=[],
        help="only this file, as naive.cu; may be repeated",
    )
    ladder.add_argument(
        "--readme-only", action="store_true", help="write the table from the ledger; needs no GPU"
    )
    compare = command(
        "compare",
        "time two submissions in turns on a GPU",
        "Both are judged first. The word is FASTER,\nSLOWER, SAME (within 1 %) or UNSURE, of B "
        "against A.",
        "compare tiled.cu register_tiled.cu",
    )
    compare.add_argument("file", metavar="A", help="a .cu file: what B is held against")
    compare.add_argument("other", metavar="B", help="a .cu file")
    compare.add_argument(
        "--size",
        metavar="N",
        type=options.count,
        default=1,
        help="which timed size; default: the first",
    )
    options.chosen(compare)
    profile = command(
        "profile",
        "say what limits a submission, by Nsight Compute",
        "One warm call at the first timed\nsize, measured by ncu. The submission is not confined: "
        "profile only files you trust.",
        "profile register_tiled.cu",
    )
    sanitize = command(
        "sanitize",
        "find bad memory accesses and races, by compute-sanitizer",
        "memcheck and racecheck\non small ragged cases. Exit code 1 for findings. The submission "
        "is not confined: sanitize\nonly files you trust.",
        "sanitize tiled.cu --initcheck",
    )
    for name in ("initcheck", "synccheck"):
        sanitize.add_argument(f"--{name}", action="store_true", help=f"also run {name}")
    for one in (profile, sanitize):
        one.add_argument("file", metavar="FILE", help="a .cu file")
        options.chosen(one)
        options.defines(one)
    options.grading(
        command(
            "grade",
            "judge every submission of a folder",
            "Results are kept as they come, and\n--resume goes on where a grading ended. OUT gets "
            "results.jsonl, CSV, JUnit XML, a summary, and\na file a student.",
            "grade hand-ins/ --problem gemm_fp16 --out results/week1",
        )
    )
    options.board(
        command(
            "leaderboard",
            "rank the accepted submissions of a problem by time",
            "Where intervals overlap, the\nrank is shared. Times come from a GPU only.",
            "leaderboard gemm_fp16 --results results/week1",
        )
    )
    command(
        "doctor",
        "say what this machine has and lacks",
        "PASS, CAUTION or FAIL for each piece,\nwhat a missing one would give and how to get it. "
        "Exit code 4 if a needed piece is missing.",
        "doctor",
    )
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code.  Never a traceback on the terminal."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    top = parser()
    (names,) = (action.choices for action in top._actions if action.dest == "command")
    usage.command(top, sys.argv[1:] if arguments is None else arguments, names or ())
    asked = top.parse_args(arguments)
    signal.signal(signal.SIGTERM, _terminated)
    if asked.command in ONLY_PRINT:
        streams.end_when_left()
    try:
        # Here, so that help and typing errors need none of it.
        from judge import commands
    except ModuleNotFoundError as error:
        return _say(f"judge: {error.name} is not installed for {sys.executable}; run `make setup`")
    except KeyboardInterrupt:
        return _say("judge: interrupted", 130)
    return commands.run(asked)


def _say(text: str, code: int = 2) -> int:
    print(text, file=sys.stderr)
    return code


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    """End by unwinding, so that a worker never outlives the judge that started it."""
    raise SystemExit(128 + number)
