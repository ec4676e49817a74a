"""The arrays of one call: a case, a seed and a round in, their bytes out.

Bytes depend on (seed, case id, argument, round) alone.
"""

from __future__ import annotations

from judge import expr, paths
from judge import spec as specs
from judge.draws import Stream, draw
from judge.model import Argument, CallData, Case, Distribution, Init, Role, Spec, SpecError


def make(spec: Spec, case: Case, seed: str, round: int = 0) -> CallData:
    """The arrays of one call, in storage dtype: every one of role IN or INOUT, and what those of
    role OUT begin with where that is not poison.

    An INOUT array holds finite numbers even where a scalar of 0 multiplies it.
    Raises SpecError where a distribution has no such array: bounds out of order, too few numbers.
    """
    if spec.challenge is not None:
        return spec.challenge.call(spec, case, round)
    arrays, initial = {}, {}
    for argument in spec.arrays:
        is_out = argument.role is Role.OUT
        if is_out and argument.init is Init.POISON:
            continue
        stream = Stream(seed, case.id, argument.name, str(round))
        shape = specs.shape(argument, case.sizes)
        if is_out:
            initial[argument.name] = draw(_beginning(argument), argument.dtype, shape, stream)
        else:
            distribution = _resolved(spec, case, argument)
            try:
                arrays[argument.name] = draw(distribution, argument.dtype, shape, stream)
            except ValueError as error:
                raise _wrong(spec, case, argument, error) from None
    return CallData(case, round, arrays, initial)


def _resolved(spec: Spec, case: Case, argument: Argument) -> Distribution:
    """An input's distribution with numbers for its expressions.  Raises SpecError."""
    distribution = spec.family(case.family).inputs[argument.name]
    whole = [one.name for one in spec.scalars if not one.dtype.is_float]
    names = {**case.sizes, **{name: int(case.scalars[name]) for name in whole}}

    def numbers(of: Distribution) -> Distribution:
        inner = numbers(of.of) if of.of is not None else None
        parameters = tuple(expr.sizes(p, names) if isinstance(p, str) else p for p in of.parameters)
        if of.kind == "integers" and not parameters[0] <= parameters[1]:
            raise expr.ExpressionError(f"got integers from {parameters[0]} to {parameters[1]}")
        return Distribution(of.kind, parameters, inner)

    try:
        return numbers(distribution)
    except expr.ExpressionError as error:
        raise _wrong(spec, case, argument, error) from None


def _wrong(spec: Spec, case: Case, argument: Argument, error: Exception) -> SpecError:
    """A distribution that gives no array of this case."""
    key = f"families.{case.family}.inputs.{argument.name}"
    return SpecError(paths.shown(spec.path), 0, key, f"{error} in {case.id}")


def _beginning(output: Argument) -> Distribution:
    """What an output that is not poisoned holds before a call."""
    if output.init is Init.ZERO:
        return Distribution("zero")
    return Distribution("normal") if output.dtype.is_float else Distribution("integers", (0, 100))
