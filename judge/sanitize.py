"""compute-sanitizer on small ragged cases: bad accesses, races, with the line they are at.

Its log is read here.  Source of the format: Compute Sanitizer User Manual, "Memcheck", "Racecheck",
"Initcheck" and "Synccheck": blocks of lines after `=========`, each begun by what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judge import cases, gputool, toolkit
from judge.counted import counted
from judge.model import Build, Case, JudgeError, Place, Spec
from judge.printable import printable

TOOLS = ("memcheck", "racecheck")
MORE_TOOLS = ("initcheck", "synccheck")
_PRINTED = 100
_MOST_SHOWN = 8

_MARK = re.compile(r"^=========( ?)(.*)$")
_SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: ")
_HEAD = re.compile(
    r"(?:Error: |Warning: )?(?P<kind>Invalid .*|Uninitialized .*|Barrier error .*|Race reported .*"
    r"|Potential .* hazard .*|Fatal UVM.*|Misaligned .*|Program hit .*|Stack overflow.*"
    r"|Hardware .*|Warp .*|Unknown Error.*|Malloc/Free.*|Division .*)"
)
# `gemm(const float *)+0x1a0 in /a/b.cu:31`, and before CUDA 12 `0x1a0 in /a/b.cu:31:gemm(...)`
_AT = re.compile(
    r"(?:\bat (?:(?P<kernel>\S.*?)\+)?0x[0-9a-f]+ in (?P<file>.+?):(?P<line>\d+)"
    r"(?::(?P<old>[^ ].*?))?)(?= \[\d+ hazards?\]|$| and )"
)
_BY = re.compile(r"by thread (\(\d+,\d+,\d+\)) in block (\(\d+,\d+,\d+\))")
_KIND_AT = re.compile(r" at \S.*$| between .*$")


@dataclass(frozen=True)
class Finding:
    """One mistake: where it first showed, and how often.

    place:  of the access, None where the log names none (an API call that failed)
    others: further lines of the log about it: the address, the other access of a race
    """

    tool: str
    kind: str
    place: Place | None
    kernel: str
    thread: str
    block: str
    others: tuple[str, ...]
    count: int = 1


def pick(spec: Spec, planned: Sequence[Case]) -> tuple[Case, ...]:
    """Few and small, since each access is instrumented: the smallest of all, and the smallest that
    are ragged in every axis with two and with four of the smallest tiles."""
    tile = min(spec.tiles, default=1)
    by_work = sorted(planned, key=lambda case: (cases.work(spec, case), case.id))
    groups = [by_work]
    for tiles in (2, 4):
        groups.append(
            [
                case
                for case in by_work
                if all(size % tile and size > tiles * tile for size in case.sizes.values())
            ]
        )
    found = {group[0].id: group[0] for group in groups if group}
    return tuple(found.values())


def check(
    build: Build, spec: Spec, chosen: Sequence[Case], tool: str, seed: str, folder: Path
) -> tuple[Finding, ...]:
    """Run one tool on the cases.  Raises BackendMissing, UserError, JudgeError."""
    program = toolkit.tool("compute-sanitizer")
    argv = [str(program), "--tool", tool, "--print-limit", str(_PRINTED), "--log-file", "{log}"]
    calls = [cases.make(spec, case, seed, 0) for case in chosen]
    told = gputool.run(argv, build, spec, calls, folder)
    if not _SUMMARY.search(told.log):
        last = (told.log or told.printed).strip().splitlines()[-1:] or ["nothing"]
        raise JudgeError(f"compute-sanitizer did not work; it said: {printable(last[0], 200)}")
    found = parse(tool, told.log)
    if not found and told.status:
        kind = f"the program ended with status {told.status}"
        return (Finding(tool, kind, None, "", "", "", tuple(told.printed.splitlines()[-3:])),)
    return found


def parse(tool: str, log: str) -> tuple[Finding, ...]:
    """The findings of a log, alike ones counted, in the order they showed."""
    found: dict[tuple[str, str, str], Finding] = {}
    for block in _blocks(log):
        one = _finding(tool, block)
        key = one.kind, str(one.place), one.kernel
        if key in found:
            one = replace(found[key], count=found[key].count + 1)
        found[key] = one
    return tuple(found.values())


def _blocks(log: str) -> Iterator[list[str]]:
    """The lines of each report, without their marks."""
    block: list[str] = []
    for line in log.splitlines():
        match = _MARK.match(line)
        text = match[2] if match else ""
        if match is None or not text.strip() or _SUMMARY.search(text):
            if block:
                yield block
            block = []
        elif not text.startswith(" ") and _HEAD.match(text):
            if block:
                yield block
            block = [text]
        elif block:
            block.append(text.strip())
    if block:
        yield block


def _finding(tool: str, block: Sequence[str]) -> Finding:
    head = _HEAD.match(block[0])
    assert head is not None
    text = [line for line in block if "Host Frame" not in line and "backtrace" not in line]
    at = next((match for line in text if (match := _AT.search(line))), None)
    by = next((match for line in text if (match := _BY.search(line))), None)
    used = {match.string for match in (at, by) if match is not None}
    kernel = (at["kernel"] or at["old"] or "") if at else ""
    return Finding(
        tool=tool,
        kind=_KIND_AT.sub("", head["kind"]).strip(),
        place=Place(at["file"], int(at["line"])) if at else None,
        kernel=kernel.partition("(")[0].removeprefix("void ").strip(),
        thread=by[1] if by else "",
        block=by[2] if by else "",
        others=tuple(line for line in text[1:] if line not in used)[:2],
    )


def lines(tool: str, found: Sequence[Finding]) -> Iterator[str]:
    """What one tool found, for people."""
    if not found:
        yield f"{tool:<10} clean"
        return
    yield f"{tool:<10} {counted(len(found), 'finding')}"
    for one in found[:_MOST_SHOWN]:
        where = f"{one.place}: " if one.place else ""
        yield f"  {printable(where + one.kind)}"
        who = [f"kernel {one.kernel}"] if one.kernel else []
        who += [f"thread {one.thread} of block {one.block}"] if one.thread else []
        who += [f"and {one.count - 1} more alike"] if one.count > 1 else []
        if who:
            yield f"    {printable(', '.join(who))}"
        yield from (f"    {printable(line, 200)}" for line in one.others)
    if len(found) > _MOST_SHOWN:
        yield f"  ... and {counted(len(found) - _MOST_SHOWN, 'more place')}"
