"""Compilers: which is taken, and how one is run; the cache: what it keeps, and for how long."""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from judge import build
from judge.box import Event
from judge.cache import Cache, Entry, digest, digest_tree
from judge.model import BackendMissing, UserError

KEY = digest("a key")


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty PATH; programs put into the folder are found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda name: None)
    build.find_compiler.cache_clear()
    yield folder
    build.find_compiler.cache_clear()


def program(folder: Path, name: str, says: str) -> Path:
    """A program that prints one line, whatever it is asked."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def write(content: bytes = b"content") -> Any:
    """A maker that writes one file and notes its length."""

    def maker(folder: Path) -> Mapping[str, Any]:
        (folder / "made").write_bytes(content)
        return {"length": len(content)}

    return maker


def fail(folder: Path) -> Mapping[str, Any]:
    """A maker that must not be asked."""
    raise AssertionError("made again")


def age(entry: Entry, seconds: float) -> None:
    """Let an entry have been used long ago."""
    then = time.time() - seconds
    os.utime(entry.path / "entry.json", (then, then))


@pytest.mark.parametrize(
    ("says", "version"),
    [
        ("g++ (Debian 12.2.0-14+deb12u1) 12.2.0", "g++ 12.2.0"),
        ("g++ (GCC) 13.1.1 20230614 (Red Hat 13.1.1-4)", "g++ 13.1.1"),
        ("Debian clang version 14.0.6", "clang++ 14.0.6"),
        ("clang version 21.1.0 (https://example.org 1a2b3c)", "clang++ 21.1.0"),
    ],
)
def test_a_compiler_is_known_by_what_it_says(says: str, version: str, no_compiler: Path) -> None:
    """The version line tells family and version, whatever the program is called."""
    program(no_compiler, "g++", says)

    assert version == build.find_compiler().version


def test_no_compiler_says_what_to_install(no_compiler: Path) -> None:
    """The message names what is expected and one command."""
    with pytest.raises(BackendMissing, match=r"got none, expected g\+\+ 12 or newer.*apt install"):
        build.find_compiler()


def test_an_old_compiler_is_passed_over(no_compiler: Path) -> None:
    """A newer one under another name is taken; alone, the old one is named as too old."""
    program(no_compiler, "g++", "g++ (Ubuntu 9.4.0) 9.4.0")
    with pytest.raises(BackendMissing, match=r"got only g\+\+ 9\.4\.0"):
        build.find_compiler()

    program(no_compiler, "clang++-15", "clang version 15.0.7")
    assert build.find_compiler().version == "clang++ 15.0.7"


@pytest.mark.parametrize("says", ["hello", "g++ (Ubuntu 9.4.0) 9.4.0"])
def test_a_wrong_cxx_is_refused(
    says: str, no_compiler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """$CXX is never silently replaced by another compiler."""
    program(no_compiler, "g++", "g++ (GCC) 13.1.1")
    monkeypatch.setenv("CXX", str(program(no_compiler, "mine", says)))

    with pytest.raises(UserError, match=r"^CXX="):
        build.find_compiler()


def test_cxx_may_have_arguments(no_compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`CXX="ccache g++"` works, and goes before all others."""
    program(no_compiler, "g++", "g++ (GCC) 13.1.1")
    monkeypatch.setenv("CXX", f"{program(no_compiler, 'mine', 'g++ (GCC) 14.2.0')} --option")

    found = build.find_compiler()
    assert found.version == "g++ 14.2.0"
    assert found.command[-1] == "--option"


def test_a_compiler_is_stopped_in_time(tmp_path: Path) -> None:
    """One that hangs is ended, with what it started."""
    done = build.run(["/bin/sh", "-c", "sleep 60 & sleep 60"], tmp_path, seconds=0.3)

    assert done.stopped is Event.TIME
    assert done.seconds < 5


def test_a_compiler_s_output_is_capped(tmp_path: Path) -> None:
    """A flood of messages ends at the bound."""
    flood = "i=0; while [ $i -lt 300 ]; do printf '%065536d' 0; i=$((i+1)); done"
    done = build.run(["/bin/sh", "-c", flood], tmp_path, seconds=20)

    assert done.cut
    assert len(done.output) <= 1 << 20


def test_a_build_is_made_once(tmp_path: Path) -> None:
    """The second time the entry is there, with its files and notes."""
    first = Cache(tmp_path).make("kind", KEY, write())
    again = Cache(tmp_path).make("kind", KEY, fail)

    assert (first.cached, again.cached) == (False, True)
    assert first.path == again.path
    assert (again.path / "made").read_bytes() == b"content"
    assert again.notes == {"length": 7}


def test_kinds_and_keys_are_apart(tmp_path: Path) -> None:
    """Neither another kind nor another key finds the entry."""
    cache = Cache(tmp_path)
    cache.make("kind", KEY, write())

    assert cache.get("other", KEY) is None
    assert cache.get("kind", digest("another key")) is None


@pytest.mark.parametrize("damage", ["cut", "changed", "lost", "no entry", "half an entry"])
def test_a_broken_entry_is_made_again(damage: str, tmp_path: Path) -> None:
    """A truncated, changed or missing file is noticed before it is used."""
    cache = Cache(tmp_path)
    entry = cache.make("kind", KEY, write(b"right"))
    made, seal = entry.path / "made", entry.path / "entry.json"
    if damage == "cut":
        made.write_bytes(b"rig")
    elif damage == "changed":
        made.write_bytes(b"wrong")
    elif damage == "lost":
        made.unlink()
    elif damage == "no entry":
        seal.unlink()
    else:
        seal.write_bytes(seal.read_bytes()[:20])

    again = cache.make("kind", KEY, write(b"right"))
    assert not again.cached
    assert (again.path / "made").read_bytes() == b"right"


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    """The exception passes through, and the next try starts anew."""
    cache = Cache(tmp_path)
    with pytest.raises(AssertionError):
        cache.make("kind", KEY, fail)

    assert list((tmp_path / "cache").iterdir()) == []
    assert not cache.make("kind", KEY, write()).cached


def test_two_judges_at_once(tmp_path: Path) -> None:
    """Both build, one is kept, and both get the same whole entry."""
    barrier = threading.Barrier(2)
    found: list[Entry] = []

    def maker(folder: Path) -> Mapping[str, Any]:
        barrier.wait(timeout=10)  # both are in the middle of it
        return dict(write()(folder))

    def judge() -> None:
        found.append(Cache(tmp_path).make("kind", KEY, maker))

    judges = [threading.Thread(target=judge) for _ in range(2)]
    for one in judges:
        one.start()
    for one in judges:
        one.join(timeout=20)

    assert len(found) == 2
    assert found[0].path == found[1].path
    assert [found[0].path] == list((tmp_path / "cache").iterdir())
    assert (found[0].path / "made").read_bytes() == b"content"


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    """Over the limit, old entries go in the order of their last use, and no more than needed."""
    cache = Cache(tmp_path, limit_bytes=35_000)
    keys = [digest(str(i)) for i in range(4)]
    for i, key in enumerate(keys[:3]):
        age(cache.make("kind", key, write(bytes(10_000))), 5000 - i)
    cache.get("kind", keys[0])  # now it is the one used last
    cache.make("kind", keys[3], write(bytes(10_000)))

    assert [cache.get("kind", key) is not None for key in keys] == [True, False, True, True]


def test_what_may_be_in_use_stays(tmp_path: Path) -> None:
    """An entry used within minutes belongs to a judge that runs, whatever the limit."""
    cache = Cache(tmp_path, limit_bytes=1)
    keys = [digest(str(i)) for i in range(3)]
    for key in keys:
        cache.make("kind", key, write())

    assert all(cache.get("kind", key) for key in keys)


def test_abandoned_builds_are_swept(tmp_path: Path) -> None:
    """What a killed judge left half made goes after an hour; what is being made stays."""
    cache = Cache(tmp_path)
    old, fresh = (tmp_path / "cache" / f".making-{name}" for name in ("old", "fresh"))
    old.mkdir()
    fresh.mkdir()
    os.utime(old, (time.time() - 7200,) * 2)
    cache.make("kind", KEY, write())

    assert (old.exists(), fresh.exists()) == (False, True)


def test_a_folder_that_cannot_be_written_is_a_user_error(tmp_path: Path) -> None:
    """The message names the variable that moves the cache."""
    (tmp_path / "file").write_text("")

    with pytest.raises(UserError, match="set JUDGE_CACHE"):
        Cache(tmp_path / "file" / "cache")


def test_the_cache_moves_with_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JUDGE_CACHE says where; without it builds lie beside the package."""
    monkeypatch.setenv("JUDGE_CACHE", str(tmp_path / "there"))

    assert Cache().root == tmp_path / "there"


def test_parts_of_a_key_do_not_run_together() -> None:
    """Two parts are not one, and no order is lost."""
    assert len({digest("ab"), digest("a", "b"), digest("b", "a"), digest("ab", "")}) == 4


def test_a_tree_s_key_follows_names_and_contents(tmp_path: Path) -> None:
    """A changed, renamed or added file is another key; an untouched tree is the same."""
    seen = set()
    (tmp_path / "a").mkdir()
    path = tmp_path / "a" / "x.h"
    for content in ("1", "2"):
        path.write_text(content)
        seen.add(digest_tree(tmp_path))
    path.rename(path.with_name("y.h"))
    seen.add(digest_tree(tmp_path))
    (tmp_path / "z.h").write_text("")
    seen.add(digest_tree(tmp_path))

    assert len(seen) == 4
    assert digest_tree(tmp_path) in seen


def test_only_so_many_logs_are_kept(tmp_path: Path) -> None:
    """The newest log is there; the oldest have gone."""
    cache = Cache(tmp_path)
    for i in range(203):
        (tmp_path / "logs" / f"{i}.log").write_text("")
        os.utime(tmp_path / "logs" / f"{i}.log", (i, i))
    path = cache.log("newest", "text")

    assert path.read_text() == "text"
    assert len(list((tmp_path / "logs").iterdir())) == 200
    assert not (tmp_path / "logs" / "0.log").exists()


@pytest.mark.parametrize("name", ["x" * 250, "a\n/../b", "caf\udce9", "."])
def test_a_log_can_be_named_after_any_submission(name: str, tmp_path: Path) -> None:
    """However long its name is, and whatever bytes it is of."""
    path = Cache(tmp_path).log(f"{name}-1234", "why")

    assert path.parent == tmp_path / "logs"
    assert path.read_text() == "why"
    assert path.name.isprintable()


def test_an_entry_says_what_it_holds(tmp_path: Path) -> None:
    """Sizes and digests of all files stand in entry.json."""
    entry = Cache(tmp_path).make("kind", KEY, write(b"content"))

    content = json.loads((entry.path / "entry.json").read_bytes())
    assert {"made": [7, digest(b"content")]} == content["files"]
