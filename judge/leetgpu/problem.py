"""A folder of a LeetGPU checkout in, a Spec out: `judge run mine.cu --leetgpu FOLDER`.

The challenge becomes what a problem.yaml becomes, but its cases are its own tests, their content
and the right answers come from its process while the judge runs (`Spec.challenge`), and the
tolerance is the one it names.  Nothing of it is copied, kept or written anywhere.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge import paths
from judge.leetgpu import roles
from judge.leetgpu import sizes as named
from judge.leetgpu.calls import OwnTests, evaluate
from judge.leetgpu.parameters import ChallengeTest, Parameter, Reader
from judge.leetgpu.process import Process
from judge.leetgpu.roles import Trial, Use
from judge.model import (
    Argument,
    Array,
    Case,
    Family,
    Limits,
    Role,
    Spec,
    SpecError,
    Tolerance,
    UserError,
)
from judge.printable import printable

FILE, BASE = "challenge.py", Path("core") / "challenge_base.py"
PERFORMANCE = "performance"
FAMILY = "leetgpu"
SECONDS_PER_CALL = 30.0
"""The tests are sized for GPUs, and the CPU backend may be asked for them all the same."""
_LEAST_MEMORY = 1 << 30
_TRIAL_BYTES = 4 << 20
_LEVELS = 6


def find(asked: str) -> Path:
    """The challenge.py in, or at, the path a user names.  Raises UserError."""
    shown = printable(asked)
    path = Path(asked)
    if not asked.strip() or "\0" in asked or not path.exists():
        raise UserError(f"--leetgpu: {shown or 'nothing'}: no such folder; name one of a challenge")
    if path.is_dir():
        below = sorted(one.parent.name for one in path.glob(f"*/{FILE}"))
        path = path / FILE
        if not path.is_file():
            some = ", ".join(map(printable, below[:6])) + (", ..." if len(below) > 6 else "")
            hint = f"; there is one in {some}" if below else ""
            raise UserError(f"--leetgpu: {shown}: no {FILE} in this folder{hint}")
    if path.name != FILE:
        raise UserError(f"--leetgpu: {shown}: got a file, expected a folder with {FILE}")
    return path.resolve()


@functools.lru_cache(maxsize=4)
def load(path: Path, seed: str, performance: bool) -> Spec:
    """The challenge as a problem, its process running.

    path: of challenge.py;  performance: its performance test, too, as the size to be timed
    Raises SpecError for what fails in the checkout, BackendMissing without torch.
    """
    base = next((one for one in list(path.parents)[:_LEVELS] if (one / BASE).is_file()), None)
    process = Process(path, base, seed)
    try:
        said, _ = process.ask({"do": "describe", "performance": performance})
        parameters, tests = Reader(path).read(said)
        return _spec(path, said, parameters, tests, process)
    except BaseException:
        process.close()
        raise


def _spec(
    path: Path,
    said: Mapping[str, Any],
    parameters: Sequence[Parameter],
    tests: Sequence[ChallengeTest],
    process: Process,
) -> Spec:
    allowed = said["atol"], said["rtol"]
    if not all(math.isfinite(one) and one >= 0 for one in allowed):
        message = f"got atol {allowed[0]}, rtol {allowed[1]}, expected numbers from 0 up"
        raise SpecError(paths.shown(path), 0, "__init__", message)
    uses = roles.of(parameters, list(_trials(parameters, tests, process)), allowed)
    if not any(use.role in (Role.OUT, Role.INOUT) for use in uses.values()):
        message = "got no array that solve may write, expected an output"
        raise SpecError(paths.shown(path), 0, "get_solve_signature", message)
    known = named.axes(parameters, tests)
    shapes, made = named.shapes(parameters, tests, known)
    signature = tuple(_argument(one, known, shapes, uses) for one in parameters)
    columns = {**known, **made}
    cases = [
        _case(test, signature, {name: values[i] for name, values in columns.items()})
        for i, test in enumerate(tests)
    ]
    by_id = {case.id: test for case, test in zip(cases, tests, strict=True)}
    challenge = OwnTests(path, process, by_id, allowed)
    challenge.cases = tuple(case for case in cases if by_id[case.id].label != PERFORMANCE)
    challenge.timed = tuple(case for case in cases if by_id[case.id].label == PERFORMANCE)
    rule = f"|error| <= {allowed[0]:g} + {allowed[1]:g} * |right answer|"
    rule = rule if any(allowed) else "equal"
    challenge.remarks = (
        f"tests, reference and tolerance ({rule}) are those of {paths.shown(path)}",
        *roles.remarks(uses),
    )
    largest = max(
        sum(
            math.prod(test.shapes[one.name]) * one.dtype.itemsize
            for one in signature
            if one.is_array
        )
        for test in tests
    )
    outputs = [one for one in signature if one.is_output]
    return Spec(
        slug=f"leetgpu/{path.parent.name}",
        path=path,
        title=said["name"] or path.parent.name,
        summary="a challenge of a LeetGPU checkout",
        source="the user's own checkout",
        axes=tuple(named.axis(name, values, name in made) for name, values in columns.items()),
        signature=signature,
        families=(Family(FAMILY, 1, {}),),
        tiles=(8, 16, 32, 64, 128),
        fixed=(),
        drawn=0,
        work="0",
        bytes=" + ".join(" * ".join((str(one.dtype.itemsize), *one.shape)) for one in outputs),
        reference={},
        reference_path=None,
        tolerance={
            one.name: Tolerance("allclose", atol=allowed[0], rtol=allowed[1]) for one in outputs
        },
        timed=(),
        limits=Limits(SECONDS_PER_CALL, max(_LEAST_MEMORY, 4 * largest)),
        challenge=challenge,
    )


def _trials(
    parameters: Sequence[Parameter], tests: Sequence[ChallengeTest], process: Process
) -> Any:
    """The tests that are small, or else the first."""
    arrays = [one for one in parameters if one.is_array]

    def size(test: ChallengeTest) -> int:
        return sum(math.prod(test.shapes[one.name]) * one.dtype.itemsize for one in arrays)

    small = [test for test in tests if test.label != PERFORMANCE and size(test) <= _TRIAL_BYTES]
    for test in small or tests[:1]:
        _, before = process.ask({"do": "content", "test": test.label, "round": 0})

        def after(given: Mapping[str, Array], test: ChallengeTest = test) -> dict[str, Array]:
            return evaluate(process, parameters, given, test.numbers)

        yield Trial(before, after)


def _argument(
    one: Parameter,
    known: Mapping[str, Any],
    shapes: Mapping[str, tuple[str, ...]],
    uses: Mapping[str, Use],
) -> Argument:
    if one.is_array:
        use = uses[one.name]
        return Argument(one.name, one.dtype, use.role, shapes[one.name], init=use.init)
    return Argument(one.name, one.dtype, Role.AXIS if one.name in known else Role.SCALAR)


def _case(test: ChallengeTest, signature: Sequence[Argument], lengths: Mapping[str, int]) -> Case:
    """A test as a case; its id says the numbers that solve gets."""
    words = [f"{one.name}={test.numbers[one.name]!r}" for one in signature if not one.is_array]
    scalars = {one.name: test.numbers[one.name] for one in signature if one.role is Role.SCALAR}
    why = "the challenge's example" if test.label == "example" else ""
    return Case(",".join((test.label, *words)), FAMILY, dict(lengths), scalars, why)
