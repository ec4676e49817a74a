"""Axes, signature, fixed cases and tolerances of a problem.yaml: YAML values in, checked parts out.

A room of `spec.py`; each function takes the Value of one key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from judge import conditions, expr, yamlpos
from judge.axes import completed
from judge.banned import LIBRARIES
from judge.model import Argument, Axis, Dtype, Family, FixedCase, Init, Role, Tolerance
from judge.specfamilies import scalar_values
from judge.yamlpos import Value

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)
_KEYWORDS = """
    auto bool break case char class const continue default delete do double else enum extern false
    float for goto half if int long new operator private public return short signed sizeof static
    struct switch template this true typedef union unsigned using void volatile while"""
MOST = 2**31 - 1  # what any axis may be
RULES = {
    # rule: the keys it needs, the keys it may have
    "rounding": (("terms",), ("accumulate", "source")),
    "exact": ((), ("source",)),
    "ulp": (("ulp", "source"), ()),
    "allclose": (("rtol", "atol", "source"), ()),
}


def read_name(value: Value, name: str) -> str:
    """A name that C++, the shell and a case id can carry."""
    if not _NAME.match(name) or name in _KEYWORDS.split() or len(name) > 40:
        value.fail(f"got the name {name!r}, expected a C++ identifier that is no keyword")
    return name


def read_axes(value: Value) -> dict[str, Axis]:
    axes: dict[str, Axis] = {}
    for name, entry in value.entries().items():
        is_computed = "equals" in entry.entries()
        needed = ("equals",) if is_computed else ("min", "max")
        fields = entry.mapping(required=needed, optional=("hidden",))
        hidden = fields["hidden"].boolean() if "hidden" in fields else False
        read_name(entry, name)
        if is_computed:
            equals = read_size_expression(fields["equals"], tuple(axes))
            axes[name] = Axis(name, 0, MOST, equals, hidden)
            continue
        minimum = fields["min"].integer(0, MOST)
        maximum = fields["max"].integer(minimum, MOST)
        axes[name] = Axis(name, minimum, maximum, hidden=hidden)
    if not axes:
        value.fail("got no axis, expected at least one")
    if all(axis.equals for axis in axes.values()):
        value.fail("got computed axes only, expected at least one with min and max")
    return axes


def read_require(value: Value | None, names: tuple[str, ...]) -> tuple[str, ...]:
    """Comparisons over the axes."""
    texts = []
    for item in value.items() if value else ():
        texts.append(item.text())
        try:
            conditions.check(texts[-1], names)
        except expr.ExpressionError as error:
            item.fail(str(error))
    return tuple(texts)


def read_signature(value: Value, axes: Mapping[str, Axis]) -> tuple[Argument, ...]:
    arguments: dict[str, Argument] = {}
    for entry in value.items(1):
        argument = _argument(entry, axes)
        if argument.name in arguments:
            entry.fail(f"got a second argument {argument.name}, expected unique names")
        arguments[argument.name] = argument
    signature = tuple(arguments.values())
    for name, axis in axes.items():
        if name not in arguments and not axis.hidden:
            value.fail(f"got no argument {name}, expected one with role axis for each axis")
        if name in arguments and axis.hidden:
            value.fail(f"got an argument {name}, which axes says is hidden, expected none")
    if not any(argument.is_output for argument in signature):
        value.fail("got no output, expected an argument with role out or inout")
    return signature


def _argument(entry: Value, axes: Mapping[str, Axis]) -> Argument:
    fields = entry.mapping(required=("name", "dtype", "role"), optional=("shape", "values", "init"))
    name = read_name(fields["name"], fields["name"].text())
    dtype = Dtype(fields["dtype"].word([dtype.value for dtype in Dtype]))
    role = Role(fields["role"].word([role.value for role in Role]))
    needed = {Role.AXIS: None, Role.SCALAR: "values"}.get(role, "shape")
    for key in ("shape", "values"):
        if key in fields and key != needed:
            fields[key].fail(f"unknown key for role {role.value}")
    if needed and needed not in fields:
        entry.fail(f"missing {needed}, which role {role.value} needs")
    if "init" in fields and role is not Role.OUT:
        fields["init"].fail(f"unknown key for role {role.value}, expected it for role out")
    if role is Role.AXIS and name not in axes:
        fields["name"].fail(f"got {name!r}, expected {yamlpos.choices(name, tuple(axes))}")
    if role is not Role.AXIS and name in axes:
        fields["role"].fail(f"got {role.value!r}, expected axis, as {name} is one")
    if role is Role.AXIS and (dtype.is_float or dtype.itemsize < 4):
        fields["dtype"].fail(f"got {dtype.value!r}, expected int32 or wider for an axis")
    if role is Role.SCALAR:
        return Argument(name, dtype, role, values=scalar_values(fields["values"], dtype))
    if role is Role.AXIS:
        return Argument(name, dtype, role)
    dimensions = fields["shape"].items(1)
    shape = tuple(read_size_expression(item, tuple(axes)) for item in dimensions)
    init = Init.POISON
    if "init" in fields:
        init = Init(fields["init"].word([init.value for init in Init]))
    return Argument(name, dtype, role, shape, init=init)


def read_banned(value: Value | None) -> tuple[str, ...]:
    """Libraries that a submission may not use."""
    return tuple(item.word(tuple(LIBRARIES)) for item in value.items()) if value else ()


def read_size_expression(value: Value, names: tuple[str, ...]) -> str:
    """An expression over the axes; a bare integer counts as one."""
    content = value.content
    text = str(content) if type(content) is int else value.text()
    try:
        expr.check_sizes(text, names)
    except expr.ExpressionError as error:
        value.fail(str(error))
    return text


def read_sizes(value: Value, axes: Mapping[str, Axis]) -> dict[str, int]:
    """One integer for every axis that is drawn, in its range; the sizes of all axes."""
    drawn = {name: axis for name, axis in axes.items() if not axis.equals}
    entries = value.mapping(required=tuple(drawn))
    sizes = {n: entries[n].integer(axis.minimum, axis.maximum) for n, axis in drawn.items()}
    try:
        return completed(tuple(axes.values()), sizes)
    except expr.ExpressionError as error:
        value.fail(str(error))


def read_fixed(
    value: Value,
    axes: Mapping[str, Axis],
    signature: tuple[Argument, ...],
    families: tuple[Family, ...],
) -> FixedCase:
    """One entry of `cases.fixed`; a scalar it does not name takes its first value."""
    fields = value.mapping(required=("sizes", "family", "why"), optional=("scalars",))
    named = {family.name: family for family in families}
    member = named[fields["family"].word(tuple(named))]
    sizes = read_sizes(fields["sizes"], {**axes, **member.axes})
    allowed = {
        argument.name: member.scalars.get(argument.name, argument.values)
        for argument in signature
        if argument.role is Role.SCALAR
    }
    scalars = {name: numbers[0] for name, numbers in allowed.items()}
    given = fields["scalars"].mapping(optional=tuple(allowed)) if "scalars" in fields else {}
    for name, entry in given.items():
        if entry.number() not in allowed[name]:
            entry.expect(" or ".join(f"{number:g}" for number in allowed[name]))
        scalars[name] = entry.number()
    return FixedCase(sizes, member.name, scalars, fields["why"].text())


def read_tolerances(
    fields: Mapping[str, Value], signature: tuple[Argument, ...], names: tuple[str, ...]
) -> dict[str, Tolerance]:
    outputs = {argument.name: argument for argument in signature if argument.is_output}
    entries = fields["tolerance"].mapping(required=tuple(outputs))
    return {name: _tolerance(entries[name], outputs[name], names) for name in outputs}


def _tolerance(value: Value, output: Argument, names: tuple[str, ...]) -> Tolerance:
    first = value.entries()
    if "rule" not in first:
        value.fail("missing rule")
    rule = first["rule"].word(tuple(RULES))
    if not output.dtype.is_float and rule != "exact":
        first["rule"].fail(f"got {rule!r}, expected exact for the integers of {output.name}")
    required, optional = RULES[rule]
    entries = value.mapping(("rule", *required), optional)
    more: dict[str, Any] = {
        key: entries[key].number(0) for key in ("ulp", "rtol", "atol") if key in entries
    }
    if "terms" in entries:
        more["terms"] = read_size_expression(entries["terms"], names)
    if "accumulate" in entries:
        floats = [dtype.value for dtype in Dtype if dtype.is_float]
        more["accumulate"] = Dtype(entries["accumulate"].word(floats))
    if "source" in entries:
        more["source"] = entries["source"].text()
    return Tolerance(rule, **more)
