"""judge/journal.py: whole lines, added by many, or none."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from judge import journal


def test_lines_of_many_writers_are_whole(tmp_path: Path) -> None:
    """Sixteen at once, each with lines longer than a pipe's atomic write."""
    path = tmp_path / "new" / "lines"
    threads = [
        threading.Thread(target=journal.append, args=(path, f"{n:02d}" * 5000 + "\n"))
        for n in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(path.read_text().splitlines()) == [f"{n:02d}" * 5000 for n in range(16)]


def test_a_torn_line_is_closed_first(tmp_path: Path) -> None:
    """What a power cut left does not swallow the next line."""
    path = tmp_path / "lines"
    path.write_text('{"half": ')
    journal.append(path, "whole\n")

    assert path.read_text().splitlines() == ['{"half": ', "whole"]


def test_a_full_disk_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All lines or none."""
    path = tmp_path / "lines"
    journal.append(path, "first\n")
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:3]))
    with pytest.raises(OSError, match="the disk is full"):
        journal.append(path, "second\nthird\n")

    assert path.read_text() == "first\n"
