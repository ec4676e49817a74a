"""`python -m judge check`: the check of one submission on a few small cases, without a GPU."""

from __future__ import annotations

import argparse
import sys

from judge import caseids, cases, cpubuild, find, kernelcheck, output, paths, subject
from judge.model import CompileError, ExitCode
from judge.printable import printable


def run(asked: argparse.Namespace) -> int:
    """What was typed -> the exit code: 0 only where nothing was found and every call was right.

    Raises UserError, BackendMissing without a compiler, JudgeError.
    """
    source = find.submission(asked.file, asked.problem)
    problem = subject.loader(asked, source)(False)
    seed = asked.seed or cases.new_seed()
    chosen = kernelcheck.pick(problem, cases.plan(problem, seed))
    if asked.case is not None:
        chosen = (caseids.parse_id(problem, asked.case),)
    defines = (*asked.defines, *asked.more_defines)
    try:
        build = cpubuild.compile(source, problem, defines, check=True)
    except CompileError as error:
        place = f"{error.fault.place}: " if error.fault.place else ""
        fault = f"{error.fault.verdict.value}  {error.fault.reason.value}"
        return output.complain(f"{fault}  {place}{error.fault.message}", ExitCode.NOT_ACCEPTED)
    checked = kernelcheck.run(build, problem, chosen, seed)
    head = f"{problem.slug}  {source.name}  --seed {seed}"
    told = map(paths.shortened, (head, *kernelcheck.lines(checked)))
    text = "".join(f"{printable(line, 2000)}\n" for line in told)
    output.write(sys.stdout, lambda screen: text)
    # A wrong answer whose cause the check does not see is not right either.
    right = not checked.findings and checked.fault is None
    return ExitCode.ACCEPTED if right else ExitCode.NOT_ACCEPTED
