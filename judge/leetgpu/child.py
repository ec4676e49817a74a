"""The process of a challenge: loads challenge.py and torch, and answers the judge until it ends.

    python -c LAUNCH PACKAGE SETTING     setting: JSON with challenge, base, calls, answers

challenge.py is the user's own, trusted as a problem.yaml is; but it may fail, hang or fill memory,
which must end here.  Answers are made from the question alone, so that a question asked twice has
the same answer.

    describe    name, tolerance, signature, and the arguments of every test without their content
    content     the arrays of one test; another round is the same test drawn from another seed
    evaluate    arrays and numbers in, the arrays after the reference out
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.leetgpu import wire

LAUNCH = """
import sys, types
judge = sys.modules["judge"] = types.ModuleType("judge")
judge.__path__ = [sys.argv[1]]
del sys.path[0]
from judge.leetgpu import child
child.main(sys.argv)
"""
"""Finds this package by its own folder: the box does not list the one above."""
MODULE, CLASS = "challenge", "Challenge"
_PERFORMANCE = "performance"
_FUNCTIONAL = (0, 1)
"""Rounds whose functional tests are kept: each is asked for test by test."""

Test = Mapping[str, Any]


class NoTorch(Exception):
    """There is no torch that loads; the message says what it does."""


class Challenge:
    """The challenge and the tests that were drawn so far."""

    def __init__(self, path: Path, seed: str) -> None:
        """Load challenge.py.  Raises NoTorch, and whatever challenge.py raises."""
        try:
            from judge.leetgpu import ontorch
        except Exception as error:
            missing = isinstance(error, ModuleNotFoundError) and error.name == "torch"
            why = "is not installed" if missing else f"does not load: {_said(error)}"
            raise NoTorch(why) from None

        self.torch, self.seed = ontorch, seed
        ontorch.prepare()
        spec = importlib.util.spec_from_file_location(MODULE, path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} cannot be loaded")
        module = sys.modules[MODULE] = importlib.util.module_from_spec(spec)
        with ontorch.Hosted():
            spec.loader.exec_module(module)
            self.own = getattr(module, CLASS)()
        self._kept: dict[int, list[tuple[str, Test]]] = {}

    def describe(self, performance: bool) -> dict[str, Any]:
        """Everything but the content of arrays."""
        tests = list(self._functional(0))
        if performance:
            tests.append((_PERFORMANCE, self._drawn("generate_performance_test", 0)))
        with self.torch.Hosted():
            signature = self.own.get_solve_signature()
        return {
            "name": str(getattr(self.own, "name", "")),
            "atol": float(self.own.atol),
            "rtol": float(self.own.rtol),
            "signature": [[name, *_parameter(said)] for name, said in signature.items()],
            "tests": [[label, self._shapes(test)] for label, test in tests],
        }

    def content(self, label: str, round_: int) -> wire.Named:
        """The arrays of a test; those of round 0 where another round is no test of that shape."""
        first = self._test(label, 0)
        test = self._test(label, round_) if round_ else first
        if test is None or self._shapes(test) != self._shapes(first):
            test = first
        shapes = self._shapes(test)
        return {
            name: self.torch.stored(value)
            for name, value in test.items()
            if "dtype" in shapes[name]
        }

    def evaluate(
        self, numbers: Mapping[str, Any], dtypes: Mapping[str, str], arrays: Mapping[str, Any]
    ) -> wire.Named:
        """The arrays as the reference leaves them.  Raises whatever it raises."""
        tensors = {
            name: self.torch.tensor_of(dtypes[name], array) for name, array in arrays.items()
        }
        before = {name: (tensor.data_ptr(), tensor.shape) for name, tensor in tensors.items()}
        self.torch.seed(_number(f"{self.seed} reference"))
        with self.torch.Hosted():
            self.own.reference_impl(**tensors, **numbers)
        for name, tensor in tensors.items():
            if (tensor.data_ptr(), tensor.shape) != before[name]:
                raise ValueError(f"reference_impl resizes or moves {name}; expected it in place")
        return {name: self.torch.stored(tensor) for name, tensor in tensors.items()}

    def _functional(self, round_: int) -> list[tuple[str, Test]]:
        """The example and the functional tests, by label."""
        if round_ not in self._kept:
            example = self._drawn("generate_example_test", round_)
            tests = self._drawn("generate_functional_test", round_, single=False)
            labelled = [(f"test{number}", test) for number, test in enumerate(tests, 1)]
            self._kept[round_] = [("example", example), *labelled]
        return self._kept[round_]

    def _test(self, label: str, round_: int) -> Any:
        """A test of a round; None where that round has no such test."""
        if label == _PERFORMANCE:
            return self._drawn("generate_performance_test", round_)
        return dict(self._functional(min(round_, _FUNCTIONAL[-1]))).get(label)

    def _drawn(self, generator: str, round_: int, single: bool = True) -> Any:
        """What a generator gives; of one that is to give a single test, that test."""
        self.torch.seed(_number(f"{self.seed} {generator} {round_}"))
        with self.torch.Hosted():
            found = getattr(self.own, generator)()
        return found[0] if single and isinstance(found, (list, tuple)) else found

    def _shapes(self, test: Test) -> dict[str, Any]:
        return {name: self.torch.described(value) for name, value in test.items()}


def _number(text: str) -> int:
    """A seed that torch takes, of a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "little")


def _parameter(said: Any) -> tuple[dict[str, Any], str | None]:
    """A parameter of solve: its C type, and its direction where that is said."""
    kind, direction = said if isinstance(said, (tuple, list)) and len(said) == 2 else (said, None)
    pointer = isinstance(kind, type) and issubclass(kind, ctypes._Pointer)
    target = kind._type_ if pointer else kind
    code = getattr(target, "_type_", None)
    known = isinstance(target, type) and isinstance(code, str)
    return {
        "pointer": pointer or target is ctypes.c_void_p,
        "code": code if known else None,
        "bytes": ctypes.sizeof(target) if known else 0,
        "shown": getattr(kind, "__name__", type(kind).__name__),
    }, direction


def main(arguments: list[str]) -> None:
    """Answer questions until the judge closes the pipe."""
    setting = json.loads(arguments[2])
    if setting["base"]:
        sys.path.insert(1, setting["base"])
    calls, answers = os.fdopen(setting["calls"], "rb"), os.fdopen(setting["answers"], "wb")

    def read(size: int) -> bytes:
        content = calls.read(size)
        if len(content) < size:
            sys.exit(0)
        return content

    challenge: Challenge | None = None
    while True:
        question, arrays = wire.unpack(read)
        try:
            if challenge is None:
                challenge = Challenge(Path(setting["challenge"]), question["seed"])
            head, given = _answer(challenge, question, arrays)
        except (Exception, SystemExit) as error:
            head, given = {"error": _error(error, setting)}, {}
        for part in wire.pack(head, given):
            answers.write(part)
        answers.flush()


def _answer(
    challenge: Challenge, question: Mapping[str, Any], arrays: Mapping[str, Any]
) -> tuple[dict[str, Any], wire.Named]:
    if question["do"] == "describe":
        return challenge.describe(question["performance"]), {}
    if question["do"] == "content":
        return {}, challenge.content(question["test"], question["round"])
    return {}, challenge.evaluate(question["numbers"], question["dtypes"], arrays)


def _error(error: BaseException, setting: Mapping[str, Any]) -> dict[str, Any]:
    """What went wrong and where in the checkout, for one line."""
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    base = setting["base"] or str(Path(setting["challenge"]).parent)
    path, line = setting["challenge"], 0
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == setting["challenge"] or frame.filename.startswith(base + os.sep):
            path, line = frame.filename, frame.lineno or 0
    if isinstance(error, SyntaxError) and error.filename:
        path, line = error.filename, error.lineno or 0
    return {
        "path": path,
        "line": line,
        "missing": missing,
        "torch": str(error) if isinstance(error, NoTorch) else "",
        "message": _said(error),
    }


def _said(error: BaseException) -> str:
    """The kind of an error and the first line of what it says."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
