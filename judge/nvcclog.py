"""What nvcc and its tools print -> the fault of the submission, its warnings, its kernels' needs.

Knows the messages of nvcc's front end, ptxas, g++ as its host compiler, and the GNU linker.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from judge import entry, solve
from judge.box import Event
from judge.boxed import Completed
from judge.model import BackendMissing, Fault, Place, Reason, Spec, Verdict
from judge.solve import Solve

_ERROR = re.compile(
    r"^(?P<file>[^\s(:][^(:\n]*)(?:\((?P<nvcc>\d+)\)|:(?P<gcc>\d+)(?::\d+)?): "
    r"(?:catastrophic |fatal )?error(?: #\S+)?: (?P<message>.*)$",
    re.MULTILINE,
)
_WARNING = re.compile(r"^([^\s(]+)\((\d+)\): warning(?: #\S+)?: (.*)$", re.MULTILINE)
_PTXAS_ERROR = re.compile(r"^ptxas (?:error|fatal)\s*: (.*)$", re.MULTILINE)
_LINK_ERROR = re.compile(r"undefined reference to (.*)$", re.MULTILINE)
_RESOURCES = re.compile(
    r"Compiling entry function '(?P<symbol>\w+)'.*?\n(?:.*\n)*?"
    r".*?(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores.*\n"
    r".*Used (?P<registers>\d+) registers(?P<rest>.*)"
)


def check_toolkit(log: str) -> None:
    """Raises BackendMissing for what no submission can help: nvcc and its host compiler."""
    if "unsupported GNU version" in log or "unsupported clang version" in log:
        line = next(line for line in log.splitlines() if "unsupported" in line)
        told = line.partition("#error")[2].strip(" -")
        raise BackendMissing(
            f"backend gpu: nvcc refuses this host compiler: {told}; set NVCC_CCBIN to an older "
            "g++, or use BACKEND=cpu"
        )
    if "cannot find -lcudart" in log or "Cannot find compiler" in log:
        raise BackendMissing(
            f"backend gpu: the CUDA toolkit is not whole: {log.strip().splitlines()[-1]}; "
            "install it anew, or use BACKEND=cpu"
        )


def fault(
    done: Completed,
    log: str,
    files: Mapping[str, str],
    called: Solve,
    spec: Spec,
) -> Fault:
    """The first error of nvcc, ptxas, the host compiler or the linker, in the user's file.

    files: names as the log has them -> as the user gave them
    Raises BackendMissing where the toolkit is at fault.
    """
    source = str(called.source)
    if done.stopped is not None:
        late = done.stopped is Event.TIME
        why = f" after {done.seconds:.0f} s" if late else f": {done.stopped.value}"
        return Fault(Verdict.CE, Reason.COMPILE, f"nvcc was stopped{why}", Place(source))
    check_toolkit(log)
    errors = list(_ERROR.finditer(log))
    details = tuple(line for line in log.splitlines() if line.strip())[:20]
    for error in errors:
        line = int(error["nvcc"] or error["gcc"])
        if error["file"] == entry.ENTRY:
            return solve.refused(called, spec, details)
        if error["file"] in files:
            place = Place(files[error["file"]], line)
            return Fault(Verdict.CE, Reason.COMPILE, error["message"], place, details)
    for pattern in (_PTXAS_ERROR, _LINK_ERROR):
        told = pattern.search(log)
        if told:
            return Fault(Verdict.CE, Reason.COMPILE, told[0].strip(), Place(source), details)
    message = errors[0]["message"] if errors else "nvcc failed without naming a line"
    return Fault(Verdict.CE, Reason.COMPILE, message, Place(source), details)


def warnings(log: str, files: Mapping[str, str]) -> list[str]:
    """The warnings of nvcc about the user's files, a few."""
    found = [
        f"{files[name]}:{line}: {message}"
        for name, line, message in _WARNING.findall(log)
        if name in files
    ]
    return list(dict.fromkeys(found))[:5]


def resources(log: str) -> list[dict[str, Any]]:
    """What ptxas says each kernel takes: fields of KernelUse but those of a launch."""

    def number(pattern: str, text: str) -> int:
        match = re.search(pattern, text)
        return int(match[1]) if match else 0

    found = list(_RESOURCES.finditer(log))
    names = _demangled([one["symbol"] for one in found])
    return [
        {
            "name": names[one["symbol"]],
            "symbol": one["symbol"],
            "registers": int(one["registers"]),
            "static_shared_bytes": number(r"(\d+) bytes smem", one["rest"]),
            "local_bytes": int(one["stack"]),
            "constant_bytes": number(r"(\d+) bytes cmem\[0\]", one["rest"]),
        }
        for one in found
    ]


def _demangled(symbols: Sequence[str]) -> dict[str, str]:
    """Kernel symbols as people write them, by c++filt; as they are without it."""
    try:
        done = subprocess.run(
            ["c++filt", "-p"],
            input="\n".join(symbols),
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return dict(zip(symbols, symbols, strict=True))
    return dict(zip(symbols, done.stdout.splitlines(), strict=True))
