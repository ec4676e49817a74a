"""judge/streams.py: readers who leave, and descriptors that are closed, through the program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge import cli, devices, streams
from judge.find import ROOT

TILED, WRONG = "tiled.cu", "tests/submissions/gemm_fp16/wa_drops_k_tail.cu"
# Of every command how it may be typed here, and how it ends without a GPU.
ENDS = {
    "--help": 0,
    "run --help": 0,
    "run --nonsense": 2,
    f"run {TILED} --backend cpu --json -": 0,
    f"run {WRONG} --backend cpu --format csv=-": 1,
    f"check {WRONG}": 1,
    f"debug {TILED} --no-gdb": 0,
    f"sweep {TILED} --backend cpu -D TILE=8": 0,
    "cases vector_add": 141,
    "gauge vector_add": 141,
    "new zzz x": 2,
    "problems": 141,
    f"which {TILED}": 141,
    "new-problem -": 2,
    "lint-problem --all": 141,
    "lint-problem zzz": 2,
    "ladder zzz": 2,
    f"compare {TILED} zzz.cu": 2,
    "profile zzz.cu": 2,
    "sanitize zzz.cu": 2,
    "grade zzz --problem vector_add": 2,
    "leaderboard vector_add": 141,
    "doctor": 141,
}


def ended(words: str, out: int, err: int, **more: object) -> subprocess.CompletedProcess[bytes]:
    """A command with these streams."""
    command = [sys.executable, "-m", "judge", *words.split()]
    return subprocess.run(
        command,
        cwd=ROOT,
        stdout=out,
        stderr=err,
        check=False,
        **more,  # type: ignore[call-overload]
    )


@pytest.mark.parametrize(("words", "code"), ENDS.items(), ids=ENDS)
def test_a_reader_who_leaves_is_no_error(words: str, code: int) -> None:
    """`judge ... | head -1` ends quietly: with the exit code of what was found, or with 141 where
    all that it does is print; so where the reader of stderr leaves too."""
    if words == "ladder zzz":
        code = 2 if devices.gpu_files() else 4
    reader, writer = os.pipe()
    os.close(reader)
    try:
        one = ended(words, writer, subprocess.PIPE)
        both = ended(words, writer, writer)
    finally:
        os.close(writer)

    assert (one.returncode, both.returncode) == (code, code), one.stderr
    assert b"Traceback" not in one.stderr
    assert b"Broken" not in one.stderr


def test_every_command_is_tried_with_a_reader_who_leaves() -> None:
    """A new command stands in the table above."""
    (commands,) = (a.choices for a in cli.parser()._actions if a.dest == "command")

    assert {words.split()[0] for words in ENDS} - {"--help"} == set(commands or ())


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_closed_descriptor_is_no_file_of_the_judge_s(closed: str, tmp_path: Path) -> None:
    """What is printed then is lost, not written into the next file that is opened, nor a fault."""
    target = tmp_path / "report.json"
    line = (
        f"{sys.executable} -m judge run {TILED} --backend cpu --seed 1 --json {target} {closed}; "
        f"code=$?; {sys.executable} -m judge run zzz.cu {closed}; echo $code $?"
    )
    done = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.stdout.splitlines()[-1] == "0 2"
    assert target.read_text().startswith('{"schema":')
    assert "JE" not in done.stdout + done.stderr
    if "2>&-" in closed:
        assert "no such file" not in done.stdout


def test_a_reader_who_stays_gets_every_byte() -> None:
    """Also beyond one buffer, and characters that the encoding lacks as escapes."""
    reader, writer = os.pipe()
    with open(reader, "rb") as there, streams._stream(writer, None) as stream:
        stream.write("x" * 20_000 + "\udc80")
        stream.flush()
        os.close(writer)
        assert there.read() == b"x" * 20_000 + b"\\udc80"
