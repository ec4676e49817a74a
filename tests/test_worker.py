"""A worker and what submissions do to it: every trick ends harmless or in a fault, and in time.

Submissions are plain C++ with the runtime of tests/worker: the judge's own half is on trial here.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
from workshop import HONEST, RUN, Workshop, data, right, spec

from judge import cage, confine, processes
from judge.cpusession import Session
from judge.model import JudgeError, Outcome, Place, Reason, Verdict


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """A compiler and the plain runtime."""
    return Workshop(tmp_path_factory.mktemp("workshop"))


def once(workshop: Workshop, code: str, seconds: float = 5.0, memory_mib: int = 128) -> Outcome:
    """The outcome of one call in a session of its own."""
    with workshop.session(code, seconds, memory_mib) as session:
        return session.call(data(), schedule=0, same_addresses=False)


def test_control_honest_submission_is_right(workshop: Workshop) -> None:
    """Several calls of one session, of changing sizes, come back right."""
    with workshop.session(HONEST) as session:
        for number, (m, n) in enumerate([(3, 5), (3, 5), (1, 1), (61, 67), (512, 300)]):
            call = data(m, n, number)

            outcome = session.call(call, schedule=number, same_addresses=number == 1)

            assert right(call, outcome), (m, n, outcome)


def test_control_submission_that_does_nothing_is_wrong(workshop: Workshop) -> None:
    """An output that is not written is all NaN, also in the second call at the same addresses."""
    with workshop.session(RUN + "{ if (A[0] == 99) honest(A, C, M, N, s); }") as session:
        for number in (0, 1):
            call = data(3, 5, number)
            outcome = session.call(call, schedule=0, same_addresses=number == 1)

            assert outcome.returned
            assert not right(call, outcome)


# --------------------------------------------------------------------------------------------------
# Deaths, each with its verdict and words

SLOW = 0.4  # seconds a call may take where a trick needs the time limit

FAULTS = {
    "crash": (
        RUN + "{ honest(A, C, M, N, s); *(volatile int *)8 = 1; }",
        (Verdict.RE, Reason.SIGNAL, "SIGSEGV"),
    ),
    "exit_zero": (
        RUN + "{ honest(A, C, M, N, s); exit(0); }",
        (Verdict.RE, Reason.EXITED, "ended its process with exit status 0 during the call"),
    ),
    "exit_without_handlers": (
        RUN + "{ honest(A, C, M, N, s); _exit(0); }",
        (Verdict.RE, Reason.EXITED, "exit status 0 during the call"),
    ),
    "exit_seven": (RUN + "{ exit(7); }", (Verdict.RE, Reason.EXITED, "exit status 7")),
    "abort": (RUN + "{ abort(); }", (Verdict.RE, Reason.SIGNAL, "SIGABRT: abort()")),
    "throws": (RUN + "{ throw 3; }", (Verdict.RE, Reason.SIGNAL, "SIGABRT")),
    "kills_itself": (RUN + "{ raise(SIGKILL); }", (Verdict.RE, Reason.SIGNAL, "SIGKILL")),
    "hangs": (RUN + "{ for (;;) ; }", (Verdict.TLE, Reason.TIMEOUT, "not done after 0.4 s")),
    "sleeps": (RUN + "{ for (;;) pause(); }", (Verdict.TLE, Reason.TIMEOUT, "0.4 s")),
    "stops_itself": (RUN + "{ raise(SIGSTOP); }", (Verdict.TLE, Reason.TIMEOUT, "0.4 s")),
    "ignores_sigterm": (
        RUN + "{ signal(SIGTERM, SIG_IGN); for (;;) ; }",
        (Verdict.TLE, Reason.TIMEOUT, "0.4 s"),
    ),
    "floods_stdout": (
        RUN + '{ for (;;) puts("accepted"); }',
        (Verdict.TLE, Reason.TIMEOUT, "0.4 s"),
    ),
    "memory_hog": (
        RUN + "{ for (;;) if (void *p = malloc(1 << 20)) memset(p, 1, 1 << 20); }",
        (Verdict.MLE, Reason.MEMORY, "more than 128 MiB"),
    ),
    "constructor_exits": (
        "__attribute__((constructor)) static void early() { exit(0); }\n" + HONEST,
        (Verdict.RE, Reason.EXITED, "exit status 0 while it was loaded"),
    ),
    "constructor_crashes": (
        "__attribute__((constructor)) static void early() { abort(); }\n" + HONEST,
        (Verdict.RE, Reason.SIGNAL, "SIGABRT"),
    ),
    "undefined_symbol": (
        "void nowhere();\n" + RUN + "{ nowhere(); }",
        (Verdict.CE, Reason.COMPILE, "undefined symbol: _Z7nowherev"),
    ),
    "closes_everything": (
        RUN + "{ honest(A, C, M, N, s); for (int f = 0; f < 300; f++) close(f); }",
        (Verdict.RE, Reason.EXITED, "expected its return"),
    ),
    "closes_everything_and_stays": (
        RUN + "{ for (int f = 0; f < 300; f++) close(f); for (;;) pause(); }",
        (Verdict.RE, Reason.EXITED, "got nothing, expected its return"),
    ),
    "fakes_an_answer": (
        RUN + '{ for (int f = 3; f < 300; f++) dprintf(f, "{\\"returned\\": 1, \\"error\\": 0, '
        '\\"seconds\\": 0.1}\\n"); }',
        (Verdict.RE, Reason.EXITED, "expected its return"),
    ),
    "fakes_a_start": (
        RUN + '{ for (int f = 3; f < 300; f++) dprintf(f, "{\\"ready\\": 1}\\n"); for (;;) ; }',
        (Verdict.RE, Reason.EXITED, '{"ready": 1}'),
    ),
    "writes_zeros_everywhere": (
        RUN + "{ static char z[1 << 16]; for (int f = 3; f < 300; f++) {"
        " fcntl(f, F_SETFL, O_NONBLOCK); for (int i = 0; i < 40; i++) write(f, z, sizeof z); }"
        " for (;;) ; }",
        (Verdict.RE, Reason.EXITED, "expected its return"),
    ),
    "deep_json": (
        RUN + '{ for (int f = 3; f < 300; f++) for (int i = 0; i < 90000; i++) write(f, "[", 1);'
        " for (;;) ; }",
        (Verdict.RE, Reason.EXITED, "expected its return"),
    ),
    "reports_an_error": (
        RUN + "{ honest(A, C, M, N, s); last_error = 700; }",
        (Verdict.RE, Reason.CUDA_ERROR, "700"),
    ),
    "bad_launch": (
        RUN + '{ plain_note("{\\"kind\\": \\"launch\\", \\"kernel\\": \\"k\\", \\"line\\": 3, '
        '\\"message\\": \\"4096 threads, limit 1024\\"}\\n"); }',
        (Verdict.RE, Reason.LAUNCH_LIMITS, "k was not launched: 4096 threads, limit 1024"),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_trick_ends_in_its_fault(workshop: Workshop, name: str) -> None:
    """The verdict, the reason and the words; in time; and the next session is as good as new."""
    code, (verdict, reason, words) = FAULTS[name]
    started = time.monotonic()

    outcome = once(workshop, code, SLOW if "0.4 s" in words else 5.0)

    assert time.monotonic() - started < 3
    assert outcome.fault is not None
    assert (verdict, reason) == (outcome.fault.verdict, outcome.fault.reason)
    assert words in outcome.fault.message
    assert outcome.returned == (reason in (Reason.CUDA_ERROR, Reason.LAUNCH_LIMITS))
    assert outcome.returned or outcome.outputs == {}


def test_next_call_after_a_death_has_a_new_worker(workshop: Workshop) -> None:
    """A session goes on after a crash, a timeout and an exit, each in turn."""
    code = (
        RUN + "{ if (M == 1) abort(); if (M == 2) for (;;) ; if (M == 3) _exit(0);"
        " honest(A, C, M, N, s); }"
    )
    with workshop.session(code, SLOW) as session:
        for m in (1, 2, 3):
            assert not session.call(data(m), schedule=0, same_addresses=False).returned
            call = data(4, 5, m)
            assert right(call, session.call(call, schedule=0, same_addresses=True))


def test_death_between_two_calls_is_the_second_ones_fault(workshop: Workshop) -> None:
    """A thread that kills the process after the call has returned is not missed."""
    code = (
        "static void *late(void *) { usleep(50000); _exit(0); return 0; }\n"
        + RUN
        + "{ pthread_t t; pthread_create(&t, 0, late, 0); honest(A, C, M, N, s); }"
    )
    with workshop.session(code) as session:
        assert session.call(data(), schedule=0, same_addresses=False).returned
        time.sleep(0.2)

        outcome = session.call(data(), schedule=0, same_addresses=False)

    assert not outcome.returned
    assert outcome.fault is not None
    assert outcome.fault.reason is Reason.EXITED


def test_answer_prepared_for_the_next_call_is_not_taken(workshop: Workshop) -> None:
    """A well-formed answer that waits in the pipe does not carry the number of the call."""
    fake = '{\\"returned\\": 1, \\"error\\": 0, \\"seconds\\": 0.1}\\n'
    code = (
        "static void *late(void *) { usleep(50000);"
        f' for (int f = 3; f < 300; f++) dprintf(f, "{fake}"); return 0; }}\n'
        + RUN
        + "{ static int calls; if (calls++) for (;;) ; honest(A, C, M, N, s);"
        " pthread_t t; pthread_create(&t, 0, late, 0); }"
    )
    with workshop.session(code) as session:
        assert session.call(data(), schedule=0, same_addresses=False).returned
        time.sleep(0.2)

        outcome = session.call(data(), schedule=0, same_addresses=False)

    assert not outcome.returned
    assert outcome.fault is not None
    assert outcome.fault.reason is Reason.EXITED


def test_timeout_names_the_line_of_a_note(workshop: Workshop) -> None:
    """On SIGTERM the runtime says where it is; the fault carries the place."""
    note = '{\\"kind\\": \\"stopped\\", \\"host\\": 1, \\"line\\": 7}\\n'
    code = f'static void stop(int) {{ plain_note("{note}"); pause(); }}\n' + (
        RUN + "{ signal(SIGTERM, stop); for (;;) ; }"
    )

    fault = once(workshop, code, SLOW).fault

    assert fault is not None
    assert fault.place is not None
    assert fault.place.line == 7
    assert fault.details == ("it was in host code then",)


def test_fault_note_gives_the_place(workshop: Workshop) -> None:
    """What the runtime noted before it died explains the death, and names the user's file."""
    note = '{\\"kind\\": \\"fault\\", \\"access\\": \\"read\\", \\"buffer\\": \\"null\\", '
    note += '\\"address\\": \\"0x0\\", \\"host\\": 1, \\"line\\": 3}\\n'
    with workshop.session(RUN + f'{{ plain_note("{note}"); _exit(139); }}') as session:
        fault = session.call(data(), schedule=0, same_addresses=False).fault

    assert fault is not None
    assert fault.reason is Reason.OUT_OF_BOUNDS
    assert isinstance(fault.place, Place)
    assert fault.place.file.endswith(".cu")


# --------------------------------------------------------------------------------------------------
# Tricks that must change nothing

HARMLESS = {
    "registers_an_exit_handler": (
        "static void hang() { for (;;) ; }\n" + RUN + "{ atexit(hang); honest(A, C, M, N, s); }"
    ),
    "constructor_prints": (
        '__attribute__((constructor)) static void early() { write(1, "AC\\n", 3); }\n' + HONEST
    ),
    "kills_its_parent": RUN + "{ kill(getppid(), 9); kill(-1, 9); honest(A, C, M, N, s); }",
    "lowers_its_parents_limits": (
        RUN + "{ rlimit r = {0, 0}; prlimit(getppid(), RLIMIT_NOFILE, &r, 0);"
        " honest(A, C, M, N, s); }"
    ),
    "resizes_the_arena": (
        RUN + "{ for (int f = 3; f < 300; f++) { ftruncate(f, 0); ftruncate(f, 1l << 40); }"
        " honest(A, C, M, N, s); }"
    ),
    "prints_much": (
        RUN + '{ for (int i = 0; i < 100000; i++) puts("AC accepted"); honest(A, C, M, N, s); }'
    ),
    "sends_notes_that_are_none": (
        RUN + '{ for (int i = 0; i < 9999; i++) plain_note("{\\"kind\\": [[[\\n");'
        " honest(A, C, M, N, s); }"
    ),
    "floods_the_notes": (
        "static char line[3000];\n"
        + RUN
        + "{ memset(line, 32, 2998); line[2998] = 10; for (int i = 0; i < 5000; i++)"
        " plain_note(line); honest(A, C, M, N, s); }"
    ),
    "asks_for_a_terabyte": (RUN + "{ if (malloc(1ull << 40)) _exit(9); honest(A, C, M, N, s); }"),
    "raises_its_limits": (
        RUN + "{ rlimit r = {RLIM_INFINITY, RLIM_INFINITY}; if (!setrlimit(RLIMIT_DATA, &r))"
        " _exit(9); honest(A, C, M, N, s); }"
    ),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_trick_changes_nothing(workshop: Workshop, name: str) -> None:
    """The call returns, right, and the judge goes on to the next."""
    with workshop.session(HARMLESS[name]) as session:
        for number in range(2):
            call = data(3, 5, number)
            assert right(call, session.call(call, schedule=0, same_addresses=number > 0))


# The layer of the cage, and a condition that is true where it does not hold.
CAGED = {
    "forks": (cage.CALLS, "fork() >= 0"),
    "starts_a_program": (cage.CALLS, 'system("exit 0") == 0'),
    "opens_a_socket": (cage.CALLS, "socket(AF_INET, SOCK_STREAM, 0) >= 0"),
    "keeps_memory_beyond_its_death": (cage.CALLS, 'memfd_create("x", 0) >= 0'),
    "writes_a_file": (cage.FILES, 'open("x", O_WRONLY | O_CREAT, 0600) >= 0'),
    "writes_shared_memory": (cage.FILES, 'open("/dev/shm/x", O_WRONLY | O_CREAT, 0600) >= 0'),
    "opens_the_judges_memory": (
        cage.FILES,
        '[] { char p[64]; sprintf(p, "/proc/%d/mem", getppid()); return open(p, O_RDWR); }() >= 0',
    ),
    "reads_the_judges_environment": (
        cage.FILES,
        '[] { char p[64]; sprintf(p, "/proc/%d/environ", getppid());'
        " char b[9]; return (int)read(open(p, O_RDONLY), b, 9); }() > 0",
    ),
}


@pytest.mark.parametrize("name", CAGED)
def test_caged_call_fails(workshop: Workshop, name: str) -> None:
    """A submission starts no process, has no network, writes no file, sees no other memory."""
    layer, condition = CAGED[name]
    if layer not in confine.layers():
        pytest.skip(f"this system does not offer the layer '{layer}' of the cage; doctor says so")
    code = RUN + f'{{ honest(A, C, M, N, s); puts(({condition}) ? "got out" : "stayed"); }}'

    outcome = once(workshop, code)

    assert right(data(), outcome)
    assert outcome.printed == "stayed"


def test_threads_are_allowed(workshop: Workshop) -> None:
    """The cage refuses processes, not threads, which the emulator needs."""
    code = (
        "static void *work(void *p) { *(int *)p = 1; return 0; }\n"
        + RUN
        + "{ int done = 0; pthread_t t; if (pthread_create(&t, 0, work, &done)) abort();"
        " pthread_join(t, 0); if (done) honest(A, C, M, N, s); }"
    )

    assert right(data(), once(workshop, code))


# --------------------------------------------------------------------------------------------------
# What the judge sees of memory and output


def test_guards_are_checked_on_both_sides(workshop: Workshop) -> None:
    """A byte before and a byte behind the output are told, with the buffer's name."""
    code = RUN + "{ honest(A, C, M, N, s); ((char *)C)[4 * M * N] = 1; ((char *)A)[-1] = 1; }"

    outcome = once(workshop, code)

    assert [text.split(" was ")[0] for text in outcome.overwritten] == [
        "A, which has 60 bytes,",
        "C, which has 60 bytes,",
    ]


def test_changed_input_is_named(workshop: Workshop) -> None:
    """A write to an input is seen though the output is right."""
    outcome = once(workshop, RUN + "{ honest(A, C, M, N, s); ((float *)A)[7] += 1; }")

    assert outcome.modified == ("A",)


def test_a_late_writer_does_not_change_the_judges_copy(workshop: Workshop) -> None:
    """Outputs are copied when the call has returned."""
    code = (
        "static float *c; static void *late(void *) { usleep(100000); c[0] = 9; return 0; }\n"
        + RUN
        + "{ c = C; honest(A, C, M, N, s); pthread_t t; pthread_create(&t, 0, late, 0); }"
    )
    with workshop.session(code) as session:
        outcome = session.call(data(), schedule=0, same_addresses=False)
        time.sleep(0.2)

        assert right(data(), outcome)


def test_addresses_change_unless_asked_to_stay(workshop: Workshop) -> None:
    """Pointers of the call before are of no use, except where the judge wants them to be."""
    code = RUN + '{ printf("%p %p\\n", (void *)A, (void *)C); honest(A, C, M, N, s); }'
    with workshop.session(code) as session:
        first = session.call(data(), schedule=0, same_addresses=False).printed
        second = session.call(data(3, 5, 1), schedule=0, same_addresses=True).printed

    assert first == second


def test_printed_text_is_cleaned_and_flushed(workshop: Workshop) -> None:
    """Escape sequences are shown, not sent; lines before a crash are not lost."""
    code = RUN + '{ printf("\\033[31mred\\n"); printf("last\\n"); abort(); }'

    assert once(workshop, code).printed == "\\x1b[31mred\nlast"


def test_line_without_an_end_is_flushed_with_the_call(workshop: Workshop) -> None:
    """What waits in stdout's buffer belongs to the call that printed it."""
    with workshop.session(RUN + '{ printf("%d", M); }') as session:
        printed = [session.call(data(m), schedule=0, same_addresses=False).printed for m in (1, 2)]

    assert printed == ["1", "2"]


def test_printed_text_is_cut(workshop: Workshop) -> None:
    """A screenful is kept, and the cut is said."""
    code = RUN + '{ for (int i = 0; i < 999; i++) printf("%d\\n", i); honest(A, C, M, N, s); }'

    lines = once(workshop, code).printed.splitlines()

    assert lines[0] == "0"
    assert lines[-1] == "... (more was printed)"
    assert len(lines) < 50


def test_the_environment_is_not_the_judges(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing a user keeps in variables reaches a submission."""
    monkeypatch.setenv("API_TOKEN", "secret")
    code = RUN + '{ const char *t = getenv("API_TOKEN"); puts(t ? t : "none"); }'

    assert once(workshop, code).printed == "none"


# --------------------------------------------------------------------------------------------------
# The judge's own housekeeping


def test_a_runtime_that_is_missing_is_the_judges_error(workshop: Workshop) -> None:
    """The submission is not blamed for what we did not bring."""
    session = Session(workshop.build(HONEST), spec(), Path("/nowhere/libcuda_emu.so"), 2)
    with session, pytest.raises(JudgeError, match=r"worker: did not start: .*libcuda_emu\.so"):
        session.call(data(), schedule=0, same_addresses=False)


def test_fifty_sessions_leave_nothing(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No descriptor, no process and no folder is left by sessions, good and bad."""
    builds = [workshop.build(code) for code in (HONEST, RUN + "{ abort(); }")]
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    limits = replace(spec().limits, seconds_per_call=2.0)

    def left() -> tuple[int, int, int]:
        mine = [one for one in processes.table().values() if one.parent == os.getpid()]
        folders = len(list(tmp_path.iterdir()))
        return len(os.listdir("/proc/self/fd")), len(mine), folders

    before = left()
    for number in range(50):
        with Session(
            builds[number % 2], replace(spec(), limits=limits), workshop.runtime, 1
        ) as session:
            session.call(data(), schedule=0, same_addresses=False)

    assert left() == before


def test_start_and_call_are_quick(workshop: Workshop) -> None:
    """A worker starts in well under a second and a small call takes a few milliseconds at most."""
    with workshop.session(HONEST) as session:
        started = time.perf_counter()
        session.call(data(), schedule=0, same_addresses=False)
        first = time.perf_counter() - started
        started = time.perf_counter()
        for _ in range(50):
            session.call(data(), schedule=0, same_addresses=True)
        each = (time.perf_counter() - started) / 50

    # Measured: 0.04 s and 0.0007 s; the slack is for a busy machine.
    assert first < 0.6
    assert each < 0.01
