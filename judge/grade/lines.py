"""A Graded as a line of JSON and back: the shape is judge/schemas/graded.schema.json.

Strict both ways: a line that is not whole, not of this version or of another shape is a ValueError,
never half a result.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

from judge.grade.model import VERSION, Graded, GradedTest

SCHEMA = f"cuda-judge/graded/{VERSION}"


def dump(graded: Graded) -> str:
    """One line of strict JSON with its newline, ASCII only."""
    content = {"schema": SCHEMA, "verdict": graded.verdict, **asdict(graded)}
    return json.dumps(content, allow_nan=False, separators=(",", ":")) + "\n"


def load(line: str) -> Graded:
    """The Graded of a line.  Raises ValueError."""
    try:
        content: dict[str, Any] = json.loads(line)
    except ValueError:
        raise ValueError("not a line of JSON") from None
    if not isinstance(content, dict) or content.pop("schema", None) != SCHEMA:
        raise ValueError(f"not a result, expected schema {SCHEMA}")
    verdict = content.pop("verdict", None)
    try:
        tests = tuple(_test(one) for one in content.pop("tests"))
        graded = Graded(**content, tests=tests)
        _check(graded)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a result: {error}") from None
    if graded.verdict != verdict:
        raise ValueError(f"verdict {verdict!r} beside a report with {graded.verdict!r}")
    return graded


def _test(content: Any) -> GradedTest:
    test = GradedTest(**content)
    _check(test)
    return test


def _check(value: Graded | GradedTest) -> None:
    """Each field of its type: a dataclass does not look."""
    kinds: dict[str, type | tuple[type, ...]] = {
        "str": str, "float": (int, float), "int": int,
        "Mapping[str, Any]": dict, "tuple[GradedTest, ...]": tuple,
    }  # fmt: skip
    for field in fields(value):
        content = getattr(value, field.name)
        if not isinstance(content, kinds[str(field.type)]) or isinstance(content, bool):
            raise TypeError(f"{field.name} is a {type(content).__name__}, expected {field.type}")
