"""`grade` and `leaderboard`: a folder of submissions judged to a table, and who is fastest."""

from __future__ import annotations

import argparse
import json
import os
import sys
from functools import partial
from pathlib import Path

from judge import cases, devices, find, output, spec
from judge.grade import cluster, collect, conduct, lanes, leaderboard, screens, seat, store
from judge.grade.conduct import Plan, Runner
from judge.grade.formats import files
from judge.grade.model import Grading
from judge.model import ExitCode, UserError
from judge.printable import printable


def run(asked: argparse.Namespace) -> int:
    """Run the command that was asked for; its exit code."""
    return {"grade": _grade, "leaderboard": _leaderboard}[asked.command](asked)


def _grade(asked: argparse.Namespace) -> int:
    plan = _plan(asked)
    out = Path(asked.out)
    runner = _runner(asked, plan)
    try:
        with store.opened(out, conduct.header(plan), asked.resume) as kept:
            with screens.progress(sys.stderr, len(plan.entries), len(kept.done)) as tell:
                grading = conduct.grade(plan, kept, runner, tell)
            written = (kept.out / store.RESULTS, *files.write(grading, out))
    except OSError as error:
        return output.complain(
            f"judge: {out}: {error.strerror}; what was graded is kept, add --resume to go on",
            ExitCode.JUDGE_ERROR,
        )
    except KeyboardInterrupt:
        again = f"interrupted; go on with: {printable(_again(asked), 1000)}"
        return output.complain(f"judge: {again}", ExitCode.INTERRUPTED)
    output.write(sys.stdout, lambda screen: screens.table(grading, written, screen))
    return int(exit_code(grading))


def exit_code(grading: Grading) -> ExitCode:
    """The worst that happened: a broken judge before a wrong submission."""
    verdicts = {graded.verdict for graded in grading.results}
    if "JE" in verdicts:
        return ExitCode.JUDGE_ERROR
    return ExitCode.ACCEPTED if verdicts == {"AC"} else ExitCode.NOT_ACCEPTED


def _plan(asked: argparse.Namespace) -> Plan:
    """Everything the conductor needs.  Raises UserError."""
    from judge import backend

    problem = spec.load(find.named_problem(asked.problem))
    folder = Path(asked.folder)
    entries = collect.collect(folder, problem.slug, Path(asked.out))
    over = [printable(name, 60) for name in collect.passed_over(folder)]
    if over:
        more = f" and {len(over) - 5} more" if len(over) > 5 else ""
        output.warn(f"not judged, being no .cu files: {', '.join(over[:5])}{more}")
    if asked.scheduler and asked.backend:  # this machine need not have it
        chosen, device = asked.backend, f"Dask cluster {asked.scheduler}"
    else:
        chosen, remark = devices.choose(asked.backend)
        output.warn(remark)
        device = backend.load(chosen).probe()
    kept = store.read_header(Path(asked.out)) if asked.resume else None
    seed = asked.seed or (kept.seed if kept else cases.new_seed())
    return Plan(
        folder=folder,
        entries=entries,
        spec=problem,
        backend=chosen,
        seed=seed,
        device=device,
        defines=(*asked.defines, *asked.more_defines),
        timed=asked.timed,
        sandboxed=asked.require_sandbox,
    )


def _runner(asked: argparse.Namespace, plan: Plan) -> Runner:
    """Where the jobs run: on a cluster if one is named, else on this machine.  Raises UserError."""
    on_gpu = plan.backend == "gpu"
    if sum(map(bool, (asked.jobs, asked.workers, asked.scheduler))) > 1:
        raise UserError("--jobs, --workers, --scheduler: got more than one, expected one of them")
    if asked.workers and on_gpu:
        raise UserError("--workers: would share one GPU; use --jobs, which gives a GPU to each")
    if asked.scheduler or asked.workers:
        return partial(cluster.run, asked.scheduler, asked.workers, on_gpu)
    graphics = _devices() if on_gpu else ()
    many = asked.jobs or (len(graphics) if on_gpu else len(os.sched_getaffinity(0)))
    return partial(lanes.run, where=seat.deal(many, graphics))


def _devices() -> tuple[str, ...]:
    """The GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return tuple(one for one in named.split(",") if one) or ("0",)
    numbers = (path.rsplit("nvidia", 1)[-1] for path in devices.gpu_files())
    return tuple(number for number in numbers if number.isdigit()) or ("0",)


def _again(asked: argparse.Namespace) -> str:
    import shlex

    given = [word for word in sys.argv[1:] if word != "--resume"]
    return shlex.join([sys.executable, "-m", "judge", *given, "--resume"])


def _leaderboard(asked: argparse.Namespace) -> int:
    problem = spec.load(find.named_problem(asked.problem))
    rows = leaderboard.rank(leaderboard.read(problem, [Path(one) for one in asked.results]))
    if asked.json:
        text = json.dumps([row.as_dict() for row in rows], indent=1) + "\n"
    elif asked.csv:
        text = leaderboard.csv_text(rows)
    else:
        output.write(sys.stdout, lambda screen: screens.leaderboard(problem, rows, screen))
        return ExitCode.ACCEPTED
    output.write(sys.stdout, lambda screen: text)
    return ExitCode.ACCEPTED
