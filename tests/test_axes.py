"""Axes that hang together: computed ones, and requirements that every case satisfies."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from judge import axes, boundaries, caseids, cases, conditions, mistakes, sizes
from judge import spec as specs
from judge.axes import Allowed, broken, completed, settle
from judge.expr import ExpressionError
from judge.model import Axis, Spec, UserError

VALID = Path(__file__).parent / "specs" / "valid"
CONVOLUTION, HEADS, SUBARRAY = (
    specs.load(VALID / f"{name}.yaml") for name in ("convolution_1d", "multi_head", "subarray_sum")
)
TIED = (CONVOLUTION, HEADS, SUBARRAY)


def by_title(spec: Spec) -> str:
    """How pytest calls a spec of these."""
    return spec.title.replace(" ", "_")


# --------------------------------------------------------------------------------------------------
# Comparisons


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("K <= N", True),
        ("N < K", False),
        ("K + 2 >= N", True),
        ("N % 2 == 0", False),
        ("K != N", True),
        ("min(K, N) > 3", False),
    ],
)
def test_a_comparison_of_sizes(text: str, holds: bool) -> None:
    """Both sides are exact expressions of sizes."""
    assert conditions.holds(text, {"K": 3, "N": 5}) is holds


@pytest.mark.parametrize("text", ["K", "K < N < 9", "K in N", "K < M", "K < N / 2", "not K", "K <"])
def test_what_is_no_comparison_is_refused(text: str) -> None:
    """One comparison of known axes, in integers."""
    with pytest.raises(ExpressionError):
        conditions.check(text, ("K", "N"))


# --------------------------------------------------------------------------------------------------
# Computed and hidden axes


def test_computed_axes_follow_from_the_others() -> None:
    """In the order of the spec, from those before them."""
    assert completed(HEADS.axes, {"N": 3, "h": 4, "head_dim": 6}) == {
        "N": 3, "h": 4, "head_dim": 6, "d_model": 24, "half_d": 12,
    }  # fmt: skip


def test_a_negative_size_is_none() -> None:
    """An axis that cannot be computed ends in one line."""
    with pytest.raises(ExpressionError, match="got B = -1, expected 0 to"):
        completed([Axis("A", 0, 9), Axis("B", 0, 9, equals="A - 1")], {"A": 0})


def test_an_id_names_what_is_drawn_and_a_case_has_all() -> None:
    """Hidden axes are in the id, computed ones are not."""
    case = cases.parse_id(HEADS, "normal,N=3,h=2,head_dim=4")

    assert case.id == "normal,N=3,h=2,head_dim=4"
    assert case.sizes == {"N": 3, "h": 2, "head_dim": 4, "d_model": 8, "half_d": 4}
    assert cases.make(HEADS, case, "0").arrays["Q"].shape == (3, 8)
    with pytest.raises(UserError, match="got 'd_model=8', expected each of N, h, head_dim once"):
        cases.parse_id(HEADS, "normal,N=3,h=2,head_dim=4,d_model=8")


def test_hidden_axes_are_no_argument() -> None:
    """solve is declared without them."""
    assert HEADS.declaration() == (
        'extern "C" void solve(const float* Q, float* output, int N, int d_model, int h)'
    )
    assert HEADS.timed == (completed(HEADS.axes, {"N": 1024, "h": 8, "head_dim": 64}),)


def test_a_case_cut_for_a_diagnosis_has_its_computed_sizes() -> None:
    """Leaving out a row recomputes what hangs on the number of rows."""
    case = cases.parse_id(HEADS, "normal,N=3,h=2,head_dim=4")
    cut = mistakes.take(HEADS, cases.make(HEADS, case, "0"), "N", slice(0, 2), 2)

    assert cut.case.sizes == {**case.sizes, "N": 2}
    assert cut.arrays["Q"].shape == (2, 8)
    assert mistakes.term_axes(HEADS, HEADS.argument("output")) == ()


def test_an_axis_that_others_hang_on_is_never_cut() -> None:
    """Leaving out one of it would leave out something else as well."""
    histogram = specs.load(VALID / "histogram.yaml")

    assert mistakes.free_axes(HEADS) == ("N",)
    assert mistakes.free_axes(histogram) == ("num_bins",)
    assert mistakes.term_axes(histogram, histogram.argument("histogram")) == ()


# --------------------------------------------------------------------------------------------------
# Requirements


@pytest.mark.parametrize("spec", TIED, ids=by_title)
@pytest.mark.parametrize(("seed", "budget"), [("0", 1.0), ("1", 1e6), ("2a", 1e9)])
def test_every_planned_case_satisfies_them(spec: Spec, seed: str, budget: float) -> None:
    """Fixed, at a boundary, drawn, or there for a family; and every class is still reached."""
    planned = cases.plan(spec, seed, budget)

    assert [case.id for case in planned if broken(spec.axes, spec.require, case.sizes)] == []
    for boundary in boundaries.boundaries(spec):
        assert any(boundary.holds(case.sizes) for case in planned), boundary.name


@pytest.mark.parametrize("spec", TIED, ids=by_title)
def test_a_plan_repeats(spec: Spec) -> None:
    """The same seed gives the same cases."""
    assert cases.plan(spec, "7", 1e6) == cases.plan(spec, "7", 1e6)


@pytest.mark.parametrize("spec", TIED, ids=by_title)
def test_every_smaller_case_satisfies_them_and_is_smaller(spec: Spec) -> None:
    """A failing case shrinks within the requirements, no size growing."""
    for case in cases.plan(spec, "0", 1e6)[-5:]:
        for smaller in itertools.islice(cases.smaller(spec, case), 30):
            assert not broken(spec.axes, spec.require, smaller.sizes)
            assert all(smaller.sizes[a.name] <= case.sizes[a.name] for a in spec.drawn_axes)
            assert smaller.sizes != case.sizes


def test_a_case_shrinks_to_the_smallest_there_is() -> None:
    """Tied sizes go down together: S, E and N to 0, 0 and 1."""
    case = cases.parse_id(SUBARRAY, "some,N=1000,S=300,E=999")
    for _ in range(40):
        case = next(cases.smaller(SUBARRAY, case), case)

    assert case.sizes == {"N": 1, "S": 0, "E": 0}


def test_classes_that_cannot_be_are_none() -> None:
    """No kernel is longer than its input, nor is one axis alone at 1 that has to be the longer."""
    names = cases.all_classes(CONVOLUTION)

    assert {"input_size=1", "kernel_size=257", "input_size long", "tails of 256"} <= names
    assert not {"kernel_size long", "input_size alone at 1"} & names


def test_an_axis_too_short_for_a_tile_leaves_the_class_to_the_others() -> None:
    """16 heads have no tail of 64, the rows have one all the same."""
    found = {boundary.name: boundary for boundary in boundaries.boundaries(HEADS)}

    assert set(found["tails of 64"].tests) == {"N", "head_dim"}
    assert set(found["tails of 16"].tests) == {"N", "head_dim"}
    assert set(found["whole tiles"].tests) == {"N", "head_dim"}


def test_an_id_that_breaks_a_requirement_is_refused() -> None:
    """With the requirement that does not hold."""
    with pytest.raises(UserError, match="got sizes for which E < N does not hold"):
        caseids.parse_id(SUBARRAY, "some,N=5,S=0,E=5")


AXES = (Axis("N", 1, 1000), Axis("K", 1, 50))
BOUNDS = {"N": (1, 1000), "K": (1, 50)}


@pytest.mark.parametrize(
    ("require", "given", "found"),
    [
        (["K <= N"], (9, 4), (9, 4)),
        (["K <= N"], (3, 40), (3, 3)),
        (["K < N"], (3, 40), (3, 2)),
        (["N % K == 0"], (12, 5), (12, 4)),
        (["N < 9"], (900, 1), (7, 1)),
        (["N == 11"], (900, 1), None),
        (["N * K <= 100"], (90, 40), (90, 1)),
    ],
)
def test_sizes_settle_near_where_they_were(
    require: list[str], given: tuple[int, int], found: tuple[int, int] | None
) -> None:
    """Sizes that do are kept; else the later axis gives way first, as little as it takes."""
    settled = settle(AXES, require, dict(zip("NK", given, strict=True)), BOUNDS)

    assert settled == (found and dict(zip("NK", found, strict=True)))


def test_a_search_ends() -> None:
    """Requirements that nothing satisfies give up, in menus and outside of them."""
    menus = {"N": list(range(1, 60)), "K": list(range(1, 50))}
    allowed = Allowed(AXES, ["K > N", "N > K"], menus)

    assert allowed.some({}) is None
    assert settle(AXES, ["K > N", "N > K"], {"N": 5, "K": 5}, BOUNDS) is None


def test_options_without_a_partner_are_dropped() -> None:
    """What is left of a menu goes with something in each requirement."""
    menus = {"N": [1, 5, 9], "K": [2, 6, 40]}
    allowed = Allowed(AXES, ["K <= N"], menus)

    assert allowed.narrowed({}) == {"N": [5, 9], "K": [2, 6]}
    assert allowed.narrowed({"K": [6]}) == {"N": [9], "K": [6]}
    assert allowed.narrowed({"K": [40]}) is None
    assert allowed.some({"N": [5]}) == {"N": 5, "K": 2}


def test_needed_axes_are_the_drawn_ones() -> None:
    """Through computed axes to those they come from."""
    assert axes.needed(HEADS.axes, "half_d < N") == ("N", "h", "head_dim")


def test_small_sizes_satisfy_the_requirements() -> None:
    """What a spec is tried on when it is read."""
    for spec in TIED:
        small = sizes.small(spec)
        assert small is not None
        assert not broken(spec.axes, spec.require, small)
