"""What keeps a submission in: six properties of worker and compiler, and what enforces them here.

A property holds where one of its ways is offered by this system; `--require-sandbox` asks for all.
judge/cage.py, judge/confine.py, judge/cgroup.py and judge/processes.py do the work; this room only
says what it amounts to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge import cage, cgroup, confine, processes
from judge.model import BackendMissing

WORKER, COMPILER = "worker", "compiler"

LANDLOCK, SECCOMP, PRIVILEGES = cage.FILES, cage.CALLS, cage.PRIVILEGES
BUBBLEWRAP, CGROUP, SUBREAPER, SAMPLING = "bubblewrap", "cgroup", "subreaper", "sampling"
_NAMES = {LANDLOCK: "Landlock", SECCOMP: "seccomp", PRIVILEGES: "no_new_privs"}
_REMEDIES = {
    LANDLOCK: "Landlock (Linux 5.13 or newer, booted with landlock among lsm=)",
    SECCOMP: "seccomp filters (Linux on x86-64 or AArch64)",
    PRIVILEGES: "no_new_privs (Linux 3.5)",
    BUBBLEWRAP: "bubblewrap (apt-get install bubblewrap, and user namespaces allowed)",
    CGROUP: "a delegated control group (systemd-run --user --scope -p Delegate=yes ...)",
    SUBREAPER: "a Linux that has subreapers (3.4)",
    SAMPLING: "/proc",
}

Way = frozenset[str]
"""What has to be offered together."""


def _ways(*ways: str) -> tuple[Way, ...]:
    return tuple(frozenset(way.split("+")) for way in ways)


_PROPERTIES: dict[str, tuple[str, dict[str, tuple[Way, ...]]]] = {
    "network": (
        "opens no socket",
        {who: _ways(SECCOMP, BUBBLEWRAP) for who in (WORKER, COMPILER)},
    ),
    "files_read": (
        "opens no file but the system's programs and libraries and what it is given",
        {who: _ways(LANDLOCK, BUBBLEWRAP) for who in (WORKER, COMPILER)},
    ),
    "files_write": (
        "writes no file; a compiler writes in the empty folder it works in",
        {who: _ways(LANDLOCK, BUBBLEWRAP) for who in (WORKER, COMPILER)},
    ),
    "processes": (
        "signals, traces and reads no process of others; a worker starts none, a compiler 64",
        {who: _ways(f"{SECCOMP}+{LANDLOCK}", BUBBLEWRAP) for who in (WORKER, COMPILER)},
    ),
    "memory": (
        "is ended when it takes more memory than its limit",
        {who: _ways(CGROUP, SAMPLING) for who in (WORKER, COMPILER)},
    ),
    "kill_all": (
        "leaves nothing running behind",
        {
            WORKER: _ways(SECCOMP, CGROUP, SUBREAPER),
            COMPILER: _ways(BUBBLEWRAP, CGROUP, SUBREAPER),
        },
    ),
    "privileges": (
        "gains no rights by programs that give some, root's are taken away",
        {who: _ways(PRIVILEGES, BUBBLEWRAP) for who in (WORKER, COMPILER)},
    ),
}


@dataclass(frozen=True)
class Property:
    """One thing that a worker or a compiler must not be able to do.

    name, meaning: `network`, `opens no socket`
    by:            what enforces it here; empty where nothing does
    would:         what would, one of them is enough
    """

    name: str
    who: str
    meaning: str
    by: tuple[str, ...]
    would: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether it is enforced here."""
        return bool(self.by)


def offered() -> frozenset[str]:
    """What this system offers, each of it tried."""
    found = {*confine.layers(), SAMPLING}
    found |= {BUBBLEWRAP} if confine.bubblewrap() else set()
    found |= {CGROUP} if cgroup.parent() is not None else set()
    found |= {SUBREAPER} if processes.take_charge() else set()
    return frozenset(found)


def properties(offers: Iterable[str]) -> tuple[Property, ...]:
    """Every property of worker and compiler, under what a system offers."""
    have = frozenset(offers)
    return tuple(
        Property(
            name,
            who,
            meaning,
            by=tuple(_named(way) for way in ways if way <= have),
            would=tuple(" and ".join(_REMEDIES[one] for one in sorted(way - have)) for way in ways)
            if not any(way <= have for way in ways)
            else (),
        )
        for name, (meaning, of) in _PROPERTIES.items()
        for who, ways in of.items()
    )


def require(offers: Iterable[str]) -> None:
    """Raise BackendMissing, in one line, where a property does not hold: for --require-sandbox."""
    missing = lacking(offers)
    if missing:
        names = ", ".join(dict.fromkeys(_whose(one, missing) for one in missing))
        needed = " and ".join(_REMEDIES[one] for one in _would_do(frozenset(offers)))
        raise BackendMissing(
            f"--require-sandbox: not enforced on this machine: {names}; get {needed}, "
            "or judge without it in a virtual machine"
        )


def lacking(offers: Iterable[str]) -> tuple[Property, ...]:
    """The properties that nothing enforces."""
    return tuple(one for one in properties(offers) if not one.holds)


def gained(one: str, offers: Iterable[str]) -> list[str]:
    """The names of the properties that would hold if a system offered this too, sorted."""
    have = frozenset(offers)
    left = {lack.name for lack in lacking(have | {one})}
    return sorted({lack.name for lack in lacking(have)} - left)


def _would_do(offers: Way) -> Iterator[str]:
    """What makes everything hold, the easiest to get first."""
    for one in (BUBBLEWRAP, SECCOMP, LANDLOCK, PRIVILEGES, SUBREAPER):
        if len(lacking(offers | {one})) < len(lacking(offers)):
            offers |= {one}
            yield one


def sentences(offers: Iterable[str]) -> Iterator[str]:
    """What is enforced on this machine and what is not, for people."""
    have = frozenset(offers)
    told = properties(have)
    yield (
        "enforced: wall-clock time, output, size of files and open files; what a submission prints "
        "is never believed"
    )
    alike: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for one in told:
        alike.setdefault((one.name, one.meaning, one.by, one.would), []).append(one.who)
    for (name, meaning, by, would), who in alike.items():
        head = f"{name} of {' and '.join(who)}: {meaning}"
        yield (
            f"enforced: {head} ({', '.join(by)})"
            if by
            else f"NOT enforced: {head}; needs {' or '.join(would)}"
        )
    if CGROUP not in have:
        yield (
            "NOT enforced to the byte: memory and number of processes are sampled, so they may be "
            f"passed for some hundredths of a second; {_REMEDIES[CGROUP]} bounds them"
        )
    complete = all(one.holds for one in told)
    yield (
        f"{'enforced' if complete else 'NOT enforced'}: the whole sandbox, as --require-sandbox "
        f"asks for it"
    )
    yield (
        "NOT enforced: nothing guards the kernel and the GPU's driver themselves; for people who "
        "break those, use a virtual machine"
    )


def _whose(one: Property, among: Iterable[Property]) -> str:
    """`network` where it is both's, `processes of the worker` where it is one's."""
    both = sum(other.name == one.name for other in among) > 1
    return one.name if both else f"{one.name} of the {one.who}"


def _named(way: Way) -> str:
    return " and ".join(_NAMES.get(one, one) for one in sorted(way))
