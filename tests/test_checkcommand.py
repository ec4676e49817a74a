"""judge/checkcommand.py: the exit code of `check`, which a script goes by."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import checkcommand, cli, cpu, cpubuild
from judge.find import ROOT

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize(
    ("file", "code", "said"),
    [
        (ROOT / "submissions/vector_add/one_each.cu", 0, "clean: no finding\n"),
        (HERE / "check/oob_off_by_one_guard.cu", 1, "  1 finding\n  out_of_bounds"),
        (HERE / "submissions/gemm_fp16/wa_drops_k_tail.cu", 1, "clean: no finding\n  but not acc"),
    ],
    ids=["right", "a finding", "wrong without a finding"],
)
def test_only_what_is_right_and_clean_is_accepted(
    file: Path, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong answer is exit code 1 even where no access is to blame for it."""
    more = ["--problem", str(HERE / "problems" / "copy")] if file.parent.name == "check" else []
    asked = cli.parser().parse_args(["check", str(file), "--seed", "1", *more])

    assert checkcommand.run(asked) == code
    assert said in capsys.readouterr().out


def test_what_does_not_compile_is_not_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1 and one line."""
    path = tmp_path / "mine.cu"
    path.write_text("// problem: vector_add\nint solve")

    assert cli.main(["check", str(path)]) == 1
    assert capsys.readouterr().err.startswith("CE  ")


BAD = (["--case=bad"], ["-D", "X=a b;"], ["--defines='X=(1)'"], ["--problem=vector_ad"])


REFUSED = [
    pytest.param(command, bad, id=" ".join((command, *bad)))
    for command in ("run", "check", "debug", "sweep")
    for bad in BAD
    if (command, bad) != ("sweep", BAD[0])  # which has no --case
]


@pytest.mark.parametrize(("command", "bad"), REFUSED)
def test_what_is_refused_is_refused_before_anything_is_built(
    command: str,
    bad: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line and exit code 2, no `build:` before it."""
    for room in (cpu, cpubuild):
        monkeypatch.setattr(room, "compile", lambda *_, **__: pytest.fail("built all the same"))
    more = {"debug": ["--no-gdb"], "sweep": ["-D", "TILE=8,16"], "run": ["--backend=cpu"]}

    assert cli.main([command, "tiled.cu", *bad, *more.get(command, [])]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("judge: ")
