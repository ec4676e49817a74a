"""Finding `solve`, and what its declaration must say."""

from __future__ import annotations

import dataclasses

import pytest

from judge import spec
from judge.model import Argument, Dtype, Role, Spec
from judge.signature import Declared, choose, find_functions, mismatch, near_misses
from judge.tokens import Lines, nesting, tokenize

GOOD = "const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta"


@pytest.fixture(scope="module")
def gemm() -> Spec:
    """The FP16 GEMM."""
    return spec.load("gemm_fp16")


def functions(source: str) -> list[Declared]:
    """What the finder sees."""
    tokens = tokenize(source)
    return list(find_functions(tokens, nesting(tokens), Lines(source)))


@pytest.mark.parametrize(
    ("source", "scope", "is_c"),
    [
        ("void solve() {}", "", False),
        ('extern "C" void solve() {}', "", True),
        ('extern "C" { void solve() {} }', "", True),
        ('extern "C" __host__ void solve() {}', "", True),
        ("namespace a { namespace b { void solve() {} } }", "a::b::", False),
        ("namespace a::b { void solve() {} }", "a::b::", False),
        ("namespace { void solve() {} }", "", False),
        (
            "struct S { void f() { solve(); } };\nint main() { solve(); }\nvoid solve() {}",
            "",
            False,
        ),
        ("#ifdef A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\nvoid solve() {}", "", False),
        ("#define F(x) { x\nint a[] = {1};\nvoid solve() {}", "", False),
        ("void solve() noexcept {}", "", False),
    ],
)
def test_solve_is_found(source: str, scope: str, is_c: bool, gemm: Spec) -> None:
    """At file scope and in namespaces, with its linkage; calls and members are no declarations."""
    found = choose(functions(source), gemm)

    assert found is not None
    assert (scope, is_c) == (found.scope, found.is_c)


@pytest.mark.parametrize(
    "source",
    [
        "int main() { solve(); }",
        "struct S { void solve() {} };",
        "// void solve() {}",
        "#define SOLVE void solve() {}",
        "void solver() {}",
        "",
    ],
)
def test_solve_is_not_found(source: str, gemm: Spec) -> None:
    """Calls, members, comments and unused macros declare nothing."""
    assert choose(functions(source), gemm) is None


@pytest.mark.parametrize(
    "parameters",
    [
        GOOD,
        "const __half *a,const __half *b,__half *c,int m,int n,int k,float x,float y",
        "half* A, half* B, half* C, int M, int N, int K, float alpha, float beta",
        "const half* __restrict__ A, half const *B, half* const C, " + GOOD.partition("C, ")[2],
        "const half A[], const half* B, half* C, " + GOOD.partition("C, ")[2],
        GOOD.replace("int", "size_t"),
        GOOD.replace("int", "unsigned"),
        GOOD.replace("int", "const long long"),
        GOOD.replace("int", "std::uint32_t"),
        GOOD.replace("const half*", "const my_half*"),
        GOOD.replace("float beta", "float beta = 0"),
        "ARGUMENTS",
    ],
)
def test_an_accepted_signature(parameters: str, gemm: Spec) -> None:
    """Names, restrict, a missing const, wider sizes and other spellings change no value."""
    found = choose(functions(f"void solve({parameters}) {{}}"), gemm)

    assert found is not None
    assert mismatch(found, gemm) is None


@pytest.mark.parametrize(
    "parameters",
    [
        GOOD.replace("half", "float"),
        GOOD.replace("half* A", "half A"),
        GOOD.replace("half* A", "half** A"),
        GOOD.replace("half* C", "const half* C").replace("const const", "const"),
        GOOD.replace("float alpha", "int alpha"),
        GOOD.replace("float alpha", "double alpha"),
        GOOD.replace("int K", "float K"),
        GOOD.replace("int K", "short K"),
        GOOD.replace("int K", "bool K"),
        GOOD.replace("int K", "int* K"),
        GOOD.replace(", float beta", ""),
        GOOD + ", int more",
        GOOD.replace("const half*", "const __nv_bfloat16*"),
        GOOD.replace("const half*", "const half2*"),
        GOOD.replace("const half*", "const unsigned short*"),
        "void",
        "",
    ],
)
def test_a_refused_signature(parameters: str, gemm: Spec) -> None:
    """What would reach the submission as something else is named, got and expected."""
    found = choose(functions(f"\nvoid solve({parameters}) {{}}"), gemm)

    assert found is not None
    message = mismatch(found, gemm)
    assert message is not None
    assert message == f"solve: got {found.written()}, expected {gemm.declaration()}"
    assert found.line == 2


def test_a_kernel_or_a_template_named_solve_is_refused(gemm: Spec) -> None:
    """The judge calls `solve` on the host, and by arguments without types to deduce."""
    kernel, template = functions(
        f"__global__ void solve({GOOD}) {{}}\ntemplate <class T> void solve({GOOD}) {{}}"
    )

    assert "kernel" in (mismatch(kernel, gemm) or "")
    assert "template" in (mismatch(template, gemm) or "")


def test_integers_of_one_size_stand_for_each_other(gemm: Spec) -> None:
    """`int8_t`, `char` and `unsigned char` arrays have the same bytes; `short` has not."""
    byte = Argument("A", Dtype.INT8, Role.INOUT, ("M",))
    bytes_spec = dataclasses.replace(gemm, signature=(byte,))
    kinds = ["int8_t*", "char*", "unsigned char*", "signed char*", "short*", "bool*"]
    declared = functions("".join(f"void solve({kind} A) {{}}\n" for kind in kinds))

    fits = [mismatch(one, bytes_spec) is None for one in declared]
    assert fits == [True, True, True, True, False, False]


def test_the_declaration_that_fits_is_chosen(gemm: Spec) -> None:
    """Of two branches or overloads the one that can be called counts."""
    source = f"void solve(float* A) {{}}\nvoid solve({GOOD}) {{}}\nvoid solve({GOOD});"
    found = choose(functions(source), gemm)

    assert found is not None
    assert found.line == 2


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("void Solve(int *p) {}", "Solve"),
        ("void slove(int *p) {}", "slove"),
        ("void solve_gemm(int *p) {}", "solve_gemm"),
        (f"void helper(int *p) {{}} void gemm({GOOD}) {{}}", "gemm"),
    ],
)
def test_what_was_meant(source: str, name: str, gemm: Spec) -> None:
    """A name or a signature that is nearly the one asked for is pointed at."""
    assert name == near_misses(functions(source), gemm)[0].name


def test_kernels_and_main_were_not_meant(gemm: Spec) -> None:
    """Neither can be renamed to `solve`."""
    source = f"__global__ void solve_kernel({GOOD}) {{}}\nint main({GOOD}) {{}}"

    assert near_misses(functions(source), gemm) == []
