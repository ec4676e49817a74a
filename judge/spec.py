"""problem.yaml in, a checked Spec out; whatever is wrong ends in one line with its place.

    problems/<slug>/problem.yaml    read by `load`
                    reference.py    stands in for `reference:` where one expression does not do

`load` reads; it never imports reference.py and draws no numbers.  Errors are SpecErrors that read
`path:line: key: got ..., expected ...`.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from pathlib import Path

from judge import paths, speccheck, specfields, yamlpos
from judge.model import (
    Limits,
    Spec,
    UserError,
)
from judge.sizes import array_bytes as array_bytes
from judge.sizes import elements as elements
from judge.sizes import ranges as ranges
from judge.sizes import settled as settled
from judge.sizes import shape as shape
from judge.sizes import small as small
from judge.specanswers import Answers
from judge.specfamilies import read_family
from judge.specscoring import read_scoring
from judge.yamlpos import Value

PROBLEMS = Path(__file__).resolve().parent.parent / "problems"
FILE = "problem.yaml"


def load(problem: str | Path) -> Spec:
    """Load a problem by slug (`gemm_fp16`), by folder or by the path of its problem.yaml.

    Raises: UserError where there is no such problem (names the nearest), SpecError for its faults.
    """
    path = find(problem)
    return parse(yamlpos.read(path, paths.shown(path)), path)


def find(problem: str | Path) -> Path:
    """The problem.yaml of a slug, folder or file.  Raises UserError, naming the candidates."""
    named = str(problem)
    folders = [Path(problem)]
    if re.fullmatch(r"[A-Za-z0-9_-]+", named):
        folders.insert(0, PROBLEMS / named)
    for path in folders:
        if (path / FILE).is_file():
            return path / FILE
        if path.is_file():
            return path
    for path in folders:
        if named and path.is_dir():
            raise UserError(_without_file(path))
    known = slugs()
    near = difflib.get_close_matches(named, known, n=2)
    if near:
        raise UserError(f"{problem}: no such problem; did you mean {' or '.join(near)}?")
    what = f"{problem}: no such problem" if named else "no problem named"
    few = ", ".join(known[:4])
    raise UserError(f"{what}; there are {few}, ...: `make problems` lists all {len(known)}")


def _without_file(folder: Path) -> str:
    return (
        f"{paths.shown(folder)}: no {FILE} in it, so it is no problem; write one, or remove the "
        "folder and begin with `make new-problem`"
    )


def stray() -> list[str]:
    """A line for each folder beside the problems that is none, since it has no problem.yaml."""
    folders = sorted(path for path in PROBLEMS.glob("[!._]*") if path.is_dir())
    return [_without_file(folder) for folder in folders if not (folder / FILE).is_file()]


def slugs() -> list[str]:
    """The slugs of all problems here, sorted."""
    return sorted(path.parent.name for path in PROBLEMS.glob(f"*/{FILE}"))


def values(spec: Spec, family: str, scalar: str) -> tuple[float, ...]:
    """The values a scalar may take with this family, the simplest first."""
    return spec.family(family).scalars.get(scalar, spec.argument(scalar).values)


# --------------------------------------------------------------------------------------------------


def parse(top: Value, path: Path) -> Spec:
    """Check a YAML value against the language and give the Spec it says."""
    given = top.mapping(
        required=("version", "title", "summary", "source", "axes", "signature", "families",
                  "cases", "work", "bytes", "tolerance", "limits"),
        optional=("reference", "timed", "require", "wrong", "banned", "scoring"),
    )  # fmt: skip
    given["version"].integer(1, 1)
    axes = specfields.read_axes(given["axes"])
    require = specfields.read_require(given.get("require"), tuple(axes))
    signature = specfields.read_signature(given["signature"], axes)
    names, answers = tuple(axes), Answers(signature, tuple(axes))
    cases = given["cases"].mapping(required=("tiles", "fixed", "drawn"))
    tiles = tuple(tile.integer(2, 4096) for tile in cases["tiles"].items(1))
    if list(tiles) != sorted(set(tiles)):
        cases["tiles"].fail("got tiles out of order or twice, expected them increasing")
    families = tuple(
        read_family(value, name, axes, signature)
        for name, value in given["families"].entries().items()
        if specfields.read_name(value, name)
    )
    if not any(member.weight and not member.axes for member in families):
        given["families"].fail("got no family with a weight and any sizes, expected at least one")
    timed = given["timed"].items() if "timed" in given else []
    limits = given["limits"].mapping(required=("seconds_per_call", "memory_mib"))
    spec = Spec(
        slug=path.resolve().parent.name,
        path=path,
        title=given["title"].text(),
        summary=given["summary"].text(),
        source=given["source"].text(),
        axes=tuple(axes.values()),
        signature=signature,
        families=families,
        tiles=tiles,
        fixed=tuple(
            specfields.read_fixed(value, axes, signature, families)
            for value in cases["fixed"].items()
        ),
        drawn=cases["drawn"].integer(0, 10_000),
        work=specfields.read_size_expression(given["work"], names),
        bytes=specfields.read_size_expression(given["bytes"], names),
        reference=answers.reference(given.get("reference"), top, path.parent),
        reference_path=None if "reference" in given else path.parent / "reference.py",
        tolerance=specfields.read_tolerances(given, signature, names),
        timed=tuple(specfields.read_sizes(value, axes) for value in timed),
        limits=Limits(
            seconds_per_call=limits["seconds_per_call"].number(0.01),
            memory_bytes=limits["memory_mib"].integer(1, 1024 * 1024) * 2**20,
        ),
        require=require,
        wrong=answers.wrong(given.get("wrong")),
        banned=specfields.read_banned(given.get("banned")),
    )
    if "scoring" in given:
        scoring = read_scoring(given["scoring"], families, spec.fixed)
        spec = dataclasses.replace(spec, scoring=scoring)
    speccheck.check(spec, given)
    return spec
