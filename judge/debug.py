"""`python -m judge debug`: one case of a submission in the foreground, under gdb, line by line.

One call, the first of the two that a run makes of a case, with the same inputs and the same order
of blocks and threads.  Built without optimisation; one thread of the system runs all blocks.  No
limits and no cage, for a debugger works in none: only for files that are trusted.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge import caseids, cases, checker, cpu, cpubuild, find, kernelcheck, output, which
from judge import spec as specs
from judge.answers import Answers
from judge.box import Event
from judge.cpusession import Session
from judge.link import Link, Reply
from judge.model import (
    BackendMissing,
    Build,
    Case,
    CompileError,
    ExitCode,
    Fault,
    Outcome,
    Spec,
    UserError,
)
from judge.notes import parse
from judge.program import Program

_PROGRAM = Path(__file__).with_name("debugged.py")
_SETTINGS = (
    *("set debuginfod enabled off", "set breakpoint pending on", "set confirm off"),
    *("set print thread-events off", "set auto-load python-scripts off"),
    # The runtime's clock, by which blocks that wait for each other take turns.
    "handle SIGVTALRM nostop noprint pass",
)
_START = ("break solve", "run")
HELP = """\
gdb stops in solve. Then, for example:
  break {name}:LINE      in a kernel; {name}:LINE if threadIdx.x == 3 && blockIdx.x == 0
  continue / next        to the next stop; one line on
  print threadIdx        also blockIdx, blockDim, gridDim and every variable of the kernel
  print A[0]@8           eight elements of an array in device memory
Threads of a block run one after another, until one waits at a barrier or a warp operation.
"""


def run(asked: argparse.Namespace) -> int:
    """What was typed -> the exit code: 0 if the one call was right, 1 if it was not.

    Raises UserError, BackendMissing without gdb or a compiler, JudgeError.
    """
    cpu.probe()
    gdb = None if asked.no_gdb else debugger()
    source = find.submission(asked.file, asked.problem)
    folder, remark = which.problem(source, asked.problem)
    output.warn(remark)
    problem = specs.load(folder)
    seed = asked.seed or cases.new_seed()
    if asked.case is not None:
        case = caseids.parse_id(problem, asked.case)
    else:
        case = kernelcheck.pick(problem, cases.plan(problem, seed))[0]
    try:
        defines = (*asked.defines, *asked.more_defines)
        build = cpubuild.compile(source, problem, defines, debug=True)
    except CompileError as error:
        return output.complain(_said(error.fault), ExitCode.NOT_ACCEPTED)
    output.warn(f"{problem.slug}  {source.name}  --case {case.id} --seed {seed}")
    if gdb is not None:
        print(HELP.format(name=source.name), file=sys.stderr, flush=True)
    fault = called(build, problem, case, seed, gdb)
    if fault is None:
        output.warn("the call was right")
        return ExitCode.ACCEPTED
    return output.complain(_said(fault), ExitCode.NOT_ACCEPTED)


def debugger() -> str:
    """The path of gdb.  Raises BackendMissing where it is not installed."""
    found = shutil.which("gdb")
    if found is None:
        raise BackendMissing(
            "gdb: not found on PATH; install the package gdb (apt install gdb), or pass --no-gdb"
        )
    return found


def called(build: Build, spec: Spec, case: Case, seed: str, gdb: str | None) -> Fault | None:
    """Make one call on this terminal; what is wrong with it, if anything.

    build: one that was made to debug;  gdb: its path, or None to run plainly
    Raises UserError if gdb was left before the call returned, JudgeError as a session does.
    """
    with Answers(spec, seed) as answers, _Session(build, spec, gdb) as session:
        data, expected = answers.take(case, 0)
        schedule = answers.schedule(case, 0)
        outcome = session.call(data, schedule=schedule, same_addresses=False)
    return checker.check(spec, data, expected, outcome).fault


def _said(fault: Fault) -> str:
    place = f"{fault.place}: " if fault.place else ""
    return f"{fault.verdict.value}  {fault.reason.value}  {place}{fault.message}"


class _Session(Session):
    """A session whose worker is a program on this terminal, started for its one call."""

    def __init__(self, build: Build, spec: Spec, gdb: str | None) -> None:
        super().__init__(build, spec, cpubuild.runtime_library(), os_threads=1)
        self._gdb = gdb

    def _start(self) -> Outcome | None:
        assert self._arena is not None
        program = dataclasses.replace(self._program(self._arena.fd), worker=_PROGRAM)
        self._link = _Foreground(program, self._gdb)
        return None


class _Foreground(Link):
    """In place of a boxed worker: runs the program to its end, however long its user takes."""

    def __init__(self, program: Program, gdb: str | None) -> None:
        self._program, self._gdb = program, gdb

    def ask(
        self, message: Mapping[str, Any], seconds: float, shared_bytes: int, fields: object = None
    ) -> Reply:
        """Run the call; a Reply without an answer where the program ended before it returned."""
        with (
            tempfile.TemporaryFile() as answers,
            tempfile.TemporaryFile() as notes,
            tempfile.TemporaryFile() as setting,
        ):
            pipes = {"answers": answers.fileno(), "notes": notes.fileno()}
            told_it = {**self._program.setting, **pipes, "call": {**message, "call": 1}}
            setting.write(json.dumps(told_it).encode())
            setting.seek(0)
            descriptor = setting.fileno()
            words = [sys.executable, *self._program.flags, str(_PROGRAM), str(descriptor)]
            if self._gdb is not None:
                words = under(self._gdb, words)
            process = subprocess.Popen(
                words,
                # gdb starts programs by the user's shell, whose start-up files may do anything.
                env={**os.environ, **self._program.environment, "SHELL": "/bin/sh"},
                pass_fds=(descriptor, *pipes.values(), *self._program.pass_fds),
            )
            with _left_alone() if self._gdb is not None else contextlib.nullcontext():
                status = process.wait()
            answers.seek(0)
            notes.seek(0)
            answer, told = answers.read(), tuple(parse(notes.read()))
        if answer:
            return Reply(json.loads(answer), Event.READABLE, told)
        if self._gdb is not None and not told:
            raise UserError("debug: gdb was left before solve returned; nothing was checked")
        return Reply(None, Event.ENDED, told, returncode=status)

    def printed(self) -> tuple[bytes, bool]:
        """Nothing: it stands on the terminal."""
        return b"", False

    def mapped_files(self) -> set[str] | None:
        """None that could be held against a submission: what is banned is for a run to tell."""
        return set()

    def close(self) -> None:
        """The program has ended."""


def under(gdb: str, program: Sequence[str]) -> list[str]:
    """The command line that stops the program in `solve`."""
    words = [gdb, "-q", *(word for one in _SETTINGS for word in ("-iex", one))]
    return [*words, *(word for one in _START for word in ("-ex", one)), "--args", *program]


@contextlib.contextmanager
def _left_alone() -> Iterator[None]:
    """Ctrl-C stops the debugged program, as gdb's users expect, not the judge around it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
