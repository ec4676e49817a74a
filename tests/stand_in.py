"""A worker's part, played by a few lines of Python: for tests of the judge's end of the pipes."""

from __future__ import annotations

from pathlib import Path

_HEAD = """\
import ctypes, json, os, signal, sys, time
setting = json.loads(sys.argv[1])
answers, notes = setting["answers"], setting["notes"]
sys.stdout.reconfigure(line_buffering=True)
def send(message):
    os.write(answers, json.dumps(message).encode() + b"\\n")
"""
_CALLS = """
for line in open(setting["calls"], "rb", closefd=False):
    message = json.loads(line)
    n = message["call"]
"""
READY = 'send({"started": 1}); send({"ready": 1})'


def write_worker(folder: Path, on_call: str, start: str = READY) -> Path:
    """A program that runs `start`, then `on_call` for each message (`message`, its number `n`)."""
    path = folder / "stand_in_worker.py"
    body = "".join(f"    {line}\n" for line in on_call.splitlines())
    path.write_text(f"{_HEAD}{start}{_CALLS}{body}", encoding="utf-8")
    return path
