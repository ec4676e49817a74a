"""Time the CPU backend's runtime on its own: python benchmarks/emulator.py [OS threads] [compiler].

Builds the runtime and emulator.cu, calls each kernel several times by ctypes and prints the least
time, which other work on the machine disturbs least.  Not a test: nothing fails here.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from judge.rewrite import rewrite  # noqa: E402

KERNELS = {"tiled 16": 0, "tiled 32": 1, "register 64x64x16": 2, "naive": 3}
SIZES = [(61, 67, 53), (256, 256, 256), (512, 512, 512)]


def build(folder: Path, compiler: str) -> tuple[Path, Path]:
    """The runtime and the kernels as libraries."""
    emu = HERE.parent / "judge" / "emu"
    flags = ["-std=gnu++17", "-O2", "-fPIC", "-shared", "-ftls-model=initial-exec", "-pthread"]
    runtime, kernels = folder / "libcuda_emu.so", folder / "kernels.so"
    began = time.perf_counter()
    command = [compiler, *flags, str(emu / "all.cc"), str(emu / "context_switch.S")]
    include = f"-I{HERE.parent / 'judge' / 'include'}"
    subprocess.run([*command, include, "-o", str(runtime)], check=True)
    print(f"runtime built in {time.perf_counter() - began:.2f} s")
    source = folder / "kernels.cpp"
    source.write_text(rewrite((HERE / "emulator.cu").read_text()).text)
    command = [compiler, *flags, "-march=native", "-w", include, str(source), "-o", str(kernels)]
    subprocess.run(command, check=True)
    return runtime, kernels


def main() -> None:
    """Print a table."""
    os_threads = int(sys.argv[1]) if len(sys.argv) > 1 else len(os.sched_getaffinity(0))
    compiler = sys.argv[2] if len(sys.argv) > 2 else "g++"
    if "optional_static_tls" not in os.environ.get("GLIBC_TUNABLES", ""):
        # Read at the start of a process: room for the __shared__ arrays of a library loaded late.
        os.environ["GLIBC_TUNABLES"] = "glibc.rtld.optional_static_tls=1000000"
        os.execv(sys.executable, [sys.executable, *sys.argv])
    with tempfile.TemporaryDirectory() as folder:
        paths = build(Path(folder), compiler)
        runtime = ctypes.CDLL(str(paths[0]), mode=ctypes.RTLD_GLOBAL)
        kernels = ctypes.CDLL(str(paths[1]))
    runtime.emu_start(2, ctypes.c_uint64(0), os_threads)
    entry = ctypes.cast(kernels.judge_entry, ctypes.c_void_p)
    runtime.emu_attach(entry)
    arrays = [(ctypes.c_float * (512 * 512))() for _ in range(3)]

    def least_ms(what: int, m: int, n: int, k: int, schedule: int = 0, times: int = 7) -> float:
        values = [ctypes.c_void_p(ctypes.addressof(a)) for a in arrays]
        numbers = [ctypes.c_int(v) for v in (what, m, n, k)]
        pointers = (ctypes.c_void_p * 7)(*map(ctypes.addressof, [*values, *numbers]))
        best = float("inf")
        for _ in range(times):
            began = time.perf_counter()
            error = runtime.emu_call(entry, pointers, ctypes.c_uint64(schedule))
            best = min(best, time.perf_counter() - began)
            assert error == 0, error
        return best * 1e3

    print(f"{os_threads} OS threads, {compiler}; ms a call (least of 7)")
    print(f"{'kernel':20}" + "".join(f"{m}x{n}x{k}".rjust(14) for m, n, k in SIZES))
    for name, what in KERNELS.items():
        cells = [
            least_ms(what, *size, times=3 if size[0] == 512 else 7)
            if what != 2 or size[0] % 64 == 0
            else float("nan")
            for size in SIZES
        ]
        print(f"{name:20}" + "".join(f"{cell:14.2f}" for cell in cells))
    waits = 1000
    for threads in (64, 256, 1024):
        barrier = least_ms(4, 1, threads, waits) * 1e6 / waits / threads
        shuffle = least_ms(5, 1, threads, waits) * 1e6 / waits / threads
        print(f"{threads:4} threads: {barrier:5.1f} ns a barrier, {shuffle:5.1f} ns a shuffle")
    exits = least_ms(6, 1000, 256, 0) * 1e6 / 256000
    print(f"empty kernel: {exits:.1f} ns a thread")


if __name__ == "__main__":
    main()
