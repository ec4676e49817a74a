"""The C++ the judge puts around a submission: macros before it, the entry behind it.

#include "detail/entry.h"
#define TILE 32                          each --define
#line 1 "/home/me/tiled.cu"
...                                      the submission, rewritten
#line 1 "<judge entry>"
extern "C" void judge_entry(...)         reads the arguments and calls `solve`
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from judge.model import Argument, Dtype, Role, Spec, UserError

ENTRY = "<judge entry>"
VARIABLES = "emu_device_variables"
"""The symbol by which the runtime finds them (judge/emu/image.cpp)."""
_DEFINE = re.compile(r"([A-Za-z_]\w*)(?:=([\w.+-]*))?", re.ASCII)
_HEADERS = {Dtype.FLOAT16: "cuda_fp16.h", Dtype.BFLOAT16: "cuda_bf16.h"}


def parse_define(text: str) -> tuple[str, str]:
    """`NAME` or `NAME=value`: the macro and its value, 1 if none is given.  Raises UserError."""
    match = _DEFINE.fullmatch(text)
    if match is None:
        raise UserError(
            f"define: got {text!r}, expected NAME or NAME=value with letters, digits and . + - _"
        )
    name, value = match.groups()
    return name, "1" if value is None else value


def label(path: Path) -> str:
    """What the compiler is to call a file: its path, where all of it can stand in a log.

    A line end or a byte that is no text would end the line that names the file, or the judge.
    """
    return "".join(one if one.isprintable() else "_" for one in str(path.absolute()))


def marked(path: str, text: str) -> str:
    """The text, whose lines the compiler is to count as those of `path`."""
    name = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line 1 "{name}"\n{text}\n'


def translation_unit(
    path: str,
    text: str,
    defines: Sequence[tuple[str, str]],
    callee: str,
    spec: Spec,
    has_ptx: bool = False,
    variables: str = "",
) -> str:
    """The whole file for the compiler.  `callee` is `solve` with its namespaces; `has_ptx` says
    whether the text or a header of its own has inline PTX; `variables` of device memory are told to
    a runtime that watches them."""
    names = ("entry.h", "ptx.h") if has_ptx else ("entry.h",)
    includes = "".join(f'#include "detail/{name}"\n' for name in names)
    head = f"{includes}{macro_lines(defines)}"
    known = "".join(f'"{line}\\n"' for line in variables.splitlines())
    tail = f'extern "C" {{ extern const char {VARIABLES}[] = {known}; }}\n' if known else ""
    return head + marked(path, text) + marked(ENTRY, _entry(callee, spec) + tail)


def macro_lines(defines: Sequence[tuple[str, str]]) -> str:
    """The macros as the lines before a submission."""
    return "".join(f"#define {name} {value}\n" for name, value in defines)


def _entry(callee: str, spec: Spec) -> str:
    headers = "".join(f"#include <{name}>\n" for name in _headers(spec))
    values = ",\n        ".join(
        _value(argument, index) for index, argument in enumerate(spec.signature)
    )
    return (
        f"{headers}"
        f'extern "C" void judge_entry(void *const *judge_arguments) {{\n'
        f"    {callee}(\n        {values});\n"
        f"}}\n"
    )


def _headers(spec: Spec) -> list[str]:
    used = {argument.dtype for argument in spec.signature}
    return [name for dtype, name in _HEADERS.items() if dtype in used]


def _value(argument: Argument, index: int) -> str:
    c_type = argument.dtype.c_type
    source = f"judge_arguments[{index}]"
    if argument.is_array:
        is_input = "true" if argument.role is Role.IN else "false"
        value = f"*static_cast<void *const *>({source})"
        return f"::emu::array_argument<{c_type}, {is_input}>{{{value}}}"
    return f"::emu::scalar_argument<{c_type}>{{*static_cast<const {c_type} *>({source})}}"


def solve_header(spec: Spec) -> str:
    """What `#include "solve.h"` finds.  It declares nothing: a submission may say `size_t N`."""
    headers = "".join(f"#include <{name}>\n" for name in ("cuda_runtime.h", *_headers(spec)))
    return f"#pragma once\n{headers}"
