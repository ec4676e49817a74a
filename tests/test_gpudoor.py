"""judge/gpu.py without a GPU: what is missing is said in one line with a next step.

pycuda is played by a package on sys.path.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge import gpu, toolkit
from judge.gpudevice import Device, Pycuda, submission_class
from judge.model import BackendMissing, ExitCode, JudgeError

DRIVER = """
class Error(Exception):
    pass
def init():
    {init}
class Device:
    @staticmethod
    def count():
        return {count}
"""
COMPILER = "class SourceModule:\n    pass\n"
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a pycuda with this driver module; afterwards nobody has seen it."""
    monkeypatch.setattr(toolkit, "library_folders", lambda: ())
    monkeypatch.syspath_prepend(str(tmp_path))

    def forget() -> None:
        for name in [one for one in sys.modules if one.split(".")[0] == "pycuda"]:
            del sys.modules[name]

    def make(driver: str = DRIVER, compiler: str = COMPILER, **given: str) -> None:
        folder = tmp_path / "pycuda"
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        text = driver.format(**{"init": "pass", "count": "1", **given})
        (folder / "driver.py").write_text(text)
        (folder / "compiler.py").write_text(compiler)

    before = {name: one for name, one in sys.modules.items() if name.split(".")[0] == "pycuda"}
    forget()
    yield make
    forget()
    sys.modules.update(before)


def refused() -> str:
    """Why there is no pycuda to be had, as the user reads it."""
    with pytest.raises(BackendMissing) as raised:
        gpu.load_pycuda.__wrapped__()
    assert raised.value.exit_code is ExitCode.BACKEND_MISSING
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_control_a_pycuda_that_works_is_taken(install: Install) -> None:
    """Driver and SourceModule, after the driver was initialised."""
    install(init="global ready; ready = 1")

    found = gpu.load_pycuda.__wrapped__()

    assert found.driver.ready == 1
    assert found.source_module.__name__ == "SourceModule"


def test_without_pycuda_the_message_says_how_to_get_it(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The module by name, the command that installs it, and what works without."""
    monkeypatch.setattr(sys, "path", [])

    assert refused() == (
        "backend gpu: python module pycuda is not installed; `make setup` installs pycuda where "
        "a GPU and a CUDA toolkit are"
    )


def test_a_module_that_pycuda_needs_is_named(install: Install) -> None:
    """Not pycuda itself may be what is missing."""
    install(compiler="import pytools_that_nobody_has\n")

    assert "python module pytools_that_nobody_has is not installed" in refused()


def test_a_pycuda_that_does_not_load_keeps_the_loader_s_word(install: Install) -> None:
    """Built against another toolkit: the library that is missing is named."""
    install(driver="raise ImportError('libcurand.so.10: cannot open shared object file')\n")

    assert refused() == (
        "backend gpu: pycuda does not load: libcurand.so.10: cannot open shared object file"
    )


def test_a_driver_that_does_not_answer_points_at_nvidia_smi(install: Install) -> None:
    """Kernel module and library may not fit each other after an update."""
    install(init="raise Error('cuInit failed: system driver mismatch')")

    assert refused() == (
        "backend gpu: the NVIDIA driver does not answer: cuInit failed: system driver mismatch; "
        "see nvidia-smi"
    )


def test_a_hidden_gpu_points_at_the_variable_that_hides_it(install: Install) -> None:
    """CUDA_VISIBLE_DEVICES= shows a driver without devices."""
    install(count="0")

    assert "the driver shows no device (CUDA_VISIBLE_DEVICES?)" in refused()


def test_libcurand_is_loaded_first_from_the_toolkit(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pycuda links it, and the loader does not look there; a broken file harms nothing."""
    install()
    tried: list[str] = []
    (tmp_path / "libcurand.so.10").write_text("")
    (tmp_path / "libcurand.so.9").write_text("")
    monkeypatch.setattr(toolkit, "library_folders", lambda: (tmp_path,))

    def load(path: str, mode: int) -> None:
        tried.append(Path(path).name)
        if path.endswith(".10"):
            raise OSError("not an ELF file")

    monkeypatch.setattr(gpu.ctypes, "CDLL", load)
    gpu.load_pycuda.__wrapped__()

    assert tried == ["libcurand.so.10", "libcurand.so.9"]


# --------------------------------------------------------------------------------------------------
# judge/gpudevice.py: what of pycuda is used, on a driver that is played


class Driver:
    """The names of pycuda.driver in use."""

    class Error(Exception):
        """As pycuda's."""

    def __init__(self, broken: bool = False) -> None:
        self.broken, self.pushed, self.asked = broken, 0, 0

    def Device(self, ordinal: int) -> Driver:
        """As pycuda's."""
        if self.broken:
            raise self.Error("out of memory")
        return self

    def retain_primary_context(self) -> Driver:
        """As pycuda's."""
        return self

    def push(self) -> None:
        """As pycuda's."""
        self.pushed += 1

    def pop(self) -> None:
        """As pycuda's."""
        self.pushed -= 1

    def name(self) -> str:
        """As pycuda's."""
        return "played"

    def compute_capability(self) -> tuple[int, int]:
        """As pycuda's."""
        return 9, 0

    def get_attributes(self) -> dict[str, int]:
        """As pycuda's: names in capitals."""
        return {"CLOCK_RATE": 5, "MAX_GRID_DIM_X": 7}

    def mem_alloc(self, size: int) -> int:
        """As pycuda's."""
        if size > 100:
            raise self.Error("out of memory")
        return size

    def memset_d8(self, *given: int) -> None:
        """As pycuda's, which refuses a length of nothing."""
        self.asked += 1
        assert given[-1] > 0


def test_a_device_enters_and_leaves_its_primary_context() -> None:
    """The runtime of a submission lives there; a context left behind crashes the interpreter."""
    driver = Driver()
    device = Device(Pycuda(driver, None))

    assert (driver.pushed, device.name, device.capability) == (1, "played", (9, 0))
    assert device.attributes() == {"clock_rate": 5, "max_grid_dim_x": 7}
    device.close()
    assert driver.pushed == 0


def test_what_the_device_refuses_is_the_judge_s_trouble() -> None:
    """No context and no memory: a judge error with the driver's word, never a verdict."""
    device = Device(Pycuda(Driver(), None))

    assert device.allocate(100) == 100
    with pytest.raises(JudgeError, match="no 101 bytes left for the judge: out of memory"):
        device.allocate(101)
    with pytest.raises(JudgeError, match="GPU 0: no context: out of memory"):
        Device(Pycuda(Driver(broken=True), None))


def test_nothing_is_copied_where_there_is_nothing() -> None:
    """Arrays of no bytes are no driver calls, which would fail."""
    driver = Driver()
    device = Device(Pycuda(driver, None))

    device.fill(0, 0xCB, 0)
    device.fill(0, 0xCB, 1)

    assert driver.asked == 1
    assert device.download(0, 0).size == 0


def test_a_submission_is_a_source_module(tmp_path: Path) -> None:
    """Without a cubin the source is compiled as SourceModule does, names unmangled or not."""

    class SourceModule:
        """As pycuda's."""

        def __init__(self, source: str, **options: object) -> None:
            self.given = source, options

    source = tmp_path / "k.cu"
    source.write_text("__global__ void k() {}\n")

    made = submission_class(Pycuda(Driver(), SourceModule))(source, arch="sm_90")

    assert isinstance(made, SourceModule)
    assert made.given == (
        "__global__ void k() {}\n",
        {"options": None, "arch": "sm_90", "no_extern_c": True},
    )
    assert made.host is None
