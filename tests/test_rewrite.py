"""CUDA to C++, token by token: what becomes of launches, shared memory and the rest."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from judge.rewrite import rewrite

GOLDEN = Path(__file__).parent / "golden" / "rewrite"


def launched(callee: str, config: str, kernel: str | None = None) -> str:
    """How a launch of a kernel that can be named reads afterwards."""
    return f'::emu::launch("{callee}", __LINE__, {kernel or callee}, ::emu::config({config}))'


def deduced(callee: str, config: str) -> str:
    """How a launch reads whose call decides which function is meant."""
    call = f"[&](auto... emu_arguments) {{ {callee}(emu_arguments...); }}"
    return f'::emu::launch_deduced("{callee}", __LINE__, {call}, ::emu::config({config}))'


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.cu")), ids=lambda path: path.stem)
def test_golden(path: Path, pytestconfig: pytest.Config) -> None:
    """Whole files read as the golden ones, and no line moves."""
    source = path.read_text(encoding="utf-8")
    text = rewrite(source).text
    golden = path.with_suffix(".cpp")
    if pytestconfig.getoption("--update-golden"):
        golden.write_text(text, encoding="utf-8")

    assert golden.read_text(encoding="utf-8") == text
    assert source.count("\n") == text.count("\n")


def test_every_golden_file_has_its_source() -> None:
    """No golden text outlives what it was made from."""
    sources = {path.stem for path in GOLDEN.glob("*.cu")}

    assert sources == {path.stem for path in GOLDEN.glob("*.cpp")}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("k<<<g, b>>>(p);", launched("k", "g, b") + "(p);"),
        ("k<<<g, b, s, st>>>(p);", launched("k", "g, b, s, st") + "(p);"),
        ("k<<<1, 2>>>();", launched("k", "1, 2") + "();"),
        ("return k<<<1, 2>>>(p);", "return " + launched("k", "1, 2") + "(p);"),
        ("(*fp)<<<1, 2>>>(p);", launched("(*fp)", "1, 2") + "(p);"),
        ("f(x)(y)<<<1, 2>>>(p);", launched("f(x)(y)", "1, 2") + "(p);"),
        ("this->k[i]<<<1, 2>>>(p);", launched("this->k[i]", "1, 2") + "(p);"),
        ("A<int>::k<<<1, 2>>>(p);", launched("A<int>::k", "1, 2") + "(p);"),
        ("k<<<1, x<a<b<c>>>>>>(p);", launched("k", "1, x<a<b<c>>>") + "(p);"),
        ("k<<<a > b ? a : b, 2>>>(p);", launched("k", "a > b ? a : b, 2") + "(p);"),
        ("std::cout << k<<<1, 2>>>(p);", "std::cout << " + launched("k", "1, 2") + "(p);"),
    ],
)
def test_a_launch_becomes_a_call(source: str, expected: str) -> None:
    """The callee goes first, the configuration behind it, and the arguments stay."""
    assert expected == rewrite(source).text


@pytest.mark.parametrize(
    ("declaration", "callee"),
    [
        ("template <class T> __global__ void k(T *p) {}", "k"),
        ("template <int B, class T> __global__ void k(T *p) {}", "k<3>"),
        ("template <class... T> __global__ void k(T... p) {}", "k<int>"),
        ("__global__ void k(int *p, int n = 3) {}", "k"),
        ("__global__ void k(int *p) {} __global__ void k(float *p) {}", "k"),
        ("template <int B> __global__ __launch_bounds__(B) void k(int *p, int n = 3) {}", "k<3>"),
    ],
)
def test_a_launch_that_only_a_call_can_resolve(declaration: str, callee: str) -> None:
    """Left-out template arguments, default arguments and overloads are settled by a real call."""
    text = rewrite(f"{declaration}\nvoid f(int *p) {{ {callee}<<<1, 2>>>(p); }}").text

    assert deduced(callee, "1, 2") + "(p);" in text


@pytest.mark.parametrize(
    ("declaration", "callee"),
    [
        ("template <int B, class T> __global__ void k(T *p) {}", "k<3, float>"),
        ("__global__ void k(int *p); __global__ void k(int *p) {}", "k"),
        ("template <class T> void k(T *p) {}", "k"),
    ],
)
def test_a_launch_that_names_one_function(declaration: str, callee: str) -> None:
    """Complete template arguments and repeated declarations leave one kernel: it is named."""
    text = rewrite(f"{declaration}\nvoid f(int *p) {{ {callee}<<<1, 2>>>(p); }}").text

    assert launched(callee, "1, 2") + "(p);" in text


@pytest.mark.parametrize(
    "source",
    [
        "// k<<<1, 2>>>(p)",
        "/* k<<<1, 2>>>(p) */",
        "// a comment that goes on \\\n k<<<1, 2>>>(p)",
        'const char *s = "k<<<1, 2>>>(p)";',
        'const char *s = R"x(k<<<1, 2>>>(p) )" )x";',
        "#error k<<<1, 2>>>(p) isn't it",
        "x = a << b << c >> d >> e;",
        "x <<= 3; y >>= 2;",
        "operator<<<int>(a, b); f(a >>> b);",
        "std::vector<std::vector<std::vector<int>>> v;",
        "k < < < 1, 2 > > > (p);",
        "cudaLaunchKernel(k, g, b, arguments, 0, stream);",
        "int x = f<a<b<c>>>(d);",
    ],
)
def test_what_is_no_launch_stays(source: str) -> None:
    """Comments, strings, shifts and templates read as before."""
    assert source == rewrite(source).text


@pytest.mark.parametrize(
    "source",
    [
        *("k<<<1, 2", "k<<<", "<<<1, 2>>>(p);", "k<<<1, 2;>>>(p)", "k<<<(1, 2>>>(p)", "<<<>>>"),
        *("/* k<<<1, 2>>>(p)", '"k<<<1', 'R"x(k<<<1)', "'", "\\", "#", "# define", "#define k"),
        *(
            "asm",
            "asm(",
            "asm volatile",
            "__shared__",
            "extern __shared__",
            "__global__",
            "template",
        ),
        *(
            "extern __shared__ float x[",
            "extern __shared__ x[];",
            "__global__ void k(",
            "#define f(",
        ),
        *("k<1><<<1, 2>>>", "cudaLaunchKernel", "cudaLaunchKernel(", "cudaLaunchKernel((void*"),
        *("{{{", "}}}", ")", "#endif", "#else", "#if 0\n}", "::<<<1>>>", "a::<<<1>>>", "><<<1>>>"),
    ],
)
def test_a_fragment_is_left_for_the_compiler(source: str) -> None:
    """What breaks off in the middle is no error of the rewriter, and keeps its lines."""
    assert source.count("\n") == rewrite(source).text.count("\n")


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_line_ends_stay(newline: str) -> None:
    """A file from Windows keeps its line ends, and a missing last one stays missing."""
    source = newline.join(["#define R(k) \\", "  k<<<1, 2>>>(p)", "// end", "k<<<1,", "2>>>(p);"])
    text = rewrite(source).text

    assert source.count(newline) == text.count(newline)
    assert source.count("\n") == text.count("\n")
    assert "::emu::config(1," in text


def test_a_byte_order_mark_goes() -> None:
    """The mark some editors put first would stand in the middle of what is compiled."""
    assert rewrite("\ufeffint x;").text == "int x;"


def test_launches_are_listed_with_their_lines() -> None:
    """The callee as written, and the line of its `<<<`."""
    found = rewrite("f();\nk<int>\n  <<<1, 2>>>(p);\n::a::b<<<1, 2>>>(p);").launches

    assert found == (("k<int>", 3), ("::a::b", 4))


def test_a_launch_in_a_macro_is_named_as_it_is_used() -> None:
    """A macro's parameter becomes a string of what it was given."""
    text = rewrite("#define RUN(k, n) k<n><<<1, 2>>>(p)").text

    assert '::emu::launch(#k "<" #n ">", __LINE__, k<n>, ' in text


def test_a_macro_that_may_launch_a_template_lets_the_call_decide() -> None:
    """Which kernel a macro is used with is not known where it is defined."""
    source = "template <class T> __global__ void t(T *p) {}\n#define RUN(k) k<<<1, 2>>>(p)\n"

    assert "[&](auto... emu_arguments) { k(emu_arguments...); }" in rewrite(source).text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("static __shared__ int x;", " __shared__ int x;"),
        ("__shared__ static volatile int x;", "__shared__  volatile int x;"),
        ("__shared__ alignas(16) char x[4];", "__shared__ __align__(16) char x[4];"),
        ("__shared__ S x[4];", "__shared__ S x[4];"),
        ("static int x;", "static int x;"),
    ],
)
def test_static_shared_memory(source: str, expected: str) -> None:
    """`__shared__` is static by itself, and takes an alignment in the form that may follow it."""
    assert expected == rewrite(source).text


@pytest.mark.parametrize(
    ("declaration", "element", "bounds"),
    [
        ("extern __shared__ float x[];", "float", "[]"),
        ("extern __shared__ unsigned long long x[];", "unsigned long long", "[]"),
        ("extern volatile __shared__ int x[];", "volatile int", "[]"),
        ("extern __shared__ __align__(16) T x[][8];", "T", "[][8]"),
        ("__align__(16) extern __shared__ char x[];", "char", "[]"),
        ("__shared__ extern std::pair<int, char> x[];", "std :: pair < int , char >", "[]"),
    ],
)
def test_dynamic_shared_memory_in_a_function(declaration: str, element: str, bounds: str) -> None:
    """It becomes a reference to an array, so that `x`, `&x` and `x + i` mean what they meant."""
    text = rewrite(f"void f() {{ {declaration} }}").text
    address = f"*static_cast<{element} (*){bounds}>(::emu::dynamic_shared());"

    assert " ".join(text.split()).endswith(f"(&x){bounds} = {address} }}")
    assert "extern" not in text


def test_dynamic_shared_memory_of_a_file() -> None:
    """Outside functions, and inside namespaces, an object finds the memory at each use."""
    text = rewrite('extern "C" { namespace a { extern __shared__ float x[]; } }').text

    assert "static ::emu::dynamic_shared_array<float > x;" in text


def test_two_types_under_one_name_are_left_to_the_compiler() -> None:
    """Repeated dynamic arrays are declared once more, so that nvcc's error shows here too."""
    text = rewrite(
        "void f() { extern __shared__ float x[]; }\nvoid g() { extern __shared__ int x[]; }"
    ).text

    assert "{ extern float x[]; }" in text
    assert "{ extern int x[]; }" in text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__forceinline__ int f();", " int f();"),
        ("static __noinline__ int f();", "static  int f();"),
        ("__attribute__((__noinline__)) int f();", "__attribute__((__noinline__)) int f();"),
        ("#define __forceinline__ inline", "#define __forceinline__ inline"),
    ],
)
def test_inlining_words_go(source: str, expected: str) -> None:
    """They are words of nvcc; inside an attribute they are the compiler's own."""
    assert expected == rewrite(source).text


@pytest.mark.parametrize(
    "cast", ["(void *)", "(const void*)", "reinterpret_cast<const void *>", "static_cast<void*>"]
)
def test_a_kernel_launched_by_address_keeps_its_type(cast: str) -> None:
    """Without the cast the kernel's parameters are known."""
    text = rewrite(f"cudaLaunchKernel({cast}(k<1>), g, b, a);").text

    assert "".join(text.split()) == "cudaLaunchKernel((k<1>),g,b,a);"


def test_inline_ptx_becomes_calls_or_is_named_with_its_line() -> None:
    """What has no translation does not compile where it would run; empty statements stay."""
    source = (
        'void f() { asm volatile("" ::: "memory");\n\nasm volatile("bar.sync 1;"\n: : "r"(1)); }'
    )
    found = rewrite(source)

    assert found.unsupported == (
        ("inline PTX bar.sync of another barrier than 0, or of a part of the block", 3),
    )
    refused = '{ asm volatile("" ::: "memory");\n\n::emu::unsupported_inline_ptx'
    assert refused in found.text
    assert "bar.sync" not in found.text
    assert not found.has_ptx
    found = rewrite(source.replace("bar.sync 1", "bar.sync 0"))
    assert "__syncthreads(__LINE__);" in found.text
    assert found.has_ptx


@pytest.mark.parametrize(
    ("source", "outside"),
    [
        ('__asm__("a:");', True),
        ('int x;\nasm volatile("a:");', True),
        ('namespace a { namespace { asm("a:"); } }', True),
        ('extern "C" { asm("a:"); }', True),
        ('void f() { asm("mov.u32 %0, 1;" : "=r"(x)); }', False),
        ('namespace a { void f(int namespace_) { if (x) { asm("trap;"); } } }', False),
        ('struct S { void f() { asm("trap;"); } };', False),
        ('#define ONE(x) asm("mov.u32 %0, 1;" : "=r"(x))\n', False),
        ('#define TWO 2\nasm("a:");', True),
    ],
)
def test_asm_outside_of_a_function_is_refused_by_its_line(source: str, outside: bool) -> None:
    """It is for the assembler of the host; a macro's is wherever the macro is used."""
    found = rewrite(source)

    named = [name for name, _ in found.unsupported]
    assert ("asm outside of a function" in named) is outside
    assert ("static_assert" in found.text) is outside
    assert found.text.count("\n") == source.count("\n")


@pytest.mark.parametrize(
    ("op", "hint"),
    [
        ("ad.f32", " (did you mean and or add?)"),
        ("fam.rn.f32", " (did you mean fma?)"),
        ("mvo.u32", " (did you mean mov?)"),
        ("wgmma.fence.sync.aligned", ""),
        ("bra of L1", ""),
        ("foo.bar", ""),
    ],
)
def test_a_misspelt_opcode_is_told_what_is_like_it(op: str, hint: str) -> None:
    """What PTX has, here or on a GPU only, gets no advice."""
    name = op.split(" ")[0]
    found = rewrite(f'void f() {{ asm("{name} L1;"); }}')

    assert found.unsupported[0][0].endswith(hint) if hint else "did you" not in str(found)


def test_a_symbol_s_name_is_no_inline_ptx() -> None:
    """`asm` behind a declaration names a symbol."""
    source = 'extern int x asm("y"); int a[2] asm("z");'

    assert source == rewrite(source).text


@pytest.mark.parametrize(
    "piece",
    [
        *("k<<<1,2>>>(p);", "k<<<", ">>>>a<<<", "k<a><<<", "extern __shared__ float x[];"),
        *("/*", 'R"(', "\\'", '"\\', "#define ", "x#a", "(", "{", "__global__ ", "template<"),
        *("template<class T> __global__ void k", "__global__ void k(", "__global__ template "),
        *("#if 1\n", "a::b<", "asm(", "cudaLaunchKernel(("),
    ],
)
def test_the_time_grows_with_the_length_alone(piece: str) -> None:
    """A megabyte made to be hard takes seconds at most, not hours."""
    small, large = (piece * (size // len(piece)) for size in (4_000, 32_000))
    started = time.process_time()
    rewrite(small)
    between = time.process_time()
    rewrite(large)
    ended = time.process_time()

    # Eight times the length: twice that is allowed for noise, sixty-four times would be quadratic.
    assert ended - between < 20 * (between - started) + 0.1
