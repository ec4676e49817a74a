"""Libraries that a problem bans: how they show in a source, in a binary and in a process.

Names only; who looks for them decides what a find means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

# name: how its shared libraries begin, how its headers do
LIBRARIES = {
    "cublas": (("libcublas",), ("cublas", "nvblas")),
    "cudnn": (("libcudnn",), ("cudnn",)),
    "cusparse": (("libcusparse",), ("cusparse",)),
    "cusolver": (("libcusolver",), ("cusolver",)),
    "cufft": (("libcufft",), ("cufft",)),
    "curand": (("libcurand",), ("curand",)),
    "npp": (("libnpp",), ("npp",)),
    "thrust": ((), ("thrust/",)),
    "cub": ((), ("cub/",)),
    "cutlass": (("libcutlass",), ("cutlass/", "cute/")),
}
_INCLUDE = re.compile(r'#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]')


def included(directive: str, banned: Sequence[str]) -> tuple[str, str] | None:
    """The banned library whose header a preprocessor line includes, if any, and the header."""
    match = _INCLUDE.match(directive)
    for name in banned if match else ():
        if match and match[1].startswith(LIBRARIES[name][1]):
            return name, match[1]
    return None


def loaded(paths: Iterable[str], banned: Sequence[str]) -> tuple[str, str] | None:
    """The first banned library among shared objects, by path or name: library and file name."""
    for path in paths:
        file = PurePosixPath(path).name
        for name in banned:
            if LIBRARIES[name][0] and file.startswith(LIBRARIES[name][0]):
                return name, file
    return None
