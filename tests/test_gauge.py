"""The gauge: specs that tell right from wrong pass it, and lax or strict ones are caught."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from judge import cases, gauge, gaugeoutputs, tables
from judge import spec as specs
from judge.model import Distribution, Dtype, Spec, Tolerance
from judge.report import Screen

SPEC = specs.load("gemm_fp16")
IDS = (
    "normal,M=1,N=1,K=1,alpha=1,beta=0",
    "normal,M=33,N=17,K=9,alpha=-1.25,beta=0.5",
    "uniform,M=20,N=24,K=65,alpha=0.5,beta=1",
    "wide,M=31,N=15,K=40,alpha=1,beta=0",
    "integers,M=16,N=19,K=33,alpha=1,beta=1",
    "one_hot,M=9,N=7,K=11,alpha=1,beta=0",
    "normal,M=5,N=6,K=7,alpha=0,beta=0",
)
CASES = [cases.parse_id(SPEC, case_id) for case_id in IDS]


def with_rule(rule: Tolerance) -> Spec:
    """The FP16 GEMM under another tolerance."""
    return replace(SPEC, tolerance={"C": rule})


@pytest.fixture(scope="module")
def rows() -> tuple[gauge.GaugeRow, ...]:
    """The rows of the real spec."""
    return gauge.gauge(SPEC, CASES, "tests")


def test_the_gemm_spec_tells_right_from_wrong(rows: tuple[gauge.GaugeRow, ...]) -> None:
    """Every go output is accepted, every no-go output refused, in each case."""
    assert gauge.verdicts(rows) == ()
    assert all(row.accepted and row.usage <= 1 for row in rows if row.go)
    refused = [row for row in rows if not row.go and row.applicable and not row.precision]
    assert refused
    assert not any(row.accepted for row in refused)


def test_the_gauge_covers_what_people_get_wrong(rows: tuple[gauge.GaugeRow, ...]) -> None:
    """Each kind of output is made and applicable in some case."""
    tried = {row.name for row in rows if row.applicable}

    assert tried >= {
        "the reference, rounded",
        "sums in float32, forward",
        "sums in float32, pairwise",
        "zeros",
        "ones",
        "its own mean everywhere",
        "a copy of C",
        "the answer to other inputs",
        "one element stale",
        "the last row left out",
        "the last column left out",
        "the last row exchanged with the one before",
        "the last K left out",
        "with A and B cut to bfloat16",
        "with sums kept in float16",
    }


def test_what_is_not_applicable_has_a_reason(rows: tuple[gauge.GaugeRow, ...]) -> None:
    """No no-go output is dropped in silence: zeros are the answer where alpha = beta = 0."""
    skipped = [row for row in rows if not row.applicable]
    nothing = [row for row in skipped if row.case.id == IDS[-1] and row.name == "zeros"]

    assert all(row.why for row in skipped)
    assert [row.why for row in nothing] == ["it is the right answer in this case"]
    assert {row.why for row in skipped} == {
        "it is the right answer in this case",
        "the inputs have no bits to lose",
        "every step is exact in float16 here",
    }


def test_a_lax_tolerance_is_caught_at_lower_precision() -> None:
    """allclose with 0.05 accepts float16 sums and bfloat16 inputs in every case."""
    said = gauge.verdicts(
        gauge.gauge(with_rule(Tolerance("allclose", rtol=0.05, atol=0.05)), CASES[1:4], "tests")
    )

    assert any("tolerance accepts with A and B cut to bfloat16 in all 3 cases" in s for s in said)
    assert any("tolerance accepts with sums kept in float16 in all 3 cases" in s for s in said)


def test_a_hopeless_tolerance_is_caught_in_each_case() -> None:
    """An atol above the answers accepts zeros."""
    lax = with_rule(Tolerance("allclose", rtol=0.0, atol=1000.0))

    said = gauge.verdicts(gauge.gauge(lax, CASES[1:2], "tests"))

    assert any(f"{IDS[1]}: C: tolerance accepts zeros" in sentence for sentence in said)


def test_a_tolerance_that_refuses_honest_kernels_is_caught() -> None:
    """Equality is too much to ask of a rounded sum."""
    strict = with_rule(Tolerance("exact"))

    said = gauge.verdicts(gauge.gauge(strict, CASES[1:2], "tests"))

    assert any("tolerance refuses the reference, rounded" in sentence for sentence in said)


def test_half_sums_are_no_mistake_where_the_spec_asks_for_them() -> None:
    """accumulate: float16 makes half sums no no-go; cut inputs still are one."""
    half = with_rule(replace(SPEC.tolerance["C"], accumulate=Dtype.FLOAT16))

    names = {row.name for row in gauge.gauge(half, CASES[1:2], "tests")}

    assert not any(" in float16" in name for name in names)
    assert "with A and B cut to bfloat16" in names


def test_sums_too_long_to_add_one_by_one_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit a row is not applicable, with the reason, and counts for nothing."""
    monkeypatch.setattr(gaugeoutputs, "SLOW", 1000)

    rows = gauge.gauge(SPEC, CASES[1:2], "tests")

    slow = [row for row in rows if "float" in row.name and "sums" in row.name]
    assert slow
    assert {row.why for row in slow} == {"more than 1000 operations to do one by one"}


def test_inputs_beyond_a_shorter_type_are_not_cut_to_it() -> None:
    """Ids up to 2**24 are infinite in float16: that row says so, and bfloat16 is still refused."""
    copy = specs.load("matrix_copy")
    case = cases.parse_id(copy, "ids,N=5")

    rows = {row.name: row for row in gauge.gauge(copy, [case], "tests") if row.precision}

    assert rows["with A cut to float16"].why == "numbers beyond the shorter type"
    assert not rows["with A cut to bfloat16"].why
    assert not rows["with A cut to bfloat16"].accepted


def test_one_of_very_many_terms_may_hide_unless_sums_are_exact() -> None:
    """A term left out of 5,000 is no no-go where sums are rounded, and one where they are not."""
    problem = specs.load(Path(__file__).parent / "specs" / "valid" / "dot_product.yaml")
    ones = {name: Distribution("constant", (1,)) for name in "AB"}
    exact = replace(problem, families=(replace(problem.families[0], inputs=ones, exact=True),))
    case = cases.parse_id(problem, "normal,N=5000")

    rounded, equal = (
        next(r for r in gauge.gauge(one, [case], "1") if r.name == "the last N left out")
        for one in (problem, exact)
    )

    assert rounded.why == "one of more than 4096 terms may hide under their rounding"
    assert equal.applicable
    assert not equal.accepted


@pytest.mark.parametrize("slug", ["softmax", "top_k_selection"])
def test_each_row_of_the_table_adds_up_to_the_cases(slug: str) -> None:
    """Accepted, refused and shows nothing: whoever reads the table can account for every case."""
    spec = specs.load(slug)
    planned = cases.plan(spec, "0")[:12]
    text = tables.gauge(spec, gauge.gauge(spec, planned, "0"), (), Screen())

    head, columns, *lines = text.splitlines()
    assert f"{len(planned)} cases" in head
    rows = [line for line in lines if re.search(r"  (accepted|refused)( in some case)?  ", line)]
    assert len(rows) >= 10
    for row in rows:
        counts = re.split(r" {2,}", row)[2:5]
        assert sum(map(int, counts)) == len(planned), row
    for word in ("shows nothing", "error / allowed"):
        assert word in columns
        assert any(line.startswith(f"{word}: ") for line in lines)


def test_one_output_needs_no_column_of_outputs() -> None:
    """A problem with one output does not repeat its name in every row."""
    spec = specs.load("softmax")
    rows = gauge.gauge(spec, cases.plan(spec, "0")[:1], "0")

    assert tables.gauge(spec, rows, (), Screen()).splitlines()[1].startswith("made on purpose")
