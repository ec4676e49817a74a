"""What failing cases have in common."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge import diagnose, patterns
from judge import spec as specs
from judge.cases import make_case
from judge.model import Case, CaseResult, Fault, Reason, Verdict

SPEC = specs.load("gemm_fp16")
FAULT = Fault(Verdict.WA, Reason.MISMATCH, "wrong")
SIZES = (1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 97, 127, 128, 129)
# Sizes and scalars walk at different paces, so that no two of them go together by construction.
CASES = tuple(
    make_case(
        SPEC,
        ("normal", "wide", "uniform")[i % 3],
        {"M": SIZES[i * 3 % 20], "N": SIZES[(i * 7 + i // 20 + 5) % 20], "K": SIZES[i * 11 % 19]},
        {"alpha": (1, 0.5, -1.25, 0)[i * 5 // 3 % 4], "beta": (0, 1, 0.5, -1.25)[i // 2 % 4]},
    )
    for i in range(48)
)


def said(fails: Callable[[Case], bool]) -> tuple[str, ...]:
    """The patterns of a run in which these cases fail."""
    results = [CaseResult(case, FAULT if fails(case) else None) for case in CASES]
    return diagnose.patterns(results, SPEC)


RULES: dict[str, tuple[Callable[[Case], bool], str]] = {
    "tail": (lambda c: c.sizes["K"] % 16 != 0, "K is not a multiple of 16"),
    "vector loads": (lambda c: c.sizes["N"] % 8 != 0, "N is not a multiple of 8"),
    "odd": (lambda c: c.sizes["N"] % 2 != 0, "N is not a multiple of 2"),
    "any tail": (
        lambda c: c.sizes["M"] % 8 != 0 or c.sizes["N"] % 8 != 0,
        "M or N is not a multiple of 8",
    ),
    "scalar": (lambda c: c.scalars["beta"] != 0, "beta != 0"),
    "scalar value": (lambda c: c.scalars["alpha"] == -1.25, "alpha = -1.25"),
    "shape": (lambda c: c.sizes["M"] > c.sizes["N"], "M > N"),
    "size": (lambda c: c.sizes["M"] > 64, "M >= 65"),
    "family": (lambda c: c.family == "wide", "the inputs are wide"),
    "both": (
        lambda c: c.sizes["K"] % 32 != 0 and c.scalars["beta"] != 0,
        "K is not a multiple of 32 and beta != 0",
    ),
}


@pytest.mark.parametrize(("fails", "words"), RULES.values(), ids=RULES.keys())
def test_a_rule_is_found(fails: Callable[[Case], bool], words: str) -> None:
    """One sentence, with the count, where the failing cases are exactly those of a rule."""
    count = sum(fails(case) for case in CASES)

    assert said(fails) == (f"fails exactly when {words} ({count} of 48 cases)",)


def test_a_rule_with_exceptions_bounds_the_failures() -> None:
    """Some of the ragged cases pass by luck: `only when` is still true, `exactly` is not."""
    lucky = {case.id for case in CASES[::5]}

    sentences = said(lambda c: c.sizes["K"] % 16 != 0 and c.id not in lucky)

    assert sentences[0].startswith("fails in ")
    assert sentences[1].startswith("fails only when K is not a multiple of 16 (")
    assert not any("exactly" in sentence for sentence in sentences)


def test_what_always_fails_and_what_never_fails_has_no_rule() -> None:
    """All cases: said so; none: nothing to say."""
    assert said(lambda c: True) == ("fails in all 48 cases",)
    assert said(lambda c: False) == ()


def test_one_failure_is_no_pattern() -> None:
    """A single case fits many rules by chance, so none is claimed."""
    assert said(lambda c: c is CASES[7]) == ("fails in 1 of 48 cases",)


def test_every_sentence_is_true_and_there_are_at_most_three() -> None:
    """Failures drawn at random give no rule: what is said of them is only the count."""
    for step in (3, 5, 7):
        chosen = {CASES[i * step * step % 48].id for i in range(12)}

        sentences = said(lambda c, chosen=chosen: c.id in chosen)  # type: ignore[misc]

        assert len(sentences) <= patterns.MOST
        assert sentences[0] == f"fails in {len(chosen)} of 48 cases"
        assert not any("exactly" in sentence for sentence in sentences)
