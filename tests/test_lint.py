"""Lint of a problem: whatever is missing or weak gives one line, and a good one gives none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge import cases, lint, lintfiles, lintspec, lintstatement, scaffold
from judge import spec as specs
from judge.model import Axis, Flaw, Init, Spec, Tolerance

ADD = specs.load("vector_add")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a copy of the vector addition, as `new-problem` makes it."""
    scaffold.create("add", "vector_add", tmp_path)
    return tmp_path


def edited(root: Path, name: str, old: str, new: str) -> Spec:
    """The copy with a change to one of its files."""
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return specs.load(root / "problems" / "add")


def lines(flaws: Iterator[Flaw]) -> list[str]:
    """What is printed, without the marks that a copy has."""
    return [str(flaw) for flaw in flaws if not flaw.what.startswith("mark")]


# --------------------------------------------------------------------------------------------------
# The statement


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("float* C, int N)", "float* C, int M)", "signature: got none, expected 'extern"),
        ("1 ≤ N ≤ 67108864", "1 ≤ N ≤ 67108865", "sizes of N: got none, expected '1 ≤ N ≤ 671"),
        ("4, 32 and 256", "4, 32 and 257", "section Sizes: got 257, expected only numbers of"),
        ("10 seconds", "11 seconds", "time limit: got none, expected '10 seconds'"),
        ("1024 MiB", "1025 MiB", "memory limit: got none, expected '1024 MiB'"),
        ("33554432", "33554433", "timed sizes: got none, expected '33554432'"),
        ("full of NaN", "full", "init of C: got none under Values, expected a sentence with `C`"),
        ("half a unit", "two units", "tolerance of C: got none under What counts as right"),
        ("## Values", "## Numbers", "section Values: got none, expected ## Values; add it"),
    ],
)  # fmt: skip
def test_a_statement_that_says_otherwise_is_told(root: Path, old: str, new: str, said: str) -> None:
    """Every number of a statement is one of the spec, and each fact of the spec is in it."""
    spec = edited(root, "problems/add/statement.md", old, new)

    found = lines(lintstatement.flaws(spec))

    assert any(said in line for line in found), found


def test_a_missing_statement_is_told(root: Path) -> None:
    """With what to do next."""
    (root / "problems/add/statement.md").unlink()
    spec = specs.load(root / "problems" / "add")

    assert lines(lintstatement.flaws(spec)) == [
        f"{root}/problems/add/statement.md: statement: got no file, expected a text for people; "
        "write it"
    ]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Tolerance("allclose", rtol=1e-3, atol=1e-6), "expected 0.001, 1e-06"),
        (Tolerance("exact"), ""),
        (Tolerance("ulp", ulp=4), "expected 4 units in the last place"),
        (Tolerance("rounding", terms="N"), "expected that sums are kept in float"),
    ],
)
def test_each_rule_is_asked_for_in_words(rule: Tolerance, said: str) -> None:
    """What counts as right names the numbers of the rule (vector addition's text does not)."""
    found = lines(lintstatement.flaws(replace(ADD, tolerance={"C": rule})))

    assert [said in line for line in found] == [True] * bool(said)


def test_computed_axes_requirements_and_bans_are_asked_for() -> None:
    """Whatever narrows what a submission may count on stands in the statement."""
    axes = (*ADD.axes, Axis("K", 1, 9), Axis("L", 0, 2**31 - 1, equals="N // K"))
    spec = replace(ADD, axes=axes, require=("K <= N",), banned=("cublas",), timed=())

    found = "\n".join(lines(lintstatement.flaws(spec)))

    for wanted in ("1 ≤ K ≤ 9", "L = N // K", "K ≤ N", "cublas"):
        assert f"expected {wanted!r}" in found


def test_the_order_of_several_timed_sizes_is_asked_for() -> None:
    """Who reads `8192 x 4096` must not have to guess which is which; one axis needs no order."""
    spec = replace(ADD, axes=(*ADD.axes, Axis("K", 1, 9)), timed=({"N": 100, "K": 7},))

    found = lines(lintstatement.flaws(spec))

    assert any("order of timed sizes: got none, expected '(N x K)'" in line for line in found)
    assert not any("order" in line for line in lines(lintstatement.flaws(ADD)))


@pytest.mark.parametrize("init", [Init.ZERO, Init.RANDOM])
def test_another_init_needs_another_sentence(init: Init) -> None:
    """NaN is what poison looks like, and nothing else."""
    signature = tuple(replace(one, init=init) if one.name == "C" else one for one in ADD.signature)

    (line,) = lines(lintstatement.flaws(replace(ADD, signature=signature)))

    assert "init of C: got none under Values" in line
    assert line.endswith(f"it is init: {init.value}")


# --------------------------------------------------------------------------------------------------
# The spec


def spec_flaws(**changes: Any) -> str:
    """What is said of the vector addition with changes, but for the gauge."""
    spec = replace(ADD, **changes)
    planned = cases.plan(spec, "0")
    found = [
        *lintspec.sizes(spec, planned), *lintspec.timed(spec), *lintspec.formulas(spec, planned)
    ]  # fmt: skip
    return "\n".join(map(str, found))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"axes": (Axis("N", 5, 1000),)}, "axes.N.min: got 5, expected 1"),
        ({"timed": ()}, "timed: got no sizes, expected some"),
        ({"timed": ({"N": 1023},)}, "timed: got calls that a GPU can do in 0.00256 us"),
        ({"timed": ({"N": 33554432},)}, "timed: got multiples of 256 only, expected a ragged"),
        ({"work": "N - 1"}, "work: got 0 at N = 1, expected 1 or more"),
        ({"bytes": "24 * N"}, "bytes: got 24 at N = 1, expected 1 to 12, all arrays once"),
    ],
)
def test_a_weak_spec_is_told(changes: dict[str, Any], said: str) -> None:
    """Sizes, timed sizes and formulas; nothing is said of the real one."""
    found = spec_flaws(**changes)

    assert said in found if said else found == ""


def test_a_least_size_may_have_its_reason_in_a_comment(tmp_path: Path) -> None:
    """What is explained beside the axis is not asked again."""
    path = tmp_path / "problem.yaml"
    text = ADD.path.read_text(encoding="utf-8")
    path.write_text(text.replace("N: {min: 1,", "N: {min: 5,"))
    changes = {"path": path, "axes": (Axis("N", 5, 1000),)}
    assert "a reason in a comment" in spec_flaws(**changes)
    line = next(one for one in path.read_text().splitlines() if "N: {min: 5," in one)
    path.write_text(path.read_text().replace(line, f"{line} # fewer have no middle"))

    assert "a reason in a comment" not in spec_flaws(**changes)


def test_sizes_that_no_case_has_are_told() -> None:
    """1, 2, 3 and tails of 4, 16 and 32 are where kernels fail."""
    planned = cases.plan(ADD, "0")
    few = tuple(case for case in planned if case.sizes["N"] % 4 == 0)

    found = "\n".join(map(str, lintspec.sizes(ADD, few)))

    for said in (
        "none with N = 1",
        "none with N = 3",
        "none with N beyond 4 and no multiple of it",
    ):
        assert said in found


def test_a_lax_tolerance_is_told() -> None:
    """By the gauge, with the output that should have been refused."""
    lax = replace(ADD, tolerance={"C": Tolerance("allclose", rtol=1.0, atol=1000.0)})
    planned = cases.plan(ADD, "0")[:3]

    found = "\n".join(map(str, lintspec.refusals(lax, planned)))

    assert "tolerance: got" in found
    assert "tolerance accepts zeros" in found
    assert list(lintspec.refusals(ADD, planned)) == []


# --------------------------------------------------------------------------------------------------
# Files


def test_a_starter_that_does_not_compile_is_told(root: Path) -> None:
    """With its line."""
    spec = edited(root, "problems/add/starter.cu", "const int threads = 256;", "int threads = x;")

    (line,) = lines(lintfiles.starter(spec))

    assert "starter.cu: starter: got line" in line
    assert "expected it to compile" in line


def test_a_starter_that_is_right_is_told(root: Path) -> None:
    """It leaves nothing to the learner."""
    spec = edited(
        root,
        "problems/add/starter.cu",
        "// Each thread finds",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < N) C[i] = A[i] + B[i]; //",
    )

    (line,) = lines(lintfiles.starter(spec))

    assert "starter: got AC accepted, expected WA" in line


def test_a_starter_with_another_solve_is_told(root: Path) -> None:
    """The line a learner begins with is the line the judge calls."""
    other = "float* D, int N) {\n    float* C = D; const"
    spec = edited(root, "problems/add/starter.cu", "float* C, int N) {\n    const", other)

    assert "solve: got another declaration" in lines(lintfiles.starter(spec))[0]


def test_missing_and_wrong_submissions_are_told(root: Path) -> None:
    """At least one that is right, two that are wrong, each named by its verdict."""
    spec = specs.load(root / "problems" / "add")
    wrong = root / "tests" / "submissions" / "add"
    first, second = sorted(wrong.glob("*.cu"))
    right = root / "submissions" / "add" / "one_each.cu"
    right.write_text(right.read_text(encoding="utf-8").replace("+ B[i]", "- B[i]"))
    first.rename(wrong / "re_renamed.cu")
    second.write_text("// no line\n")

    found = lines(lintfiles.flaws(spec, root))

    assert len(found) == 4
    assert "one_each.cu: verdict: got WA" in found[0]
    assert (
        "re_renamed.cu: name: got re_renamed.cu, expected a name that begins with wa_" in found[1]
    )
    assert "first lines: got" in found[2]
    assert "got 0 lines `// expect: VERDICT reason` in the first 5" in found[2]
    assert "wrong submissions: got 1, expected at least 2" in found[3]
    right.unlink()
    assert "submissions: got none, expected at least one" in lines(lintfiles.flaws(spec, root))[0]


def test_a_spec_that_cannot_be_read_is_one_line(root: Path) -> None:
    """Its own message; nothing else can be looked at."""
    path = root / "problems" / "add" / "problem.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("work:", "wark:"))

    (line,) = lint.problem(str(path.parent), root)

    assert "wark: unknown key" in line
