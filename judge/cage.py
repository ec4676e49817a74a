"""What a boxed program gives up before it runs what nobody trusts, for good.

    python -I -S -c LAUNCH PACKAGE READS WRITES DEVICES PROGRAM ...    a compiler is started so
    cage.enter(...)                                   a worker does it itself, once it is up

Standard library only.  Three layers of Linux, each used where it exists: no capability but to read,
and no new privileges; Landlock (only named files are opened, judge/landlock.py); a seccomp filter
(no network, no other process, judge/seccomp.py).  What the kernel offers and then fails ends the
process: it never runs half caged.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable

from judge import landlock, seccomp

PRIVILEGES, FILES, CALLS = "privileges", "files", "calls"
BROKEN = 126
"""Exit status of a launcher that could not cage, or start, its program."""
LAUNCH = "import sys; sys.path.insert(0, sys.argv[1]); from judge import cage; cage.main()"

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP = 1, 24
_PR_SET_NO_NEW_PRIVS = 38
_SIGKILL = 9
_CAP_DAC_READ_SEARCH = 2


def enter(
    reads: Iterable[str] = (),
    writes: Iterable[str] = (),
    devices: Iterable[str] = (),
    programs: bool = False,
) -> list[str]:
    """Give up everything but the files named; returns the layers that hold.

    programs: it may start programs, as a compiler does
    From here on the process also dies with the thread that started it.  Raises OSError where a
    layer that the kernel offers does not hold.
    """
    _libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    held = (
        (PRIVILEGES, _drop_privileges(programs)),
        (FILES, landlock.restrict(reads, writes, devices)),
        (CALLS, seccomp.install(programs)),
    )
    return [name for name, holds in held if holds]


def main() -> None:
    """Become the program on the command line, caged.  Without one, say which layers hold.

    READS, WRITES, DEVICES: paths, a line each.  It is waited for, so it imports little.
    """
    reads, writes, devices = (text.splitlines() for text in sys.argv[2:5])
    program = sys.argv[5:]
    try:
        held = enter(reads, writes, devices, programs=True)
        if program:
            os.execv(program[0], program)
        print(*held)
    except OSError as error:
        print(f"cage: {program[0] if program else 'trial'}: {error}", file=sys.stderr)
        sys.exit(BROKEN)


def _drop_privileges(programs: bool) -> bool:
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    for capability in range(64):
        if not (programs and capability == _CAP_DAC_READ_SEARCH):
            _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails beyond the last: no matter
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    held = ctypes.create_string_buffer(24)
    if _libc.capget(header, held) != 0:
        return False
    # What root may read it still may, or it could not load a library out of another user's folder.
    kept = struct.unpack("=6I", held.raw)[1] & (1 << _CAP_DAC_READ_SEARCH)
    wanted = ctypes.create_string_buffer(struct.pack("=6I", kept, kept, 0, 0, 0, 0))
    return bool(_libc.capset(header, wanted) == 0)
