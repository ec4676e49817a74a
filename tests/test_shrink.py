"""Shrinking: the smallest case that fails the same way."""

from __future__ import annotations

from judge import cases, shrink
from judge import spec as specs
from judge.model import Case, CaseResult, Fault, Reason, Verdict

SPEC = specs.load("gemm_fp16")
WA = Fault(Verdict.WA, Reason.MISMATCH, "wrong")
RE = Fault(Verdict.RE, Reason.OUT_OF_BOUNDS, "out")


def case(m: int, n: int, k: int) -> Case:
    """A case of these sizes."""
    return cases.parse_id(SPEC, f"normal,M={m},N={n},K={k},alpha=1,beta=0")


def test_shrinking_finds_the_corner_of_a_condition() -> None:
    """A bug that needs K >= 33 and M >= 5 is shown at M = 5, N = 1, K = 33."""

    def fails(one: Case) -> CaseResult | None:
        wrong = one.sizes["K"] >= 33 and one.sizes["M"] >= 5
        return CaseResult(one, WA) if wrong else None

    found = shrink.shrink(SPEC, CaseResult(case(129, 65, 257), WA), fails)

    assert found.case.sizes == {"M": 5, "N": 1, "K": 33}


def test_what_cannot_be_shrunk_stays() -> None:
    """Where no smaller case fails, the case is the answer."""
    start = CaseResult(case(17, 1, 1), WA)

    assert shrink.shrink(SPEC, start, lambda one: None) is start


def test_tries_are_bounded() -> None:
    """A bug that always shows costs at most the budget of tries."""
    tried: list[str] = []

    def fails(one: Case) -> CaseResult | None:
        tried.append(one.id)
        return None

    shrink.shrink(SPEC, CaseResult(case(8192, 8192, 1), WA), fails)

    assert len(tried) == len(set(tried)) <= shrink.TRIES


def test_another_fault_is_another_bug() -> None:
    """A crash is not a smaller form of a wrong answer."""
    one = case(1, 1, 1)

    assert shrink.same_fault(CaseResult(one, WA), CaseResult(one, WA))
    assert not shrink.same_fault(CaseResult(one, WA), CaseResult(one, RE))
    assert not shrink.same_fault(CaseResult(one, None), CaseResult(one, None))


def test_search_starts_from_the_least_work() -> None:
    """Of all results that failed alike, the cheapest is shrunk."""
    large, small, other = case(64, 64, 64), case(3, 4, 5), case(1, 1, 1)
    results = [CaseResult(large, WA), CaseResult(small, WA), CaseResult(other, RE)]

    assert shrink.smallest_of(results, results[0], SPEC).case == small
