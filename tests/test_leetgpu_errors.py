"""`--leetgpu`: whatever is wrong with a checkout is one line with its place, exit code 2."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from leetgpu_run import CHECKOUT, OWN, SUBMISSIONS, with_torch

from judge import cli
from judge.leetgpu import problem, process
from judge.leetgpu.process import Process
from judge.model import SpecError

AFFINE = (OWN / "affine" / "challenge.py").read_text(encoding="utf-8")
LINE = AFFINE.splitlines().index("        y.copy_(x * a + b)") + 1


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in for torch serves for all of these."""
    with_torch("fake", monkeypatch)


@pytest.fixture
def challenge(tmp_path: Path) -> Path:
    """A challenge.py in a checkout of its own, to be spoiled."""
    shutil.copytree(CHECKOUT / "core", tmp_path / "core")
    folder = tmp_path / "easy" / "1_affine"
    folder.mkdir(parents=True)
    (folder / "challenge.py").write_text(AFFINE, encoding="utf-8")
    return folder / "challenge.py"


def said(
    capsys: pytest.CaptureFixture[str], folder: Path | str, *more: str, expected: int = 2
) -> str:
    """The line on stderr; nothing is judged."""
    words = ["run", str(SUBMISSIONS / "affine.cu"), "--leetgpu", str(folder), "--backend", "cpu"]
    code = cli.main([*words, *more])
    shown = capsys.readouterr()

    assert code == expected
    assert shown.out == ""
    lines = [one for one in shown.err.splitlines() if not one.startswith(("build: ", "run: "))]
    assert len(lines) == 1, shown.err
    return lines[0]


SPOILED = {
    "syntax": ("y.copy_(x * a + b)", "y.copy_(x * ", "SyntaxError"),
    "exception": ("y.copy_(x * a + b)", "raise ValueError('odd')", "ValueError: odd"),
    "generator": ('"y": torch.empty(', '"y": torch.nope(', "has no attribute 'nope'"),
    "while judging": ("y.copy_(x * a + b)", "self.n = getattr(self, 'n', 0) + 1; "
                      "assert self.n < 13, 'late'; y.copy_(x * a + b)", "AssertionError: late"),
    "assertion": ("x.shape == (N,)", "x.shape == (N, 1)", "AssertionError"),
    "no class": ("class Challenge(", "class Other(", "AttributeError"),
    "no pointer": ("ctypes.POINTER(ctypes.c_float), \"in\"", '"float*", "in"', "the type str"),
    "direction": ('c_float), "out"', 'c_float), "through"', "got direction 'through'"),
    "dtype": ("torch.float32), 0.1", "torch.float64), 0.1", "test1: x: got a tensor of float64"),
    "wrong dtype": ("ctypes.POINTER(ctypes.c_float), \"in\"", 'ctypes.POINTER(ctypes.c_int), "in"',
                    "example: x: got a tensor of float32, expected what LP_c_int points at"),
    "unknown dtype": ('{"x": x, "y"', '{"x": x.to(torch.bool), "y"', "example: x: got bool"),
    "missing": ('"a": a, "b"', '"b"', "example: got other arguments"),
    "no tensor": ('"x": x, "y"', '"x": None, "y"', "example: x: got NoneType, expected a tensor"),
    "no number": ('"N": len(x)}', '"N": x}', "example: N: got a tensor, expected a number"),
    "too large": ('"N": len(x)}', '"N": 2**31}', "example: N: got 2147483648"),
    "empty": ('"y": torch.empty(len(x),', '"y": torch.empty(0,', "at least one element"),
    "layout": ('{"x": x, "y"', '{"x": torch.rand(2, 3, device="cuda").t(), "y"', "not contiguous"),
    "nothing written": ("y.copy_(x * a + b)", "x * a + b", "reference_impl wrote nothing to y"),
    "resized": ("y.copy_(x * a + b)", "y.resize_(2 * N)", "resizes or moves y"),
    "tolerance": ("atol=1e-6", "atol=float('nan')", "got atol nan"),
    "end": ("y.copy_(x * a + b)", "__import__('os')._exit(7)", "ended by itself, with status 7"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), SPOILED.values(), ids=SPOILED)
def test_a_challenge_that_fails_is_one_line(
    challenge: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, words: str
) -> None:
    """Of challenge.py, with the test or the line; no traceback, and the judge goes on."""
    challenge.write_text(AFFINE.replace(old, new), encoding="utf-8")
    assert challenge.read_text(encoding="utf-8") != AFFINE

    line = said(capsys, challenge.parent)

    assert "challenge.py" in line
    assert words in line
    if "Error" in words and "Attribute" not in words and "Assertion" not in words:
        assert f"challenge.py:{LINE}: " in line


def test_a_place_without_a_challenge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such folder, a folder without, a folder above some, a file that is none, two problems."""
    assert "no such folder" in said(capsys, tmp_path / "none")
    assert "no challenge.py in this folder" in said(capsys, tmp_path)
    assert "there is one in affine, fold" in said(capsys, OWN)
    assert "got a file" in said(capsys, SUBMISSIONS / "affine.cu")
    assert "expected one of the two" in said(capsys, OWN / "affine", "--problem", "relu")
    assert "got no test of the challenge" in said(capsys, OWN / "affine", "--case", "normal,N=3")


def test_a_challenge_outside_its_checkout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the base class that it imports it cannot be loaded: the line says what is missing."""
    shutil.copy(OWN / "affine" / "challenge.py", tmp_path)

    assert "inside a whole checkout" in said(capsys, tmp_path)


@pytest.mark.parametrize(
    ("loading", "words"),
    [
        ("ModuleNotFoundError('no torch', name='torch')", "torch is not installed; "),
        ("OSError('libx.so: cannot open')", "torch does not load: OSError: libx.so: cannot open; "),
    ],
)
def test_torch_missing_says_how_to_get_it(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    loading: str,
    words: str,
) -> None:
    """It lacks as a backend does: exit code 4, and the line has a command to paste."""
    (tmp_path / "torch.py").write_text(f"raise {loading}\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    line = said(capsys, OWN / "affine", expected=4)

    assert words in line
    assert "-m pip install torch" in line


def test_the_seed_stays_with_the_judge(challenge: Path) -> None:
    """A submission that can read what processes were started with learns no inputs from it."""
    asked = Process(challenge, challenge.parents[2], "4711-0815")
    asked.ask({"do": "describe", "performance": False})

    started = Path(f"/proc/{asked._box.pid}")
    told = (started / "cmdline").read_bytes() + (started / "environ").read_bytes()
    asked.close()

    assert b"challenge.py" in told
    assert b"4711-0815" not in told


def test_a_challenge_that_hangs_is_ended(challenge: Path) -> None:
    """An answer has a time limit."""
    text = AFFINE.replace("import ctypes", "import ctypes\nwhile True: pass")
    challenge.write_text(text, encoding="utf-8")
    asked = Process(challenge, challenge.parents[2], "s", seconds=1.5)

    with pytest.raises(SpecError, match=r"took more than 1\.5 s"):
        asked.ask({"do": "describe", "performance": False})
    asked.close()


def test_a_challenge_that_fills_memory_is_ended(
    challenge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process has a memory limit."""
    monkeypatch.setattr(process, "_memory_bytes", lambda: 200 << 20)
    hog = "import ctypes, time\nhog = b'1' * (500 << 20)\ntime.sleep(60)\n"
    challenge.write_text(hog, encoding="utf-8")

    with pytest.raises(SpecError, match="took more than 200 MiB of memory"):
        problem.load(challenge, "s", False)


def test_what_only_a_gpu_has_is_harmless(challenge: Path) -> None:
    """A challenge that waits for the GPU, or asks for one in other ways, still loads."""
    text = AFFINE.replace(
        "        y.copy_(x * a + b)",
        "        torch.set_default_device('cuda')\n"
        "        torch.cuda.synchronize()\n"
        "        y.copy_(x.cuda() * a + b)\n"
        "        torch.zeros(3, device=x.device)\n"
        "        assert torch.zeros(3, device=torch.device('cuda', 0)).is_cuda",
    )
    challenge.write_text(text, encoding="utf-8")

    spec = problem.load(challenge, "s", False)

    assert [one.name for one in spec.outputs] == ["y"]
