"""Compile and run small CUDA sources with the headers of the CPU backend, for their tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from judge import build, cpubuild
from judge.rewrite import rewrite

HERE = Path(__file__).parent
SOURCES = HERE / "include_cuda"
INCLUDE = cpubuild.INCLUDE
FLAGS = (
    *("-std=gnu++17", "-O2", "-march=native", "-fPIC", "-fno-strict-aliasing", "-fwrapv", "-g1"),
    *("-ftls-model=initial-exec", "-fno-semantic-interposition", "-fsigned-char", f"-I{INCLUDE}"),
)


def run_compiler(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The compiler that the CPU backend would use, with the arguments; text output."""
    command = [*build.find_compiler().command, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def library(source: Path, to: Path, *extra: str) -> Path:
    """Plain C++ -> shared library; fails the test with the compiler's words."""
    done = run_compiler(*FLAGS, f"-I{SOURCES}", *extra, "-shared", str(source), "-o", str(to))
    assert done.returncode == 0, done.stderr
    return to


def outputs(
    name: str, folder: Path, buffers: dict[str, list[float]], schedules: tuple[int, ...] = (0,)
) -> dict[str, Any]:
    """Run `solve(buffers...)` of include_cuda/<name>.cu in a process of its own, on two OS threads.

    buffers: float32 arrays in the order of solve's arguments, by name
    -> {"errors": [of each call], "buffers": {name: values}, "notes": [...]}
    """
    arguments = ", ".join(f"*(float **)arguments[{index}]" for index in range(len(buffers)))
    plan = {
        "os_threads": 2,
        "schedules": schedules,
        "buffers": [{"name": key, "values": values} for key, values in buffers.items()],
    }
    done = _run(SOURCES / f"{name}.cu", folder, f"solve({arguments});", plan)
    notes = [json.loads(line) for line in (folder / "notes").read_text().splitlines()]
    assert (folder / "result").exists(), (done.stderr, notes)
    result: dict[str, Any] = json.loads((folder / "result").read_text())
    return {**result, "notes": notes}


def printed(source: Path, folder: Path) -> str:
    """What the program's own main() prints on the CPU backend; compiled with -DMAIN."""
    done = _run(source, folder, "main();", {}, "-DMAIN", f"-I{source.parent}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def _run(
    source: Path, folder: Path, entry: str, plan: dict[str, Any], *flags: str
) -> subprocess.CompletedProcess[str]:
    """Translate, compile, and drive a program whose entry is the statement."""
    made = rewrite(source.read_text())
    text = folder / f"{source.stem}.cpp"
    includes = "#include <cuda_runtime.h>\n" + '#include "detail/ptx.h"\n' * made.has_ptx
    text.write_text(
        f"{includes}{made.text}\n"
        f'extern "C" void judge_entry(void *const *arguments) {{ {entry} }}\n'
    )
    runtime = cpubuild.runtime_library()
    linked = (str(runtime), f"-Wl,-rpath,{runtime.parent}")
    loaded = library(text, folder / f"{source.stem}.so", *flags, *linked)
    plan = {
        "runtime": str(runtime),
        "library": str(loaded),
        "notes": str(folder / "notes"),
        "result": str(folder / "result"),
        **plan,
    }
    driver = HERE / "emu" / "drive.py"
    # The shared arrays of a program live in static TLS, for which glibc reserves little.
    environment = {**os.environ, "GLIBC_TUNABLES": "glibc.rtld.optional_static_tls=1000000"}
    return subprocess.run(
        [sys.executable, str(driver), json.dumps(plan)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def hold_claims(name: str, folder: Path) -> None:
    """Every claim that include_cuda/<name>.cu makes (claims.cuh) holds on the CPU backend."""
    got = outputs(name, folder, {"claims": [0.0] * 128})
    count, *claims = got["buffers"]["claims"]
    made = int(count)
    assert (got["errors"], got["notes"]) == ([0], [])
    assert made >= (SOURCES / f"{name}.cu").read_text().count("claim(claims")
    assert [i for i in range(made) if claims[i] != 1.0] == []


def claims_on_a_gpu(name: str, folder: Path) -> str:
    """What a GPU says of the claims: "AC" if all of them hold, else what the program printed."""
    program = folder / name
    flags = ("-std=c++17", "-arch=native", "-DMAIN", "-o", str(program))
    subprocess.run(["nvcc", *flags, str(SOURCES / f"{name}.cu")], check=True)
    said = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    made = int(said.split()[0])
    return "AC" if said == f"{made} {'1 ' * made}{'0 ' * (127 - made)}no error\n" else said
