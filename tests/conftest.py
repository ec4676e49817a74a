"""What all tests share: the gpu marker's reason, the golden option, and the turns of a GPU."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator

import pytest

from judge import devices
from judge.find import ROOT
from judge.model import BackendMissing


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` writes golden files anew; only `make golden` passes it."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


def pytest_configure() -> None:
    """What was typed for `make test` is not meant for a make that a test starts."""
    for name in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL"):
        os.environ.pop(name, None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Controls run first, and tests that need a GPU say why they are skipped."""
    items.sort(key=lambda item: "control" not in item.name)
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            if item.get_closest_marker("timed"):  # by one process, so that the others need not wait
                item.add_marker(pytest.mark.xdist_group("timed"))
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if not marked:
        return
    try:
        devices.probe_gpu()
    except BackendMissing as missing:
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=str(missing)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tests share the GPU, but for those that measure it: they have it for themselves.

    The processes of pytest-xdist agree by a lock, held from a test's fixtures to its end.
    """
    if not item.get_closest_marker("gpu"):
        return (yield)
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "gpu-tests.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX if item.get_closest_marker("timed") else fcntl.LOCK_SH)
        return (yield)
