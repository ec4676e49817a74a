"""Reading a submission and the headers beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.model import UserError
from judge.source import local_headers, read


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"\x7fELF\0\0", "is binary"),
        (b"int x;\n// caf\xe9\n", ":2: not UTF-8"),
        (b"x" * (1 << 20) + b"x", "expected at most 1048576"),
        (None, "No such file"),
    ],
)
def test_what_is_no_source(content: bytes | None, message: str, tmp_path: Path) -> None:
    """Unreadable files are usage errors in one line that begins with the path."""
    path = tmp_path / "k.cu"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(UserError) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_source(tmp_path: Path) -> None:
    """It is named as what it is."""
    with pytest.raises(UserError, match="is a directory"):
        read(tmp_path)


def test_text_is_read_as_it_is(tmp_path: Path) -> None:
    """Line ends stay, a byte order mark goes, and names may be in any script."""
    (tmp_path / "k.cu").write_bytes("\ufeffint ñ;\r\nint b;".encode())

    assert read(tmp_path / "k.cu") == "int ñ;\r\nint b;"


def test_headers_are_followed(tmp_path: Path) -> None:
    """Those below the submission's folder, each once, also through others and in circles."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b.h").write_text('#include "k.cu"\n#include <c.h>\n')
    (tmp_path / "a" / "a.h").write_text('#include "../b.h"\n#include "a.h"\n#include "none.h"\n')
    (tmp_path / "c.h").write_text("x")
    text = '  #  include "a/a.h"\n#include "b.h"\n#include "../../etc/passwd"\n'
    (tmp_path / "k.cu").write_text(text)

    found = local_headers(tmp_path / "k.cu", text)
    assert sorted(header.name for header in found) == ["a/a.h", "b.h"]
    assert all(header.path == tmp_path / header.name for header in found)


def test_a_header_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """The message has the header's path, not the submission's."""
    (tmp_path / "b.h").write_bytes(b"\0")

    with pytest.raises(UserError, match=r"b\.h: is binary"):
        local_headers(tmp_path / "k.cu", '#include "b.h"\n')


def test_a_header_that_is_a_link_to_elsewhere_is_not_read(tmp_path: Path) -> None:
    """Who sends a folder with a link to /etc/passwd in it does not get that file compiled in."""
    folder, secret = tmp_path / "sent", tmp_path / "secret.h"
    (folder / "deep").mkdir(parents=True)
    secret.write_text("int hunter2;\n")
    (folder / "own.h").write_text("int own;\n")
    (folder / "here.h").symlink_to("own.h")
    (folder / "there.h").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    text = '#include "here.h"\n#include "there.h"\n#include "up/secret.h"\n'

    found = local_headers(folder / "k.cu", text)

    assert [one.name for one in found] == ["here.h"]


def test_an_include_that_no_file_can_have_is_left_to_the_compiler(tmp_path: Path) -> None:
    """A name too long, and links in a circle, are the submission's fault, not the judge's."""
    (tmp_path / "round.h").symlink_to("round.h")
    text = f'#include "{"a" * 400}.h"\n#include "round.h"\n'

    assert local_headers(tmp_path / "k.cu", text) == []


def test_a_pipe_is_no_source(tmp_path: Path) -> None:
    """What may have no end is not read: the judge would wait for ever."""
    path = tmp_path / "k.cu"
    os.mkfifo(path)

    with pytest.raises(UserError, match=r"k\.cu: is no plain file"):
        read(path)
