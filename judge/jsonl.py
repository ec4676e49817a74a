"""A Report -> one line of JSON: what every machine-readable format is made from.

The shape is judge/schemas/report.schema.json, and `schema` names its version.  A field may be
added under the same version; one that is removed or changes its meaning takes a new version.
Numbers that JSON does not have are the strings "nan", "inf" and "-inf".
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from judge import __version__, speedjson
from judge.model import (
    Build,
    CaseResult,
    Check,
    Fault,
    Report,
    Worst,
)

SCHEMA = "cuda-judge/report/1"


def line(report: Report) -> str:
    """The report as one line of strict JSON, with its newline; ASCII only."""
    return json.dumps(as_dict(report), allow_nan=False, separators=(",", ":")) + "\n"


def write(text: str, path: Path) -> None:
    """Write `text` to `path` in one step, so that a reader never sees half of it.  Raises OSError.

    A pipe or device is written to as it is.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="ascii")
        return
    path = path.resolve()
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(text, encoding="ascii")
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def as_dict(report: Report) -> dict[str, Any]:
    """The report as the schema has it."""
    return {
        "schema": SCHEMA,
        "judge": __version__,
        "problem": _text(report.problem),
        "submission": _text(str(report.submission)),
        "backend": report.backend,
        "device": _text(report.device),
        "init": dict(report.init),
        "seed": _text(report.seed),
        "defines": [_text(define) for define in report.defines],
        "verdict": report.verdict.value,
        "fault": _fault(report.fault),
        "cases": {
            "planned": report.planned,
            "run": len(report.results),
            "accepted": report.passed,
        },
        "results": [_result(result) for result in report.results],
        "failing": None if report.failing is None else _result(report.failing),
        "pattern": [_text(text) for text in report.pattern],
        "notes": [_text(text) for text in report.notes],
        "again": _text(report.again),
        "build": _build(report.build),
        "log": None if report.log_path is None else _text(str(report.log_path)),
        "build_seconds": round(report.build_seconds, 3),
        "run_seconds": round(report.run_seconds, 3),
        "speed": speedjson.speed(report.speed),
    }


def _fault(fault: Fault | None) -> dict[str, Any] | None:
    if fault is None:
        return None
    place = fault.place
    return {
        "verdict": fault.verdict.value,
        "reason": fault.reason.value,
        "message": _text(fault.message),
        "place": None if place is None else {"file": _text(place.file), "line": place.line},
        "details": [_text(text) for text in fault.details],
    }


def _result(result: CaseResult) -> dict[str, Any]:
    return {
        "id": _text(result.case.id),
        "family": result.case.family,
        "sizes": dict(result.case.sizes),
        "scalars": {name: _number(value) for name, value in result.case.scalars.items()},
        "why": result.case.why,
        "verdict": result.verdict.value,
        "fault": _fault(result.fault),
        "check": _check(result.check),
        "seconds": round(result.seconds, 6),
        "printed": _text(result.printed),
        "notes": [_text(text) for text in result.notes],
    }


def _check(check: Check | None) -> dict[str, Any] | None:
    if check is None:
        return None
    return {
        "checked": check.checked,
        "total": check.total,
        "wrong": check.wrong,
        "usage": _number(check.usage),
        "worst": _worst(check.worst),
    }


def _worst(worst: Worst | None) -> dict[str, Any] | None:
    if worst is None:
        return None
    return {
        "output": worst.output,
        "index": [int(i) for i in worst.index],
        "got": _number(worst.got),
        "expected": _number(worst.expected),
        "error": _number(worst.error),
        "allowed": _number(worst.allowed),
        "usage": _number(worst.usage),
    }


def _build(build: Build | None) -> dict[str, Any] | None:
    if build is None:
        return None
    return {
        "compiler": _text(build.compiler),
        "cached": build.cached,
        "seconds": round(build.seconds, 3),
        "warnings": [_text(text) for text in build.warnings],
        "notes": [_text(text) for text in build.notes],
    }


def _number(value: float) -> float | int | str:
    """A NumPy or Python number as JSON has it."""
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, float) and not math.isfinite(number):
        return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    return number


def _text(text: str) -> str:
    """Text without the lone surrogates of odd file names, which JSON readers refuse."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
