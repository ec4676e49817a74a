"""What only a whole spec shows: does each expression work at the sizes the spec names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge import spec, speccheck, yamlpos
from judge.model import SpecError

GEMM = spec.load("gemm_fp16")
PATH = Path(spec.PROBLEMS / "gemm_fp16" / "problem.yaml")


def test_lengths_of_one_do_not_count() -> None:
    """A sum that keeps its axis fits an output of one element."""
    assert speccheck.fitting((1, 5), (5,))
    assert speccheck.fitting((), (1,))
    assert not speccheck.fitting((5, 2), (5,))
    assert not speccheck.fitting((2, 5), (5, 2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"work": "M // (N - 64)"}, "cases.fixed[1].sizes: got a division by zero in M //"),
        ({"reference": {"C": "A @ A"}}, "reference.C: shapes (3, 5) and (3, 5) do not fit"),
        ({"reference": {"C": "A"}}, "reference.C: got shape (3, 5) at"),
        ({"reference": {"C": "exp(A @ B)"}}, "reference.C: got exp, for which the rule rounding"),
        ({"require": ("M < N", "N < M")}, "families.normal: got no small sizes"),
    ],
)
def test_an_expression_that_fails_is_named_with_its_place(
    change: dict[str, object], message: str
) -> None:
    """The value that is wrong, with its line, before any case is drawn."""
    given = yamlpos.read(PATH).entries()

    with pytest.raises(SpecError) as error:
        speccheck.check(replace(GEMM, **change), given)  # type: ignore[arg-type]

    assert message in str(error.value)
