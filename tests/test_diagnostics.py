"""Logs of g++, clang++ and the linker: what went wrong, and at which line of the submission."""

from __future__ import annotations

import pytest

from judge.diagnostics import fault, parse, warnings
from judge.model import Place, Reason

FILES = {"/home/me/k.cu": "k.cu", "/home/me/part.cuh": "part.cuh"}

GCC_TEMPLATE = """\
In file included from /judge/include/cuda_runtime.h:18,
                 from prelude.h:1:
/judge/include/detail/atomics.h: In instantiation of 'T atomicAdd(T*, T) [with T = S]':
/home/me/k.cu:12:14:   required from here
/judge/include/detail/atomics.h:40:9: error: no match for 'operator+'
   40 |     a + b;
"""
CLANG_TEMPLATE = """\
/judge/include/detail/atomics.h:40:9: error: invalid operands to binary expression
    a + b;
/home/me/k.cu:12:14: note: in instantiation of function template specialization 'atomicAdd<S>'
1 error generated.
"""
GCC_INCLUDE = """\
In file included from /home/me/part.cuh:3,
                 from /home/me/k.cu:12:
/judge/include/cub/cub.cuh:2:2: error: #error "unsupported: cub"
    2 | #error "unsupported: cub"
"""
GCC_INLINED = """\
In function 'void f()',
    inlined from 'void g()' at /home/me/k.cu:12:3:
/judge/include/detail/x.h:9:4: error: call to 'f' declared with \
attribute error: unsupported: inline PTX
"""
STATIC_ASSERT = """\
/judge/include/detail/unsupported.h:55:1: error: static assertion failed: unsupported: CUDA graphs \
(cudaGraphLaunch): the CPU backend does not have it; use BACKEND=gpu
/home/me/k.cu:12:3: note: in instantiation of it
"""


UNDEFINED = (
    "/usr/bin/ld: /tmp/c.o: in function `f':\n/home/me/k.cu:12: undefined reference to `g()'"
)
OPEN_BRACE = """\
<judge entry>:4:2: error: expected '}' at end of input
/home/me/k.cu:12:9: note: to match this '{'
"""
CRASH = "/home/me/k.cu:12:1: internal compiler error: in f, at g.cc:1"
NO_FILE = "/home/me/k.cu:12:5: fatal error: n.h: No such file or directory"


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ("/home/me/k.cu:12:5: error: 'x' was not declared", "'x' was not declared"),
        ("/home/me/k.cu:12: error: unterminated #if", "unterminated #if"),
        (NO_FILE, "n.h: No such file or directory"),
        (CRASH, "in f, at g.cc:1"),
        (GCC_TEMPLATE, "no match for 'operator+'"),
        (CLANG_TEMPLATE, "invalid operands to binary expression"),
        (UNDEFINED, "undefined reference to `g()'"),
        (OPEN_BRACE, "expected '}' at end of input"),
    ],
)
def test_a_mistake(log: str, message: str) -> None:
    """The first error, at the line of the submission that led to it."""
    found = fault(log, FILES)

    assert (Reason.COMPILE, Place("k.cu", 12)) == (found.reason, found.place)
    assert message == found.message


@pytest.mark.parametrize(
    ("log", "feature"),
    [
        (STATIC_ASSERT, "CUDA graphs (cudaGraphLaunch)"),
        (GCC_INLINED, "inline PTX"),
        (NO_FILE.replace("n.h", "cutlass/gemm.h"), "cutlass/gemm.h"),
        ("/home/me/k.cu:12:10: fatal error: 'cudnn.h' file not found", "cudnn.h"),
    ],
)
def test_a_missing_feature(log: str, feature: str) -> None:
    """What only this backend lacks is told apart from mistakes, and says where to go."""
    found = fault(log, FILES)

    assert (Reason.UNSUPPORTED, Place("k.cu", 12)) == (found.reason, found.place)
    sentence = f"the CPU backend does not support {feature}, line 12; use BACKEND=gpu"
    assert sentence == found.message


def test_an_include_of_an_include_is_put_where_it_stands() -> None:
    """The innermost file of the submission counts."""
    assert Place("part.cuh", 3) == fault(GCC_INCLUDE, FILES).place


def test_a_call_that_does_not_fit_is_the_signature() -> None:
    """Errors in the judge's entry alone are about how `solve` is declared; others go before."""
    entry = "<judge entry>:3:5: error: cannot convert"

    assert Reason.SIGNATURE is fault(entry, FILES).reason
    both = fault(f"{entry}\n/home/me/k.cu:2:1: error: x", FILES)
    assert (both.reason, both.message) == (Reason.COMPILE, "x")


def test_a_log_without_errors_says_its_last_line() -> None:
    """Whatever a compiler dies of, something is said."""
    assert fault("a\ng++: fatal: killed\n", FILES).message == "g++: fatal: killed"
    assert fault("", FILES).message


def test_details_begin_with_the_first_error_in_short_names() -> None:
    """What comes before is noise, and paths are as the user gave them."""
    noise = "/home/me/k.cu:1:1: warning: w\n" * 50
    details = fault(noise + "/home/me/k.cu:2:1: error: x\n  2 | y\n" * 30, FILES).details

    assert details[:2] == ("k.cu:2:1: error: x", "  2 | y")
    assert len(details) == 20


def test_notes_belong_to_the_message_before_them() -> None:
    """A note is no message of its own, and a trail belongs to what follows it."""
    first, second = parse(CLANG_TEMPLATE + GCC_TEMPLATE)

    assert "in instantiation of" in first.after[1]
    assert "required from here" in second.before[3]


def test_warnings_are_the_submission_s_own() -> None:
    """Each once, at most five, none of our headers'."""
    log = "/judge/include/x.h:1:1: warning: ours\n" + "".join(
        f"/home/me/k.cu:{line}:1: warning: w [-Ww]\n" for line in (1, 1, 2, 3, 4, 5, 6, 7)
    )

    assert tuple(f"k.cu:{line}: w [-Ww]" for line in range(1, 6)) == warnings(log, FILES)
