"""Wrong answers that a problem names: the gauge wants them refused, a diagnosis recognises them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from judge import cases, gauge, reference
from judge import spec as specs
from judge.compare import compare
from judge.elements import encode
from judge.model import CallData, Dtype, Spec, SpecError
from judge.suspects import suspects
from judge.wronganswers import wrong_answers

SOFTMAX = (Path(__file__).parent / "specs" / "valid" / "softmax.yaml").read_text(encoding="utf-8")
COLUMNS = "softmax over the columns"
WRONG = f"""
wrong:
  {COLUMNS}: exp(input) / sum(exp(input), 0)
  the exponentials, not divided by their sum: {{output: "exp(input - max(input, -1))"}}
"""
SCRIPT = """
import numpy as np

def reference(arrays, sizes, scalars):
    x = arrays["input"]
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return {"output": e / e.sum(axis=-1, keepdims=True)}

def wrong(arrays, sizes, scalars):
    e = np.exp(arrays["input"].astype(np.float32)).astype(np.float64)
    return {"softmax without subtracting the maximum": {"output": e / e.sum(-1, keepdims=True)}}
"""


def softmax(folder: Path, more: str = WRONG, script: str = "") -> Spec:
    """The softmax of rows with wrong answers, in a folder of its own."""
    text = SOFTMAX + more
    if script:
        text = "\n".join(line for line in text.split("\n") if not line.startswith("reference:"))
        (folder / "reference.py").write_text(script, encoding="utf-8")
    (folder / "problem.yaml").write_text(text, encoding="utf-8")
    return specs.load(folder)


def called(spec: Spec, case: str = "normal,M=40,N=33") -> CallData:
    """A call of the softmax."""
    return cases.make(spec, cases.parse_id(spec, case), "1")


def named(spec: Spec, data: CallData, output: np.ndarray) -> tuple[str, ...]:
    """What is said of an output."""
    argument = spec.argument("output")
    expected = reference.expected(spec, data)["output"]
    found = compare(argument, encode(output, Dtype.FLOAT32), expected, None)
    assert found.wrong.any()
    return tuple(suspect.words for suspect in suspects(spec, data, found, None))


def test_a_named_mistake_is_recognised(tmp_path: Path) -> None:
    """The words of the problem follow `the output equals`."""
    spec = softmax(tmp_path)
    data = called(spec)
    e = np.exp(data.arrays["input"].astype(np.float64))

    assert named(spec, data, e / e.sum(axis=0)) == (f"the output equals {COLUMNS}",)
    assert "equals" not in " ".join(named(spec, data, e / 7))


def test_a_mistake_in_a_part_is_said_of_the_part(tmp_path: Path) -> None:
    """Where only some rows are wrong, it is the wrong elements that equal it."""
    spec = softmax(tmp_path)
    data = called(spec)
    e = np.exp(data.arrays["input"].astype(np.float64))
    output = e / e.sum(axis=1, keepdims=True)
    output[20:] = (e / e.sum(axis=0))[20:]

    assert named(spec, data, output) == (f"the wrong elements equal {COLUMNS}",)


def test_a_large_output_is_recognised_by_some_of_it(tmp_path: Path) -> None:
    """A sample of rows is enough, where the reference of the sample is that of the whole."""
    spec = softmax(tmp_path)
    data = called(spec, "normal,M=2000,N=700")
    x = data.arrays["input"].astype(np.float64)

    assert named(spec, data, np.exp(x - x.max(axis=1, keepdims=True))) == (
        "the output equals the exponentials, not divided by their sum",
    )


def test_the_gauge_wants_them_refused_somewhere(tmp_path: Path) -> None:
    """Each is a row; right by chance in a case is not applicable there."""
    spec = softmax(tmp_path)
    chosen = [cases.parse_id(spec, f"normal,{sizes}") for sizes in ("M=1,N=1", "M=9,N=5")]
    rows = [row for row in gauge.gauge(spec, chosen, "1") if row.name == COLUMNS]

    assert [(row.applicable, row.accepted) for row in rows] == [(False, True), (True, False)]
    assert gauge.verdicts(rows) == ()
    assert gauge.verdicts(rows[:1]) == (
        f"output: no case shows {COLUMNS}: it is the right answer in all of them",
    )


def test_a_reference_in_python_names_wrong_answers_too(tmp_path: Path) -> None:
    """Made in float32 where the mistake is one of range: NaN and infinities are recognised."""
    spec = softmax(tmp_path, "", SCRIPT)
    data = called(spec, "high,M=3,N=40")
    with np.errstate(all="ignore"):
        e = np.exp(data.arrays["input"])
        output = (e / e.sum(axis=1, keepdims=True)).astype(np.float64)

    words = "softmax without subtracting the maximum"
    assert named(spec, data, output) == (f"the output equals {words}",)
    rows = [row for row in gauge.gauge(spec, [data.case], "1") if row.name == words]
    assert [row.accepted for row in rows] == [False]


def test_integers_wrap_around(tmp_path: Path) -> None:
    """A wrong answer beyond the type is what the type makes of it."""
    valid = Path(__file__).parent / "specs" / "valid" / "color_inversion.yaml"
    spec = specs.load(valid)
    output = spec.outputs[0].name
    more = f"\nwrong: {{plus one: {output} + 1}}\n"
    (tmp_path / "problem.yaml").write_text(valid.read_text(encoding="utf-8") + more)
    spec = specs.load(tmp_path)
    data = cases.make(spec, cases.plan(spec, "0", 1e6)[3], "0")
    right = reference.expected(spec, data)[output]

    ((_, wrong),) = wrong_answers(spec, data, right, spec.argument(output))

    assert np.array_equal(wrong.value, data.arrays[output] + np.uint8(1))
    assert not wrong.allowed.any()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("{much: input + x}", "wrong.much: got the name x, expected one of input, M, N"),
        ("{much: sum(input)}", r"wrong.much: got shape \(\) at .*, expected \(3, 4\) as output"),
        ("{much: {C: input}}", "wrong.much.C: unknown key, expected output"),
        ("[input]", "wrong: got a list, expected a mapping"),
    ],
)
def test_a_wrong_answer_that_is_none_is_refused(tmp_path: Path, wrong: str, message: str) -> None:
    """It is an expression of the inputs with the shape of its output."""
    with pytest.raises(SpecError, match=message):
        softmax(tmp_path, f"\nwrong: {wrong}\n")
