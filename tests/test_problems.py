"""Every problem: its tolerance refuses what is wrong, and it has the files that it needs.

`make lint-problem` looks at more cases; here a few of each family have to do.  Its submissions and
its starter are judged by test_ladder.py, the wrong ones by test_verdicts.py.
"""

from __future__ import annotations

import pytest

from judge import caseids, cases, expr, gauge, lintfiles, lintspec, reference, spec
from judge.find import ROOT
from judge.model import Case, Flaw, Spec

SPECS = [spec.load(slug) for slug in spec.slugs()]
SEED = "test"
EACH = 5  # cases of a family
COST = 3e5  # operations and bytes of a case that the gauge is shown
TIMED_WORK = 1e8  # operations of a timed size whose answers take seconds, and no minutes


def few(problem: Spec) -> tuple[Case, ...]:
    """Of each family some cheap cases, from the smallest to the largest, the fixed ones too."""

    def cost(case: Case) -> float:
        return cases.work(problem, case) + spec.array_bytes(problem, case.sizes)

    planned = sorted(cases.plan(problem, SEED), key=cost)
    chosen: list[Case] = []
    for family in problem.families:
        of_it = [case for case in planned if case.family == family.name]
        cheap = [case for case in of_it if cost(case) <= COST] or of_it[:1]
        places = {round(i * (len(cheap) - 1) / (EACH - 1)) for i in range(EACH)}
        chosen += [cheap[place] for place in sorted(places) if cheap]
    return tuple(chosen)


@pytest.mark.parametrize("problem", SPECS, ids=lambda problem: problem.slug)
def test_the_gauge_tells_right_from_wrong(problem: Spec) -> None:
    """Outputs made right on purpose pass, those made wrong do not."""
    rows = gauge.gauge(problem, few(problem), SEED)

    assert gauge.verdicts(rows) == ()
    assert any(not row.go and row.applicable and not row.accepted for row in rows)


@pytest.mark.parametrize("problem", SPECS, ids=lambda problem: problem.slug)
def test_a_problem_has_the_sizes_that_matter(problem: Spec) -> None:
    """Cases with 1, 2, 3 and ragged sizes, timed ones that fill a GPU, and formulas that fit."""
    planned = cases.plan(problem, SEED)
    flaws: list[Flaw] = [
        *lintspec.sizes(problem, planned),
        *lintspec.timed(problem),
        *lintspec.formulas(problem, planned),
    ]

    assert [str(flaw) for flaw in flaws] == []


SUMS_IN_HALF = [
    problem
    for problem in SPECS
    if any(one.dtype.value == "float16" for one in problem.outputs)
    and expr.sizes(problem.work, problem.timed[0]) <= TIMED_WORK
]


@pytest.mark.parametrize("seed", ["0", "1", "2"])
@pytest.mark.parametrize("problem", SUMS_IN_HALF, ids=lambda problem: problem.slug)
def test_a_half_holds_the_sums_of_a_timed_size(problem: Spec, seed: str) -> None:
    """The longest sums there are have a right answer, whatever was drawn; else no time is taken."""
    data = cases.make(problem, caseids.timed(problem)[0], seed, 2)

    answers = reference.expected(problem, data)

    assert set(answers) == {one.name for one in problem.outputs}


@pytest.mark.parametrize("problem", SPECS, ids=lambda problem: problem.slug)
def test_a_problem_has_its_files(problem: Spec) -> None:
    """A right submission, two wrong ones named by their verdicts, and nothing left to edit."""
    flaws: list[Flaw] = [
        *lintfiles.marks(problem, ROOT),
        *lintfiles.right(ROOT / "submissions" / problem.slug),
        *lintfiles.wrong(ROOT / lintfiles.SUBMISSIONS / problem.slug),
    ]

    assert [str(flaw) for flaw in flaws] == []
