"""judge/progress.py: how far a run has come."""

from __future__ import annotations

import io

import pytest

from judge import progress
from judge.model import Progress

STEPS = (
    Progress("build", 0, 1, "x.cu"),
    Progress("build", 1, 1, "x.cu"),
    *(Progress("run", done, 40, f"case[red]{done}") for done in range(40)),
    Progress("run", 40, 40, ""),
    Progress("shrink", 0, 1, "normal,M=65"),
)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO) -> str:
    """Everything that one whole run draws."""
    with progress.shown(stream) as tell:
        for step in STEPS:
            tell(step)
    return stream.getvalue()


def test_a_log_gets_one_line_a_stage() -> None:
    """CI logs show where a run stands, without a line for every case."""
    assert told(io.StringIO()) == "build: x.cu\nrun: 40 cases\nshrink: normal,M=65\n"


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last thing drawn erases the bar, so that the report stands alone."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    drawn = told(Terminal())

    assert "shrink" in drawn
    assert "0/?" in drawn.split("shrink")[-1]
    assert drawn.rstrip("\r").endswith("\x1b[2K")


def test_what_a_case_is_called_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets in a name are drawn as brackets."""
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with progress.shown(stream) as tell:
        tell(Progress("run", 1, 40, "case[red]\x1b[2J"))
    drawn = stream.getvalue()

    assert "[red]" in drawn
    assert "\x1b[2J" not in drawn
