"""judge/toolkit.py: which nvcc is taken, played by shell scripts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge import toolkit
from judge.model import BackendMissing


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine whose only toolkits are below this folder."""
    real = toolkit._candidates
    monkeypatch.setattr(
        toolkit, "_candidates", lambda: (one for one in real() if one.is_relative_to(tmp_path))
    )
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    monkeypatch.setattr(toolkit.sysconfig, "get_path", lambda name: str(tmp_path / "site"))
    toolkit.find.cache_clear()
    yield tmp_path
    toolkit.find.cache_clear()


def install(nvcc: Path, release: str, top: Path | None = None) -> Path:
    """A script that answers as nvcc of this release, with libraries below its top."""
    nvcc.parent.mkdir(parents=True, exist_ok=True)
    top = top or nvcc.parent.parent
    (top / "lib64").mkdir(parents=True, exist_ok=True)
    nvcc.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" = --version ]; then echo "Cuda compilation tools, release {release}, V1"; fi\n'
        f'if [ "$1" = --dryrun ]; then echo "#\\$ TOP={top}" >&2; fi\n'
    )
    nvcc.chmod(0o755)
    return nvcc


def test_nvcc_on_path_is_found_with_version_and_libraries(place: Path) -> None:
    """What a user has on PATH works without a setting."""
    nvcc = install(place / "bin" / "nvcc", "12.8")

    found = toolkit.find()

    assert (found.nvcc, found.version) == (nvcc, "12.8")
    assert found.folders == (place / "lib64",)
    assert toolkit.library_folders() == found.folders


def test_a_wrapper_s_libraries_are_those_of_the_toolkit_behind_it(place: Path) -> None:
    """A script in /usr/local/bin has no libraries beside it: nvcc itself says where its top is."""
    real = place / "opt" / "cuda-13.0"
    (real / "targets" / "x86_64-linux" / "lib").mkdir(parents=True)
    install(place / "bin" / "nvcc", "13.0", top=real)

    assert toolkit.find().folders == (
        real / "lib64",
        real / "targets" / "x86_64-linux" / "lib",
    )


def test_without_a_told_top_the_libraries_lie_beside_nvcc(place: Path) -> None:
    """Links are followed: /usr/bin/nvcc may lead into /opt."""
    real = install(place / "opt" / "bin" / "nvcc", "13.0")
    real.write_text("#!/bin/sh\necho release 13.0\n")
    (place / "bin").mkdir()
    (place / "bin" / "nvcc").symlink_to(real)

    assert toolkit.find().folders == (place / "opt" / "lib64",)


@pytest.mark.parametrize("variable", ["CUDA_HOME", "CUDA_PATH"])
def test_the_variable_goes_before_path(
    place: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """Whoever sets it means it."""
    install(place / "bin" / "nvcc", "13.0")
    wanted = install(place / "mine" / "bin" / "nvcc", "12.6")
    monkeypatch.setenv(variable, str(place / "mine"))

    assert toolkit.find().nvcc == wanted


def test_one_that_is_too_old_is_passed_over(place: Path) -> None:
    """A new one from PyPI serves beside the system's old one."""
    install(place / "bin" / "nvcc", "12.2")
    wheel = install(place / "site" / "nvidia" / "cu13" / "bin" / "nvcc", "13.0")

    assert toolkit.find().nvcc == wheel


@pytest.mark.parametrize(("release", "taken"), [("12.2", False), ("12.3", True), ("12.10", True)])
def test_versions_are_numbers(place: Path, release: str, taken: bool) -> None:
    """12.10 is newer than 12.3, the oldest that knows the names of kernels."""
    install(place / "bin" / "nvcc", release)

    if taken:
        assert toolkit.find().version == release
    else:
        with pytest.raises(BackendMissing, match=rf"got .*/bin/nvcc {release}, expected CUDA 12.3"):
            toolkit.find()


def test_none_says_what_to_install(place: Path) -> None:
    """One line: what was found, what is needed, three places to put it, and what to do now."""
    with pytest.raises(BackendMissing) as raised:
        toolkit.find()

    assert str(raised.value) == (
        "backend gpu: nvcc: got none, expected CUDA 12.3 or newer on PATH, in CUDA_HOME or from "
        "`pip install nvidia-cuda-nvcc`; use BACKEND=cpu until then"
    )
    assert toolkit.library_folders() == ()


@pytest.mark.parametrize(
    "script",
    ["#!/bin/sh\nexit 1\n", "#!/bin/sh\nprintf '\\377\\376 release x'\n", "no program at all"],
    ids=["fails", "garbage", "not a program"],
)
def test_a_broken_nvcc_is_none(place: Path, script: str) -> None:
    """Whatever it answers, the next one is tried."""
    broken = install(place / "bin" / "nvcc", "13.0")
    broken.write_text(script)
    wheel = install(place / "site" / "nvidia" / "cu13" / "bin" / "nvcc", "13.0")

    assert toolkit.find().nvcc == wheel


def test_a_tool_is_found_on_path_or_in_cuda_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A toolkit that is not on PATH serves as well; only a program counts."""
    monkeypatch.setattr(toolkit, "library_folders", lambda: ())
    monkeypatch.setattr(toolkit, "_FOLDERS", ())
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    monkeypatch.delenv("CUDA_PATH", raising=False)
    program = tmp_path / "bin" / "ncu"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    with pytest.raises(BackendMissing, match="Nsight Compute"):
        toolkit.tool("ncu")
    program.chmod(0o755)
    assert toolkit.tool("ncu") == program
    monkeypatch.setenv("CUDA_HOME", "/nowhere")
    with pytest.raises(BackendMissing, match="ncu: not found"):
        toolkit.tool("ncu")
    monkeypatch.setenv("PATH", str(program.parent))
    assert toolkit.tool("ncu") == program
