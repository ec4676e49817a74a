"""submissions/<slug>/ledger.jsonl: one line for each recorded GPU time, append only, in git.

A number carries its conditions: device, driver, clocks, samples, noise, and the hash of the cases
it was accepted on.  Only an accepted submission has a time, and the CPU backend never has one: both
are enforced where a line is made and where it is read.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from judge import __version__, caseids, cases, find, journal, rungs
from judge.model import Report, Spec, Speed, TimedCase, UserError, Verdict

SCHEMA = "cuda-judge/ledger/1"
_HASH_SEED = "0"
_CUDA = re.compile(r"\bCUDA (\d+\.\d+)")


@dataclass(frozen=True)
class Measured:
    """The time of one case and what it hangs on; units are in the names.

    tera_per_s, giga_bytes_per_s, roofline: as TimedCase has them; doubt: not believed, and why
    """

    sm_mhz_before: str
    sm_mhz_after: str
    samples: int
    median_us: float
    low_us: float
    high_us: float
    min_us: float
    warm_median_us: float
    slope_us: float | None
    noise: float
    noisy: bool
    method: str
    tera_per_s: float
    giga_bytes_per_s: float
    roofline: float
    doubt: str


@dataclass(frozen=True)
class Line:
    """One line: what was judged where, and its time if it was accepted.

    time:       UTC, ISO 8601; the same in all lines of one run
    submission: its path from the root of the repository
    case:       the case that was timed, or the one that failed, "" where none was run
    case_set:   sha256 over the spec and the ids of its cases
    why:        the fault's sentence, "" with AC
    """

    time: str
    problem: str
    submission: str
    sha256: str
    defines: tuple[str, ...]
    case: str
    case_set: str
    judge: str
    device: str
    driver: str
    cuda: str
    verdict: str
    reason: str
    why: str
    measured: Measured | None

    def __post_init__(self) -> None:
        """Raises ValueError for a time without AC, and for AC without one."""
        if (self.verdict == Verdict.AC.value) != (self.measured is not None):
            has = "no time" if self.measured is None else "a time"
            raise ValueError(f"verdict {self.verdict} with {has}, expected a time with AC only")


def path_of(slug: str, root: Path | None = None) -> Path:
    """The ledger of a problem."""
    return rungs.folder(slug, root) / "ledger.jsonl"


def case_set(spec: Spec) -> str:
    """sha256 over the spec, its reference, and the ids of the cases of one seed and the timed ones.

    A time of another case set was earned by other cases.
    """
    digest = hashlib.sha256(spec.path.read_bytes())
    if spec.reference_path is not None:
        digest.update(spec.reference_path.read_bytes())
    for case in (*cases.plan(spec, _HASH_SEED), *caseids.timed(spec)):
        digest.update(f"\n{case.id}".encode())
    return digest.hexdigest()


def lines(report: Report, spec: Spec, driver: str) -> tuple[Line, ...]:
    """What a run on a GPU leaves in the ledger: a line a timed case, or one line for a fault.

    Raises ValueError for a run on another backend, or an accepted one that was not timed.
    """
    if report.backend != "gpu":
        raise ValueError(f"backend {report.backend}: the ledger holds runs on a GPU only")
    told = _CUDA.search(report.device)
    common: dict[str, Any] = {
        "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "problem": report.problem,
        "submission": _named(report.submission),
        "sha256": hashlib.sha256(report.submission.read_bytes()).hexdigest(),
        "defines": report.defines,
        "case_set": case_set(spec),
        "judge": __version__,
        "device": device_name(report.device),
        "driver": driver,
        "cuda": told[1] if told else "",
        "verdict": report.verdict.value,
    }
    if report.verdict is not Verdict.AC:
        assert report.fault is not None
        failed = report.failing.case.id if report.failing else ""
        why, reason = report.fault.message, report.fault.reason.value
        return (Line(**common, case=failed, reason=reason, why=why, measured=None),)
    if report.speed is None or not report.speed.timed:
        raise ValueError(f"{report.submission.name}: accepted, but there is no time to record")
    ids = {tuple(case.sizes.items()): case.id for case in caseids.timed(spec)}
    return tuple(
        Line(
            **common,
            case=ids[tuple(timed.sizes.items())],
            reason="accepted",
            why="",
            measured=_measured(timed, report.speed),
        )
        for timed in report.speed.timed
    )


def device_name(device: str) -> str:
    """`NVIDIA H200` of what the backend says of itself."""
    return device.partition(" (")[0]


def append(made: Sequence[Line], path: Path) -> None:
    """Add lines, all or none.  Raises UserError where they cannot be written."""
    text = "".join(json.dumps({"schema": SCHEMA, **asdict(one)}) + "\n" for one in made)
    try:
        journal.append(path, text)
    except OSError as error:
        raise UserError(f"{path}: the times are not recorded: {error.strerror}") from error


def read(path: Path) -> tuple[Line, ...]:
    """All lines, oldest first; none where there is no ledger.

    Raises UserError naming the first bad line: a ledger is evidence, so nothing is skipped.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line:
            try:
                found.append(_line(json.loads(line)))
            except ValueError as error:
                raise UserError(f"{path}:{number}: {error}; restore the line from git") from None
    return tuple(found)


def _line(told: Any) -> Line:
    if not isinstance(told, dict) or told.pop("schema", None) != SCHEMA:
        raise ValueError(f"schema: expected {SCHEMA}")
    measured = told.get("measured")
    values = _checked(Line, {**told, "measured": None})
    if not (isinstance(told["defines"], list) and all(isinstance(d, str) for d in told["defines"])):
        raise ValueError("defines: expected a list of strings")
    values["defines"] = tuple(told["defines"])
    values["measured"] = None if measured is None else Measured(**_checked(Measured, measured))
    return Line(**values)


_TYPES: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "bool": (bool,),
    "float": (int, float),
    "float | None": (int, float, type(None)),
    "tuple[str, ...]": (list,),
    "Measured | None": (type(None),),
}


def _checked(kind: type, told: Any) -> dict[str, Any]:
    """Exactly the fields of a dataclass, each of its type.  Raises ValueError."""
    expected = {one.name: _TYPES[str(one.type)] for one in fields(kind)}
    if not isinstance(told, dict) or told.keys() != expected.keys():
        got = told.keys() if isinstance(told, dict) else {}
        odd = sorted(set(expected) ^ set(got))
        raise ValueError(f"{', '.join(odd)}: missing, or not known")
    for name, types in expected.items():
        value = told[name]
        bad_bool = isinstance(value, bool) and bool not in types
        bad_number = isinstance(value, float) and not math.isfinite(value)
        if not isinstance(value, types) or bad_bool or bad_number:
            raise ValueError(f"{name}: got {value!r}, expected {types[0].__name__}")
    return dict(told)


def _measured(timed: TimedCase, speed: Speed) -> Measured:
    cold = timed.cold
    return Measured(
        sm_mhz_before=speed.before.sm_mhz,
        sm_mhz_after=speed.after.sm_mhz,
        samples=cold.samples,
        median_us=round(cold.median_us, 3),
        low_us=round(cold.low_us, 3),
        high_us=round(cold.high_us, 3),
        min_us=round(cold.min_us, 3),
        warm_median_us=round(timed.warm.median_us, 3),
        slope_us=None if timed.slope_us is None else round(timed.slope_us, 3),
        noise=round(cold.noise, 5),
        noisy=cold.noisy,
        method=cold.method,
        tera_per_s=round(timed.tera_per_s, 4),
        giga_bytes_per_s=round(timed.giga_bytes_per_s, 3),
        roofline=round(timed.roofline, 5),
        doubt=timed.doubt,
    )


def _named(path: Path) -> str:
    path = path.absolute()
    return str(path.relative_to(find.ROOT)) if path.is_relative_to(find.ROOT) else str(path)
