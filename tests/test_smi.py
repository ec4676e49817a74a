"""judge/smi.py: what nvidia-smi says, recorded; and a time without it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from judge import smi
from judge.model import DeviceState

RECORDED = "NVIDIA H200, 580.159.04, 345, 3201, 37, 78.81, 0x0000000000000001"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shell script to be nvidia-smi, the first on PATH; it keeps its arguments."""
    program = tmp_path / "nvidia-smi"
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return program


def install(program: Path, gpu: str, processes: str = "") -> None:
    """Have it answer the two questions with these shell commands."""
    program.write_text(
        f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> {program}.asked\n"
        f'case "$1" in\n--query-gpu=*) {gpu} ;;\n*) {processes} true ;;\nesac\n'
    )
    program.chmod(0o755)


def test_a_row_becomes_a_state(fake: Path) -> None:
    """The seven fields of one row, and the other processes on the card."""
    install(fake, f"echo '{RECORDED}'", "echo 4711; echo 4712;")

    assert smi.state() == DeviceState(
        name="NVIDIA H200",
        driver="580.159.04",
        sm_mhz="345",
        memory_mhz="3201",
        temperature_c="37",
        power_w="78.81",
        throttle="",
        other_processes=2,
    )


def test_only_the_asked_card_is_asked_and_nothing_is_set(fake: Path) -> None:
    """Both questions are queries of one card, without units: read only."""
    install(fake, f"echo '{RECORDED}'")

    smi.state(1)

    asked = Path(f"{fake}.asked").read_text().splitlines()
    assert [line.split()[0].partition("=")[0] for line in asked] == [
        "--query-gpu",
        "--query-compute-apps",
    ]
    assert all(line.endswith("--format=csv,noheader,nounits --id=1") for line in asked)


def test_an_idle_card_has_no_other_processes(fake: Path) -> None:
    """`No running processes found` is no process."""
    install(fake, f"echo '{RECORDED}'", "echo 'No running processes found';")

    assert smi.state().other_processes == 0


def test_the_judge_itself_is_no_other_process(fake: Path) -> None:
    """The judge holds a context on the card while it asks: it does not warn of itself."""
    install(fake, f"echo '{RECORDED}'", f"echo {os.getpid()}; echo {os.getpid()}0;")

    assert smi.state().other_processes == 1


def test_throttling_is_told_in_words(fake: Path) -> None:
    """The bits of the mask that slow clocks down are named; idle is none of them."""
    install(fake, f"echo '{RECORDED.replace('0x0000000000000001', '0x0000000000000024')}'")

    assert smi.state().throttle == "power cap, thermal slowdown (software)"


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        ("0x1", ""),
        ("0x2", ""),
        ("0x4", "power cap"),
        ("0x48", "hardware slowdown, thermal slowdown (hardware)"),
        ("[N/A]", ""),
        ("", ""),
    ],
)
def test_reasons(mask: str, words: str) -> None:
    """A mask that is no number says nothing; idle (1) and set clocks (2) are no slow-down."""
    assert smi.reasons(mask) == words


@pytest.mark.parametrize(
    "answer",
    [
        "echo 'NVIDIA-SMI has failed'; exit 9",
        f"echo '{RECORDED}'; exit 9",
        "echo 'a, b'",
        "printf '\\377\\376\\n\\000\\n'",
        "true",
    ],
    ids=["failed", "failed late", "short", "garbage", "silent"],
)
def test_a_card_that_tells_nothing_costs_only_the_fields(fake: Path, answer: str) -> None:
    """Whatever else nvidia-smi answers, the state is empty and nothing is raised."""
    install(fake, answer)

    assert smi.state() == DeviceState()


def test_without_nvidia_smi_the_state_is_empty(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container the driver may be there and its tool not."""
    monkeypatch.setenv("PATH", str(fake.parent))

    assert smi.state() == DeviceState()


def test_one_that_hangs_is_left_after_a_moment(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver in trouble blocks nvidia-smi for minutes; the judge goes on."""
    monkeypatch.setattr(smi, "_SECONDS", 0.3)
    install(fake, "exec sleep 20")
    started = time.monotonic()

    assert smi.state() == DeviceState()
    assert time.monotonic() - started < 5
