"""judge/cli.py, judge/commands.py: what may be typed, what comes back, and the exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import made_reports
import pytest

from judge import cli, commands, devices, history, run
from judge.find import ROOT
from judge.model import JudgeError, Reason, Report, Request, UserError, Verdict

COMMANDS = ("run", "sweep", "cases", "gauge", "new", "doctor")
SPINS = ROOT / "tests" / "submissions" / "gemm_fp16" / "tle_spins.cu"
Made = Callable[[Request], Report]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A submission that names its problem itself."""
    path = tmp_path / "mine.cu"
    path.write_text("// problem: gemm_fp16\n")
    return path


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Request]:
    """The requests that reach the conductor, which accepts them all; the history goes elsewhere."""
    requests: list[Request] = []
    conduct(monkeypatch, lambda request: made_reports.accepted(), requests)
    monkeypatch.setattr(history, "PATH", tmp_path / "history.jsonl")
    monkeypatch.setattr(devices, "DEV", tmp_path)
    return requests


def conduct(
    monkeypatch: pytest.MonkeyPatch, made: Made, requests: list[Request] | None = None
) -> None:
    """Put another conductor in the place of the real one."""

    def judge(request: Request, tell: object) -> Report:
        if requests is not None:
            requests.append(request)
        report = made(request)
        return replace(report, submission=request.source, defines=request.defines)

    monkeypatch.setattr(run, "judge", judge)


def test_a_request_holds_what_was_typed(judged: list[Request], source: Path) -> None:
    """Every option arrives at the conductor, as it was typed."""
    arguments = ["-D", "TILE=32", "--defines", "X=1 'Y=-2' Z", "--case", "the case", "--seed", "7"]

    assert cli.main(["run", str(source), *arguments]) == 0

    (request,) = judged
    assert request.source == source
    assert request.spec.slug == "gemm_fp16"
    assert request.defines == ("TILE=32", "X=1", "Y=-2", "Z=1")
    assert (request.backend, request.case, request.seed) == ("cpu", "the case", "7")


@pytest.mark.parametrize(
    ("verdict", "code"),
    [(v, {Verdict.AC: 0, Verdict.JE: 3}.get(v, 1)) for v in Verdict],
    ids=[v.value for v in Verdict],
)
def test_each_verdict_has_its_exit_code(
    verdict: Verdict,
    code: int,
    judged: list[Request],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """CI tells a wrong submission (1) from a broken judge (3); the verdict is the first word."""
    report = made_reports.failed(verdict, Reason.MISMATCH, "why")
    conduct(monkeypatch, lambda request: report)

    assert cli.main(["run", str(source)]) == code
    assert capsys.readouterr().out.startswith(verdict.value)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["judge"],
        ["run"],
        ["run", "x.cu", "--backend", "tpu"],
        ["run", "x.cu", "-D", "9X=1"],
        ["run", "x.cu", "--defines", "X='"],
        ["run", "x.cu", "--cas", "x"],
    ],
    ids=lambda arguments: " ".join(arguments) or "nothing",
)
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    """An option that is misspelt or abbreviated is refused, never guessed."""
    with pytest.raises(SystemExit) as raised:
        cli.main(arguments)

    assert raised.value.code == 2


def test_a_user_fault_is_one_line_and_exit_code_2(
    judged: list[Request], capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is not there: what was looked at, no traceback, nothing on stdout."""
    assert cli.main(["run", "no/such.cu"]) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("judge: no/such.cu: no such file here or in submissions/")
    assert err.count("\n") == 1
    assert judged == []


def test_a_missing_gpu_is_one_line_and_exit_code_4(
    judged: list[Request], source: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The backend asked for is not there: which file was looked for, and two ways on."""
    assert cli.main(["run", str(source), "--backend", "gpu"]) == 4

    assert capsys.readouterr().err == (
        f"judge: backend gpu: no NVIDIA GPU is visible on this machine (no {tmp_path}/nvidia0); "
        "use BACKEND=cpu (--backend cpu), or see `make doctor`\n"
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            JudgeError("the arena is gone"),
            "the judge failed, not the submission: the arena is gone",
        ),
        (KeyError("x"), "the judge failed, not the submission: KeyError: 'x'"),
    ],
    ids=["judge error", "bug"],
)
def test_our_own_fault_is_verdict_je_with_a_log(
    error: Exception,
    said: str,
    judged: list[Request],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 3, one screen, the traceback in a file; JSON and history have the JE as well."""

    def fail(request: Request) -> Report:
        raise error

    conduct(monkeypatch, fail)
    path = tmp_path / "report.json"

    assert cli.main(["run", str(source), "--json", str(path)]) == 3

    out, err = capsys.readouterr()
    assert out.startswith("JE  internal")
    assert said in out
    assert "Traceback" not in out + err
    report = json.loads(path.read_text())
    assert report["verdict"] == "JE"
    log = Path(report["log"])
    assert "Traceback" in log.read_text()
    log.unlink()
    assert json.loads(history.PATH.read_text())["verdict"] == "JE"


def test_a_fault_of_ours_before_the_run_is_one_line_and_a_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands without a report end the same way: JE, a log, exit code 3."""

    def fail(asked: object) -> int:
        raise RuntimeError("x")

    monkeypatch.setattr(commands, "_cases", fail)

    assert cli.main(["cases"]) == 3

    first, second = capsys.readouterr().err.splitlines()
    assert first == "JE  internal  the judge failed, not the submission: RuntimeError: x"
    assert second.startswith("    log: ")
    Path(second.removeprefix("    log: ")).unlink()


def test_a_user_error_of_the_conductor_is_no_judge_error(
    judged: list[Request],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A case id that makes no sense is the user's fault: exit code 2."""

    def refuse(request: Request) -> Report:
        raise UserError("case: got x")

    conduct(monkeypatch, refuse)

    assert cli.main(["run", str(source), "--case", "x"]) == 2
    assert capsys.readouterr().err == "judge: case: got x\n"


def test_an_interruption_is_one_line_and_exit_code_130(
    judged: list[Request],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ctrl-C leaves no traceback."""

    def interrupt(request: Request) -> Report:
        raise KeyboardInterrupt

    conduct(monkeypatch, interrupt)

    assert cli.main(["run", str(source)]) == 130
    assert capsys.readouterr().err == "judge: interrupted\n"


def test_json_on_stdout_is_alone_there(
    judged: list[Request], source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--json - | jq` works: the screen moves to stderr."""
    assert cli.main(["run", str(source), "--json", "-"]) == 0

    out, err = capsys.readouterr()
    assert json.loads(out)["verdict"] == "AC"
    assert err.startswith("AC  accepted")


def test_every_run_is_in_the_history(judged: list[Request], source: Path) -> None:
    """run and sweep both leave a line a verdict."""
    cli.main(["run", str(source)])
    cli.main(["sweep", str(source), "-D", "TILE=8,16"])

    lines = [json.loads(line) for line in history.PATH.read_text().splitlines()]
    assert [line["defines"] for line in lines] == [[], ["TILE=8"], ["TILE=16"]]


def test_a_verdict_is_shown_even_where_no_history_can_be_kept(
    judged: list[Request],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A read-only checkout judges all the same, and says what it could not do."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(history, "PATH", tmp_path / "file" / "history.jsonl")

    assert cli.main(["run", str(source)]) == 0

    out, err = capsys.readouterr()
    assert out.startswith("AC")
    assert "this run is not in the history" in err


def test_a_sweep_is_a_table_with_a_row_a_value(
    judged: list[Request],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wrong row makes the sweep exit code 1, and the other rows are judged all the same."""
    conduct(
        monkeypatch,
        lambda request: (
            made_reports.wrong() if request.defines == ("TILE=64",) else made_reports.accepted()
        ),
        judged,
    )

    assert cli.main(["sweep", str(source), "-D", "TILE=8,64,16"]) == 1

    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1] == ["TILE", "verdict", "reason", "cases", "seconds", "why"]
    assert [row[:4] for row in rows[2:]] == [
        ["8", "AC", "accepted", "2/2"],
        ["64", "WA", "mismatch", "1/2"],
        ["16", "AC", "accepted", "2/2"],
    ]


@pytest.mark.parametrize("given", [[], ["--seed", "7"]], ids=["drawn", "given"])
def test_all_rows_of_a_sweep_have_one_seed_which_is_shown(
    given: list[str],
    judged: list[Request],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Rows are judged on the same cases, and the sweep can be repeated."""
    sweep = ["sweep", str(source), "-D", "TILE=8,16,32"]
    made = made_reports.accepted()
    conduct(monkeypatch, lambda request: replace(made, seed=request.seed or "none"), judged)

    assert cli.main([*sweep, *given]) == 0
    (seed,) = {request.seed for request in judged}
    assert seed == given[1] if given else seed
    assert capsys.readouterr().out.splitlines()[0].endswith(f"--seed {seed}")


def test_an_interrupted_sweep_shows_what_it_had(
    judged: list[Request],
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Rows that were judged are shown and kept; the rest is counted."""

    def second_is_interrupted(request: Request) -> Report:
        if request.defines == ("TILE=16",):
            raise KeyboardInterrupt
        return made_reports.accepted()

    conduct(monkeypatch, second_is_interrupted)

    assert cli.main(["sweep", str(source), "-D", "TILE=8,16,32"]) == 130
    assert "2 of 3 combinations not judged" in capsys.readouterr().out
    assert len(history.PATH.read_text().splitlines()) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Help says what the command does, its exit codes and an example that parses."""
    with pytest.raises(SystemExit) as raised:
        cli.main([command, "--help"])
    shown = capsys.readouterr().out

    assert raised.value.code == 0
    assert cli.EXIT_CODES in shown
    example = shown.split("example: python -m judge ")[1].split()
    assert cli.parser().parse_args(example).command == command


def test_the_cases_of_a_problem_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """The id stands first and whole, to be copied into --case; the same seed, the same table."""
    assert cli.main(["cases", "gemm_fp16"]) == 0
    first = capsys.readouterr().out
    assert cli.main(["cases", "gemm_fp16"]) == 0

    assert capsys.readouterr().out == first
    assert first.splitlines()[1].split()[:2] == ["id", "family"]
    *rows, legend = first.splitlines()[2:]
    assert rows
    assert all("M=" in line.split()[0] for line in rows)
    assert legend.startswith("family: ")


def test_a_folder_called_judge_does_not_hide_the_package(tmp_path: Path) -> None:
    """As beside a checkout of that name: Python looks there first."""
    (tmp_path / "judge").mkdir()
    ran = subprocess.run(
        [sys.executable, "-m", "judge", "--version"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")


def test_help_loads_nothing_heavy() -> None:
    """--help and typing errors answer at once: no NumPy, no YAML, no rich."""
    code = (
        "import sys\n"
        "from judge.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(' '.join({'numpy', 'yaml', 'rich'} & set(sys.modules)) or 0)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (process.returncode, process.stderr) == (0, "")


def _children(pid: int) -> set[int]:
    """Every process below `pid`, from /proc."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == pid:
            child = int(stat.parent.name)
            found |= {child} | _children(child)
    return found


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "kill"]
)
def test_the_worker_dies_with_the_judge(number: int, code: int) -> None:
    """A submission that spins does not go on spinning when the judge is interrupted or ended."""
    command = [sys.executable, "-m", "judge", "run", str(SPINS), "--backend", "cpu"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell that runs the tests in its background ignores Ctrl-C for them.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            assert process.stderr is not None
            while b"run:" not in process.stderr.readline():
                assert process.poll() is None, process.communicate()
            workers: set[int] = set()
            deadline = time.monotonic() + 10
            while not workers and time.monotonic() < deadline:
                workers = _children(process.pid)
                time.sleep(0.05)
            assert workers

            process.send_signal(number)
            _, said = process.communicate(timeout=10)
        finally:
            process.kill()

    assert process.returncode == code
    assert b"Traceback" not in said
    assert [pid for pid in workers if Path(f"/proc/{pid}").exists()] == []
