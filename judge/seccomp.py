"""A seccomp filter: system calls that a boxed program is refused, for good.  Linux only.

Standard library only: workers and the launcher of compilers run this.  A refused call fails with
EPERM and is the program's to handle.

Numbers of system calls: Linux arch/x86/entry/syscalls/syscall_64.tbl and the generic table of
include/uapi/asm-generic/unistd.h, which AArch64 uses.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_SECCOMP = 22
_UNKNOWN = (errno.EINVAL, errno.ENOSYS)  # of a kernel built without it

# name: (x86-64, AArch64); -1 where the architecture has no such call
_REFUSED = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "kcmp": (312, 272), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "setpriority": (141, 140),
    "ioprio_set": (251, 30), "move_pages": (279, 239), "migrate_pages": (256, 238),
    # the network, and ways around this filter
    "socket": (41, 198), "socketpair": (53, 199), "io_uring_setup": (425, 425),
    # what outlives the process
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # the system
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}  # fmt: skip
_REFUSED_TO_A_WORKER = {
    "fork": (57, -1), "vfork": (58, -1), "execve": (59, 221), "execveat": (322, 281),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "chmod": (90, -1), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1), "fchown": (93, 55),
    "lchown": (94, -1), "fchownat": (260, 54), "utimensat": (280, 88), "setxattr": (188, 5),
    "fsetxattr": (190, 7), "lsetxattr": (189, 6),
}  # fmt: skip
# Refused to a compiler, which has nobody to signal: abort() ends it all the same.
_SIGNALS = {"kill": (62, 129), "tgkill": (234, 131)}
# Those that name another process in their first argument, where 0 is the caller itself.
_OF_ITSELF = {
    "prlimit64": (302, 261), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274),
}  # fmt: skip
_CLONE, _CLONE3 = (56, 220), 435
_CLONE_THREAD = 0x00010000
_NAMESPACES = 0x7E020000
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32_BIT = 0x40000000

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENT_0 = 0, 4, 16  # offsets in struct seccomp_data, little-endian

_Instruction = tuple[int, int, int, int]


def install(programs: bool) -> bool:
    """Install the filter; `programs`: it may start programs, and signal none: a compiler.

    False where the kernel has no filters, or this processor's calls are not known.  Raises OSError
    where it has and the filter is not taken.
    """
    known = _ARCHITECTURES.get(os.uname().machine)
    if known is None:
        return False
    program = _program(*known, programs)
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    head = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    if _libc.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(head), 0, 0) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNKNOWN:
        return False
    raise OSError(number, f"seccomp: {os.strerror(number)}")


def _program(column: int, architecture: int, programs: bool) -> list[_Instruction]:
    """The filter: at most 4096 instructions, jumps all forward, and none over more than 255."""
    refuse = _REFUSE | errno.EPERM
    program: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_ABOVE, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, refuse),
        # glibc falls back to clone, whose flags can be read here.
        (_JUMP_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _REFUSE | errno.ENOSYS),
    ]
    for numbers in (_REFUSED | (_SIGNALS if programs else _REFUSED_TO_A_WORKER)).values():
        if numbers[column] >= 0:
            program += [(_JUMP_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, refuse)]
    if programs:
        program += _unless(_CLONE[column], (_JUMP_SET, 0, 1, _NAMESPACES), refuse)
    else:
        program += _unless(_CLONE[column], (_JUMP_SET, 1, 0, _CLONE_THREAD), refuse)
        for numbers in _SIGNALS.values():
            program += _unless(numbers[column], (_JUMP_EQUAL, 1, 0, os.getpid()), refuse)
    for numbers in _OF_ITSELF.values():
        program += _unless(numbers[column], (_JUMP_EQUAL, 1, 0, 0), refuse)
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def _unless(number: int, test: _Instruction, refuse: int) -> list[_Instruction]:
    """Refuse a system call unless its first argument passes the test, which then jumps one on."""
    return [
        (_JUMP_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _ARGUMENT_0),
        test,
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, _ALLOW),
    ]
