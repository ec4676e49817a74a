"""judge/backend.py: both backends have what the conductor asks for."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from judge import backend
from judge.find import ROOT

NAMES = ("cpu", "gpu")


@pytest.mark.parametrize("name", NAMES)
def test_a_backend_offers_every_name_of_the_protocol(name: str) -> None:
    """Functions with the protocol's parameters, in its order; a budget; measure and check, or None.

    A backend's own further parameters have defaults.
    """
    room = backend.load(name)

    assert room.BUDGET > 0
    assert room.measure is None or callable(room.measure)
    assert room.check is None or callable(room.check)
    for function in ("probe", "compile", "open_session"):
        wanted = list(inspect.signature(getattr(backend.Backend, function)).parameters)[1:]
        got = inspect.signature(getattr(room, function)).parameters
        assert list(got)[: len(wanted)] == wanted
        assert all(
            got[more].default is not inspect.Parameter.empty for more in list(got)[len(wanted) :]
        )


def test_sessions_are_called_alike() -> None:
    """One call for both: data, then schedule and same_addresses by name; and close."""
    from judge import cpusession, gpusession

    for session in (cpusession.Session, gpusession.Session):
        for method in ("call", "close"):
            wanted = inspect.signature(getattr(backend.Session, method))
            assert inspect.signature(getattr(session, method)) == wanted


def test_only_the_gpu_backend_tells_a_time() -> None:
    """A time of the emulation would mislead: there is no function that could give one."""
    assert backend.load("cpu").measure is None
    assert backend.load("gpu").measure is not None


def test_loading_the_cpu_backend_loads_nothing_of_the_other() -> None:
    """A backend is imported only when asked for."""
    code = (
        "import sys; from judge import backend; backend.load('cpu'); "
        "loaded = {*sys.modules} - {'judge.gpuonly'}; "
        "sys.exit(any(m.startswith(('pycuda', 'judge.gpu')) for m in loaded))"
    )

    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_there_are_no_other_backends() -> None:
    """An unknown name is no module of ours."""
    with pytest.raises(ModuleNotFoundError):
        backend.load("tpu")
