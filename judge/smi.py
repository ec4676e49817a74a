"""The card's state as nvidia-smi tells it: clocks, heat, throttling, who else is there.  Read only.

Absent or silent, it costs nothing but the fields: a time without a state is still a time.
"""

from __future__ import annotations

import os
import shutil
import subprocess

from judge.model import DeviceState

_FIELDS = (
    "name",
    "driver_version",
    "clocks.sm",
    "clocks.mem",
    "temperature.gpu",
    "power.draw",
    "clocks_event_reasons.active",
)
_REASONS = {
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x10: "sync boost",
    0x20: "thermal slowdown (software)",
    0x40: "thermal slowdown (hardware)",
    0x80: "power brake",
    0x100: "display clocks",
}
_SECONDS = 5.0


def state(ordinal: int = 0) -> DeviceState:
    """Ask once; about 0.1 s."""
    row = _query(f"--query-gpu={','.join(_FIELDS)}", ordinal)
    if not row:
        return DeviceState()
    values = [value.strip() for value in row[0].split(",")]
    if len(values) != len(_FIELDS):
        return DeviceState()
    own = str(os.getpid())  # the judge's own context
    others = [pid for pid in _query("--query-compute-apps=pid", ordinal) if pid.strip() != own]
    name, driver, sm, memory, temperature, power, mask = values
    return DeviceState(
        name, driver, sm, memory, temperature, power, reasons(mask), other_processes=len(others)
    )


def reasons(mask: str) -> str:
    """What slows the clocks down, from the driver's bit mask in hex: words, or an empty string."""
    try:
        bits = int(mask, 16)
    except ValueError:
        return ""
    return ", ".join(word for bit, word in _REASONS.items() if bits & bit)


def _query(what: str, ordinal: int) -> list[str]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    argv = [program, what, "--format=csv,noheader,nounits", f"--id={ordinal}"]
    try:
        done = subprocess.run(argv, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    told = done.stdout.decode("utf-8", "replace")
    lines = told.splitlines() if done.returncode == 0 else []
    return [line for line in lines if line.strip() and "No running" not in line]
