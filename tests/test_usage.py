"""judge/usage.py: what is said of a command line that is not understood."""

from __future__ import annotations

import argparse

import pytest

from judge import cli, usage

(CHOICES,) = (a.choices for a in cli.parser()._actions if a.dest == "command")
COMMANDS: dict[str, argparse.ArgumentParser] = dict(CHOICES or {})


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines on stderr of what ends with exit code 2."""
    with pytest.raises(SystemExit) as raised:
        cli.main(arguments)
    assert raised.value.code == 2
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_that_there_is_not_shows_the_usage_of_its_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not the usage of the whole, which names no option; nothing runs."""
    needed = [
        word
        for action in COMMANDS[command]._actions
        if action.required
        for word in (*action.option_strings[:1], "x.cu")
    ]
    lines = refused(capsys, command, *needed, "--nonsuch")

    assert lines[0].startswith(f"usage: judge {command} ")
    assert lines[-1].startswith(f"judge {command}: error: no such option: --nonsuch")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["run", "x.cu", "--sed", "1"], "no such option: --sed; did you mean --seed"),
        (["run", "x.cu", "--jsn=y"], "no such option: --jsn; did you mean --json?"),
        (["run", "x.cu", "y.cu"], "got y.cu too, expected no more than the usage above has"),
        (["run", "x.cu", "--\x1b[2J"], "no such option: --\\x1b[2J"),
        (["rnu", "x.cu"], "no such command: rnu; did you mean run?"),
        (["zzzzzz"], "no such command: zzzzzz; there are: run, check, debug, "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_was_meant_is_named(
    typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last line says what is wrong, and the nearest thing that is right."""
    assert said in refused(capsys, *typed)[-1]


def test_nothing_near_is_no_hint() -> None:
    """A guess that helps nobody is left out."""
    assert usage.meant("--zzz", ["--seed", "--json"]) == ""
