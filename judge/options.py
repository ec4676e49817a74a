"""The options that commands share, and what may be typed for them."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable

FORMATS = ("junit", "csv", "summary", "annotations", "gradescope", "classroom")
_DEFINE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", re.DOTALL)


def problem_authors(command: Callable[[str, str, str, str], argparse.ArgumentParser]) -> None:
    """The commands of judge/authoring.py."""
    problems = command(
        "problems",
        "list all problems",
        "Slug, title, how many submissions there are, and what is\ncomputed.",
        "problems --write",
    )
    problems.add_argument("--write", action="store_true", help="write docs/problems.md instead")
    which = command(
        "which",
        "name the problems that a file's solve fits",
        "By the types of its parameters\nand their order; size_t passes for int. The names of "
        "parameters decide between problems.",
        "which mine.cu",
    )
    which.add_argument("file", metavar="FILE", help="a .cu file")
    new = command(
        "new-problem",
        "begin a problem as a copy of one that is there",
        "Complete and valid, with\nmarks where to edit, a right submission and two wrong ones. "
        "Nothing is ever overwritten.",
        "new-problem matrix_trace --like dot_product",
    )
    new.add_argument("name", metavar="NAME", help="of the new folder in problems/")
    new.add_argument(
        "--like", metavar="SLUG", default="vector_add", help="what to copy; default: vector_add"
    )
    lint = command(
        "lint-problem",
        "say what is missing or weak in a problem",
        "Statement, starter, sizes, tolerance,\ntimed sizes, submissions: a line for each, exit "
        "code 2 if there is any.",
        "lint-problem vector_add",
    )
    lint.add_argument("name", metavar="NAME", nargs="?", help="a folder of problems/")
    lint.add_argument("--all", action="store_true", help="all problems")


def submission(command: argparse.ArgumentParser) -> None:
    """The arguments that `run` and `sweep` share."""
    command.add_argument(
        "file", metavar="FILE", help="a .cu file: a path, or a name unique in submissions/"
    )
    chosen(command)
    leetgpu(command)
    sandbox(command)
    command.add_argument(
        "--backend", choices=("cpu", "gpu"), help="default: gpu where there is one, else cpu"
    )
    defines(command)
    command.add_argument("--seed", metavar="S", help="what inputs are drawn from; default: new")
    command.add_argument(
        "--json", metavar="FILE", help="also write the report as a line of JSON; - is stdout"
    )
    command.add_argument(
        "--timed",
        metavar="N",
        type=timed,
        default=1,
        help="on a GPU, how many of the timed sizes to time: a number, all or none; default: 1",
    )


def formats(command: argparse.ArgumentParser) -> None:
    """Files for the systems that grade."""
    command.add_argument(
        "--format",
        metavar="NAME=FILE",
        action="append",
        default=[],
        type=named_file,
        help="also write the result as " + ", ".join(FORMATS) + "; FILE - is stdout; may be "
        "repeated",
    )


def named_file(text: str) -> tuple[str, str]:
    """`junit=build/junit.xml`.  Raises ArgumentTypeError."""
    name, sign, file = text.partition("=")
    if name not in FORMATS or not sign or not file or "\0" in file:
        wanted = " or ".join(FORMATS)
        raise argparse.ArgumentTypeError(f"got {text!r}, expected NAME=FILE with {wanted}")
    return name, file


def sandbox(command: argparse.ArgumentParser) -> None:
    """Whether to run at all where a submission is not kept in."""
    command.add_argument(
        "--require-sandbox",
        action="store_true",
        help="do not run (exit code 4) where the isolation of submissions is not complete: see "
        "`doctor`",
    )


def chosen(command: argparse.ArgumentParser) -> None:
    """Which problem a file is for."""
    command.add_argument("--problem", metavar="P", help="the problem, where FILE does not tell")


def leetgpu(command: argparse.ArgumentParser) -> None:
    """A challenge in place of a problem."""
    command.add_argument(
        "--leetgpu",
        metavar="FOLDER",
        help="in place of a problem, a challenge of your own LeetGPU checkout, as "
        "challenges/easy/1_vector_add: its tests, reference and tolerance; needs torch",
    )


def defines(command: argparse.ArgumentParser) -> None:
    """Macros, one at a time or several at once."""
    command.add_argument(
        "-D",
        dest="defines",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=define,
        help="define a macro; may be repeated",
    )
    command.add_argument(
        "--defines",
        dest="more_defines",
        metavar="'N=V N=V'",
        action="extend",
        default=[],
        type=define_list,
        help="several at once, split as a shell would",
    )


def problem(command: argparse.ArgumentParser) -> None:
    """One problem, or all of them."""
    command.add_argument(
        "problem", metavar="PROBLEM", nargs="?", help="a folder of problems/; default: all"
    )


def define(text: str) -> str:
    """`NAME=VALUE` as given, `NAME` as NAME=1.  Raises ArgumentTypeError."""
    match = _DEFINE.fullmatch(text)
    if match is None or "\0" in text:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected NAME=VALUE, as in TILE=32")
    return text if match[2] is not None else f"{text}=1"


def define_list(text: str) -> list[str]:
    """Several definitions in one string.  Raises ArgumentTypeError."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"got {text!r}: {str(error).lower()}") from error
    return [define(word) for word in words]


def count(text: str) -> int:
    """A number from 1 up.  Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 1000):
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a number from 1 up")
    return int(text)


def timed(text: str) -> int | None:
    """A number of sizes; None for `all`, 0 for `none`.  Raises ArgumentTypeError."""
    if text in ("all", "none"):
        return None if text == "all" else 0
    try:
        return count(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, all or none") from None


def grading(command: argparse.ArgumentParser) -> None:
    """The arguments of `grade`."""
    command.add_argument(
        "folder", metavar="DIR", help="with .cu files, or a folder for each student"
    )
    command.add_argument("--problem", metavar="P", required=True, help="what all of them are for")
    command.add_argument(
        "--out", metavar="OUT", default="results/grading", help="default: results/grading"
    )
    command.add_argument(
        "--resume", action="store_true", help="go on with a grading that was interrupted"
    )
    command.add_argument("--backend", choices=("cpu", "gpu"), help="default: as for run")
    defines(command)
    command.add_argument("--seed", metavar="S", help="the same cases for all; default: new")
    command.add_argument(
        "--timed", metavar="N", type=timed, default=1, help="as for run; default: 1"
    )
    sandbox(command)
    command.add_argument(
        "--jobs",
        metavar="N",
        type=count,
        help="how many at once on this machine; default: one a processor, or one a GPU",
    )
    command.add_argument(
        "--workers", metavar="N", type=count, help="instead, N processes of a Dask cluster here"
    )
    command.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT", help="instead, a Dask cluster that runs"
    )


def board(command: argparse.ArgumentParser) -> None:
    """The arguments of `leaderboard`."""
    command.add_argument("problem", metavar="PROBLEM", help="a folder of problems/")
    command.add_argument(
        "--results",
        metavar="OUT",
        action="append",
        default=[],
        help="a folder that grade wrote; may be repeated; default: the problem's ledger and the "
        "runs on this machine's GPU",
    )
    for name, what in (("json", "JSON"), ("csv", "CSV")):
        command.add_argument(f"--{name}", action="store_true", help=f"print {what}")
