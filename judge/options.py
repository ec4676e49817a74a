"""The options that commands share, and what may be typed for them."""

from __future__ import annotations

import argparse
import re
import shlex

_DEFINE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", re.DOTALL)


def submission(command: argparse.ArgumentParser) -> None:
    """The arguments that `run` and `sweep` share."""
    command.add_argument(
        "file", metavar="FILE", help="a .cu file: a path, or a name unique in submissions/"
    )
    chosen(command)
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


def chosen(command: argparse.ArgumentParser) -> None:
    """Which problem a file is for."""
    command.add_argument("--problem", metavar="P", help="the problem, where FILE does not tell")


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
