"""NVIDIA's own compiler takes every submission but those that are compile errors on purpose."""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge import gpubuild, spec, toolkit
from judge.cache import Cache, digest
from judge.entry import solve_header
from judge.find import ROOT
from judge.model import BackendMissing
from judge.toolkit import Toolkit

LADDER = sorted((ROOT / "submissions").rglob("*.cu"))
CHEATS = ROOT / "tests" / "submissions" / "cheats"
"""Some are no CUDA at all; tests/test_cheats.py compiles those that matter on a GPU there."""
CORPUS = sorted(
    path
    for path in (ROOT / "tests" / "submissions").rglob("*.cu")
    if path.parent != CHEATS and (path.parent.name == "gemm_fp16" or path.stem.startswith("ac_"))
)
"""Every file of the first problem and every right one. The wrong ones of all others are compiled
where they are judged on a GPU (tests/test_gpu.py): here they would take minutes."""
HOPPER = gpubuild.target((9, 0))
# Mistakes of the whole, which a compiler that sees one half does not mind.
LINKED_LATER = ("no_solve_symbol", "signature")


@pytest.fixture(scope="module")
def found() -> Toolkit:
    """The compiler; without one there is nothing to ask."""
    try:
        return toolkit.find()
    except BackendMissing as missing:
        pytest.skip(str(missing))


def device_half(found: Toolkit, source: Path, solve_h: str = "") -> tuple[bool, str]:
    """Whether the device half compiles for Hopper, and what nvcc said.  A success is kept."""

    def ask(folder: Path) -> dict[str, str]:
        (folder / "solve.h").write_text(solve_h, encoding="utf-8")
        command = [str(found.nvcc), f"-arch={HOPPER}", "-std=c++17", "--cubin", "-o", "/dev/null"]
        command += ["-I", str(folder), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        return {"log": done.stdout + done.stderr}

    key = digest(found.version, HOPPER, solve_h, source.read_bytes())
    try:
        return True, Cache().make("nvcc-accepts", key, ask).notes["log"]
    except subprocess.CalledProcessError as refused:
        return False, refused.stdout + refused.stderr


@pytest.mark.parametrize("source", LADDER, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_rung_compiles_without_warnings(found: Toolkit, source: Path) -> None:
    """The files a learner reads first have nothing a compiler would remark on."""
    compiled, log = device_half(found, source)
    missing = re.search(r"(cublas\w*\.h): No such file", log)
    if missing:
        pytest.skip(f"{source.name}: this toolkit has no {missing[1]}")

    assert compiled, log
    assert "warning" not in log.lower(), log


def test_the_corpus_compiles_but_for_its_compile_errors(found: Toolkit) -> None:
    """A wrong submission is wrong for the reason it names: only `CE compile` files do not build."""
    solve_h = {slug: solve_header(spec.load(slug)) for slug in spec.slugs()}

    def surprise(source: Path) -> str | None:
        expect = source.read_text(encoding="utf-8").partition("\n")[0]
        broken = "// expect: CE" in expect and not any(word in expect for word in LINKED_LATER)
        compiled, log = device_half(found, source, solve_h[source.parent.name])
        if compiled != broken:
            return None
        return f"{source.name}: expected {'an error' if broken else 'none'}\n{log}"

    with ThreadPoolExecutor(2) as pool:
        surprises = [one for one in pool.map(surprise, CORPUS) if one]

    assert CORPUS
    assert not surprises, "\n".join(surprises)
