"""The README, the help and the statements say what is true."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from judge import (
    arrayfunctions,
    banned,
    cli,
    devices,
    expr,
    lintspec,
    lintstatement,
    problemtable,
    spec,
    specfamilies,
    specfields,
)
from judge.find import ROOT
from judge.model import ExitCode, Init, Reason, Spec, Verdict

README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE)
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
LINES = [line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines()]
# These run the tests, change the repository, need a network, or wait for a person (who is played in
# tests/test_debug.py): named in the README, not run here.
NOT_RUN = (
    "debug",
    "check",
    "test",
    "test-gpu",
    "lint",
    "types",
    "fmt",
    "bench",
    "golden",
    "setup",
    "clean",
)
# These need a GPU: where there is none, they say so.
ON_A_GPU = ("ladder", "compare", "profile", "sanitize")
RUN = [line for line in LINES if line.split()[1:2] not in [[one] for one in (*NOT_RUN, *ON_A_GPU)]]
SCREENS = re.findall(
    r"^<!-- screen: (.*?) -->\n```text\n(.*?)^```", README, re.MULTILINE | re.DOTALL
)
SPECS = [spec.load(slug) for slug in spec.slugs()]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository to run commands in, with the environment that is there."""
    # An environment that is out of date would be made again by the copy, and for the copy.
    subprocess.run([str(ROOT / "setup.sh"), "run"], check=True, capture_output=True)
    folder = tmp_path_factory.mktemp("copy") / "judge"
    left_out = shutil.ignore_patterns(".*", "build", "results", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, folder, ignore=left_out)
    (folder / ".venv").symlink_to(ROOT / ".venv")
    (folder / "hand-ins").mkdir()  # of a teacher
    shutil.copy(ROOT / "submissions" / "gemm_fp16" / "tiled.cu", folder / "hand-ins" / "anna.cu")
    return folder


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line as a newcomer would."""
    # The options of a make around this test are no business of the make inside it.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("line", RUN)
def test_the_commands_of_the_readme_run(line: str, copy: Path) -> None:
    """What a newcomer copies from the README works."""
    process = shell(line, copy)

    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.skipif(bool(devices.gpu_files()), reason="there is a GPU: see tests/test_gpu.py")
@pytest.mark.parametrize("target", ON_A_GPU)
def test_a_command_that_needs_a_gpu_says_what_is_missing(target: str, copy: Path) -> None:
    """The README's line ends in one sentence, never in a traceback or a made-up time."""
    (line,) = (line for line in LINES if line.split()[1:2] == [target])
    process = shell(line, copy)

    assert process.returncode == 2  # make's own, whatever the judge's is
    assert re.match(r"judge: .*(no NVIDIA GPU is visible|not found on PATH)", process.stderr)
    assert "Error 4" in process.stderr
    assert process.stdout == ""


@pytest.mark.parametrize(("line", "shown"), SCREENS, ids=[line for line, _ in SCREENS])
def test_golden_screen_of_the_readme(
    line: str, shown: str, copy: Path, pytestconfig: pytest.Config
) -> None:
    """The verdicts in the README are what the judge says today, but for times and usage."""
    screen = shell(f"{line} BACKEND=cpu", copy).stdout
    if pytestconfig.getoption("--update-golden"):
        path = ROOT / "README.md"
        begin = f"<!-- screen: {line} -->\n```text\n"
        before, after = path.read_text(encoding="utf-8").split(begin)
        path.write_text(f"{before}{begin}{screen}```{after.split('```', 1)[1]}", encoding="utf-8")
        return

    def steady(text: str) -> list[str]:
        # Which case comes nearest to its limit hangs on the last bit of a compiler's sums.
        other = ("  took", "  device", "  usage")
        return [row for row in text.splitlines() if not row.startswith(other)]

    assert steady(screen) == steady(shown)


def test_the_readme_has_commands_to_run() -> None:
    """The test above is not empty."""
    assert "make judge SUB=tiled.cu" in RUN
    assert len(RUN) >= 8
    assert len(SCREENS) == 2


def test_every_target_is_in_the_readme_and_in_the_help() -> None:
    """A target nobody is told of is as good as none, and one that is not there is a lie."""
    documented = {line.split()[1] for line in LINES if line.startswith("make ")}

    assert documented == set(TARGETS) - {"help"}


def test_every_target_says_what_it_does() -> None:
    """`make` lists all targets: none lacks its ## line but those that only others need."""
    defined = re.findall(r"^([a-z][a-z -]*):(?!=)", MAKEFILE, re.MULTILINE)
    names = {name for group in defined for name in group.split()}

    assert names - set(TARGETS) == {"run-ready", "dev-ready"}


def test_every_command_is_in_the_readme() -> None:
    """The README names every subcommand, and none that there is not."""
    text = README.split("Its commands are")[1].split(";")[0]
    (commands,) = (a.choices for a in cli.parser()._actions if a.dest == "command")

    assert set(re.findall(r"`([a-z-]+)`", text)) == set(commands or ())


def test_the_exit_codes_of_readme_help_and_vocabulary_agree() -> None:
    """A fact that is written three times is the same three times."""
    codes = {int(code) for code in ExitCode}

    assert {int(n) for n in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)} == codes
    assert {int(n) for n in re.findall(r"(?:^|  )(\d+)  ", cli.EXIT_CODES, re.MULTILINE)} == codes


def test_the_readme_names_every_verdict() -> None:
    """A verdict on the screen is found in the README."""
    section = README.split("## Verdicts")[1].split("\n\n")[0]

    assert set(re.findall(r"\b([A-Z]{2,3})\b", section)) >= {verdict.value for verdict in Verdict}


def test_the_reasons_that_the_readme_names_exist() -> None:
    """`unsupported` and `out_of_bounds` are reasons the judge gives."""
    reasons = {reason.value for reason in Reason}

    assert {"unsupported", "mismatch", "out_of_bounds"} <= reasons
    assert "CE `unsupported`" in README


def test_the_folders_and_rooms_that_the_readme_names_exist() -> None:
    """The map leads somewhere."""
    path = README.split("The main path:")[1].split("\n\n")[0]
    rooms = re.findall(r"`([a-z]+)`", path)

    assert [room for room in rooms if not (ROOT / "judge" / f"{room}.py").is_file()] == []
    for name in ("problems", "submissions", "judge", "tests"):
        assert f"{name}/" in README
        assert (ROOT / name).is_dir()


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_the_links_of_the_readme_lead_somewhere(link: str) -> None:
    """A file that is linked is there."""
    assert (ROOT / link).exists()


@pytest.mark.parametrize("problem", SPECS, ids=lambda problem: problem.slug)
def test_a_statement_says_what_its_spec_says(problem: Spec) -> None:
    """Signature, sizes, values, inits, tolerance, limits: those of problem.yaml and no others."""
    assert [str(flaw) for flaw in lintstatement.flaws(problem)] == []


def test_the_page_of_problems_is_current() -> None:
    """docs/problems.md is what `make problems` writes."""
    written = (ROOT / problemtable.PAGE).read_text(encoding="utf-8")

    assert written == problemtable.page(SPECS), "run `make problems`"


def test_the_example_of_contributing_is_a_problem(tmp_path: Path) -> None:
    """Its problem.yaml loads, its tolerance tells right from wrong, its numbers are sound."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    example = re.search(r"<!-- example: problem.yaml -->\n```yaml\n(.*?)```", text, re.DOTALL)
    assert example is not None
    (tmp_path / "problem.yaml").write_text(example[1], encoding="utf-8")
    problem = spec.load(tmp_path)

    assert problem.declaration() == (
        'extern "C" void solve(const float* x, float* result, int N, float s)'
    )
    assert [str(flaw) for flaw in lintspec.flaws(problem)] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/problem_spec.md"])
def test_the_links_and_targets_of_other_pages_exist(name: str) -> None:
    """What a page sends its reader to is there."""
    page = ROOT / name
    text = page.read_text(encoding="utf-8")

    for link in re.findall(r"\]\(([^)#]+)", text):
        assert (page.parent / link).exists(), link
    assert set(re.findall(r"\bmake ([a-z][a-z-]+)", text)) <= set(TARGETS)


def test_the_page_of_the_language_names_every_key() -> None:
    """A distribution, function or rule that the page does not name is not known to authors."""
    text = (ROOT / "docs" / "problem_spec.md").read_text(encoding="utf-8")
    names = {*specfamilies.KINDS, *arrayfunctions.ARRAYS.functions, *expr.SIZES.functions}
    names |= {*banned.LIBRARIES, *specfields.RULES, *(init.value for init in Init)}

    assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set()
