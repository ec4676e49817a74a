"""problem.yaml in, a checked Spec out; whatever is wrong ends in one line with its place.

    problems/<slug>/problem.yaml    read by `load`
                    reference.py    stands in for `reference:` where one expression does not do

`load` reads; it never imports reference.py and draws no numbers.  Errors are SpecErrors that read
`path:line: key: got ..., expected ...`.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from judge import expr, yamlpos
from judge.model import (
    Argument,
    Axis,
    Dtype,
    Family,
    FixedCase,
    Limits,
    Role,
    Spec,
    SpecError,
    Tolerance,
    UserError,
)
from judge.specfields import family, scalar_values
from judge.yamlpos import Value

PROBLEMS = Path(__file__).resolve().parent.parent / "problems"
FILE = "problem.yaml"

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)
_KEYWORDS = """
    auto bool break case char class const continue default delete do double else enum extern false
    float for goto half if int long new operator private public return short signed sizeof static
    struct switch template this true typedef union unsigned using void volatile while"""
_RULES = {
    # rule: the keys it needs, the keys it may have
    "rounding": (("terms",), ("accumulate", "source")),
    "exact": ((), ("source",)),
    "ulp": (("ulp", "source"), ()),
    "allclose": (("rtol", "atol", "source"), ()),
}


def load(problem: str | Path) -> Spec:
    """Load a problem by slug (`gemm_fp16`), by folder or by the path of its problem.yaml.

    Raises: UserError where there is no such problem (names the nearest), SpecError for its faults.
    """
    path = find(problem)
    return parse(yamlpos.read(path, _shown(path)), path)


def find(problem: str | Path) -> Path:
    """The problem.yaml of a slug, folder or file.  Raises UserError, naming the candidates."""
    slug_path = PROBLEMS / str(problem) / FILE
    if re.fullmatch(r"[A-Za-z0-9_-]+", str(problem)) and slug_path.is_file():
        return slug_path
    path = Path(problem)
    if path.is_dir():
        path = path / FILE
    if path.is_file():
        return path
    known = slugs()
    near = difflib.get_close_matches(str(problem), known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UserError(f"{problem}: no such problem, expected one of {', '.join(known)}{hint}")


def slugs() -> list[str]:
    """The slugs of all problems here, sorted."""
    return sorted(path.parent.name for path in PROBLEMS.glob(f"*/{FILE}"))


def shape(argument: Argument, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of an array argument at these sizes."""
    return tuple(expr.sizes(text, sizes) for text in argument.shape)


def array_bytes(spec: Spec, sizes: Mapping[str, int]) -> int:
    """Bytes of all arrays of one call at these sizes."""
    return sum(math.prod(shape(a, sizes)) * a.dtype.itemsize for a in spec.arrays)


def ranges(spec: Spec, family: str) -> dict[str, Axis]:
    """The sizes each axis may take with this family."""
    narrowed = spec.family(family).axes
    return {axis.name: narrowed.get(axis.name, axis) for axis in spec.axes}


def values(spec: Spec, family: str, scalar: str) -> tuple[float, ...]:
    """The values a scalar may take with this family, the simplest first."""
    return spec.family(family).scalars.get(scalar, spec.argument(scalar).values)


def _shown(path: Path) -> str:
    """The path as messages show it: relative to where the user stands, if it is below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


# --------------------------------------------------------------------------------------------------


def parse(top: Value, path: Path) -> Spec:
    """Check a YAML value against the language and give the Spec it says."""
    fields = top.mapping(
        required=("version", "title", "summary", "source", "axes", "signature", "families",
                  "cases", "work", "bytes", "tolerance", "limits"),
        optional=("reference", "timed"),
    )  # fmt: skip
    fields["version"].integer(1, 1)
    axes = _axes(fields["axes"])
    signature = _signature(fields["signature"], axes)
    names = tuple(axes)
    cases = fields["cases"].mapping(required=("tiles", "fixed", "drawn"))
    tiles = tuple(tile.integer(2, 4096) for tile in cases["tiles"].items(1))
    if list(tiles) != sorted(set(tiles)):
        cases["tiles"].fail("got tiles out of order or twice, expected them increasing")
    families = tuple(
        family(value, name, axes, signature)
        for name, value in fields["families"].entries().items()
        if _name(value, name)
    )
    if not any(member.weight for member in families):
        fields["families"].fail("got no family with a weight, expected at least one")
    limits = fields["limits"].mapping(required=("seconds_per_call", "memory_mib"))
    spec = Spec(
        slug=path.resolve().parent.name,
        path=path,
        title=fields["title"].text(),
        summary=fields["summary"].text(),
        source=fields["source"].text(),
        axes=tuple(axes.values()),
        signature=signature,
        families=families,
        tiles=tiles,
        fixed=tuple(
            _fixed(value, axes, signature, {member.name: member for member in families})
            for value in cases["fixed"].items()
        ),
        drawn=cases["drawn"].integer(0, 10_000),
        work=_size_expression(fields["work"], names),
        bytes=_size_expression(fields["bytes"], names),
        reference=_reference(fields.get("reference"), top, path, signature),
        reference_path=None if "reference" in fields else path.parent / "reference.py",
        tolerance=_tolerances(fields, signature, names),
        timed=tuple(
            _sizes(value, axes) for value in (fields["timed"].items() if "timed" in fields else [])
        ),
        limits=Limits(
            seconds_per_call=limits["seconds_per_call"].number(0.01),
            memory_bytes=limits["memory_mib"].integer(1, 1024 * 1024) * 2**20,
        ),
    )
    _check_memory(spec, fields)
    _check_reference(spec, fields)
    return spec


def _name(value: Value, name: str) -> str:
    """A name that C++, the shell and a case id can carry."""
    if not _NAME.match(name) or name in _KEYWORDS.split() or len(name) > 40:
        value.fail(f"got the name {name!r}, expected a C++ identifier that is no keyword")
    return name


def _axes(value: Value) -> dict[str, Axis]:
    axes: dict[str, Axis] = {}
    for name, entry in value.entries().items():
        fields = entry.mapping(required=("min", "max"))
        minimum = fields["min"].integer(0, 2**31 - 1)
        maximum = fields["max"].integer(minimum, 2**31 - 1)
        axes[_name(entry, name)] = Axis(name, minimum, maximum)
    if not axes:
        value.fail("got no axis, expected at least one")
    return axes


def _signature(value: Value, axes: Mapping[str, Axis]) -> tuple[Argument, ...]:
    arguments: dict[str, Argument] = {}
    for entry in value.items(1):
        argument = _argument(entry, axes)
        if argument.name in arguments:
            entry.fail(f"got a second argument {argument.name}, expected unique names")
        arguments[argument.name] = argument
    signature = tuple(arguments.values())
    for axis in axes:
        if axis not in arguments:
            value.fail(f"got no argument {axis}, expected one with role axis for each axis")
    if not any(argument.is_output for argument in signature):
        value.fail("got no output, expected an argument with role out or inout")
    return signature


def _argument(entry: Value, axes: Mapping[str, Axis]) -> Argument:
    fields = entry.mapping(required=("name", "dtype", "role"), optional=("shape", "values"))
    name = _name(fields["name"], fields["name"].text())
    dtype = Dtype(fields["dtype"].word([dtype.value for dtype in Dtype]))
    role = Role(fields["role"].word([role.value for role in Role]))
    needed = {Role.AXIS: None, Role.SCALAR: "values"}.get(role, "shape")
    for key in ("shape", "values"):
        if key in fields and key != needed:
            fields[key].fail(f"unknown key for role {role.value}")
    if needed and needed not in fields:
        entry.fail(f"missing {needed}, which role {role.value} needs")
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
    return Argument(
        name, dtype, role, tuple(_size_expression(item, tuple(axes)) for item in dimensions)
    )


def _size_expression(value: Value, names: tuple[str, ...]) -> str:
    """An expression over the axes; a bare integer counts as one."""
    content = value.content
    text = str(content) if type(content) is int else value.text()
    try:
        expr.check_sizes(text, names)
    except expr.ExpressionError as error:
        value.fail(str(error))
    return text


def _sizes(value: Value, axes: Mapping[str, Axis]) -> dict[str, int]:
    """One integer for every axis, in its range."""
    entries = value.mapping(required=tuple(axes))
    return {name: entries[name].integer(axis.minimum, axis.maximum) for name, axis in axes.items()}


def _fixed(
    value: Value,
    axes: Mapping[str, Axis],
    signature: tuple[Argument, ...],
    families: Mapping[str, Family],
) -> FixedCase:
    fields = value.mapping(required=("sizes", "family", "why"), optional=("scalars",))
    member = families[fields["family"].word(tuple(families))]
    sizes = _sizes(fields["sizes"], {**axes, **member.axes})
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


def _reference(
    value: Value | None, top: Value, path: Path, signature: tuple[Argument, ...]
) -> dict[str, str]:
    script = path.parent / "reference.py"
    if value is None:
        if not script.is_file():
            top.fail("missing reference, and no reference.py beside it")
        return {}
    if script.is_file():
        value.fail("got expressions and a reference.py beside them, expected one of the two")
    outputs = tuple(argument.name for argument in signature if argument.is_output)
    readable = [argument.name for argument in signature if argument.role is not Role.OUT]
    expressions = {}
    for name, entry in value.mapping(required=outputs).items():
        expressions[name] = entry.text()
        try:
            expr.check_arrays(expressions[name], readable)
        except expr.ExpressionError as error:
            entry.fail(str(error))
    return expressions


def _tolerances(
    fields: Mapping[str, Value], signature: tuple[Argument, ...], names: tuple[str, ...]
) -> dict[str, Tolerance]:
    outputs = {argument.name: argument for argument in signature if argument.is_output}
    entries = fields["tolerance"].mapping(required=tuple(outputs))
    return {name: _tolerance(entries[name], outputs[name], names) for name in outputs}


def _tolerance(value: Value, output: Argument, names: tuple[str, ...]) -> Tolerance:
    first = value.entries()
    if "rule" not in first:
        value.fail("missing rule")
    rule = first["rule"].word(tuple(_RULES))
    if not output.dtype.is_float and rule != "exact":
        first["rule"].fail(f"got {rule!r}, expected exact for the integers of {output.name}")
    required, optional = _RULES[rule]
    entries = value.mapping(("rule", *required), optional)
    more: dict[str, Any] = {
        key: entries[key].number(0) for key in ("ulp", "rtol", "atol") if key in entries
    }
    if "terms" in entries:
        more["terms"] = _size_expression(entries["terms"], names)
    if "accumulate" in entries:
        floats = [dtype.value for dtype in Dtype if dtype.is_float]
        more["accumulate"] = Dtype(entries["accumulate"].word(floats))
    if "source" in entries:
        more["source"] = entries["source"].text()
    return Tolerance(rule, **more)


# --------------------------------------------------------------------------------------------------
# What only the whole spec shows


def _check_memory(spec: Spec, fields: Mapping[str, Value]) -> None:
    """Refuse named sizes whose arrays do not fit the memory limit, or are negative."""
    fixed = fields["cases"].entries()["fixed"].items()
    places = [
        (value.entries()["sizes"], case.sizes)
        for value, case in zip(fixed, spec.fixed, strict=True)
    ]
    if "timed" in fields:
        places += list(zip(fields["timed"].items(), spec.timed, strict=True))
    for value, sizes in places:
        try:
            if any(length < 0 for array in spec.arrays for length in shape(array, sizes)):
                value.fail("got a negative length of an array at these sizes")
            needed = array_bytes(spec, sizes)
        except expr.ExpressionError as error:
            value.fail(str(error))
        if needed > spec.limits.memory_bytes:
            value.fail(
                f"got arrays of {needed / 2**20:.0f} MiB, expected at most "
                f"limits.memory_mib, {spec.limits.memory_bytes // 2**20} MiB"
            )


def _check_reference(spec: Spec, fields: Mapping[str, Value]) -> None:
    """Evaluate each expression once on small zeros: do the shapes fit, does `rounding` apply?"""
    sizes = {
        axis.name: min(axis.maximum, axis.minimum + 2 + number)
        for number, axis in enumerate(spec.axes)
    }
    names: dict[str, Any] = {**sizes, **{scalar.name: 1.0 for scalar in spec.scalars}}
    for array in spec.arrays:
        if array.role is not Role.OUT:
            names[array.name] = np.zeros(shape(array, sizes))
    for name, text in spec.reference.items():
        value = fields["reference"].entries()[name]
        wanted = shape(spec.argument(name), sizes)
        try:
            got = expr.arrays(text, names).shape
            if spec.tolerance[name].rule == "rounding":
                expr.check_magnitude(text, tuple(names))
        except expr.ExpressionError as error:
            value.fail(str(error))
        if fitted(got, wanted) is None:
            value.fail(f"got shape {got} at {sizes}, expected {wanted} as {name}")


def fitted(got: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...] | None:
    """`wanted` if a result of shape `got` is that array up to dimensions of length 1, else None."""
    without_ones = [tuple(n for n in dims if n != 1) for dims in (got, wanted)]
    return wanted if without_ones[0] == without_ones[1] else None


__all__ = [
    "PROBLEMS", "SpecError", "array_bytes", "find", "fitted", "load", "parse", "ranges", "shape",
    "slugs", "values",
]  # fmt: skip
