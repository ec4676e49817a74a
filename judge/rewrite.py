"""CUDA C++ -> C++17 for the headers in judge/include, token by token; no line moves.

    k<T><<<g, b, s, st>>>(x)    ::emu::launch("k<T>", __LINE__, k<T>, ::emu::config(g, b, s, st))(x)
    the same, deduced           ::emu::launch_deduced("k", __LINE__, [&](auto... emu_arguments)
                                    { k(emu_arguments...); }, ::emu::config(g, b))(x)
    extern __shared__ T x[];    T (&x)[] = *static_cast<T (*)[]>(::emu::dynamic_shared());
    static __shared__ T x;      __shared__ T x;
    __forceinline__             (nothing: as a macro it would break the C++ library's attributes)
    cudaLaunchKernel((void*)k,  cudaLaunchKernel(k,
    asm("inline PTX" : ...)     do { ... ::emu::ptx::...; } while (0)        see asm.py
    asm("further PTX" : ...)    ::emu::unsupported_inline_ptx()
    asm("...") at file scope    static_assert(false, "unsupported: ...")

Never fails: what is no right CUDA is left for the compiler to report at its own line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judge import asm, ptx, ptxtable
from judge.kernels import Kernel, find_kernels
from judge.launches import Launch, find_launches
from judge.shared import shared_edits
from judge.tokens import (
    DEFINE,
    DEFINE_END,
    WORD,
    Edit,
    Lines,
    Nesting,
    Token,
    apply_edits,
    nesting,
    tokenize,
)
from judge.variables import find_variables

_REMOVED = ("__noinline__", "__forceinline__")
_ASM = ("asm", "__asm__", "__asm")
_BY_ADDRESS = ("cudaLaunchKernel", "cudaLaunchCooperativeKernel")
_NO_PTX = "::emu::unsupported_inline_ptx()"
_NO_ASM = 'static_assert(false, "unsupported: asm outside of a function")'
_DEFINES = (DEFINE, DEFINE_END)
_ASM_QUALIFIERS = ("volatile", "__volatile__", "__volatile", "goto", "inline")


@dataclass(frozen=True)
class Rewritten:
    """The C++ text, and what was found on the way, each with its line.

    launches:    the callee of each launch, as written
    unsupported: features that have no counterpart on the CPU backend
    has_ptx:     the text needs judge/include/detail/ptx.h before it
    kernels:     names of the kernels that the file declares
    variables:   of device memory, each with its kind (judge/variables.py)
    """

    text: str
    launches: tuple[tuple[str, int], ...] = ()
    unsupported: tuple[tuple[str, int], ...] = ()
    has_ptx: bool = False
    kernels: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


def rewrite(source: str) -> Rewritten:
    """Rewrite a file: as many lines as before, each saying what it said.  A leading BOM goes."""
    source = source.removeprefix("\ufeff")
    tokens = tokenize(source)
    nest = nesting(tokens)
    partner = nest.partner
    lines = Lines(source)
    kernels = find_kernels(tokens, partner)
    edits = shared_edits(tokens, nest)
    launches: list[tuple[str, int]] = []
    for launch in find_launches(tokens, partner):
        edits += _launch_edits(tokens, launch, kernels)
        name = _spelling(tokens[launch.start : launch.opening])
        launches.append((name, lines(tokens[launch.opening].start)))
    unsupported: list[tuple[str, int]] = []
    has_ptx = False
    for index, token in enumerate(tokens):
        if token.kind != WORD:
            continue
        if token.text in _REMOVED and tokens[index - 1].text not in ("#define", "(", ","):
            edits.append(Edit.of(token, ""))
        elif token.text in _BY_ADDRESS:
            edits += _cast_edits(tokens, index + 2)
        elif token.text in _ASM:
            opener = _asm_opener(tokens, partner, index)
            if opener is None:
                continue
            closer = partner[opener]
            name = ""
            try:
                if _is_outside_functions(tokens, nest, index):
                    name, statement = "asm outside of a function", _NO_ASM
                else:
                    statement = asm.translate(tokens[opener + 1 : closer])
                    has_ptx = True
            except ptx.Unsupported as error:
                name, statement = f"inline PTX {error}{ptxtable.hint(error)}", _NO_PTX
            unsupported += [(name, lines(token.start))] if name else []
            edits += _replaced(tokens[index : closer + 1], statement)
    return Rewritten(
        apply_edits(source, edits),
        tuple(launches),
        tuple(unsupported),
        has_ptx,
        tuple(kernels),
        find_variables(tokens, partner),
    )


def _launch_edits(
    tokens: Sequence[Token], launch: Launch, kernels: dict[str, Kernel]
) -> list[Edit]:
    callee = tokens[launch.start : launch.opening]
    parameters = _macro_parameters(tokens, launch.macro)
    label = _label(callee, parameters)
    if parameters.intersection(token.text for token in callee):
        candidates = list(kernels.values())  # whichever the macro is used with
    else:
        candidates = [kernels[launch.name]] if launch.name in kernels else []
    if any(kernel.needs_call(launch.explicit) for kernel in candidates):
        before = f"::emu::launch_deduced({label}, __LINE__, [&](auto... emu_arguments) {{ "
        after = "(emu_arguments...); }, ::emu::config("
    else:
        before = f"::emu::launch({label}, __LINE__, "
        after = ", ::emu::config("
    first, *opening = tokens[launch.opening : launch.opening + 3]
    last, *closing = tokens[launch.closing : launch.closing + 3]
    start = callee[0].start
    return [
        Edit(start, start, before),
        Edit.of(first, after),
        Edit.of(last, "))"),
        *(Edit.of(token, "") for token in (*opening, *closing)),
    ]


def _spelling(tokens: Sequence[Token]) -> str:
    """The tokens as one line, with a blank only between words."""
    text = ""
    for token in tokens:
        blank = text[-1:].isidentifier() and token.text[:1].isidentifier()
        text += (" " if blank else "") + token.text
        text += " " if token.text == "," else ""
    return text


def _label(callee: Sequence[Token], parameters: frozenset[str]) -> str:
    """A C string literal that names the callee; parameters of a macro are named as it is used."""
    if not any(token.text in parameters for token in callee):
        return _literal(_spelling(callee))
    parts = [
        f"#{token.text}" if token.text in parameters else _literal(token.text)
        for token in callee
        if token.text != "#"
    ]
    return " ".join(parts)


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _macro_parameters(tokens: Sequence[Token], index: int) -> frozenset[str]:
    """The parameters of the function-like macro whose DEFINE stands at `index`; none at -1."""
    if index < 0:
        return frozenset()
    name, opener = tokens[index + 1 : index + 3]
    if opener.text != "(" or opener.start != name.end:  # an object-like macro
        return frozenset()
    found = set()
    for token in tokens[index + 3 :]:
        if token.text == ")" or token.kind == DEFINE_END:
            break
        if token.kind == WORD:
            found.add(token.text)
        elif token.text == "...":
            found.add("__VA_ARGS__")
    return frozenset(found)


def _cast_edits(tokens: Sequence[Token], index: int) -> list[Edit]:
    """Remove the cast to `void*` at `index`: the kernel's type says how to read its arguments."""
    if tokens[index : index + 1] and tokens[index].text.endswith("_cast"):
        index += 1
    if index >= len(tokens) or tokens[index].text not in ("(", "<"):
        return []
    start = index - (tokens[index].text == "<")
    end = index + 1
    while end < len(tokens) and tokens[end].text in ("const", "void", "*"):
        end += 1
    if end >= len(tokens) or tokens[end].text not in (")", ">") or end < index + 3:
        return []
    return [Edit.of(token, "") for token in tokens[start : end + 1]]


def _asm_opener(tokens: Sequence[Token], partner: Sequence[int], index: int) -> int | None:
    """The `(` of the asm statement at `index`; None if it is none, or a plain barrier."""
    opener = index + 1
    while opener < len(tokens) and tokens[opener].text in _ASM_QUALIFIERS:
        opener += 1
    if opener >= len(tokens) or tokens[opener].text != "(" or partner[opener] < 0:
        return None
    before = tokens[index - 1]
    if index and (before.text == "]" or before.kind == WORD) and before.text not in ("else", "do"):
        return None  # `int x asm("name")` gives a symbol its name
    if opener + 1 == partner[opener] or tokens[opener + 1].text == '""':
        return None
    return opener


def _is_outside_functions(tokens: Sequence[Token], nest: Nesting, index: int) -> bool:
    """Whether a token stands at file scope, or in namespaces alone; not in a macro."""
    defines = (token.kind for token in reversed(tokens[:index]) if token.kind in _DEFINES)
    if next(defines, "") == DEFINE:
        return False
    brace = nest.brace[index]
    while brace >= 0:
        before = [token.text for token in tokens[max(0, brace - 6) : brace]]
        while before and before[-1] not in ("namespace", '"C"', '"C++"', ";", "{", "}", ")"):
            before.pop()
        if not before or before[-1] not in ("namespace", '"C"', '"C++"'):
            return False
        brace = nest.brace[brace]
    return True


def _replaced(tokens: Sequence[Token], text: str) -> list[Edit]:
    """The text in the place of all tokens, at the first of them."""
    first, *others = tokens
    return [Edit.of(first, text), *(Edit.of(token, "") for token in others)]
