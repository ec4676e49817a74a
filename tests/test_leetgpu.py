"""`--leetgpu`: a challenge of a checkout as a problem, from challenge.py to the verdict.

The challenges are our own (tests/leetgpu/checkout); each test that needs torch runs with what
stands in for it, and with torch itself where that is installed.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from leetgpu_run import OWN, SUBMISSIONS, TORCHES, run, with_torch

from judge import caseids, cases, cli, gpuspeed, reference
from judge.leetgpu import problem
from judge.model import Init, Role, Spec


@pytest.fixture(params=TORCHES)
def torch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which torch challenges compute with; it serves as a seed of its own, too."""
    with_torch(request.param, monkeypatch)
    return str(request.param)


def load(name: str, seed: str, performance: bool = False) -> Spec:
    """One of our challenges as a problem."""
    return problem.load(problem.find(str(OWN / name)), seed, performance)


@pytest.mark.parametrize("name", ["affine", "fold", "scaled_gemv", "tally", "older"])
def test_a_right_submission_is_accepted(torch: str, name: str, tmp_path: Path) -> None:
    """float, int in place, half with scalars, sums into zeros, and the form without directions."""
    code, report = run(SUBMISSIONS / f"{name}.cu", OWN / name, torch, tmp_path / "r")

    assert (code, report["verdict"]) == (0, "AC")
    assert report["problem"] == f"leetgpu/{name}"
    assert report["cases"]["accepted"] == report["cases"]["planned"] >= 3
    assert any("tests, reference and tolerance" in note for note in report["notes"])


@pytest.mark.parametrize(
    ("submission", "reason", "words"),
    [
        ("affine_without_a", "mismatch", "the output equals the result with a taken as 1"),
        ("affine_last_unwritten", "unwritten", "never written (init: poison)"),
        ("affine_adds", "not_zeroed", "y is added to, but was never set to zero"),
        ("scaled_gemv_without_beta", "mismatch", "the result with beta taken as 0"),
    ],
)
def test_a_wrong_submission_is_told_its_mistake(
    torch: str, submission: str, reason: str, words: str, tmp_path: Path
) -> None:
    """The reference is asked again with altered inputs, as that of any problem."""
    challenge = OWN / ("affine" if "affine" in submission else "scaled_gemv")

    code, report = run(SUBMISSIONS / f"{submission}.cu", challenge, torch, tmp_path / "r")

    fault = report["fault"]
    assert (code, fault["verdict"], fault["reason"]) == (1, "WA", reason)
    assert words in " ".join((fault["message"], *fault["details"]))


def test_the_command_under_again_repeats_the_case(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With the checkout, the case and the seed."""
    with_torch("fake", monkeypatch)
    wrong = SUBMISSIONS / "affine_without_a.cu"
    _, report = run(wrong, OWN / "affine", "fake", tmp_path / "r")

    words = shlex.split(report["again"])
    code = cli.main([*words[words.index("run") :], "--json", str(tmp_path / "again")])

    assert code == 1
    again = json.loads((tmp_path / "again").read_text())
    assert again["cases"]["planned"] == 1
    assert again["failing"] == {**report["failing"], "seconds": again["failing"]["seconds"]}


def test_the_seed_gives_the_content(torch: str) -> None:
    """The same seed and round the same bytes, another one others; literal content stays."""
    first, other = load("affine", torch), load("affine", f"{torch}2")
    example, last = first.challenge.cases[0], first.challenge.cases[-1]

    def content(spec: Spec, case: object, round_: int = 0) -> bytes:
        return cases.make(spec, case, "unused", round_).arrays["x"].tobytes()

    assert content(first, last) == content(first, last)
    assert content(first, last) != content(first, last, 1)
    assert content(first, last) != content(other, last)
    assert content(first, example) == content(first, example, 1) == content(other, example)


def test_the_tolerance_is_the_challenge_s(torch: str) -> None:
    """atol + rtol * |right answer|, which need not be ours."""
    spec = load("scaled_gemv", torch)
    data = cases.make(spec, spec.challenge.cases[1], "unused")

    answer = reference.expected(spec, data)["y"]

    assert answer.value.dtype == np.float64
    assert np.allclose(answer.allowed, 0.01 + 0.01 * np.abs(answer.value), rtol=1e-12)


def test_an_output_begins_as_the_tests_make_it(torch: str) -> None:
    """Poison where torch leaves it undefined, zeros where they are asked for, content in place."""
    uses = {
        (name, one.name): (one.role, one.init)
        for name in ("affine", "tally", "fold", "older")
        for one in load(name, torch).outputs
    }

    assert uses == {
        ("affine", "y"): (Role.OUT, Init.POISON),
        ("tally", "counts"): (Role.OUT, Init.ZERO),
        ("fold", "values"): (Role.INOUT, Init.POISON),
        ("older", "data"): (Role.INOUT, Init.POISON),
        ("older", "total"): (Role.OUT, Init.POISON),
    }


def test_sizes_are_known_by_their_names(torch: str) -> None:
    """Shapes follow from the numbers that solve gets, so that a report can speak of them."""
    spec = load("scaled_gemv", torch)

    assert spec.argument("A").shape == ("M", "K")
    assert spec.argument("A").declaration() == "const half* A"
    assert [one.name for one in spec.scalars] == ["alpha", "beta"]


def test_the_performance_test_is_what_is_timed(torch: str) -> None:
    """Its contents and right answers are made as those of any timed size; it is no case."""
    spec = load("scaled_gemv", torch, performance=True)
    (timed,) = caseids.timed(spec)

    prepared = gpuspeed.prepare(spec, timed, torch)

    assert timed not in spec.challenge.cases
    assert timed.sizes == {"M": 1024, "K": 1000}
    assert not prepared.repeatable  # y is read: beta is not 0
    inputs = [one.data.arrays["A"].tobytes() for one in (*prepared.contents, *prepared.new)]
    assert len(set(inputs)) == len(inputs) >= 4
    assert load("scaled_gemv", torch).challenge.timed == ()


def test_check_and_sweep_take_a_challenge(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other commands that judge a file."""
    with_torch("fake", monkeypatch)
    words = [str(SUBMISSIONS / "tally.cu"), "--leetgpu", str(OWN / "tally"), "--seed", "fake"]

    assert cli.main(["check", *words]) == 0
    assert cli.main(["sweep", *words, "--backend", "cpu", "-D", "UNUSED=1,2"]) == 0


@pytest.mark.gpu
def test_a_challenge_is_judged_and_timed_on_a_gpu(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The same way, and a time for the performance test."""
    with_torch("fake", monkeypatch)
    right, wrong = (SUBMISSIONS / f"{name}.cu" for name in ("affine", "affine_without_a"))

    code, report = run(right, OWN / "affine", "fake", tmp_path / "r", "--backend", "gpu")
    assert (code, report["verdict"]) == (0, "AC")
    (timed,) = report["speed"]["timed"]
    assert timed["sizes"] == {"N": 5_000_000}
    assert timed["cold"]["median_us"] > 0

    code, report = run(wrong, OWN / "affine", "fake", tmp_path / "r", "--backend", "gpu")
    assert (code, report["fault"]["reason"]) == (1, "mismatch")
