"""What each command does: find the files, call the room that does the work, show what it says.

Everything a person reads goes through `report` and `tables`; this room knows the order of things
and the exit codes, nothing else.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from judge import broken, output
from judge.model import ExitCode, Report, Request, Spec, UserError, Verdict

# Tables are the same each time; a run draws a seed of its own.
SHOWN_SEED = "0"


def run(asked: argparse.Namespace) -> int:
    """Run the command that was asked for; the exit code of whatever happens."""
    commands: dict[str, Callable[[argparse.Namespace], int]] = {
        "run": _run,
        "check": _check,
        "debug": _debug,
        "sweep": _sweep,
        "cases": _cases,
        "gauge": _gauge,
        "new": _new,
        "doctor": _doctor,
        **dict.fromkeys(("problems", "which", "new-problem", "lint-problem"), _author),
        **dict.fromkeys(("ladder", "compare", "profile", "sanitize"), _on_a_gpu),
        **dict.fromkeys(("grade", "leaderboard"), _grading),
    }
    try:
        _refuse(asked)
        if getattr(asked, "require_sandbox", False):
            from judge import isolation

            isolation.require(isolation.offered())
        return commands[asked.command](asked)
    except UserError as error:
        return output.complain(f"judge: {error}", error.exit_code)
    except KeyboardInterrupt:
        return output.complain("judge: interrupted", ExitCode.INTERRUPTED)
    except Exception as error:
        report = broken.report(error, None)
        output.complain(
            f"JE  internal  {report.fault and report.fault.message}", ExitCode.JUDGE_ERROR
        )
        return output.complain(f"    log: {report.log_path}", ExitCode.JUDGE_ERROR)


def _refuse(asked: argparse.Namespace) -> None:
    """What is wrong with a command line, told before anything is built.  Raises UserError."""
    from judge import entry, writable

    writable.check(asked)
    if asked.command != "sweep":  # whose values are lists
        for define in (*getattr(asked, "defines", ()), *getattr(asked, "more_defines", ())):
            entry.parse_define(define)


def _run(asked: argparse.Namespace) -> int:
    from judge import jsonl, progress

    request = _request(asked, (*asked.defines, *asked.more_defines))
    with progress.shown(sys.stderr) as tell:
        report = _judge(request, tell)
    screen_stream = sys.stderr if asked.json == "-" else sys.stdout
    output.show_report(report, screen_stream)
    code = int(_exit_code(report))
    if asked.json is not None:
        code = output.write_json(jsonl.line(report), asked.json, code)
    if asked.format:
        from judge.grade import single

        code = single.write(report, request.spec, asked.format, code)
    return code


def _check(asked: argparse.Namespace) -> int:
    from judge import checkcommand

    return checkcommand.run(asked)


def _debug(asked: argparse.Namespace) -> int:
    from judge import debug

    return debug.run(asked)


def _sweep(asked: argparse.Namespace) -> int:
    from judge import cases, entry, history, jsonl, progress, sweep, tables

    combinations = sweep.combinations((*asked.defines, *asked.more_defines))
    for define in {define for defines in combinations for define in defines}:
        entry.parse_define(define)
    asked.case = None
    # One seed, so that rows differ by their values alone.
    asked.seed = asked.seed or cases.new_seed()
    requests = [_request(asked, defines) for defines in combinations]
    reports: list[Report] = []
    try:
        with progress.shown(sys.stderr) as tell:
            for request in requests:
                reports.append(_judge(request, tell))
    finally:
        # What was judged before an interruption was judged all the same.
        if reports:
            stream = sys.stderr if asked.json == "-" else sys.stdout
            output.write(stream, lambda screen: tables.sweep(reports, len(requests), screen))
            for report in reports:
                output.warn(history.append(report))
    code = int(sweep.exit_code(report.verdict for report in reports))
    if asked.json is not None:
        code = output.write_json("".join(map(jsonl.line, reports)), asked.json, code)
    return code


def _cases(asked: argparse.Namespace) -> int:
    from judge import cases, tables

    seed = asked.seed or SHOWN_SEED
    for problem in _problems(asked):
        planned = cases.plan(problem, seed)
        output.write(sys.stdout, lambda s, p=problem, c=planned: tables.cases(p, c, seed, s))
    return ExitCode.ACCEPTED


def _gauge(asked: argparse.Namespace) -> int:
    from judge import cases, gauge, tables

    good = True
    for problem in _problems(asked):
        rows = gauge.gauge(problem, cases.plan(problem, SHOWN_SEED), SHOWN_SEED)
        wrong = gauge.verdicts(rows)
        output.write(sys.stdout, lambda s, p=problem, r=rows, w=wrong: tables.gauge(p, r, w, s))
        good = good and not wrong
    return ExitCode.ACCEPTED if good else ExitCode.USAGE


def _new(asked: argparse.Namespace) -> int:
    from judge import new, paths

    path = paths.shown(new.create(asked.problem, asked.name))
    print(f"{path}\nnow: edit it, then judge it: make judge SUB={path}")
    return ExitCode.ACCEPTED


def _doctor(asked: argparse.Namespace) -> int:
    from judge import doctor, tables
    from judge.pieces import Level

    findings = []
    for finding in doctor.examine():
        findings.append(finding)
        output.write(sys.stdout, lambda screen, f=finding: tables.finding(f, screen))
    print("\nA submission runs in a worker, a process of its own. What keeps it in here:")
    for sentence in doctor.boundaries():
        print(f"  {sentence}")
    failed = any(finding.level is Level.FAIL for finding in findings)
    return ExitCode.BACKEND_MISSING if failed else ExitCode.ACCEPTED


def _author(asked: argparse.Namespace) -> int:
    from judge import authoring

    return authoring.run(asked)


def _on_a_gpu(asked: argparse.Namespace) -> int:
    from judge import gpucommands

    return gpucommands.run(asked)


def _grading(asked: argparse.Namespace) -> int:
    from judge import gradecommands

    return gradecommands.run(asked)


# --------------------------------------------------------------------------------------------------
# From what was typed to a request, and from a request to a report


def _request(asked: argparse.Namespace, defines: tuple[str, ...]) -> Request:
    """Everything the conductor needs.  Raises UserError."""
    from judge import devices, find, subject

    source = find.submission(asked.file, asked.problem)
    load = subject.loader(asked, source)
    chosen, remark = devices.choose(asked.backend)
    output.warn(remark)
    timed = chosen == "gpu" and asked.timed != 0 and asked.case is None
    return Request(
        source=source,
        spec=load(timed),
        backend=chosen,
        defines=defines,
        case=asked.case,
        seed=asked.seed,
        timed=asked.timed,
    )


def _judge(request: Request, tell: Callable[..., None]) -> Report:
    """The conductor's report; a report with verdict JE where the judge itself broke."""
    from judge import run as conductor

    try:
        return conductor.judge(request, tell)
    except UserError:
        raise
    except Exception as error:
        return broken.report(error, request)


def _problems(asked: argparse.Namespace) -> Iterator[Spec]:
    """The problem that was named, or every one.  Raises UserError."""
    from judge import find, spec

    for slug in [asked.problem] if asked.problem is not None else spec.slugs():
        yield spec.load(find.named_problem(slug))


def _exit_code(report: Report) -> ExitCode:
    if report.verdict is Verdict.JE:
        return ExitCode.JUDGE_ERROR
    return ExitCode.ACCEPTED if report.verdict is Verdict.AC else ExitCode.NOT_ACCEPTED
