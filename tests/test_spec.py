"""The spec language: what a problem.yaml may say, and the one line each mistake ends in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge import spec, yamlpos
from judge.model import Dtype, Role, SpecError, UserError

SPECS = Path(__file__).parent / "specs"
INVALID = (SPECS / "invalid.yaml").read_text().split("\n---\n")

# What an invalid document leaves out comes from here: a matrix times a vector.
BASE = {
    "version": "version: 1",
    "title": "title: Matrix times vector",
    "summary": "summary: C = s * A * B",
    "source": "source: a test",
    "axes": "axes: {N: {min: 1, max: 1000}, K: {min: 1, max: 1000}}",
    "signature": """signature:
  - {name: A, dtype: float16, role: in, shape: [N, K]}
  - {name: B, dtype: float16, role: in, shape: [K]}
  - {name: C, dtype: float16, role: out, shape: [N]}
  - {name: N, dtype: int32, role: axis}
  - {name: K, dtype: int32, role: axis}
  - {name: s, dtype: float32, role: scalar, values: [1, 0.5]}""",
    "families": "families: {normal: {inputs: {A: normal, B: normal}}}",
    "cases": "cases: {tiles: [8], fixed: [], drawn: 1}",
    "work": "work: 2 * N * K",
    "bytes": "bytes: 2 * (N * K + N + K)",
    "reference": "reference: {C: s * (A @ B)}",
    "tolerance": "tolerance: {C: {rule: rounding, terms: K}}",
    "limits": "limits: {seconds_per_call: 1, memory_mib: 1}",
}


def completed(document: str) -> str:
    """An invalid document with the keys it does not have, after its own lines."""
    without = re.findall(r"^# without: (\w+)", document, re.MULTILINE)
    own = set(re.findall(r"^(\w+):", document, re.MULTILINE)) | set(without)
    return "\n".join([document, *(text for key, text in BASE.items() if key not in own)])


def write(folder: Path, **blocks: str) -> Path:
    """The base spec with some blocks replaced, in a folder of its own."""
    path = folder / "problem.yaml"
    path.write_text("\n".join({**BASE, **blocks}.values()), encoding="utf-8")
    return path


@pytest.mark.parametrize("document", INVALID, ids=[d.split("\n")[0][9:70] for d in INVALID])
def test_a_wrong_spec_is_refused_in_one_line_with_its_place(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each document of invalid.yaml gives exactly the message it begins with."""
    monkeypatch.chdir(tmp_path)
    Path("problem.yaml").write_text(completed(document), encoding="utf-8")

    with pytest.raises(SpecError) as error:
        spec.load("problem.yaml")

    expected = document.split("\n")[0].removeprefix("# error: ")
    assert str(error.value) == f"problem.yaml:{expected}"


def test_the_base_of_the_invalid_documents_is_valid(tmp_path: Path) -> None:
    """So each document is refused for its own mistake."""
    assert spec.load(write(tmp_path)).declaration() == (
        'extern "C" void solve(const half* A, const half* B, half* C, int N, int K, float s)'
    )


@pytest.mark.parametrize("path", sorted((SPECS / "valid").glob("*.yaml")), ids=lambda p: p.stem)
def test_the_language_carries_other_problems_than_gemm(path: Path) -> None:
    """Elementwise, reductions, in place, bytes, batches and bfloat16 load."""
    loaded = spec.load(path)

    assert loaded.outputs
    assert loaded.source


def test_gemm_says_what_the_issue_of_its_signature_needs() -> None:
    """The spec of FP16 GEMM has the LeetGPU signature, its axes and its rule."""
    gemm = spec.load("gemm_fp16")

    assert gemm.slug == "gemm_fp16"
    assert gemm.declaration() == (
        'extern "C" void solve(const half* A, const half* B, half* C, '
        "int M, int N, int K, float alpha, float beta)"
    )
    assert [argument.name for argument in gemm.outputs] == ["C"]
    assert gemm.argument("C").role is Role.INOUT
    assert gemm.tolerance["C"].rule == "rounding"
    assert gemm.tolerance["C"].accumulate is Dtype.FLOAT32
    assert spec.shape(gemm.argument("B"), {"M": 2, "N": 3, "K": 5}) == (5, 3)
    assert spec.array_bytes(gemm, {"M": 2, "N": 3, "K": 5}) == 2 * (10 + 15 + 6)


def test_a_problem_is_found_by_slug_folder_or_file() -> None:
    """The three ways give the same spec."""
    folder = spec.PROBLEMS / "gemm_fp16"

    assert spec.load("gemm_fp16") == spec.load(folder) == spec.load(folder / "problem.yaml")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gemm_fp61", "gemm_fp61: no such problem; did you mean gemm_fp16?"),
        ("softmx", "softmx: no such problem; did you mean softmax?"),
        ("zzzzzz", "zzzzzz: no such problem; there are "),
        ("", "no problem named; there are "),
    ],
)
def test_an_unknown_slug_names_the_nearest(name: str, message: str) -> None:
    """A slip of the finger is answered with what was meant, before any list that could be cut."""
    with pytest.raises(UserError) as raised:
        spec.load(name)

    assert str(raised.value).startswith(message)
    assert len(str(raised.value)) < 200


def test_a_folder_without_its_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By slug and by path, and among the strays of problems/; what is hidden is no problem's."""
    monkeypatch.setattr(spec, "PROBLEMS", tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("begun", ".git", "__pycache__"):
        (tmp_path / name).mkdir()
    (line,) = spec.stray()

    assert line.startswith("begun: no problem.yaml in it, so it is no problem; ")
    for name in ("begun", tmp_path / "begun"):
        with pytest.raises(UserError, match=re.escape(line)):
            spec.find(name)


def test_every_slug_listed_loads() -> None:
    """`slugs` lists the problems here, gemm_fp16 among them, and all of them are valid."""
    assert "gemm_fp16" in spec.slugs()
    assert [spec.load(slug).slug for slug in spec.slugs()] == spec.slugs()


def test_family_ranges_and_scalars_narrow_those_of_the_spec() -> None:
    """A family may allow fewer sizes and other scalar values."""
    gemm = spec.load("gemm_fp16")

    assert spec.ranges(gemm, "large")["K"].maximum < spec.ranges(gemm, "normal")["K"].maximum
    assert spec.ranges(gemm, "large")["M"] == spec.ranges(gemm, "normal")["M"]
    assert spec.values(gemm, "one_hot", "beta") == (0,)
    assert spec.values(gemm, "normal", "beta")[0] == 0


def test_reference_py_stands_in_for_expressions(tmp_path: Path) -> None:
    """Without `reference:` a reference.py beside it is named; both together are refused."""
    with pytest.raises(SpecError, match=r"problem.yaml:1: missing reference, and no reference.py"):
        spec.load(write(tmp_path, reference=""))
    (tmp_path / "reference.py").write_text("")

    assert spec.load(write(tmp_path, reference="")).reference_path == tmp_path / "reference.py"
    with pytest.raises(SpecError, match=r"a reference\.py beside them, expected one of the two"):
        spec.load(write(tmp_path))


def test_integers_allow_no_rounding(tmp_path: Path) -> None:
    """An integer output takes the rule exact alone."""
    signature = BASE["signature"].replace("C, dtype: float16", "C, dtype: int32")

    with pytest.raises(SpecError, match=r"rule: got 'rounding', expected exact for the integers"):
        spec.load(write(tmp_path, signature=signature))


# --------------------------------------------------------------------------------------------------
# The YAML beneath


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("no", "no"),
        ("010", "010"),
        ("1e-3", 1e-3),
        ("-12", -12),
        (".5", 0.5),
        ("true", True),
        ("'true'", "true"),
        ("~", None),
        ("2026-01-01", "2026-01-01"),
        ("1_000", "1_000"),
    ],
)
def test_scalars_are_read_as_in_yaml_1_2(text: str, content: object) -> None:
    """No octal numbers, dates or booleans that look like words."""
    assert yamlpos.parse(f"key: {text}", "x").entries()["key"].content == content


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x: got an empty file, expected a mapping"),
        ("a: 1\n---\nb: 2\n", "x:2: got a second document; expected one"),
        ("a: [1,\n  *b]", "x:2: a[1]: got an anchor or alias, expected the value itself"),
        ("[" * 5000, f"x:1: {'[0]' * 17}: got more than 16 levels, expected fewer"),
        ("a: 1\nb: 'x", "x:2: not valid YAML: found unexpected end of stream"),
        ("a: 1\nb: \0", "x:2: not valid YAML: special characters are not allowed"),
    ],
    ids=["empty", "two documents", "alias", "deep", "open quote", "control character"],
)
def test_yaml_beyond_the_subset_is_refused(text: str, message: str) -> None:
    """Aliases, further documents, depth and bad syntax end in one line."""
    with pytest.raises(SpecError) as error:
        yamlpos.parse(text, "x")

    assert str(error.value) == message


def test_a_file_too_large_or_not_text_is_refused(tmp_path: Path) -> None:
    """Size is checked before anything is parsed, and bytes that are no UTF-8 name their line."""
    path = tmp_path / "problem.yaml"
    path.write_bytes(b"a" * (yamlpos.MAX_BYTES + 1))
    with pytest.raises(SpecError, match="got more than 262144 bytes"):
        yamlpos.read(path)

    path.write_bytes(b"a: 1\nb: \xff\n")
    with pytest.raises(SpecError, match=r"problem.yaml:2: not UTF-8 text"):
        yamlpos.read(path)

    with pytest.raises(SpecError, match="cannot read it: Is a directory"):
        yamlpos.read(tmp_path)


# --------------------------------------------------------------------------------------------------
# The statement for people


def test_the_statement_says_the_numbers_of_the_spec() -> None:
    """Signature, ranges, tiles, scalar values, limits and timed sizes are those of problem.yaml."""
    gemm = spec.load("gemm_fp16")
    statement = (gemm.path.parent / "statement.md").read_text(encoding="utf-8")

    assert gemm.declaration() in statement
    said = {name: (int(low), int(high)) for low, name, high in re.findall(
        r"(\d+) ≤ (\w) ≤ (\d+)", statement
    )}  # fmt: skip
    assert said == {axis.name: (axis.minimum, axis.maximum) for axis in gemm.axes}
    assert f"tiles of {listed(gemm.tiles)}" in statement
    for scalar in gemm.scalars:
        assert re.search(rf"`{scalar.name}` (is mostly )?one of {listed(scalar.values)}", statement)
    assert f"take {gemm.limits.seconds_per_call:g} seconds" in statement
    assert f"{gemm.limits.memory_bytes // 2**20} MiB" in statement
    timed = [f"{sizes['M']} x {sizes['N']} x {sizes['K']}" for sizes in gemm.timed]
    assert timed == re.findall(r"\d+ x \d+ x \d+", statement)


def test_the_starter_has_the_signature_of_the_spec() -> None:
    """A learner begins from a file whose `solve` the judge can call."""
    gemm = spec.load("gemm_fp16")
    starter = (gemm.path.parent / "starter.cu").read_text(encoding="utf-8")

    assert gemm.declaration() in " ".join(starter.split())


def listed(numbers: tuple[float, ...]) -> str:
    """`1, 0, 0.5 and -1.25`."""
    words = [f"{number:g}" for number in numbers]
    return ", ".join(words[:-1]) + f" and {words[-1]}"
