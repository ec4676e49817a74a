"""The right and wrong answers of a problem.yaml: YAML values in, checked expressions out.

A room of `spec.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from judge import arrayexpr, expr
from judge.counted import counted
from judge.model import Argument, Role
from judge.yamlpos import Value

MAX_WORDS = 120  # characters of the words for a mistake


class Answers:
    """Reads expressions over the inputs of one signature."""

    def __init__(self, signature: Sequence[Argument], axes: Sequence[str]) -> None:
        read = [argument.name for argument in signature if argument.role is not Role.OUT]
        self._readable = tuple(dict.fromkeys((*read, *axes)))
        self._outputs = tuple(argument.name for argument in signature if argument.is_output)

    def reference(self, value: Value | None, top: Value, folder: Path) -> dict[str, str]:
        """An expression for every output; none where a reference.py serves."""
        script = folder / "reference.py"
        if value is None:
            if not script.is_file():
                top.fail("missing reference, and no reference.py beside it")
            return {}
        if script.is_file():
            value.fail("got expressions and a reference.py beside them, expected one of the two")
        entries = value.mapping(required=self._outputs)
        return {name: self._expression(entry) for name, entry in entries.items()}

    def wrong(self, value: Value | None) -> dict[str, dict[str, str]]:
        """Words for a mistake -> output -> expression; a plain text where there is one output."""
        found = {}
        for words, entry in value.entries().items() if value else ():
            if len(words) > MAX_WORDS:
                entry.fail(f"got {counted(len(words), 'character')}, expected at most {MAX_WORDS}")
            if isinstance(entry.content, dict):
                entries = entry.mapping(optional=self._outputs)
                found[words] = {name: self._expression(one) for name, one in entries.items()}
            elif len(self._outputs) > 1:
                entry.fail(f"got one expression, expected one for some of {self._outputs}")
            else:
                found[words] = {self._outputs[0]: self._expression(entry)}
        return found

    def _expression(self, entry: Value) -> str:
        text = entry.text()
        try:
            arrayexpr.check_arrays(text, self._readable)
        except expr.ExpressionError as error:
            entry.fail(str(error))
        return text
