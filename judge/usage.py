"""What is said of a command line that is not understood: of which command, and what was meant."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from judge.printable import printable


class Parser(argparse.ArgumentParser):
    """Of one command: what it does not know it refuses itself, with its own usage."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As argparse, but nothing is left over for the parser above, whose usage is another."""
        found, left = super().parse_known_args(args, namespace)
        flags = [word.partition("=")[0] for word in left if word.startswith("-") and word != "-"]
        if flags:
            known = (text for action in self._actions for text in action.option_strings)
            self.error(f"no such option: {flags[0]}{meant(flags[0], known)}")
        if left:
            self.error(f"got {' '.join(left)} too, expected no more than the usage above has")
        return found, left

    def error(self, message: str) -> Any:
        """Usage, one line, exit code 2.  What was typed is shown, not obeyed."""
        super().error(printable(message))


def command(
    parser: argparse.ArgumentParser, arguments: Sequence[str], known: Iterable[str]
) -> None:
    """Refuse a first word that is no command, with the nearest one instead of a list of all."""
    known = list(known)
    if arguments and not arguments[0].startswith("-") and arguments[0] not in known:
        hint = meant(arguments[0], known) or f"; there are: {', '.join(known)}"
        parser.error(f"no such command: {arguments[0]}{hint}")


def meant(typed: str, known: Iterable[str]) -> str:
    """`; did you mean ...?`, or nothing where nothing is near."""
    near = difflib.get_close_matches(typed, list(known), n=2, cutoff=0.6)
    return f"; did you mean {' or '.join(map(printable, near))}?" if near else ""
