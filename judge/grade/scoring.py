"""Points for a report: what `scoring:` of the problem says, group of cases by group.

All or nothing within a group, and nothing for what was not checked: a case that was not run, an
element that was not looked at, a judge that failed.  Points for speed are given on a GPU only,
against a time of the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.counted import counted
from judge.grade.model import GradedTest
from judge.model import Scoring, Spec, Verdict

Json = Mapping[str, Any]
WHOLE = 100.0
"""Points of a problem that says nothing of scoring, in equal shares for its families."""


def score(spec: Spec, report: Json) -> tuple[GradedTest, ...]:
    """The tests of a submission with what each earned.  report: of the schema."""
    scoring = spec.scoring or default(spec)
    tests = [*_compiles(scoring, report), *_families(scoring, report)]
    if scoring.time_points and report["backend"] == "gpu":
        tests.append(_time(scoring, report))
    return tuple(tests)


def default(spec: Spec) -> Scoring:
    """An equal share for every family that has cases."""
    names = [one.name for one in spec.families if one.weight]
    names += [case.family for case in spec.fixed if case.family not in names]
    share = round(WHOLE / len(dict.fromkeys(names)), 2)
    points = dict.fromkeys(dict.fromkeys(names), share)
    points[names[0]] = round(WHOLE - share * (len(points) - 1), 2)
    return Scoring(families=points)


def _compiles(scoring: Scoring, report: Json) -> Iterator[GradedTest]:
    fault = report["fault"]
    broken = report["verdict"] in (Verdict.CE.value, Verdict.JE.value)
    if not scoring.compiles and not broken:
        return
    if broken:
        yield _test("compiles", 0.0, scoring.compiles, fault, report["build_seconds"])
    else:
        yield GradedTest(
            "compiles", "AC", "accepted", "", scoring.compiles, scoring.compiles,
            report["build_seconds"],
        )  # fmt: skip


def _families(scoring: Scoring, report: Json) -> Iterator[GradedTest]:
    cases, results = report["cases"], report["results"]
    # What stopped a run early says nothing of the cases behind it.
    complete = cases["run"] == cases["planned"] > 0 and report["verdict"] != "JE"
    right = report["verdict"] == "AC"
    for name, points in scoring.families.items():
        mine = [one for one in results if one["family"] == name]
        seconds = sum(one["seconds"] for one in mine)
        wrong = [one for one in mine if one["verdict"] != "AC"]
        if wrong:
            share = f"{len(wrong)} of {counted(len(mine), 'case')} not accepted"
            message = f"{share}; first {wrong[0]['id']}: "
            yield _test(name, 0.0, points, wrong[0]["fault"], seconds, message)
        elif complete and (mine or right) and all(map(_checked, mine)):
            said = f"{counted(len(mine), 'case')} accepted" if mine else "no case of it was drawn"
            yield GradedTest(name, "AC", "accepted", said, points, points, seconds)
        else:
            fault = report["fault"] or {"verdict": "JE", "reason": "internal", "message": ""}
            yield _test(name, 0.0, points, fault, seconds, "not all cases were run: ")


def _checked(result: Json) -> bool:
    check = result["check"]
    return check is not None and 0 < check["checked"] == check["total"]


def _time(scoring: Scoring, report: Json) -> GradedTest:
    """Speed at the first timed size: full points at `time_full` times the baseline's."""
    name = f"time against {scoring.time_baseline}"
    most, speed = scoring.time_points, report["speed"]
    if report["verdict"] != "AC" or not speed or not speed["timed"]:
        fault = report["fault"] or {"verdict": "JE", "reason": "internal", "message": "not timed"}
        return _test(name, 0.0, most, fault, 0.0, "no time without AC: ")
    first = speed["timed"][0]
    baselines: Sequence[Json] = first["baselines"]
    base = next((one for one in baselines if one["name"] == scoring.time_baseline), None)
    median = first["cold"]["median_us"]
    if first["doubt"] or base is None:
        why = first["doubt"] or f"the ledger has no time of {scoring.time_baseline} here"
        return GradedTest(name, "AC", "accepted", f"no points for time: {why}", 0.0, most)
    ratio = base["median_us"] / median
    points = round(most * min(1.0, ratio / scoring.time_full), 2)
    text = f"{median:.4g} us, {ratio:.3g} times as fast as {scoring.time_baseline}"
    return GradedTest(name, "AC", "accepted", text, points, most)


def _test(
    name: str, points: float, most: float, fault: Json, seconds: float, before: str = ""
) -> GradedTest:
    place = fault.get("place") or {"file": "", "line": 0}
    details = "".join(f"\n{line}" for line in fault.get("details", ()))
    return GradedTest(
        name=name,
        verdict=fault["verdict"],
        reason=fault["reason"],
        message=f"{before}{fault['message']}{details}",
        points=points,
        max_points=most,
        seconds=round(seconds, 6),
        file=place["file"],
        line=place["line"],
    )
