"""What a worker gives up before it loads a submission, in ways that cannot be taken back.

Standard library only: the worker runs this. Three layers of Linux, each used where it exists: no
capability but to read, and no new privileges; Landlock (no file is written, made or removed, and
the memory of other processes is out of reach); a seccomp filter (no new process, no other program,
no socket, no signal or limit for others, no memory that outlives the worker). A refused call fails
with EPERM and is the submission's to handle.

Numbers of system calls: Linux arch/x86/entry/syscalls/syscall_64.tbl and the generic table of
include/uapi/asm-generic/unistd.h, which AArch64 uses.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

PRIVILEGES, FILES, CALLS = "privileges", "files", "calls"

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_CAPBSET_DROP = 1, 22, 24
_PR_SET_NO_NEW_PRIVS = 38
_SIGKILL = 9
_DAC_READ_SEARCH = 1 << 2

# name: (x86-64, AArch64); -1 where the architecture has no such call
_REFUSED = {
    "fork": (57, -1), "vfork": (58, -1), "execve": (59, 221), "execveat": (322, 281),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "socket": (41, 198), "socketpair": (53, 199), "io_uring_setup": (425, 425),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "unshare": (272, 97),
    "setns": (308, 268), "mount": (165, 40), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "setpriority": (141, 140), "chmod": (90, -1), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1), "fchown": (93, 55),
    "lchown": (94, -1), "fchownat": (260, 54), "utimensat": (280, 88), "setxattr": (188, 5),
}  # fmt: skip
_CLONE3 = 435
_CLONE, _KILL, _TGKILL, _PRLIMIT = (56, 220), (62, 129), (234, 131), (302, 261)
_CLONE_THREAD = 0x00010000
_AUDIT_ARCH = (0xC000003E, 0xC00000B7)
_X32_BIT = 0x40000000

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENT_0 = 0, 4, 16  # offsets in struct seccomp_data, little-endian

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_WRITE_FILE = 1 << 1
_WRITES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))  # remove and make files of any kind
_REFER, _TRUNCATE = 1 << 13, 1 << 14  # since version 2 and 3 of Landlock
_SCOPES = 0b11  # abstract sockets and signals, since version 6


def enter() -> list[str]:
    """Give up what a submission does not need, for good; returns the layers that hold.

    From here on the process also dies with the thread that started it.
    """
    _libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    held = ((PRIVILEGES, _drop_privileges()), (FILES, _landlock()), (CALLS, _filter()))
    return [name for name, holds in held if holds]


def _drop_privileges() -> bool:
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    for capability in range(64):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails beyond the last: no matter
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    held = ctypes.create_string_buffer(24)
    if _libc.capget(header, held) != 0:
        return False
    # What root may read it still may, or it could not load a library out of another user's folder.
    kept = struct.unpack("=6I", held.raw)[1] & _DAC_READ_SEARCH
    wanted = ctypes.create_string_buffer(struct.pack("=6I", kept, kept, 0, 0, 0, 0))
    return bool(_libc.capset(header, wanted) == 0)


def _landlock() -> bool:
    version = _libc.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    rights = _WRITES | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    fields = [rights, 0] if version >= 4 else [rights]
    if version >= 6:
        fields.append(_SCOPES)
    attributes = ctypes.create_string_buffer(struct.pack(f"={len(fields)}Q", *fields))
    ruleset = _libc.syscall(
        _LANDLOCK_CREATE, attributes, ctypes.c_size_t(8 * len(fields)), ctypes.c_uint(0)
    )
    if ruleset < 0:
        return False
    try:
        device = os.open("/dev/null", os.O_PATH | os.O_CLOEXEC)
        allowed = rights & (_WRITE_FILE | _TRUNCATE)
        rule = ctypes.create_string_buffer(struct.pack("=Qi", allowed, device))
        added = _libc.syscall(_LANDLOCK_ADD, ruleset, 1, rule, ctypes.c_uint(0))
        os.close(device)
        if added != 0:
            return False
        return bool(_libc.syscall(_LANDLOCK_RESTRICT, ruleset, ctypes.c_uint(0)) == 0)
    finally:
        os.close(ruleset)


def _filter() -> bool:
    """Install the seccomp filter.  A program of at most 255 instructions, jumps all forward."""
    machine = platform.machine()
    if machine not in ("x86_64", "aarch64"):
        return False
    column = 0 if machine == "x86_64" else 1
    refuse = _REFUSE | errno.EPERM
    program = [
        (_LOAD, 0, 0, _ARCH),
        (_JUMP_EQUAL, 1, 0, _AUDIT_ARCH[column]),
        (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_ABOVE, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, refuse),
        # glibc falls back to clone, whose flags can be read here.
        (_JUMP_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _REFUSE | errno.ENOSYS),
    ]
    for numbers in _REFUSED.values():
        if numbers[column] >= 0:
            program += [(_JUMP_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, refuse)]
    # Four instructions each: is it this call; its first argument; the test; the refusal.
    program += _unless(_CLONE[column], (_JUMP_SET, 1, 0, _CLONE_THREAD), refuse)
    for call in (_KILL, _TGKILL):
        program += _unless(call[column], (_JUMP_EQUAL, 1, 0, os.getpid()), refuse)
    program += _unless(_PRLIMIT[column], (_JUMP_EQUAL, 1, 0, 0), refuse)
    program.append((_RETURN, 0, 0, _ALLOW))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    size = len(program)
    head = ctypes.create_string_buffer(struct.pack("@HP", size, ctypes.addressof(code)))
    return bool(_libc.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(head), 0, 0) == 0)


_Instruction = tuple[int, int, int, int]


def _unless(number: int, test: _Instruction, refuse: int) -> list[_Instruction]:
    """Refuse a system call unless its first argument passes the test, which then jumps one on."""
    return [
        (_JUMP_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _ARGUMENT_0),
        test,
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, _ALLOW),
    ]


if __name__ == "__main__":
    print(*enter())
