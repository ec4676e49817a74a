"""judge/link.py, judge/program.py: one end of the pipes, with a worker that may say anything."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stand_in import write_worker

from judge.box import Event
from judge.confine import MIB, Bounds
from judge.link import Link, Reply
from judge.model import JudgeError
from judge.program import Program

RETURN = 'send({"returned": n, "error": 0, "seconds": 0.5})'
Start = Callable[..., Link]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a worker with these lines; all are ended afterwards."""
    links = []

    def run(on_call: str, *, memory_bytes: int = 256 * MIB, **given: str) -> Link:
        worker = write_worker(tmp_path, on_call, **given)
        bounds = Bounds(memory_bytes=memory_bytes, processes=4)
        links.append(Link(Program(worker, {"greeting": "hello"}, bounds, readable=(worker,))))
        return links[-1]

    yield run
    for link in links:
        link.close()


def ask(start: Start, on_call: str, seconds: float = 5.0, **given: int) -> Reply:
    """What comes of one call."""
    link = start(on_call, **given)
    assert link.load().answer == {"ready": 1}
    return link.ask({}, seconds, 0)


def test_control_an_answer_comes_back(start: Start) -> None:
    """Several calls, each with a number of its own that no answer can know before."""
    link = start("print(n)\n" + RETURN)
    link.load()

    replies = [link.ask({"arguments": []}, 5, 0) for _ in range(3)]

    numbers = link.printed()[0].split()
    assert all(one.event is Event.READABLE for one in replies)
    assert [one.answer and str(one.answer["returned"]).encode() for one in replies] == numbers
    assert len(set(numbers)) == 3


def test_a_message_arrives_with_its_setting(start: Start) -> None:
    """The worker reads its setting from the command line, and each message as one line."""
    link = start('print(setting["greeting"], message["arguments"], len(message))\n' + RETURN)
    link.load()

    link.ask({"arguments": [1, "two\n"]}, 5, 0)

    assert link.printed() == (b"hello [1, 'two\\n'] 2\n", False)


FALSE_ANSWERS = {
    "a number that was not asked": 'send({"returned": n + 1, "error": 0, "seconds": 0.5})',
    "no number": 'send({"returned": True, "error": 0, "seconds": 0.5})',
    "a field too many": 'send({"returned": n, "error": 0, "seconds": 0.5, "verdict": "AC"})',
    "a field too few": 'send({"returned": n, "error": 0})',
    "a field of another type": 'send({"returned": n, "error": "0", "seconds": 0.5})',
    "a bool for a number": 'send({"returned": n, "error": False, "seconds": 0.5})',
    "a list": "send([n])",
    "no JSON": 'os.write(answers, b"garbage\\n")',
    "deep JSON": 'os.write(answers, b"[" * 4000 + b"\\n")',
    "a line without an end": 'os.write(answers, b"x" * 6000); time.sleep(9)',
    "a closed pipe": "os.close(answers); time.sleep(9)",
}


@pytest.mark.parametrize("lie", FALSE_ANSWERS.values(), ids=FALSE_ANSWERS)
def test_what_is_no_answer_is_not_believed(start: Start, lie: str) -> None:
    """Nothing but a return of exactly this call is an answer; all else ends the worker at once."""
    started = time.monotonic()

    reply = ask(start, lie)

    assert reply.answer is None
    assert reply.event is Event.READABLE
    assert reply.returncode is not None
    assert time.monotonic() - started < 4


def test_the_start_of_garbage_is_kept(start: Start) -> None:
    """A few bytes of what came instead of an answer, to be shown."""
    assert ask(start, 'os.write(answers, b"abc" + b"x" * 99 + b"\\n")').garbage == (
        b"abc" + b"x" * 37
    )


def test_an_answer_sent_before_the_call_is_not_its_answer(start: Start) -> None:
    """A worker that answers twice is caught at the next call."""
    link = start(RETURN + "\n" + RETURN)
    link.load()

    first = link.ask({}, 5, 0)
    second = link.ask({}, 5, 0)

    assert first.answer is not None
    assert second.answer is None


def test_other_fields_may_be_asked_for(start: Start) -> None:
    """The caller says which fields an answer has, and of which types."""
    link = start('send({"returned": n, "us": 1.5, "launches": []})')
    link.load()

    reply = link.ask({}, 5, 0, {"us": float, "launches": list})

    assert reply.answer is not None
    assert reply.answer["us"] == 1.5


@pytest.mark.parametrize(
    ("end", "returncode"),
    [
        ("os._exit(7)", 7),
        ("os.abort()", -signal.SIGABRT),
        # A GPU's driver gives memory back after the pipes are closed and before the process ends.
        ("os.close(answers)\ntime.sleep(0.6)\nos.abort()", -signal.SIGABRT),
    ],
)
def test_an_end_keeps_its_status(start: Start, end: str, returncode: int) -> None:
    """How the worker ended is told apart; a box that hides signals says 128 + n."""
    reply = ask(start, end)

    assert (reply.answer, reply.event) == (None, Event.ENDED)
    assert reply.returncode in (returncode, 128 - returncode if returncode < 0 else returncode)


def test_time_is_up(start: Start) -> None:
    """A silent worker is stopped at its deadline, after a moment to say where it is."""
    started = time.monotonic()

    reply = ask(start, "time.sleep(30)", seconds=0.3)

    assert (reply.answer, reply.event) == (None, Event.TIME)
    assert time.monotonic() - started < 3


def test_a_stopped_worker_may_say_where_it_is(start: Start) -> None:
    """SIGTERM comes first, and a note written then is kept."""
    note = json.dumps({"kind": "stopped", "kernel": "gemm"}) + "\n"
    handler = f"lambda *_: os.write(notes, {note!r}.encode())"

    reply = ask(start, f"signal.signal(signal.SIGTERM, {handler})\ntime.sleep(30)", seconds=0.5)

    assert [one.kernel for one in reply.notes] == ["gemm"]


def test_notes_come_with_the_answer(start: Start) -> None:
    """What the runtime wrote during a call belongs to that call."""
    note = json.dumps({"kind": "signal", "signal": 8}) + "\n"

    reply = ask(start, f"os.write(notes, {note!r}.encode())\n" + RETURN)

    assert reply.answer is not None
    assert [one.kind for one in reply.notes] == ["signal"]


def test_a_flood_of_notes_does_not_hide_the_answer(start: Start) -> None:
    """Megabytes on the notes pipe are read and dropped."""
    reply = ask(start, "for _ in range(300): os.write(notes, b'x' * 60000)\n" + RETURN)

    assert reply.answer is not None


def test_memory_is_bounded(start: Start) -> None:
    """A worker that takes more than its bound is ended."""
    reply = ask(start, "taken = b'x' * (200 << 20)\ntime.sleep(9)", memory_bytes=100 * MIB)

    assert (reply.answer, reply.event) == (None, Event.MEMORY)


def test_a_worker_that_does_not_start_is_the_judge_s_fault(start: Start) -> None:
    """Before the submission is loaded only our own code has run; its last words are told."""
    link = start("", start="raise SystemExit('no runtime here')")

    with pytest.raises(JudgeError, match=r"worker: did not start: .*: no runtime here$"):
        link.load()


def test_a_refusal_is_handed_on(start: Start) -> None:
    """A submission that cannot be loaded is no start that failed."""
    link = start("", start='send({"started": 1}); send({"refused": "no symbol"})')

    assert link.load().answer == {"refused": "no symbol"}


def test_the_environment_is_the_judge_s_choice(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A submission sees nothing of the user's environment."""
    monkeypatch.setenv("SECRET_TOKEN", "1234")
    link = start("print(sorted(os.environ), os.getcwd())\n" + RETURN)
    link.load()

    link.ask({}, 5, 0)

    told = link.printed()[0].decode()
    assert "SECRET_TOKEN" not in told
    assert "'HOME'" in told


def test_everything_is_given_back(start: Start) -> None:
    """A closed link leaves no process, no descriptor and no folder, whatever was put there."""
    before = len(os.listdir("/proc/self/fd"))
    link = start("print(os.getcwd())\n" + RETURN)
    link.load()
    link.ask({}, 5, 0)
    folder = link.printed()[0].decode().strip()
    existed = os.path.isdir(folder)
    Path(folder, "a", "b").mkdir(parents=True)

    link.close()

    assert existed
    assert not os.path.exists(folder)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_program_names_its_pipes_and_its_needs() -> None:
    """The command line holds the setting with the pipes; the interpreter's own files are needed."""
    program = Program(
        Path("/w/worker.py"),
        {"library": "s.so"},
        Bounds(memory_bytes=MIB),
        flags=("-I",),
        environment={"HOME": "/elsewhere", "EXTRA": "1"},
        readable=(Path("/s.so"),),
    )

    *head, setting = program.command({"calls": 3, "answers": 4})

    assert head == [sys.executable, "-I", "/w/worker.py"]
    told = json.loads(setting)
    assert (told["library"], told["calls"], told["answers"]) == ("s.so", 3, 4)
    assert program.variables(Path("/cwd"))["TMPDIR"] == "/cwd"
    assert program.variables(Path("/cwd"))["HOME"] == "/elsewhere"
    assert program.variables(Path("/cwd"))["EXTRA"] == "1"
    assert {"/s.so", sys.prefix} <= set(told["cage"]["reads"])
    assert told["cage"]["writes"] == []
