"""The input families of a problem.yaml: YAML values in, Family and Distribution out.

A room of `spec.py`: what an array may hold, checked against the element type that must hold it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge import expr
from judge.counted import counted
from judge.elements import integer_range, largest
from judge.model import Argument, Axis, Distribution, Dtype, Family, Role
from judge.yamlpos import Value

# kind: how many parameters, whether integer arrays may have it
KINDS: Mapping[str, tuple[tuple[int, ...], bool]] = {
    "normal": ((0, 2), False),
    "uniform": ((2,), False),
    "wide": ((2,), False),
    "integers": ((2,), True),
    "one_hot": ((0,), True),
    "ids": ((0,), True),
    "zero": ((0,), True),
    "constant": ((1,), True),
    "permutation": ((0,), True),
    "few": ((1,), True),
    "special": ((0, 1), True),
    "sparse": ((1,), False),
    "sorted": ((1,), True),
    "reversed": ((1,), True),
}
ORDERS = ("sorted", "reversed")
EXPRESSIONS = ("integers", "sparse")  # whose parameters may be expressions of sizes


def scalar_values(value: Value, dtype: Dtype) -> tuple[float, ...]:
    """The values of a scalar: unique numbers that its type can hold, the simplest first."""
    numbers = []
    for item in value.items(1):
        number = item.number()
        if not dtype.is_float:
            low, high = integer_range(dtype)
            number = item.integer(low, high)
        elif abs(number) > largest(dtype):
            item.expect(f"a number that {dtype.value} can hold")
        if number in numbers:
            item.fail(f"got {number:g} twice, expected each value once")
        numbers.append(number)
    return tuple(numbers)


def read_family(
    value: Value, name: str, axes: Mapping[str, Axis], signature: Sequence[Argument]
) -> Family:
    """One entry of `families:`."""
    fields = value.mapping(
        required=("inputs",), optional=("weight", "exact", "scalars", "names_index", "axes")
    )
    read = {a.name: a for a in signature if a.role in (Role.IN, Role.INOUT)}
    scalars = {a.name: a for a in signature if a.role is Role.SCALAR}
    names = (*axes, *(name for name, scalar in scalars.items() if not scalar.dtype.is_float))
    inputs = {
        key: _distribution(entry, read[key].dtype, names)
        for key, entry in fields["inputs"].mapping(required=tuple(read)).items()
    }
    narrowed: dict[str, Axis] = {}
    drawn = [name for name, axis in axes.items() if not axis.equals]
    if "axes" in fields:
        for key, entry in fields["axes"].mapping(optional=drawn).items():
            bounds = entry.mapping(optional=("min", "max"))
            axis = axes[key]
            low, high = axis.minimum, axis.maximum
            if "min" in bounds:
                low = bounds["min"].integer(low, high)
            if "max" in bounds:
                high = bounds["max"].integer(low, high)
            narrowed[key] = Axis(key, low, high)
    allowed = {}
    if "scalars" in fields:
        for key, entry in fields["scalars"].mapping(optional=tuple(scalars)).items():
            allowed[key] = scalar_values(entry, scalars[key].dtype)
    return Family(
        name=name,
        weight=fields["weight"].integer(0, 1000) if "weight" in fields else 1,
        inputs=inputs,
        exact=fields["exact"].boolean() if "exact" in fields else False,
        scalars=allowed,
        names_index=fields["names_index"].boolean() if "names_index" in fields else False,
        axes=narrowed,
    )


def _distribution(value: Value, dtype: Dtype, names: Sequence[str]) -> Distribution:
    """`normal`, or a mapping of one kind to its parameters: `{uniform: [-1, 1]}`.

    names: what an expression among the parameters may name
    """
    if isinstance(value.content, dict) and len(value.content) == 1:
        ((kind, given),) = value.content.items()
        if kind not in KINDS:
            given.fail(f"unknown distribution, expected one of {', '.join(KINDS)}")
        items = given.items() if isinstance(given.content, list) else [given]
    else:
        kind, items = value.word(tuple(KINDS)), []
    counts, for_integers = KINDS[kind]
    if len(items) not in counts:
        expected = " or ".join(map(str, counts))
        value.fail(f"got {kind} with {counted(len(items), 'parameter')}, expected {expected}")
    if not dtype.is_float and not for_integers:
        fitting = [name for name, (_, fits) in KINDS.items() if fits]
        value.fail(f"got {kind} for {dtype.value}, expected one of {', '.join(fitting)}")
    if kind in ORDERS:
        return Distribution(kind, of=_distribution(items[0], dtype, names))
    parameters = tuple(_parameter(kind, item, dtype, names) for item in items)
    numbers = [number for number in parameters if not isinstance(number, str)]
    if len(numbers) == 2 and kind != "normal" and not numbers[0] < numbers[1]:
        low, high = numbers
        value.fail(f"got {kind} from {low:g} to {high:g}, expected the lesser first")
    return Distribution(kind, parameters)


def _parameter(kind: str, item: Value, dtype: Dtype, names: Sequence[str]) -> float | str:
    """A number that the kind takes and the type holds, or an expression of sizes."""
    if kind in EXPRESSIONS and isinstance(item.content, str):
        try:
            expr.check_sizes(item.content, names)
        except expr.ExpressionError as error:
            item.fail(str(error))
        return item.content
    low, high = integer_range(dtype)
    if kind == "wide":
        return item.integer(-60, 60)
    if kind == "few":
        return item.integer(1, 1 << 20)
    if kind == "sparse":
        return item.integer(0, high)
    if kind == "integers" or not dtype.is_float:
        return item.integer(low, high)
    number = item.number()
    if abs(number) > largest(dtype):
        item.expect(f"a number that {dtype.value} can hold")
    return number
