"""results/history.jsonl: one line for every run there ever was, append only.

What cannot be written is said, never dropped in silence.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judge import __version__, journal
from judge.find import ROOT
from judge.model import Report

PATH = ROOT / "results" / "history.jsonl"
SCHEMA = "cuda-judge/history/1"


def append(report: Report, path: Path | None = None) -> str:
    """Add the run to the history.  Returns "", or the sentence that says why it is not there."""
    path = path or PATH
    text = json.dumps(entry(report), separators=(",", ":")) + "\n"
    try:
        journal.append(path, text)
    except OSError as error:
        return f"{path}: this run is not in the history: {error.strerror}"
    return ""


def entry(report: Report) -> dict[str, Any]:
    """What is kept of a run: enough to find it again, repeat it and count it."""
    return {
        "schema": SCHEMA,
        "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "judge": __version__,
        "problem": report.problem,
        "submission": _named(report.submission),
        "sha256": _digest(report.submission),
        "defines": list(report.defines),
        "backend": report.backend,
        "device": report.device,
        "seed": report.seed,
        "verdict": report.verdict.value,
        "reason": report.fault.reason.value if report.fault else "accepted",
        "case": report.failing.case.id if report.failing else None,
        "accepted": report.passed,
        "planned": report.planned,
        "build_seconds": round(report.build_seconds, 3),
        "run_seconds": round(report.run_seconds, 3),
        "timed": _timed(report),
    }


def read(path: Path | None = None) -> Iterator[dict[str, Any]]:
    """Every run, oldest first; none where there is no history.  A torn line is no run."""
    try:
        text = (path or PATH).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        try:
            content = json.loads(line)
        except ValueError:
            continue
        if isinstance(content, dict) and content.get("schema") == SCHEMA:
            yield content


def _timed(report: Report) -> dict[str, Any] | None:
    """The time with a cold cache at the first timed size; None where there is none to believe."""
    first = report.speed.timed[0] if report.speed and report.speed.timed else None
    if first is None or first.doubt:
        return None
    cold = first.cold
    times = {"median_us": cold.median_us, "low_us": cold.low_us, "high_us": cold.high_us}
    return {"sizes": dict(first.sizes), **times}


def _named(path: Path) -> str:
    path = path.absolute()
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def _digest(path: Path) -> str | None:
    """The sha256 of the source as it is now; None where it cannot be read any more."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
