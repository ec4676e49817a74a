"""Inputs and answers made ahead: as made on demand, bounded, never waited for in vain."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from judge import answers as answers_room
from judge import cases
from judge import spec as specs
from judge.answers import Answers
from judge.model import Case, SpecError

SPEC = specs.load("gemm_fp16")
PLANNED = tuple(
    cases.parse_id(SPEC, f"normal,M={n},N={n},K={n},alpha=1,beta=0.5") for n in (3, 40, 5, 64, 7)
)


def test_what_is_made_ahead_is_what_would_be_made_on_demand() -> None:
    """A thread changes when, never what."""
    with Answers(SPEC, "ab") as ahead, Answers(SPEC, "ab") as late:
        ahead.start(PLANNED)
        for case in PLANNED:
            for round_ in (0, 1):
                one, other = ahead.take(case, round_), late.take(case, round_)
                assert np.array_equal(one[0].arrays["A"], other[0].arrays["A"])
                assert np.array_equal(one[1]["C"].value, other[1]["C"].value)


def test_calls_that_are_passed_over_do_not_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """A case that failed in its first call leaves its second unused, however little the room."""
    monkeypatch.setattr(answers_room, "AHEAD_BYTES", 1)
    with Answers(SPEC, "ab") as ahead:
        ahead.start(PLANNED)
        taken = [ahead.take(case, 0)[0].case for case in PLANNED]

    assert taken == list(PLANNED)


def test_what_lies_ready_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is made once enough lies ready."""
    made: list[str] = []
    make = cases.make

    def counting(spec: object, case: Case, *rest: object) -> object:
        made.append(case.id)
        return make(SPEC, case, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(answers_room, "AHEAD_BYTES", 1)
    monkeypatch.setattr(cases, "make", counting)
    with Answers(SPEC, "ab") as ahead:
        ahead.start(PLANNED)
        time.sleep(0.2)

        assert len(made) == 1


def test_unplanned_calls_are_made_at_once() -> None:
    """A case found by shrinking is no part of the plan."""
    other = cases.parse_id(SPEC, "normal,M=2,N=2,K=2,alpha=1,beta=0")
    with Answers(SPEC, "ab") as ahead:
        ahead.start(PLANNED)

        assert ahead.take(other, 1)[0].case == other


def test_an_error_of_making_reaches_who_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spec that asks for the impossible is not a verdict, nor a thread that died in silence."""

    def refuse(*_: object) -> None:
        raise SpecError("problem.yaml", 3, "reference", "no such array")

    monkeypatch.setattr(cases, "make", refuse)
    with Answers(SPEC, "ab") as ahead:
        ahead.start(PLANNED)
        with pytest.raises(SpecError, match="no such array"):
            ahead.take(PLANNED[0], 0)


def test_closing_ends_the_thread() -> None:
    """A run that stops early leaves nothing running."""
    before = threading.active_count()
    ahead = Answers(SPEC, "ab")
    ahead.start(PLANNED * 50)
    ahead.close()

    assert threading.active_count() == before
    assert ahead.take(PLANNED[0], 0)[0].case == PLANNED[0]


def test_schedules_differ_and_are_never_forward() -> None:
    """Each call has an order of its own, the same in every run with that seed."""
    with Answers(SPEC, "ab") as one, Answers(SPEC, "ab") as other:
        orders = [one.schedule(case, round_) for case in PLANNED for round_ in (0, 1)]

        assert len(set(orders)) == len(orders)
        assert 0 not in orders
        assert orders == [other.schedule(case, round_) for case in PLANNED for round_ in (0, 1)]
