"""judge/gpucommands.py, judge/options.py, judge/output.py: commands for a GPU, without one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import fake_backend
import made_reports
import numpy as np
import pytest
from test_ledger import at

from judge import (
    backend,
    cli,
    devices,
    find,
    gpu,
    gpucommands,
    gpuspeed,
    history,
    ladder,
    laddertable,
    ledger,
    options,
    output,
    rungs,
    smi,
    spec,
    versus,
)
from judge.model import (
    CallFault,
    DeviceState,
    ExitCode,
    Fault,
    Outcome,
    Reason,
    SpeedRatio,
    Verdict,
)

GEMM = spec.load("gemm_fp16")
FOUND = versus.Versus(SpeedRatio("FASTER", 0.5, 0.49, 0.51, 10), 500.0, 250.0, "gated events")


@pytest.mark.parametrize(("text", "sizes"), [("1", 1), ("3", 3), ("all", None), ("none", 0)])
def test_how_many_sizes_are_timed(text: str, sizes: int | None) -> None:
    """`--timed` takes a number, all or none; one without it."""
    asked = cli.parser().parse_args(["run", "x.cu", "--timed", text])

    assert asked.timed == sizes
    assert cli.parser().parse_args(["run", "x.cu"]).timed == 1


@pytest.mark.parametrize("text", ["0", "-1", "some", "", "1.5", "²"])
def test_another_number_of_sizes_is_refused(text: str) -> None:
    """The message says what may be given."""
    with pytest.raises(argparse.ArgumentTypeError, match="all or none"):
        options.timed(text)


@pytest.mark.parametrize("there", [False, True], ids=["no GPU", "a GPU without pycuda"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["ladder"],
        ["compare", "tiled.cu", "naive.cu"],
        ["profile", "tiled.cu"],
        ["sanitize", "tiled"],
    ],
    ids=lambda a: a[0],
)
def test_without_a_gpu_there_is_one_line_and_exit_code_4(
    arguments: list[str],
    there: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Nothing is judged, recorded or written; advised is what these commands' user can type."""
    monkeypatch.setattr(devices, "DEV", tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setitem(sys.modules, "judge.gpu", None)
    if there:
        (tmp_path / "nvidia0").touch()
    before = (find.ROOT / "README.md").read_bytes()

    assert cli.main(arguments) == 4
    err = capsys.readouterr().err
    assert err.startswith("judge: backend gpu: ")
    assert ("no NVIDIA GPU is visible" in err) == (not there)
    assert err.count("\n") == 1
    assert "BACKEND" not in err  # which none of them takes
    target = "check-kernel" if arguments[0] == "sanitize" else "judge"
    assert f"`make {target} SUB=FILE`" in err
    assert (find.ROOT / "README.md").read_bytes() == before


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """A machine whose GPU gives every call the outputs of a function; records go elsewhere."""

    def made(solve: fake_backend.Solve) -> None:
        room = fake_backend.FakeBackend(lambda: solve)
        monkeypatch.setattr(backend, "load", lambda name: room)

    monkeypatch.setattr(devices, "choose", lambda *_, **__: ("gpu", ""))
    monkeypatch.setattr(history, "PATH", tmp_path / "history.jsonl")
    monkeypatch.setattr(gpucommands, "_in_turns", lambda *_: FOUND)
    return made


def right(data: object, answer: object) -> Outcome:
    """Every call is right."""
    return fake_backend.outputs(answer)  # type: ignore[arg-type]


def test_two_right_submissions_are_compared(
    machine: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 0 whatever the word; both are in the history."""
    machine(right)

    assert cli.main(["compare", "naive.cu", "tiled.cu"]) == 0
    assert capsys.readouterr().out.startswith("FASTER  tiled.cu is faster than naive.cu")
    assert len(history.PATH.read_text().splitlines()) == 2


def test_a_wrong_one_is_shown_and_not_timed(
    machine: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 1, and the screen of a verdict instead of a time."""
    machine(lambda data, answer: fake_backend.outputs(np.zeros_like(answer)))
    monkeypatch.setattr(gpucommands, "_in_turns", lambda *_: pytest.fail("timed all the same"))

    assert cli.main(["compare", "naive.cu", "tiled.cu"]) == 1
    out = capsys.readouterr().out
    assert out.count("WA  ") == 2
    assert "FASTER" not in out


def test_a_wrong_timed_call_ends_a_comparison(
    machine: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What was accepted and is wrong when timed is not accepted."""
    machine(right)

    def wrong(*_: object) -> versus.Versus:
        raise CallFault(Fault(Verdict.WA, Reason.MISMATCH, "tiled.cu: 3 elements wrong"))

    monkeypatch.setattr(gpucommands, "_in_turns", wrong)
    assert cli.main(["compare", "naive.cu", "tiled.cu"]) == 1
    assert capsys.readouterr().err.endswith("WA  mismatch  tiled.cu: 3 elements wrong\n")


def test_a_size_that_the_problem_has_not_is_refused(
    machine: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """`--size 9` of four timed sizes is a slip."""
    machine(right)

    assert cli.main(["compare", "naive.cu", "tiled.cu", "--size", "9"]) == 2
    assert "gemm_fp16 has 4 timed sizes" in capsys.readouterr().err


def test_the_ladder_is_climbed_recorded_and_shown(
    machine: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """A line as soon as a rung is known, a line a size in the ledger, then the README's table."""
    machine(right)
    # The fake's device is named as a GPU's would be.
    device = made_reports.fast().device
    monkeypatch.setattr(fake_backend.FakeBackend, "probe", lambda _: device)
    speed = made_reports.speed(at(0, 517.6), at(1, 32000.0))
    rungs_ = rungs.rungs(GEMM)
    (tmp_path / "README.md").write_text(f"{laddertable.begin('gemm_fp16')}\n{laddertable.END}\n")
    monkeypatch.setattr(ladder, "gpu_clock", lambda problem, seed: lambda build, hear: speed)
    monkeypatch.setattr(rungs, "rungs", lambda problem: rungs_)
    monkeypatch.setattr(ledger, "path_of", lambda slug: tmp_path / "ledger.jsonl")
    monkeypatch.setattr(smi, "state", lambda: DeviceState(driver="580.65.06"))
    monkeypatch.setattr(find, "ROOT", tmp_path)

    assert cli.main(["ladder", "gemm_fp16", "--only", "naive.cu"]) == 0
    assert len(ledger.read(tmp_path / "ledger.jsonl")) == 2
    assert capsys.readouterr().out.startswith("AC  naive  ")
    readme = (tmp_path / "README.md").read_text()
    assert "NVIDIA H200, driver 580.65.06" in readme
    assert "| naive | 517.6 | 32000 |" in readme


def test_both_are_staged_at_once_on_the_same_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sessions live side by side, and end together."""
    alive: list[object] = []

    @contextmanager
    def staged(
        problem: object, build: object, prepared: object, device: object, folders: object
    ) -> Iterator[tuple[None, object]]:
        alive.append(prepared)
        yield None, build
        alive.pop()

    def in_turns(a: object, b: object, tell: object) -> versus.Versus:
        assert len(alive) == 2
        assert alive[0] is alive[1]
        return FOUND

    monkeypatch.setattr(gpuspeed, "staged", staged)
    monkeypatch.setattr(gpuspeed, "prepare", lambda *_: object())
    monkeypatch.setattr(gpu, "device", lambda: None)
    monkeypatch.setattr(versus, "in_turns", in_turns)
    reports = [made_reports.fast(), made_reports.fast()]

    assert gpucommands._in_turns(GEMM, reports, 0, lambda progress: None) is FOUND
    assert alive == []


def test_a_complaint_is_one_printable_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Control bytes are shown, not sent; the code comes back for the shell."""
    assert output.complain("bad \x1b[2J", ExitCode.USAGE) == 2
    output.warn("")
    assert capsys.readouterr().err == "bad \\x1b[2J\n"
