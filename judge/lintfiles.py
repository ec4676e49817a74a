"""Are the files of a problem there, and do they do what they are for?  Some are run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from judge import cpubuild, expectation, find, paths, run
from judge.model import CompileError, Flaw, Reason, Report, Request, Spec, UserError, Verdict
from judge.printable import printable
from judge.scaffold import MARK

SEED = "0"
SUBMISSIONS = "tests/submissions"
MIN_WRONG = 2


def flaws(spec: Spec, root: Path = find.ROOT) -> Iterator[Flaw]:
    """Marks that are left, starter, right submissions and wrong ones."""
    yield from marks(spec, root)
    yield from starter(spec)
    yield from right(root / "submissions" / spec.slug)
    yield from accepted(spec, root / "submissions" / spec.slug)
    yield from wrong(root / SUBMISSIONS / spec.slug)


def marks(spec: Spec, root: Path) -> Iterator[Flaw]:
    """What `new-problem` left to the author."""
    folders = (spec.path.parent, *(root / f / spec.slug for f in ("submissions", SUBMISSIONS)))
    for path in sorted(path for folder in folders for path in folder.glob("*.*")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if f"{MARK}:" in line:
                where = f"{paths.shown(path)}:{number}"
                got = printable(" ".join(line.split()), 60)
                yield Flaw(where, f"mark {MARK}", got, "what is yours", "edit it, drop the mark")


def starter(spec: Spec) -> Iterator[Flaw]:
    """It compiles, declares solve as the spec does, and is not right yet."""
    path = spec.path.parent / "starter.cu"
    shown = paths.shown(path)
    if not path.is_file():
        yield Flaw(shown, "starter", "no file", "what a learner begins from", "write it")
        return
    if spec.declaration() not in " ".join(path.read_text(encoding="utf-8").split()):
        yield Flaw(shown, "solve", "another declaration", spec.declaration(), "copy the line")
    try:
        cpubuild.compile(path, spec, ())
    except CompileError as error:
        line = f"line {error.fault.place.line}: " if error.fault.place else ""
        yield Flaw(shown, "starter", f"{line}{error.fault.message}", "it to compile", "mend it")
        return
    report = judged(path, spec)
    if report.verdict is not Verdict.WA:
        got = f"{report.verdict.value} {_reason(report).value}"
        yield Flaw(shown, "starter", got, "WA", "leave the kernel's body to the learner")


def right(folder: Path) -> Iterator[Flaw]:
    """At least one submission to learn from."""
    if not any(folder.glob("*.cu")):
        shown = paths.shown(folder)
        yield Flaw(shown, "submissions", "none", "at least one that is right", "write one")


def accepted(spec: Spec, folder: Path) -> Iterator[Flaw]:
    """The first of the submissions is right; `make test` judges them all."""
    for path in sorted(folder.glob("*.cu"))[:1]:
        report = judged(path, spec)
        if report.verdict is not Verdict.AC:
            got = f"{report.verdict.value} {_reason(report).value}"
            step = f"make judge SUB={paths.shown(path)}"
            yield Flaw(paths.shown(path), "verdict", got, "AC", step)


def wrong(folder: Path) -> Iterator[Flaw]:
    """At least two that are wrong, each with its verdict in its first lines and in its name."""
    shown = paths.shown(folder)
    bad = 0
    for path in sorted(folder.glob("*.cu")):
        try:
            wanted = expectation.read(path).verdict
        except UserError as error:
            yield Flaw(paths.shown(path), "first lines", str(error), "a verdict", "add the line")
            continue
        bad += wanted is not Verdict.AC
        if not path.name.startswith(f"{wanted.value.lower()}_"):
            name = f"a name that begins with {wanted.value.lower()}_"
            yield Flaw(paths.shown(path), "name", path.name, name, "rename it")
    if bad < MIN_WRONG:
        expected = f"at least {MIN_WRONG}, as wa_... or re_..., with a line `// expect: WA reason`"
        yield Flaw(shown, "wrong submissions", str(bad), expected, "write what people get wrong")


def judged(path: Path, spec: Spec) -> Report:
    """The report of the CPU backend."""
    return run.judge(Request(path, spec, "cpu", seed=SEED), lambda progress: None)


def _reason(report: Report) -> Reason:
    return report.fault.reason if report.fault else Reason.ACCEPTED
