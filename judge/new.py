"""Begin a submission: copy a problem's starter to where the judge looks for submissions.

Never overwrites: a learner's afternoon is worth more than a convenience.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from judge import find
from judge.model import UserError
from judge.printable import printable

# Names that a shell, make and a C++ compiler all take as they are.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")


def create(problem: str, name: str, root: Path = find.ROOT) -> Path:
    """Copy problems/<problem>/starter.cu to submissions/<problem>/<name>.cu; return the new path.

    Raises UserError for an unknown problem, a name that is no plain file name, or a file that is
    already there.
    """
    folder = find.named_problem(problem)
    stem, _, suffix = name.rpartition(".") if "." in name else (name, "", "cu")
    if suffix != "cu" and _NAME.fullmatch(name):
        raise UserError(f"name: got {name}, expected a CUDA C++ file, as in {stem or 'mine'}.cu")
    if not _NAME.fullmatch(stem):
        raise UserError(
            f"name: got '{printable(name)}', expected letters, digits and _ . + -, "
            "beginning with a letter or digit, as in my_tiled"
        )
    starter = folder / "starter.cu"
    if not starter.is_file():
        raise UserError(f"{starter}: no such file; this problem has no starter to copy")
    path = root / "submissions" / folder.name / f"{stem}.cu"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Mode x decides and creates in one step, whatever else runs at the same time.
        with path.open("xb") as file:
            file.write(starter.read_bytes())
    except FileExistsError:
        raise UserError(f"{path}: is there already and left alone; choose another name") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {os.strerror(error.errno or 0)}") from error
    return path
