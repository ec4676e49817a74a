"""The process under a debugger: loads one submission, calls it once, confined by nothing.

    gdb ... --args python -I -S judge/debugged.py DESCRIPTOR

DESCRIPTOR: of a file with {"runtime": ..., "library": ..., "call": ...}, since what gdb starts is
shown on the terminal.

The half of judge/worker.py that loads and calls, without the cage, in which no debugger works.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys

if __name__ == "__main__":  # started by its path, by a Python that finds nothing of ours
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from judge.worker import Runtime, Worker


def main() -> None:
    """Load, call, answer once on the descriptor `answers`; OSError where a submission is none."""
    with open(int(sys.argv[1]), "rb") as file:
        setting = json.load(file)
    runtime = Runtime(setting["runtime"])
    if runtime.start(setting["notes"], setting["memory_bytes"], setting["os_threads"]) != 0:
        raise OSError("emu_start failed")
    libc = ctypes.CDLL(None)  # a crash should not take the lines before it along
    libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, 1, ctypes.c_size_t(0))
    worker = Worker(runtime, setting["library"], setting["arena"])
    answer = worker.call(setting["call"])
    os.write(setting["answers"], json.dumps(answer).encode())
    os._exit(0)  # as a worker ends


if __name__ == "__main__":
    main()
