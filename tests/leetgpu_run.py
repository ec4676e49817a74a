"""What the tests of challenges share: our own ones, torch or what stands in for it, and runs."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from judge import cli

HERE = Path(__file__).resolve().parent / "leetgpu"
CHECKOUT = HERE / "checkout" / "challenges"
OWN = CHECKOUT / "own"
SUBMISSIONS = HERE / "submissions"
FAKE = HERE / "fake"

NO_TORCH = "torch is not installed here (pip install torch): only what stands in for it was used"
TORCHES = [
    "fake",
    pytest.param(
        "real",
        marks=pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason=NO_TORCH),
    ),
]


def with_torch(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes of challenges find torch, or what stands in for it."""
    if which == "fake":
        monkeypatch.setattr(sys, "path", [str(FAKE), *sys.path])


def run(submission: Path, challenge: Path, seed: str, out: Path, *more: str) -> tuple[int, Any]:
    """`judge run` on the CPU backend: the exit code, and the report as JSON (None without)."""
    out.unlink(missing_ok=True)
    words = ["run", str(submission), "--leetgpu", str(challenge), "--backend", "cpu"]
    code = cli.main([*words, "--seed", seed, "--json", str(out), *more])
    return code, json.loads(out.read_text()) if out.exists() else None
