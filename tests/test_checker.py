"""The checker accepts what is shown to be right and nothing else, and blames the right party."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from gemm_calls import call

from judge import checker
from judge.compare import CHUNK, compare, poison
from judge.elements import encode
from judge.model import Argument, Array, Dtype, Expected, Fault, Outcome, Reason, Role, Verdict

ROWS = yaml.safe_load((Path(__file__).parent / "checker.yaml").read_text(encoding="utf-8"))
CALL = call()
LAUNCH = Fault(Verdict.RE, Reason.LAUNCH_LIMITS, "block (64, 64, 1) = 4096 threads, limit 1024")


def stored(value: Any, dtype: Dtype) -> Array:
    """One element as the buffer of an output holds it."""
    if value == "poison":
        return poison(dtype).copy()
    if dtype.is_float:
        return encode(np.array([value], dtype=np.float64), dtype)
    return np.array([value], dtype=dtype.storage)


@pytest.mark.parametrize("side", ["ac", "wa"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["what"])
def test_an_element_is_accepted_only_within_the_allowed_error(row: Any, side: str) -> None:
    """Each `ac` of tests/checker.yaml is right and each `wa` is wrong."""
    dtype = Dtype(row["dtype"])
    argument = Argument("C", dtype, Role.OUT, ("N",))
    value = np.array([row["expected"]], dtype="f8" if dtype.is_float else dtype.storage)
    expected = Expected(value, np.array([float(row["allowed"])]))

    wrong = [
        bool(compare(argument, stored(element, dtype), expected, None).wrong[0])
        for element in row[side]
    ]

    assert wrong == [side == "wa"] * len(row[side])


def test_the_right_answer_is_accepted_with_every_element_counted() -> None:
    """AC: no fault, checked == total, a usage below 1 and its worst element."""
    check = CALL.check(CALL.right)

    assert check.fault is None
    assert (check.checked, check.total, check.wrong) == (2145, 2145, 0)
    assert 0.5 < check.usage <= 1
    assert check.worst is not None
    assert check.worst.usage == check.usage


@pytest.mark.parametrize("place", [0, CHUNK - 1, CHUNK, CHUNK + 6])
def test_one_wrong_element_is_found_anywhere(place: int) -> None:
    """The checker looks at all elements of a large output, across the parts it works in."""
    argument = Argument("C", Dtype.UINT8, Role.OUT, ("N",))
    value = np.arange(CHUNK + 7).astype(np.uint8)
    got = value.copy()
    got[place] ^= 1

    found = compare(argument, got, Expected(value, np.zeros(value.shape)), None)

    assert np.flatnonzero(found.wrong).tolist() == [place]
    assert found.worst.index == (place,)


def test_the_worst_element_is_the_one_furthest_beyond_what_is_allowed() -> None:
    """Usage, not error, makes the worst: a large error may be allowed where numbers are large."""
    argument = Argument("C", Dtype.FLOAT32, Role.OUT, ("N",))
    expected = Expected(np.array([1000.0, 1.0]), np.array([100.0, 0.01]))

    worst = compare(argument, np.array([1050, 1.5], np.float32), expected, None).worst

    assert (worst.index, worst.got, worst.error, worst.usage) == ((1,), 1.5, 0.5, 50.0)


def test_a_silent_worker_is_not_accepted() -> None:
    """A call that was not acknowledged fails, whatever lies in the buffers."""
    outcome = Outcome(returned=False, outputs={"C": CALL.right})

    check = checker.check(CALL.spec, CALL.data, CALL.expected, outcome)

    assert check.fault is not None
    assert (check.fault.verdict, check.fault.reason) == (Verdict.RE, Reason.EXITED)
    assert check.checked == 0


def test_a_fault_that_ended_the_call_is_the_verdict() -> None:
    """The backend's reason is passed on as it is."""
    fault = Fault(Verdict.TLE, Reason.TIMEOUT, "stopped after 10 s")
    outcome = Outcome(returned=False, fault=fault)

    assert checker.check(CALL.spec, CALL.data, CALL.expected, outcome).fault is fault


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (None, "not copied out"),
        (CALL.right[:-1], "got shape (64, 33)"),
        (CALL.right.astype(np.float32), "got float32, expected float16"),
    ],
    ids=["missing", "short", "type"],
)
def test_an_output_that_does_not_fit_is_our_fault(output: Array | None, message: str) -> None:
    """The judge owns the buffers: a missing, short or mistyped output is JE, and never accepted."""
    outputs = {} if output is None else {"C": output}

    check = checker.check(CALL.spec, CALL.data, CALL.expected, Outcome(True, outputs))

    assert check.fault is not None
    assert check.fault.verdict is Verdict.JE
    assert message in check.fault.message
    assert check.checked == 0


@pytest.mark.parametrize("allowed", [np.nan, np.inf, -1.0])
def test_a_tolerance_that_is_no_number_is_our_fault(allowed: float) -> None:
    """An infinite allowed error would accept anything, a NaN nothing: neither judges."""
    slack = CALL.expected["C"].allowed.copy()
    slack[3, 4] = allowed
    expected = {"C": replace(CALL.expected["C"], allowed=slack)}

    check = checker.check(CALL.spec, CALL.data, expected, Outcome(True, {"C": CALL.right}))

    assert check.fault is not None
    assert check.fault.verdict is Verdict.JE


def test_a_failed_launch_explains_a_wrong_answer() -> None:
    """RE with the launch first, the wrong elements after it."""
    fault = CALL.check(CALL.C, fault=LAUNCH).fault

    assert fault is not None
    assert (fault.verdict, fault.reason, fault.message) == (
        Verdict.RE,
        Reason.LAUNCH_LIMITS,
        LAUNCH.message,
    )
    assert fault.details[0] == "all 2145 elements left unchanged"


def test_a_failed_launch_without_harm_is_accepted_with_a_remark() -> None:
    """As on a GPU: an error nobody asked about does not change a right answer."""
    outcome = Outcome(True, {"C": CALL.right}, fault=LAUNCH)

    check = checker.check(CALL.spec, CALL.data, CALL.expected, outcome)

    assert check.fault is None
    assert checker.remarks(outcome, check) == (
        f"{LAUNCH.message} (the outputs are right all the same)",
    )


def test_a_race_is_not_excused_by_a_right_answer() -> None:
    """Right by luck is not right: only failed launches, API errors and allocations are harmless."""
    race = Fault(Verdict.RE, Reason.DATA_RACE, "two threads write shared memory at tiled.cu:20")

    fault = CALL.check(CALL.right, fault=race).fault

    assert fault == race


def test_a_written_guard_band_is_wrong_even_with_the_right_answer() -> None:
    """The sentence of the backend becomes the message."""
    fault = CALL.check(CALL.right, overwritten=("4 bytes after C were written",)).fault

    assert fault is not None
    assert (fault.verdict, fault.reason) == (Verdict.WA, Reason.GUARD_OVERWRITTEN)
    assert fault.message == "4 bytes after C were written"


def test_a_changed_input_is_wrong_even_with_the_right_answer() -> None:
    """An input belongs to the caller."""
    fault = CALL.check(CALL.right, modified=("A", "B")).fault

    assert fault is not None
    assert (fault.verdict, fault.reason) == (Verdict.WA, Reason.INPUT_MODIFIED)
    assert fault.message == "solve changed its input A, B; expected it to be only read"


def test_wrong_elements_come_before_guards_and_inputs() -> None:
    """All three at once: the wrong elements give the reason, the others stand in the details."""
    output = CALL.right
    output[64] = 7

    fault = CALL.check(output, overwritten=("2 bytes after C",), modified=("B",)).fault

    assert fault is not None
    assert fault.reason is Reason.MISMATCH
    assert fault.details[:2] == (
        "2 bytes after C",
        "solve changed its input B; expected it to be only read",
    )
