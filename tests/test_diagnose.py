"""What a wrong output says: the reason for machines, the sentence and the details for people."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from gemm_calls import RAGGED, Call, call

from judge import checker
from judge.compare import poison
from judge.elements import encode, rounded
from judge.find import ROOT
from judge.model import Array, Dtype, Fault, Outcome, Reason, Role, Verdict

CALL, LATER = call(RAGGED, 0), call(RAGGED, 1)


def fault(c: Call, output: Array, before: Call | None = None) -> Fault:
    """The fault of a call that left this output."""
    found = c.check(output, before).fault
    assert found is not None
    assert found.verdict is Verdict.WA
    return found


def as_out(c: Call) -> Call:
    """The same call with C of role OUT: the buffer holds poison before it, and C is not read."""
    signature = tuple(
        replace(argument, role=Role.OUT) if argument.name == "C" else argument
        for argument in c.spec.signature
    )
    return replace(c, spec=replace(c.spec, signature=signature))


def test_a_mismatch_says_count_place_and_worst_element() -> None:
    """The two lines a learner reads first."""
    output = CALL.right
    output[64] = 0

    found = fault(CALL, output)

    j = int(np.argmax(np.abs(CALL.truth[64]) / CALL.expected["C"].allowed[64]))
    value, allowed = CALL.truth[64, j], CALL.expected["C"].allowed[64, j]
    assert found.reason is Reason.MISMATCH
    assert found.message == (
        "33 of 2145 elements wrong, all in row 64 (the tail of M for tiles of 8, 16, 32, 64)"
    )
    assert found.details == (
        f"worst C[64, {j}]: got 0, expected {value:.6g}, error {abs(value):.3g}, "
        f"allowed {allowed:.3g}, usage {abs(value) / allowed:.4g}",
        "every wrong element holds 0",
    )


def test_an_output_never_written_is_unwritten() -> None:
    """The poison of an OUT array, in the tail only; the worst line says it in words."""
    c = as_out(CALL)
    output = c.right
    output[:, 32] = poison(Dtype.FLOAT16)[0]

    found = fault(c, output)

    assert found.reason is Reason.UNWRITTEN
    assert found.message == (
        "65 of 2145 elements never written (init: poison), "
        "all in column 32 (the tail of N for tiles of 8, 16, 32)"
    )
    assert "got nothing (never written), expected" in found.details[0]


def test_an_inout_array_left_as_it_was_is_unwritten() -> None:
    """C in place: where its old content is wrong and still there, nothing was written."""
    found = fault(CALL, CALL.C)

    assert found.reason is Reason.UNWRITTEN
    assert found.message == "all 2145 elements left unchanged"


def test_some_unwritten_elements_among_wrong_ones_are_counted() -> None:
    """Half of the wrong elements unwritten: a mismatch, with the share in the details."""
    c = as_out(CALL)
    output = c.right
    output[0] = poison(Dtype.FLOAT16)[0]
    output[1] = 100 + np.arange(33)

    found = fault(c, output)

    assert found.reason is Reason.NONFINITE
    assert "33 of the 66 wrong elements were never written" in found.details


def test_elements_copied_from_memory_nobody_wrote_are_no_unwritten_output() -> None:
    """The CPU backend fills such memory with another NaN than outputs: that tells them apart."""
    header = (ROOT / "judge" / "emu" / "emu.h").read_text(encoding="utf-8")
    filled = re.search(r"enum { EMU_UNDEFINED = (0x[0-9A-F]+) }", header)
    assert filled
    c = as_out(CALL)
    output = c.right
    output[3, :5] = np.array(int(filled[1], 16), dtype=np.uint16).view(np.float16)

    found = fault(c, output)

    assert found.reason is Reason.NONFINITE
    assert any(
        line.startswith("all 5 wrong elements were copied from memory that nothing had written")
        for line in found.details
    )


def test_the_previous_answer_is_stale() -> None:
    """Rows that hold what the call before computed."""
    output = LATER.right
    output[16:32] = CALL.right[16:32]

    found = fault(LATER, output, before=CALL)

    assert found.reason is Reason.STALE
    assert found.message == (
        "528 of 2145 elements left over from the previous call, "
        "all in rows 16..31 (the second tile of 16 rows)"
    )


def test_a_fault_of_the_second_call_alone_says_so() -> None:
    """Whoever repeats the case by hand with one call would see nothing."""
    output = LATER.right
    output[0] = 0

    assert checker.SECOND_CALL in fault(LATER, output, before=CALL).details
    assert checker.SECOND_CALL not in fault(LATER, output).details


def test_zeros_twice_are_not_stale() -> None:
    """A kernel that always gives zeros repeats itself, but never computed that answer."""
    found = fault(LATER, np.zeros((65, 33)), before=CALL)

    assert found.reason is Reason.MISMATCH
    assert "every wrong element holds 0" in found.details


def test_zeros_where_the_previous_answer_was_zero_are_not_stale() -> None:
    """Elements that all hold one number may be the previous answer by chance."""
    case = "integers,M=20,N=20,K=9,alpha=1,beta=1"
    before, now = call(case, 0), call(case, 1)

    found = fault(now, np.where(before.truth == 0, 0, now.truth), before)

    assert found.reason is Reason.MISMATCH


def test_a_previous_call_of_another_size_is_no_evidence() -> None:
    """Only the same elements can be compared."""
    other = call("normal,M=33,N=65,K=17,alpha=-1.25,beta=0.5")
    stale = other.truth.reshape(65, 33)

    assert fault(CALL, stale, before=other).reason is Reason.MISMATCH


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_none_is_nonfinite(value: float) -> None:
    """NaN and infinities where the answer is finite."""
    output = CALL.right
    output[5, 7] = value

    found = fault(CALL, output)

    assert found.reason is Reason.NONFINITE
    assert found.message == "1 of 2145 elements wrong, NaN or infinite, all in row 5, column 7"


def test_lower_precision_is_a_reason_of_its_own() -> None:
    """Inputs cut to bfloat16: everything nearly right, and how far off in the message."""
    a, b = rounded(CALL.A, Dtype.BFLOAT16), rounded(CALL.B, Dtype.BFLOAT16)

    found = fault(CALL, CALL.alpha * (a @ b) + CALL.beta * CALL.C)

    assert found.reason is Reason.PRECISION
    assert "elements not precise enough, up to" in found.message
    assert "the output equals the result with A and B cut to bfloat16" in found.details


def test_small_errors_of_unknown_origin_are_precision_too() -> None:
    """Noise of a thousandth: no formula explains it, but nothing is far from right."""
    noise = np.random.default_rng(3).normal(scale=1e-3, size=CALL.truth.shape)

    assert fault(CALL, CALL.truth * (1 + noise) + noise).reason is Reason.PRECISION


def test_a_small_error_in_an_exact_family_is_a_mismatch() -> None:
    """Integers that are off by one are wrong, not imprecise."""
    c = call("integers,M=20,N=20,K=40,alpha=1,beta=1")

    found = fault(c, c.truth + 1)

    assert found.reason is Reason.MISMATCH
    assert found.details[1:] == ("the wrong elements are all off by +1",)


def test_equal_looking_numbers_are_shown_with_all_digits() -> None:
    """got and expected never read the same in a line that says they differ."""
    c = CALL
    spec = replace(
        c.spec,
        signature=tuple(
            replace(a, dtype=Dtype.FLOAT64) if a.name == "C" else a for a in c.spec.signature
        ),
    )
    exact = {"C": replace(c.expected["C"], allowed=np.zeros(c.truth.shape))}
    data = replace(c.data, arrays={**c.data.arrays, "C": c.C})
    output = c.truth.copy()
    output[3, 4] = np.nextafter(output[3, 4], np.inf)

    found = checker.check(spec, data, exact, Outcome(True, {"C": output})).fault

    assert found is not None
    got, expected = found.details[0].split("got ")[1].split(", error")[0].split(", expected ")
    assert got != expected


def test_two_wrong_outputs_are_both_named() -> None:
    """The first gives the reason, the other a line of its own."""
    c = CALL
    other = replace(c.spec.argument("C"), name="D", role=Role.OUT)
    spec = replace(
        c.spec,
        signature=(*c.spec.signature, other),
        reference={**c.spec.reference, "D": c.spec.reference["C"]},
        tolerance={**c.spec.tolerance, "D": c.spec.tolerance["C"]},
    )
    expected = {"C": c.expected["C"], "D": c.expected["C"]}
    bad = c.right
    bad[64] = 0
    outcome = Outcome(True, {"C": bad, "D": encode(-c.truth, Dtype.FLOAT16)})

    check = checker.check(spec, c.data, expected, outcome)

    assert check.fault is not None
    assert check.fault.message.startswith("C: 33 of 2145 elements wrong")
    assert any(line.startswith("D: all 2145 elements wrong") for line in check.fault.details)
    assert (check.wrong, check.total) == (33 + 2145, 2 * 2145)


def test_a_diagnosis_is_the_same_each_time() -> None:
    """Samples are spread evenly, never drawn: two runs print the same words."""
    c = call("normal,M=129,N=131,K=127,alpha=1,beta=0.5")
    output = c.truth + np.random.default_rng(4).normal(size=c.truth.shape)

    assert fault(c, output) == fault(c, output)
