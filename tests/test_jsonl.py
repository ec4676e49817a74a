"""judge/jsonl.py: a Report as one line of JSON, in the shape its schema promises."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import made_reports
import numpy as np
import pytest

from judge import jsonl
from judge.model import Place, Reason, Report, Verdict

SCHEMA = json.loads(
    (Path(jsonl.__file__).parent / "schemas" / "report.schema.json").read_text(encoding="utf-8")
)
TYPES: dict[str, Any] = {
    "string": str,
    "array": list,
    "object": dict,
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}
REPORTS = {
    "accepted": made_reports.accepted(),
    "wrong": made_reports.wrong(),
    "not a number": made_reports.wrong(float("nan")),
    "compile error": made_reports.failed(
        Verdict.CE, Reason.COMPILE, "expected ';'", place=Place("x.cu", 3)
    ),
    "timed": made_reports.fast(),
    "judge error": replace(
        made_reports.failed(Verdict.JE, Reason.INTERNAL, "broken"), log_path=Path("e.log")
    ),
}


def faults(value: Any, schema: dict[str, Any], where: str = "$") -> list[str]:
    """Where a value departs from the part of JSON Schema that our schema uses."""
    if "$ref" in schema:
        return faults(value, SCHEMA["$defs"][schema["$ref"].split("/")[-1]], where)
    if "anyOf" in schema:
        ways = [faults(value, way, where) for way in schema["anyOf"]]
        return [] if [] in ways else [f"{where}: fits no alternative: {ways}"]
    if "const" in schema and value != schema["const"]:
        return [f"{where}: {value!r} is not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where}: {value!r} is none of {schema['enum']}"]
    kind = schema.get("type")
    if kind and (
        not isinstance(value, TYPES[kind]) or (kind != "boolean" and isinstance(value, bool))
    ):
        return [f"{where}: {value!r} is no {kind}"]
    if value is not None and isinstance(value, int) and value < schema.get("minimum", value):
        return [f"{where}: {value} is too small"]
    found = [f"{where}: no {key}" for key in schema.get("required", ()) if key not in value]
    if kind == "object":
        properties, others = schema.get("properties", {}), schema.get("additionalProperties")
        for key, part in value.items():
            of_key = properties.get(key, others)
            # Readers allow unknown fields; the writer must not have any that is not described.
            found += (
                faults(part, of_key, f"{where}.{key}")
                if of_key
                else [f"{where}.{key}: not in the schema"]
            )
    if kind == "array":
        for number, part in enumerate(value):
            found += faults(part, schema["items"], f"{where}[{number}]")
    return found


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS.keys())
def test_every_kind_of_report_fits_the_schema(report: Report) -> None:
    """No field is missing, none is undescribed, and every value has its type."""
    assert faults(json.loads(jsonl.line(report)), SCHEMA) == []


def test_the_schema_can_refuse() -> None:
    """The check above is no empty promise: a wrong line departs from the schema."""
    good = json.loads(jsonl.line(made_reports.wrong()))

    assert faults({**good, "verdict": "OK"}, SCHEMA) != []
    assert faults({**good, "more": 1}, SCHEMA) != []
    assert faults({**good, "cases": {"planned": 1}}, SCHEMA) != []
    assert faults({key: good[key] for key in good if key != "seed"}, SCHEMA) != []


def test_the_schema_knows_every_verdict_and_reason() -> None:
    """A reason added to the vocabulary is added to the schema in the same commit."""
    definitions = SCHEMA["$defs"]

    assert definitions["verdict"]["enum"] == [verdict.value for verdict in Verdict]
    assert definitions["reason"]["enum"] == [
        reason.value for reason in Reason if reason is not Reason.ACCEPTED
    ]
    assert SCHEMA["properties"]["schema"]["const"] == jsonl.SCHEMA


def test_version_1_keeps_the_fields_it_had() -> None:
    """What a reader of version 1 relies on stays; what was added later may be absent."""
    first = [
        *("schema", "judge", "problem", "submission", "backend", "device", "seed"),
        *("defines", "verdict", "fault", "cases", "results", "failing", "pattern"),
        *("notes", "again", "build", "log", "build_seconds", "run_seconds"),
    ]

    assert SCHEMA["required"] == first
    assert set(SCHEMA["properties"]) == {*first, "speed", "init"}
    assert jsonl.SCHEMA == "cuda-judge/report/1"


def test_a_report_is_one_line_of_ascii() -> None:
    """Whatever was printed, a reader of lines gets one object a line."""
    report = made_reports.wrong()
    assert report.failing is not None
    failing = replace(report.failing, printed="a\nb\u2028c\x1b[2J\udce9")
    text = jsonl.line(replace(report, failing=failing, submission=Path("caf\udce9.cu")))

    assert text.endswith("}\n")
    assert len(text.splitlines()) == 1
    assert text.isascii()
    assert json.loads(text)["submission"] == "caf\\udce9.cu"
    assert json.loads(text)["failing"]["printed"] == "a\nb\u2028c\x1b[2J\\udce9"


def test_numbers_that_json_lacks_are_named() -> None:
    """nan and infinities are strings, for strict readers; NumPy's numbers are numbers."""
    report = made_reports.wrong(float("-inf"))
    assert report.failing is not None
    assert report.failing.check is not None
    assert report.failing.check.worst is not None
    worst = replace(
        report.failing.check.worst,
        usage=np.float64("nan"),
        allowed=np.float32(0.5),
        index=(np.int64(3),),
    )
    failing = replace(report.failing, check=replace(report.failing.check, worst=worst))
    got = json.loads(jsonl.line(replace(report, failing=failing)))["failing"]["check"]["worst"]

    assert got["got"] == "-inf"
    assert got["usage"] == "nan"
    assert got["allowed"] == 0.5
    assert got["index"] == [3]


def test_the_place_and_the_reason_are_fields_of_their_own() -> None:
    """A machine never has to read the sentence."""
    fault = json.loads(jsonl.line(made_reports.wrong()))["fault"]

    assert fault["reason"] == "mismatch"
    assert fault["place"] == {
        "file": "tests/submissions/gemm_fp16/wa_drops_k_tail.cu",
        "line": 31,
    }


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    """A reader sees the old report or the new one, and no half-written file is left beside it."""
    path = tmp_path / "report.json"
    jsonl.write("old and longer\n", path)
    jsonl.write("new\n", path)

    assert path.read_text() == "new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    """A report that is a link to somewhere else stays one."""
    (tmp_path / "real.json").touch()
    (tmp_path / "link.json").symlink_to("real.json")
    jsonl.write("new\n", tmp_path / "link.json")

    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new\n"


def test_a_device_is_written_to_and_not_replaced() -> None:
    """--json /dev/null and --json /dev/fd/3 do what they say."""
    jsonl.write("new\n", Path("/dev/null"))

    assert not Path("/dev/null").is_file()
