"""A spec is tested before a submission is: outputs that must pass and outputs that must not.

In come a spec and cases, out goes a row for each output made.  *Go* outputs are what honest kernels
give: the reference rounded, and float32 sums in other orders; they must be accepted.
*No-go* outputs are wrong on purpose: zeros, a copy of an input, an element stale, a term left out,
float16 sums; they must be refused.  A no-go output is `not applicable` only by a fact of the case
that is checked here and named in `why`; one that is accepted otherwise condemns the tolerance.

One rule is looser.  Lower precision (float16 sums, inputs cut to bfloat16) may hide under the
rounding of a case: a product of small integers is exact, a sum of one term is not accumulated.  It
must be refused in at least one case of the spec that has an arithmetic to lose (`verdicts`).  So
must each wrong answer that the problem names, and some case must differ from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from judge import cases as case_room
from judge import reference
from judge.compare import compare
from judge.counted import counted
from judge.elements import decode, encode
from judge.gaugeoutputs import made_outputs
from judge.model import Case, Spec


@dataclass(frozen=True)
class GaugeRow:
    """One output made on purpose, in one case.

    go:         must be accepted; otherwise must be refused
    usage:      error / allowed of its worst element
    applicable: False where it says nothing about the tolerance, for the reason in `why`
    precision:  must be refused in some case, not in every one
    named:      likewise, and some case must show it: a wrong answer that the problem names
    """

    case: Case
    output: str
    name: str
    go: bool
    usage: float
    accepted: bool
    applicable: bool = True
    why: str = ""
    precision: bool = False
    named: bool = False

    @property
    def passed(self) -> bool:
        """Whether this row alone is as it should be."""
        somewhere = self.precision or self.named
        return not self.applicable or somewhere or self.accepted == self.go


def gauge(spec: Spec, cases: Sequence[Case], seed: str) -> tuple[GaugeRow, ...]:
    """All rows of all cases, in case order."""
    return tuple(row for case in cases for row in _case_rows(spec, case, seed))


def verdicts(rows: Sequence[GaugeRow]) -> tuple[str, ...]:
    """What is wrong with the spec, a sentence each; empty if it tells right from wrong."""
    said = [_sentence(row) for row in rows if not row.passed]
    somewhere = [row for row in rows if row.precision or row.named]
    for output, name in dict.fromkeys((row.output, row.name) for row in somewhere):
        alike = [row for row in somewhere if (row.output, row.name) == (output, name)]
        tried = [row for row in alike if row.applicable]
        if not tried and alike[0].named:
            said.append(f"{output}: no case shows {name}: it is the right answer in all of them")
        if tried and all(row.accepted for row in tried):
            usage = max(row.usage for row in tried)
            said.append(
                f"{output}: tolerance accepts {name} in all {counted(len(tried), 'case')} that "
                f"could show it (largest usage {usage:.3g}); expected a refusal in at least one"
            )
    return tuple(said)


def _sentence(row: GaugeRow) -> str:
    what = "refuses" if row.go else "accepts"
    usage = f"usage {row.usage:.3g}"
    return f"{row.case.id}: {row.output}: tolerance {what} {row.name} ({usage})"


def _case_rows(spec: Spec, case: Case, seed: str) -> Iterator[GaugeRow]:
    data = case_room.make(spec, case, seed, 0)
    other = case_room.make(spec, case, seed, 1)
    answers, others = reference.expected(spec, data), reference.expected(spec, other)
    for argument in spec.outputs:
        answer = answers[argument.name]
        numbers = decode(encode(answer.value, argument.dtype), argument.dtype)
        for made in made_outputs(spec, data, argument, answer, others[argument.name]):
            found = compare(argument, made.stored, answer, data.before(argument))
            same = np.array_equal(decode(made.stored, argument.dtype), numbers, equal_nan=True)
            why = made.why
            if same and not made.go:
                why = why or "it is the right answer in this case"
            yield GaugeRow(
                case=case,
                output=argument.name,
                name=made.name,
                go=made.go,
                usage=found.usage,
                accepted=not found.wrong.any(),
                applicable=not why,
                why=why,
                precision=made.precision,
                named=made.named,
            )
