"""Which problem is a submission for?  Its `solve` says: types in order, then parameter names.

`size_t` passes for `int`, and spellings of one type are one type, as where a submission is judged.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge import find, paths, signature, spec
from judge.model import Spec, SpecError, UserError
from judge.printable import printable
from judge.signature import Declared
from judge.source import read
from judge.tokens import Lines, nesting, tokenize

_NEAR = 0.7  # of the parameters, from when on a problem is called near


@dataclass(frozen=True)
class Fit:
    """A problem whose signature fits; how many parameters are named as there, and of how many."""

    spec: Spec
    named: int
    count: int


def fitting(source: Path) -> tuple[Fit, ...]:
    """The problems that a file's solve fits, those with the most names first.

    Raises UserError where the file has no solve.  A problem whose spec is wrong fits nothing.
    """
    functions = _functions(source)
    if not any(one.name == "solve" for one in functions):
        raise UserError(
            f"{printable(paths.shown(source))}: no function solve, so it fits no problem; expected "
            'extern "C" void solve(...) as `make problems` and docs/problems.md have it'
        )
    found = []
    for problem in _loaded():
        fit = _fit(functions, problem)
        if fit is not None:
            found.append(fit)
    return tuple(sorted(found, key=lambda fit: (-fit.named, fit.spec.slug)))


def unfit(source: Path) -> str:
    """Why a solve fits no problem, in one line: what it takes, and the problem that is nearest."""
    functions = [one for one in _functions(source) if one.name == "solve"]
    functions.sort(key=lambda one: not one.has_body)
    declared = functions[0]
    mine = [_type(text) for text in declared.parameters]

    def alike(problem: Spec) -> float:
        theirs = [_type(one.declaration()) for one in problem.signature]
        return difflib.SequenceMatcher(None, mine, theirs).ratio()

    text = (
        f"{paths.shown(source)}:{declared.line}: solve{declared.written()} fits no problem: none "
        "has these types in this order"
    )
    near = max(_loaded(), key=alike, default=None)
    if near is not None and alike(near) > _NEAR:
        text += f"; nearest is {near.slug}: {near.declaration()}"
    return printable(f"{text}; `make problems` lists all")


def best(fits: Sequence[Fit]) -> tuple[Fit, ...]:
    """The only one that fits, or those of several whose parameters have all the same names.

    A few names alike are no reason to prefer one: then all of them.
    """
    same = tuple(fit for fit in fits if fit.named == fit.count)
    return same or tuple(fits)


def problem(source: Path, asked: str | None) -> tuple[Path, str]:
    """The folder of the problem a submission is for, and a remark where its solve decided.

    As `find.problem`, and where nothing says which one, the only one that its solve fits.
    Raises UserError: it fits none, or several and nothing tells them apart.
    """
    try:
        return find.problem(source, asked), ""
    except find.Untold as untold:
        try:
            fits = fitting(source)
        except UserError:
            raise untold from None
        chosen, shown = best(fits), printable(source.name)
        if not chosen:
            raise UserError(f"{untold}; nor does its solve fit any of them") from None
        if len(chosen) > 1:
            names = ", ".join(fit.spec.slug for fit in chosen)
            raise UserError(
                f"{shown}: which problem is it for? its solve fits {names}; say which by --problem "
                "(PROBLEM=) or by a line '// problem: NAME' at its top"
            ) from None
        slug = chosen[0].spec.slug
        remark = (
            f"{shown}: taken for {slug}, whose solve it has; --problem (PROBLEM=) says otherwise"
        )
        return chosen[0].spec.path.parent, remark


def _functions(source: Path) -> list[Declared]:
    text = read(source)
    tokens = tokenize(text)
    return list(signature.find_functions(tokens, nesting(tokens), Lines(text)))


def _loaded() -> Iterator[Spec]:
    """Every problem whose spec is right."""
    for slug in spec.slugs():
        try:
            yield spec.load(slug)
        except SpecError:
            continue


def _type(parameter: str) -> str:
    """A parameter without its name and its spaces."""
    name = signature.name(parameter)
    return "".join(parameter.removesuffix(name).split())


def _fit(functions: Sequence[Declared], problem: Spec) -> Fit | None:
    declared = signature.choose(functions, problem)
    if declared is None or signature.mismatch(declared, problem) is not None:
        return None
    if len(declared.parameters) != len(problem.signature):  # a macro may stand for several
        return None
    pairs = list(zip(declared.parameters, problem.signature, strict=True))
    for text, one in pairs:
        is_integers = one.is_array and not one.dtype.is_float
        if is_integers and signature.is_unsigned(text) != one.dtype.value.startswith("u"):
            return None
    names = sum(signature.name(text) == one.name for text, one in pairs)
    return Fit(problem, names, len(pairs))
