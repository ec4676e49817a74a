"""judge/isolation.py: what is said to be enforced, on machines of all kinds."""

from __future__ import annotations

import itertools

import pytest

from judge import cli, isolation
from judge.isolation import (
    BUBBLEWRAP,
    CGROUP,
    COMPILER,
    LANDLOCK,
    PRIVILEGES,
    SAMPLING,
    SECCOMP,
    SUBREAPER,
    WORKER,
)
from judge.model import BackendMissing

KERNEL = {LANDLOCK, SECCOMP, PRIVILEGES, SUBREAPER, SAMPLING}
NAMES = {"network", "files_read", "files_write", "processes", "memory", "kill_all", "privileges"}


def missing(*offers: str) -> set[tuple[str, str]]:
    """Property and whose, of all that nothing enforces."""
    return {(one.name, one.who) for one in isolation.lacking(offers)}


def test_every_property_is_told_of_worker_and_compiler() -> None:
    """Nothing is left out, whatever a machine offers."""
    told = {(one.name, one.who) for one in isolation.properties(())}

    assert told == set(itertools.product(NAMES, (WORKER, COMPILER)))


def test_a_recent_kernel_is_enough() -> None:
    """Landlock, seccomp, no_new_privs and subreapers enforce everything without bubblewrap."""
    isolation.require(KERNEL)


def test_bubblewrap_is_enough() -> None:
    """A kernel without Landlock, or without seccomp, is made up for by bubblewrap."""
    isolation.require({BUBBLEWRAP, SUBREAPER, SAMPLING})


def test_nothing_is_enforced_by_nothing() -> None:
    """A property without a way is not said to hold."""
    assert missing() == set(itertools.product(NAMES, (WORKER, COMPILER)))


@pytest.mark.parametrize(
    ("gone", "lost"),
    [
        (LANDLOCK, {"files_read", "files_write", "processes"}),
        (SECCOMP, {"network", "processes"}),
        (PRIVILEGES, {"privileges"}),
    ],
)
def test_a_layer_that_is_gone_is_missed(gone: str, lost: set[str]) -> None:
    """Without bubblewrap, each layer of the kernel carries what no other does."""
    assert missing(*(KERNEL - {gone})) == set(itertools.product(lost, (WORKER, COMPILER)))


def test_a_compiler_that_starts_programs_needs_somebody_to_end_them() -> None:
    """A worker that can start nothing leaves nothing; a compiler's children need a subreaper."""
    assert missing(*(KERNEL - {SUBREAPER})) == {("kill_all", COMPILER)}
    assert missing(*(KERNEL - {SUBREAPER}), CGROUP) == set()


def test_what_is_lacking_is_one_line_with_what_to_get() -> None:
    """Properties by name, the remedy that makes them hold, and no more than that."""
    with pytest.raises(BackendMissing) as caught:
        isolation.require(KERNEL - {LANDLOCK})

    text = str(caught.value)
    assert "\n" not in text
    assert "not enforced on this machine: files_read, files_write, processes; get bubble" in text
    assert "apt-get install bubblewrap" in text
    assert "seccomp" not in text


def test_what_was_advised_is_enough() -> None:
    """Every machine that does all it is told to meets the demand."""
    everything = (LANDLOCK, SECCOMP, PRIVILEGES, SUBREAPER, BUBBLEWRAP, CGROUP)
    for count in range(len(everything) + 1):
        for offers in itertools.combinations(everything, count):
            have = frozenset((*offers, SAMPLING))
            isolation.require(have | set(isolation._would_do(have)))


@pytest.mark.parametrize(
    "command",
    [
        ["run", "naive.cu"],
        ["check", "naive.cu"],
        ["sweep", "naive.cu", "-D", "A=1,2"],
        ["grade", "hand-ins", "--problem", "gemm_fp16"],
    ],
)
def test_a_submission_is_not_run_where_the_sandbox_is_not_complete(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--require-sandbox ends with exit code 4 and one line, before anything is compiled."""
    monkeypatch.setattr(isolation, "offered", lambda: frozenset((SAMPLING, SUBREAPER, PRIVILEGES)))
    monkeypatch.setattr("judge.boxed.Box", None)

    code = cli.main([*command, "--require-sandbox"])

    said = capsys.readouterr()
    assert code == 4
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "--require-sandbox: not enforced on this machine: network" in said.err


def test_people_are_told_in_sentences() -> None:
    """Each line says of a property whether it holds, and by what, or what it needs."""
    told = list(isolation.sentences(KERNEL - {LANDLOCK}))

    assert all(line.startswith(("enforced", "NOT enforced")) for line in told)
    assert any(line.startswith("enforced: network") and "seccomp" in line for line in told)
    assert any(
        line.startswith("NOT enforced: files_read") and "or bubblewrap" in line for line in told
    )
    assert "NOT enforced: the whole sandbox, as --require-sandbox asks for it" in told


def test_what_this_machine_offers_is_tried_not_guessed() -> None:
    """What is said of this machine names only what there is, and sampling always."""
    found = isolation.offered()

    assert SAMPLING in found
    assert found <= KERNEL | {BUBBLEWRAP, CGROUP}
