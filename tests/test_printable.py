"""judge/printable.py: text that nobody trusts, made safe to print."""

from __future__ import annotations

import pytest

from judge.printable import printable, printable_lines


def test_control_bytes_are_shown_and_not_sent() -> None:
    """A submission can neither clear the screen nor ring the bell nor set the window's title."""
    assert printable("a\x1b[2Jb\x07\x9b") == "a\\x1b[2Jb\\x07\\x9b"


def test_bidirectional_marks_are_shown_and_not_sent() -> None:
    """Text that would be drawn in another order than it is written is shown as it is written."""
    assert printable("ok\u202eCA\u200b") == "ok\\u202eCA\\u200b"


def test_surrogates_of_odd_file_names_can_be_encoded() -> None:
    """A file name that is no UTF-8 does not break the report."""
    assert printable("caf\udce9.cu").encode("utf-8") == b"caf\\udce9.cu"


def test_other_languages_stay_readable() -> None:
    """Only what does not print is escaped."""
    assert printable("größer 行列") == "größer 行列"


def test_tabs_become_spaces_and_backslashes_stay() -> None:
    """Compiler logs keep their columns and Windows-like paths their backslashes."""
    assert printable("a\tb\\n") == "a   b\\n"


def test_a_long_line_is_cut_and_says_by_how_much() -> None:
    """One line of a megabyte does not fill the screen."""
    assert printable("x" * 1000, 10) == "xxxxxxxxxx ... (990 more characters)"


def test_many_lines_are_cut_and_say_by_how_many() -> None:
    """The last line shown counts those that are not."""
    assert printable_lines(["a\nb", "c\x0cd\ne"], 3) == ["a", "b", "... (3 more lines)"]


def test_lines_at_the_limit_are_all_shown() -> None:
    """A limit of three lines shows three lines."""
    assert printable_lines(["a\nb\nc"], 3) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error file=x.cu,line=1::owned", ":\\x3aerror file=x.cu,line=1::owned"),
        ("  ::set-output name=verdict::AC", "  :\\x3aset-output name=verdict::AC"),
        ("::stop-commands::token", ":\\x3astop-commands::token"),
        ("x ##[error]owned", "x \\x23#[error]owned"),
        ("##vso[task.complete result=Succeeded;]", "\\x23#vso[task.complete result=Succeeded;]"),
        ("##teamcity[testFinished name='x']", "\\x23#teamcity[testFinished name='x']"),
    ],
)
def test_commands_of_ci_systems_are_shown_and_not_obeyed(text: str, shown: str) -> None:
    """A submission sets no output, marks no step as passed and masks no text of a workflow."""
    assert printable(text) == shown


def test_names_of_cpp_are_no_commands() -> None:
    """Messages of compilers stay as they are."""
    text = "std::error_code::value: no type named group in emu::debug, a ## b, #[x]"

    assert printable(text) == text
