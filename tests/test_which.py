"""Which problem a file is for, by its solve; used where nothing else says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import find, spec, which
from judge.model import UserError

NAMES = {
    "dot": "const float* A, const float* B, float* result, int N",
    "add": "const float* A, const float* B, float* C, int N",
    "count": "const int* input, int* output, int N, int K",
    "hash": "const int* input, unsigned int* output, int N, int R",
    "quant": "const signed char* A, signed char* C, int N",
    "bytes": "const unsigned char* A, unsigned char* C, int N",
    "halves": "const half* A, half* C, int N, float s",
}


def yaml(declaration: str) -> str:
    """A problem of that signature: copies nothing right, but loads."""
    dtypes = {
        "float": "float32", "int": "int32", "unsigned int": "uint32", "signed char": "int8",
        "unsigned char": "uint8", "half": "float16",
    }  # fmt: skip
    arguments, inputs, outputs, axes = [], [], [], []
    for text in declaration.split(", "):
        words, name = text.rsplit(" ", 1)
        dtype = dtypes[words.replace("const ", "").rstrip("*")]
        if words.endswith("*"):
            role = "in" if words.startswith("const") else "out"
            arguments.append(f"  - {{name: {name}, dtype: {dtype}, role: {role}, shape: [N]}}")
            (inputs if role == "in" else outputs).append(name)
        elif dtype == "int32":
            arguments.append(f"  - {{name: {name}, dtype: int32, role: axis}}")
            axes.append(f"{name}: {{min: 1, max: 100}}")
        else:
            arguments.append(f"  - {{name: {name}, dtype: float32, role: scalar, values: [1]}}")
    rule = "exact" if "float" not in declaration and "half" not in declaration else "rounding"
    terms = ", terms: N" if rule == "rounding" else ""
    return "\n".join(
        [
            "version: 1\ntitle: t\nsummary: s\nsource: s",
            f"axes: {{{', '.join(axes)}}}",
            "signature:",
            *arguments,
            f"families: {{f: {{inputs: {{{', '.join(f'{name}: zero' for name in inputs)}}}}}}}",
            "cases: {tiles: [8], fixed: [], drawn: 1}",
            "work: N\nbytes: N",
            f"reference: {{{outputs[0]}: 0 * {inputs[0]}}}",
            f"tolerance: {{{outputs[0]}: {{rule: {rule}{terms}}}}}",
            "limits: {seconds_per_call: 1, memory_mib: 1}",
        ]
    )


@pytest.fixture(autouse=True)
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository with the problems above, and one whose spec is wrong."""
    for slug, declaration in {**NAMES, "broken": NAMES["add"]}.items():
        folder = tmp_path / "problems" / slug
        folder.mkdir(parents=True)
        (folder / "problem.yaml").write_text(yaml(declaration) * (1 + (slug == "broken")))
    monkeypatch.setattr(spec, "PROBLEMS", tmp_path / "problems")


def source(folder: Path, parameters: str) -> Path:
    """A submission with that solve."""
    path = folder / "mine.cu"
    path.write_text(f'extern "C" void solve({parameters}) {{}}\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("slug", NAMES)
def test_a_problem_is_found_by_its_own_signature(slug: str, tmp_path: Path) -> None:
    """Types, order and names: the others do not fit as well."""
    best = which.best(which.fitting(source(tmp_path, NAMES[slug])))

    assert [fit.spec.slug for fit in best] == [slug]


@pytest.mark.parametrize(
    ("parameters", "slugs"),
    [
        ("const float* x, const float* y, float* z, int n", ["add", "dot"]),
        ("const float *A, const float *B, float *C, size_t N", ["add"]),
        ("float* A, float* B, float* C, int N", ["add"]),
        ("const int* a, int* b, int c, int d", ["count"]),
        ("const int* a, uint32_t* b, int c, int d", ["hash"]),
        ("const int8_t* a, int8_t* b, int n", ["quant"]),
        ("const uint8_t* a, unsigned char* b, size_t n", ["bytes"]),
        ("const __half* a, __half* b, int n, float s", ["halves"]),
        ("const half* a, half* b, float s, int n", []),
        ("const float* A, const float* B, const float* C, int N", []),
        ("const double* A, const double* B, double* C, int N", []),
    ],
)
def test_types_and_order_decide_and_names_break_ties(
    parameters: str, slugs: list[str], tmp_path: Path
) -> None:
    """size_t passes for int, an int8_t is a signed char, and all names alike beat some."""
    best = which.best(which.fitting(source(tmp_path, parameters)))

    assert [fit.spec.slug for fit in best] == slugs


def test_the_only_one_that_fits_is_taken_and_named(tmp_path: Path) -> None:
    """As the remark of a run says."""
    path = source(tmp_path, NAMES["count"])

    folder, remark = which.problem(path, None)

    assert folder.name == "count"
    assert remark.startswith("mine.cu: taken for count, whose solve it has")


def test_what_the_user_says_needs_no_remark(tmp_path: Path) -> None:
    """Nor does a line in the file; solve is not even looked at."""
    path = source(tmp_path, NAMES["count"])

    assert which.problem(path, "add")[1] == ""
    path.write_text("// problem: dot\n")
    assert which.problem(path, None) == (tmp_path / "problems" / "dot", "")


def test_several_that_fit_are_listed_with_how_to_choose(tmp_path: Path) -> None:
    """The judge never guesses."""
    path = source(tmp_path, "const float* x, const float* y, float* z, int n")

    with pytest.raises(UserError) as error:
        which.problem(path, None)

    assert str(error.value) == (
        "mine.cu: which problem is it for? its solve fits add, dot; say which by --problem "
        "(PROBLEM=) or by a line '// problem: NAME' at its top"
    )


def test_a_file_that_fits_nothing_says_so(tmp_path: Path) -> None:
    """What was looked at before is said as well; a file without solve is told as always."""
    with pytest.raises(UserError, match=r"no --problem .*; nor does its solve fit any of them"):
        which.problem(source(tmp_path, "const double* A, int N"), None)
    empty = tmp_path / "empty.cu"
    empty.write_text("int x;\n")
    with pytest.raises(find.Untold):
        which.problem(empty, None)
    with pytest.raises(UserError, match="no function solve"):
        which.fitting(empty)


@pytest.mark.parametrize(
    ("parameters", "near"),
    [
        ("const float* A, float* B", None),
        ("const half* A, half* C, int N", "halves"),
        ("const int* a, int* b, int n", "count"),
        ("", None),
    ],
)
def test_a_solve_that_fits_nothing_is_told_what_is_nearest(
    parameters: str, near: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its line, what it takes, and the declaration that differs least, if one is near at all."""
    monkeypatch.chdir(tmp_path)

    said = which.unfit(source(tmp_path, parameters))

    assert said.startswith(f"mine.cu:1: solve({parameters}) fits no problem: ")
    if near is None:
        assert "nearest" not in said
    else:
        assert f'; nearest is {near}: extern "C" void solve({NAMES[near]});' in said
    assert said.endswith("`make problems` lists all")


def test_a_file_without_solve_is_told_what_is_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel alone is no submission."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.cu"
    path.write_text("__global__ void k() {}\n", encoding="utf-8")

    with pytest.raises(UserError, match=r'^mine.cu: no function solve, .* extern "C" void solve'):
        which.fitting(path)
