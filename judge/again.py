"""The command that repeats a run, or just one case of it, ready to paste where the user stands."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from judge import paths
from judge.model import Request


def command(request: Request, seed: str, case: str | None) -> str:
    """The command line; `case` None repeats the whole run with its seed."""
    words = [_python(), "-m", "judge", "run", _path(request.source)]
    challenge = request.spec.challenge
    if challenge is None:
        words += ["--problem", request.spec.slug]
    else:
        words += ["--leetgpu", _path(challenge.path.parent)]
    words += ["--backend", request.backend]
    for define in request.defines:
        words += ["-D", define]
    if case is not None:
        words += ["--case", case]
    return shlex.join([*words, "--seed", seed])


def _python() -> str:
    """The interpreter of this run: by its path where that is below the current folder (a .venv)."""
    return paths.shown(Path(sys.executable))


def _path(path: Path) -> str:
    """The path as a user would type it here; a leading dash would read as a flag."""
    text = paths.shown(path)
    return f"./{text}" if text.startswith("-") else text
