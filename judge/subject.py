"""What a submission is judged by: a problem of ours, or a challenge of the user's own checkout."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from judge import cases, output, spec, which
from judge.model import Spec, UserError


def loader(asked: argparse.Namespace, source: Path) -> Callable[[bool], Spec]:
    """What loads it, told whether anything is to be timed; that it is there is looked at now.

    A challenge draws its tests while it is loaded, so `asked` has a seed from then on.
    Raises UserError, and so does what loads it.
    """
    if asked.leetgpu is None:
        folder, remark = which.problem(source, asked.problem)
        output.warn(remark)
        return lambda timed: spec.load(folder)
    from judge.leetgpu import problem

    if asked.problem is not None:
        raise UserError("got --problem and --leetgpu, expected one of the two")
    path = problem.find(asked.leetgpu)
    asked.seed = asked.seed or cases.new_seed()
    return lambda timed: problem.load(path, asked.seed, timed)
