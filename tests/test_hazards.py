"""Small kernels, one hazard each, leave on the CPU backend what they leave on a GPU.

tests/hazards/*.cu;  tests/golden/hazards.json holds the answers of a GPU, which is named in it: 16
words a hazard, the last of them the error that the runtime then held.  Where a GPU is, its answers
are held against the same file, and `--update-golden` writes it.
"""

from __future__ import annotations

import functools
import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import cuda_programs
import pytest

HERE = Path(__file__).resolve().parent
GOLDEN = HERE / "golden" / "hazards.json"
FILES = sorted((HERE / "hazards").glob("*.cu"))
HAZARDS = [
    (path.stem, name)
    for path in FILES
    for name in re.findall(r"^HAZARD\((\w+)\)", path.read_text(encoding="utf-8"), re.MULTILINE)
]
Answers = dict[str, list[int]]


def golden() -> dict[str, Any]:
    """{"device": ..., "answers": {hazard: words}}."""
    kept: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return kept


@functools.cache
def on_the_cpu(stem: str) -> Answers:
    """The answers of a file's hazards on the CPU backend."""
    with tempfile.TemporaryDirectory() as folder:
        text = cuda_programs.printed(HERE / "hazards" / f"{stem}.cu", Path(folder))
    answers: Answers = json.loads(text)
    return answers


@pytest.mark.parametrize(("stem", "name"), HAZARDS)
def test_hazard(stem: str, name: str) -> None:
    """The CPU backend gives a GPU's answer, every bit of it, and its error."""
    assert on_the_cpu(stem)[name] == golden()["answers"][name]


def test_every_answer_belongs_to_a_hazard() -> None:
    """No name is used twice, and no answer is left over."""
    names = [name for _, name in HAZARDS]

    assert sorted(names) == sorted(golden()["answers"])
    assert len(names) >= 50


def on_the_gpu(folder: Path) -> Answers:
    """The answers of all hazards on the GPU."""
    answers: Answers = {}
    for path in FILES:
        program = folder / path.stem
        command = [
            "nvcc",
            "-std=c++17",
            "-arch=native",
            "-DMAIN",
            "-w",
            "-o",
            str(program),
            str(path),
        ]
        subprocess.run(command, check=True)
        done = subprocess.run([str(program)], check=True, capture_output=True, text=True)
        answers |= json.loads(done.stdout)
    return answers


@pytest.mark.gpu
def test_a_gpu_gives_these_answers(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The golden file is what the hardware says."""
    answers = on_the_gpu(tmp_path)
    if request.config.getoption("--update-golden"):
        asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        device = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
        lines = ",\n".join(f"  {json.dumps(name)}: {words}" for name, words in answers.items())
        GOLDEN.write_text(
            f'{{"device": {json.dumps(device)}, "answers": {{\n{lines}\n}}}}\n', encoding="utf-8"
        )
    assert answers == golden()["answers"]
