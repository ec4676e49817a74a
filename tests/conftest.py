"""What all tests share: the gpu marker's reason, and the golden option."""

from __future__ import annotations

import pytest

from judge import devices
from judge.model import BackendMissing


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` writes golden files anew; only `make golden` passes it."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Controls run first, and tests that need a GPU say why they are skipped."""
    items.sort(key=lambda item: "control" not in item.name)
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if not marked:
        return
    try:
        devices.probe_gpu()
    except BackendMissing as missing:
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=str(missing)))
