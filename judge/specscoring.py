"""`scoring:` of a problem.yaml: points for compiling, for each family, for speed on a GPU.

scoring:
  compiles: 5
  families: {normal: 40, integers: 30, one_hot: 15}
  time: {points: 10, baseline: naive, full: 2}    # all 10 at twice the speed of naive.cu
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.model import Family, FixedCase, Scoring
from judge.yamlpos import Value


def read_scoring(value: Value, families: Sequence[Family], fixed: Sequence[FixedCase]) -> Scoring:
    """Check the YAML value.  A family without cases can earn nothing, so it may not have points."""
    given = value.mapping(required=("families",), optional=("compiles", "time"))
    with_cases = {one.name for one in families if one.weight} | {case.family for case in fixed}
    points: dict[str, float] = {}
    for name, entry in given["families"].entries().items():
        if name not in with_cases:
            entry.fail(
                f"got {name!r}, expected a family with cases: {', '.join(sorted(with_cases))}"
            )
        points[name] = entry.number(0)
    if not any(points.values()):
        given["families"].fail("got no points, expected some for at least one family")
    compiles = given["compiles"].number(0) if "compiles" in given else 0.0
    if "time" not in given:
        return Scoring(points, compiles)
    time = given["time"].mapping(required=("points", "baseline", "full"))
    return Scoring(
        families=points,
        compiles=compiles,
        time_points=time["points"].number(0),
        time_baseline=time["baseline"].text(),
        time_full=time["full"].number(0.001),
    )
