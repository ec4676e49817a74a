"""C++ tokens: kinds, places, brackets, lines."""

from __future__ import annotations

import pytest

from judge.tokens import (
    DEFINE,
    DEFINE_END,
    DIRECTIVE,
    STRING,
    Edit,
    Lines,
    apply_edits,
    nesting,
    tokenize,
)


def texts(source: str) -> list[str]:
    """The tokens' texts."""
    return [token.text for token in tokenize(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a<<<b>>>", ["a", "<", "<", "<", "b", ">", ">", ">"]),
        ("p->q::r...", ["p", "->", "q", "::", "r", "..."]),
        ("1'000.5e-3f 0x1p-2 .5", ["1'000.5e-3f", "0x1p-2", ".5"]),
        ("'\\'' L'a' \"a\\\"b\"", ["'\\''", "L", "'a'", '"a\\"b"']),
        ('R"(a)b")" u8R"x()" )x" R2', ['R"(a)b")"', 'u8R"x()" )x"', "R2"]),
        ("a /* b */ c // d", ["a", "c"]),
        ("a // b \\\n c\nd", ["a", "d"]),
        ("a \\\n b", ["a", "b"]),
        ("#if 1 // x\ny", ["#if 1 ", "y"]),
        ("#if 1 /* x\n y */ z", ["#if 1 ", "z"]),
        ("#error don't\nx", ["#error don't", "x"]),
        ("#include <a'b//c>\nx", ["#include <a'b//c>", "x"]),
        ("  # pragma unroll \\\n 4\nx", ["# pragma unroll \\\n 4", "x"]),
        ("#define A(x) #x \\\n y\nz", ["#define", "A", "(", "x", ")", "#", "x", "y", "", "z"]),
        ("x = a # define b", ["x", "=", "a", "#", "define", "b"]),
        ("'abc\ndef", ["'abc", "def"]),
        ("/* a", []),
        ('R"(a', ['R"(a']),
    ],
)
def test_tokens(source: str, expected: list[str]) -> None:
    """Words, numbers, strings and signs stand alone; what compilers skip is skipped."""
    assert expected == texts(source)


def test_a_token_knows_where_it_stands() -> None:
    """Offsets point into the text, whatever was skipped before."""
    source = '#define A /* b */ c \\\n "d"\n x R"(e\n)" // f\n#include <g>\n\'h\' 1.5'

    for token in tokenize(source):
        assert source[token.start : token.end] == token.text


def test_a_definition_is_fenced() -> None:
    """Its tokens stand between two marks, also at the end of the text."""
    kinds = [token.kind for token in tokenize("#define A b\nc\n#define D")]

    assert kinds == [DEFINE, "word", "word", DEFINE_END, "word", DEFINE, "word", DEFINE_END]


def test_directives_and_strings_are_whole() -> None:
    """A preprocessor line is one token, and so is a string with its quotes."""
    assert [token.kind for token in tokenize('#if (1)\n"a (b"')] == [DIRECTIVE, STRING]


@pytest.mark.parametrize(
    ("source", "pairs"),
    [
        ("( [ { } ] )", {0: 5, 1: 4, 2: 3}),
        ("( ] )", {0: 2}),
        ("( ( )", {1: 2}),
        ("{\n#define A (\n}", {0: 5}),
        ("#if 1\n{\n#else\n{\n#endif\n}", {3: 5}),
        ("{\n#if 0\n{{{\n#endif\n}", {0: 6}),
        ("#endif\n#else\n{ }", {2: 3}),
    ],
)
def test_brackets_pair_up(source: str, pairs: dict[int, int]) -> None:
    """Each branch of an #if opens its own, a macro nothing, and what does not nest stays alone."""
    partner = nesting(tokenize(source)).partner

    assert pairs == {i: other for i, other in enumerate(partner) if other > i}
    assert all(partner[other] == i for i, other in pairs.items())


def test_the_innermost_brace() -> None:
    """Every token knows the brace it stands in, through other brackets."""
    assert nesting(tokenize("a { ( { b } )")).brace[:7] == [-1, -1, 1, 1, 3, 3, 1]


def test_lines_count_from_one() -> None:
    """A line end belongs to the line it ends."""
    line = Lines("a\nb\n")

    assert [line(offset) for offset in range(5)] == [1, 1, 2, 2, 3]


def test_edits_are_made_in_the_order_of_the_text() -> None:
    """Insertions go before replacements at one place, and a replaced token keeps its lines."""
    raw = tokenize('a R"(b\nc)" d')[1]
    edits = [Edit.of(raw, "x"), Edit(0, 1, "A"), Edit(0, 0, "-")]

    assert apply_edits('a R"(b\nc)" d', edits) == "-A x\n d"
