"""Cases: the plan reaches every boundary, ids say all of a case, and bytes never change."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from judge import boundaries, caseids, cases, draws, elements, spec, specfamilies
from judge.model import Case, Distribution, Dtype, Role, SpecError, UserError

SPECS = sorted((Path(__file__).parent / "specs" / "valid").glob("*.yaml"))
GOLDEN = Path(__file__).parent / "golden" / "cases_gemm_fp16.txt"
GEMM = spec.load("gemm_fp16")
SEEDS = ("0", "1", "2a", "ffffffffffffffff")


def digest(case: Case, seed: str, round: int = 0) -> str:
    """The first 16 digits of the SHA-256 of all input bytes of a call."""
    hasher = hashlib.sha256()
    for name, array in sorted(cases.make(GEMM, case, seed, round).arrays.items()):
        hasher.update(name.encode())
        hasher.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())
    return hasher.hexdigest()[:16]


# --------------------------------------------------------------------------------------------------
# The plan


@pytest.mark.parametrize("budget", [1.0, 1e7, cases.CPU_BUDGET, 1e10])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_class_is_reached_on_any_budget(seed: str, budget: float) -> None:
    """A small budget costs drawn cases, never a boundary, a family or a pair of scalars."""
    planned = cases.plan(GEMM, seed, budget)

    reached = set().union(*(cases.classes(case, GEMM) for case in planned))
    assert cases.all_classes(GEMM) - reached == set()


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_other_problems_reach_their_classes_too(path: Path) -> None:
    """One axis or four, with small ranges or without scalars."""
    problem = spec.load(path)
    planned = cases.plan(problem, "0", 1e6)

    reached = set().union(*(cases.classes(case, problem) for case in planned))
    assert cases.all_classes(problem) - reached == set()
    for case in planned:
        assert cases.parse_id(problem, case.id).id == case.id


def test_the_classes_are_those_that_kernels_fail_at() -> None:
    """Sizes around every tile, primes, an axis alone at 1, tails, whole tiles, non-square."""
    names = cases.all_classes(GEMM)

    for axis in "MNK":
        around = [n for t in GEMM.tiles for n in (t - 1, t, t + 1, 2 * t - 1, 2 * t + 1, 3 * t + 7)]
        for size in (1, 2, 3, 4, 5, 6, 7, 17, 31, 97, 127, 257, 1009, *around):
            assert f"{axis}={size}" in names
        assert {f"{axis} alone at 1", f"{axis} below a tile", f"{axis} long"} <= names
    assert {f"tails of {tile}" for tile in GEMM.tiles} | {"whole tiles"} <= names
    assert {f"family {family.name}" for family in GEMM.families} <= names
    assert {f"alpha={a:g},beta={b:g}" for a in (0, 1) for b in (0, 1)} <= names
    assert {f"beta={value:g}" for value in GEMM.argument("beta").values} <= names


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("M=127", (127, 5, 9), (126, 5, 9)),
        ("K alone at 1", (2, 3, 1), (1, 3, 1)),
        ("K below a tile", (9, 65, 7), (9, 65, 8)),
        ("N long", (31, 33, 31), (31, 33, 32)),
        ("tails of 32", (33, 65, 47), (33, 64, 47)),
        ("whole tiles", (128, 256, 384), (128, 64, 384)),
    ],
)
def test_a_class_holds_for_its_sizes_alone(
    name: str, inside: tuple[int, ...], outside: tuple[int, ...]
) -> None:
    """Each kind of class, just inside and just outside."""
    found = {boundary.name: boundary for boundary in boundaries.boundaries(GEMM)}

    assert found[name].holds(dict(zip("MNK", inside, strict=True)))
    assert not found[name].holds(dict(zip("MNK", outside, strict=True)))


def test_every_case_says_why_it_is_there() -> None:
    """A size alone is no reason: what lies there is said too."""
    reasons = [case.why for case in cases.plan(GEMM, "0")]

    assert all(reasons)
    assert not [why for why in reasons if re.search(r"=\d+\b(?!, )", why)]
    assert any("M=391, 3 tiles of 128 and 7" in why for why in reasons)
    assert any("=63, a tile of 64 less 1" in why for why in reasons)


def test_fixed_cases_come_first_and_as_the_spec_says() -> None:
    """The spec's own cases open the plan, with their reasons."""
    planned = cases.plan(GEMM, "5")

    for case, fixed in zip(planned, GEMM.fixed, strict=False):
        assert case.sizes == fixed.sizes
        assert (case.family, case.scalars, case.why) == (fixed.family, fixed.scalars, fixed.why)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_plan_for_the_cpu_is_cheap_and_short(seed: str) -> None:
    """40 to 64 cases, each once, within the operations of the budget."""
    planned = cases.plan(GEMM, seed)

    assert 40 <= len(planned) <= 64
    assert len({case.id for case in planned}) == len(planned)
    assert cases.CALLS * sum(cases.work(GEMM, case) for case in planned) <= cases.CPU_BUDGET
    assert max(cases.work(GEMM, case) for case in planned) < 2e7


def test_a_larger_budget_buys_larger_cases() -> None:
    """A GPU gets bigger drawn cases than the CPU backend."""
    small, large = (
        max(cases.work(GEMM, case) for case in cases.plan(GEMM, "0", budget))
        for budget in (cases.CPU_BUDGET, 1e10)
    )

    assert large > 5 * small


def test_boundary_cases_hide_no_term() -> None:
    """alpha = 0 hides A and B, so no boundary case has it; others do, or it would go untested."""
    planned = cases.plan(GEMM, "0")
    zero = [case for case in planned if case.scalars["alpha"] == 0]

    assert zero
    assert {case.why for case in zero} <= {"drawn at random", "a mix not seen yet"}


def test_families_come_by_weight_and_keep_their_ranges() -> None:
    """normal, with the largest weight, comes most often; large keeps to its K."""
    planned = [case for seed in SEEDS for case in cases.plan(GEMM, seed)]
    count = Counter(case.family for case in planned)

    assert count["normal"] == max(count.values())
    for case in planned:
        for name, axis in spec.ranges(GEMM, case.family).items():
            assert axis.minimum <= case.sizes[name] <= axis.maximum
        for scalar, value in case.scalars.items():
            assert value in spec.values(GEMM, case.family, scalar)


def test_the_seed_alone_decides_the_plan() -> None:
    """Same seed, same ids; another seed, other cases; a new seed cannot be guessed."""
    ids = [[case.id for case in cases.plan(GEMM, seed)] for seed in ("7", "7", "8")]

    assert ids[0] == ids[1]
    assert ids[0] != ids[2]
    assert re.fullmatch("[0-9a-f]{16}", cases.new_seed())
    assert cases.new_seed() != cases.new_seed()


# --------------------------------------------------------------------------------------------------
# Ids


def test_an_id_says_all_of_a_case() -> None:
    """It is parsed back to the same sizes, scalars and family, and the shell leaves it alone."""
    for seed in SEEDS:
        for case in cases.plan(GEMM, seed):
            parsed = cases.parse_id(GEMM, case.id)

            assert (parsed.id, parsed.family) == (case.id, case.family)
            assert (parsed.sizes, parsed.scalars) == (case.sizes, case.scalars)
            assert re.fullmatch(r"[A-Za-z0-9_,=.+-]+", case.id)


def test_parts_of_an_id_may_come_in_any_order() -> None:
    """What a user types is read; the case has the usual id."""
    parsed = cases.parse_id(GEMM, "normal,beta=0.5,K=17,alpha=1,N=33,M=65")

    assert parsed.id == "normal,M=65,N=33,K=17,alpha=1,beta=0.5"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1"), (1.0, "1"), (-1.25, "-1.25"), (0.015625, "0.015625"), (1e-5, "1e-05"), (0, "0")],
)
def test_a_scalar_in_an_id_is_the_shortest_that_reads_back(value: float, text: str) -> None:
    """1 and 1.0 are one case with one id."""
    sizes = {"M": 1, "N": 2, "K": 3}
    case = caseids.make_case(GEMM, "normal", sizes, {"alpha": value, "beta": 0})

    assert case.id == f"normal,M=1,N=2,K=3,alpha={text},beta=0"
    assert float(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "got the family '', expected one of normal, uniform"),
        ("norm,M=1,N=1,K=1,alpha=1,beta=0", "got the family 'norm', expected one of normal"),
        ("normal,M=1,N=1,alpha=1,beta=0", "missing K"),
        ("normal,M=1,N=1,K=1,alpha=1,beta=0,M=1", "got 'M=1', expected each of M, N, K"),
        ("normal,M=1,N=1,K=1,L=1,alpha=1,beta=0", "got 'L=1', expected each of"),
        ("normal,M=0,N=1,K=1,alpha=1,beta=0", "M: got 0, expected 1 to 131072"),
        ("normal,M=-1,N=1,K=1,alpha=1,beta=0", "M: got -1, expected 1 to 131072"),
        ("normal,M=1.5,N=1,K=1,alpha=1,beta=0", "M: got 1.5, expected"),
        ("normal,M=²,N=1,K=1,alpha=1,beta=0", "got other characters, or more than 500"),
        ("normal,M=1,N=1,K=1,alpha=1,beta=0\n", "got other characters, or more than 500"),
        ("normal,M=" + "9" * 400 + ",N=1,K=1,alpha=1,beta=0", "expected 1 to 131072"),
        ("normal,M=" + "9" * 5000 + ",N=1,K=1,alpha=1,beta=0", "or more than 500"),
        ("large,M=1,N=1,K=1000,alpha=0.015625,beta=0", "K: got 1000, expected 64 to 512"),
        ("normal,M=1,N=1,K=1,alpha=3,beta=0", "alpha: got 3, expected one of 1, 0, 0.5, -1.25"),
        ("one_hot,M=1,N=1,K=1,alpha=1,beta=1", "beta: got 1, expected one of 0"),
        ("normal,M=1,N=1,K=1,alpha=nan,beta=0", "alpha: got nan, expected one of"),
        ("normal,M=131072,N=131072,K=1,alpha=1,beta=0", "arrays beyond the memory limit"),
    ],
    ids=lambda text: text[:40],
)
def test_a_bad_id_is_refused_in_one_line(text: str, message: str) -> None:
    """With what was got, what was expected, and how to see the ids."""
    with pytest.raises(UserError) as error:
        cases.parse_id(GEMM, text)

    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


# --------------------------------------------------------------------------------------------------
# Bytes


def test_the_bytes_of_seed_0_are_golden(request: pytest.FixtureRequest) -> None:
    """Ids and inputs of the plan are those of the golden file, on every machine and NumPy."""
    lines = [f"{digest(case, '0')} {case.id}" for case in cases.plan(GEMM, "0")]
    if request.config.getoption("--update-golden"):
        GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert lines == GOLDEN.read_text(encoding="utf-8").splitlines()


def test_bytes_depend_on_seed_id_argument_and_round() -> None:
    """Each of the four changes them; the same four give them again."""
    case = cases.parse_id(GEMM, "normal,M=8,N=8,K=8,alpha=1,beta=0")
    other = cases.parse_id(GEMM, "normal,M=8,N=8,K=8,alpha=1,beta=1")
    data = cases.make(GEMM, case, "0")

    assert digest(case, "0") == digest(case, "0")
    assert (
        len({digest(case, "0"), digest(case, "1"), digest(other, "0"), digest(case, "0", 1)}) == 4
    )
    assert not np.array_equal(data.arrays["A"], data.arrays["B"])


def test_inputs_are_what_solve_may_read() -> None:
    """Arrays of role in and inout in storage dtype and shape; none for role out."""
    problem = spec.load(SPECS[0])
    assert problem.slug == "valid"
    case = cases.plan(problem, "0")[0]
    data = cases.make(problem, case, "0")

    read = [array for array in problem.arrays if array.role is not Role.OUT]
    assert list(data.arrays) == [array.name for array in read]
    for array in read:
        assert data.arrays[array.name].dtype == array.dtype.storage
        assert data.arrays[array.name].shape == spec.shape(array, case.sizes)


def test_c_is_never_garbage() -> None:
    """C holds finite numbers other than zero even where beta is 0."""
    case = cases.parse_id(GEMM, "normal,M=65,N=33,K=17,alpha=1,beta=0")
    content = cases.make(GEMM, case, "0").arrays["C"]

    assert np.isfinite(content).all()
    assert np.count_nonzero(content) > 0.99 * content.size


def drawn(kind: str, *parameters: float, shape: tuple[int, ...] = (200, 300)) -> np.ndarray:
    """A float16 array of a distribution, as float64."""
    array = draws.draw(
        Distribution(kind, parameters), Dtype.FLOAT16, shape, draws.Stream("0", kind)
    )
    return array.astype(np.float64)


def test_distributions_are_what_they_say() -> None:
    """Range, mean and spread of each, on 60,000 elements."""
    normal, uniform = drawn("normal"), drawn("uniform", -1, 3)
    assert abs(normal.mean()) < 0.02
    assert abs(normal.std() - 1) < 0.02
    assert np.abs(normal).max() < 3.47
    assert -1 <= uniform.min() < -0.99
    assert 2.99 < uniform.max() <= 3
    assert abs(uniform.mean() - 1) < 0.02

    integers = drawn("integers", -2, 1)
    assert {-2.0, -1.0, 0.0, 1.0} == set(np.unique(integers))
    assert Counter(integers.ravel()).most_common()[-1][1] > 14000
    assert (drawn("constant", 2.5) == 2.5).all()
    assert not drawn("zero").any()
    assert drawn("normal", shape=(0, 3)).shape == (0, 3)


@pytest.mark.parametrize("kind", specfamilies.KINDS)
def test_every_distribution_of_the_language_can_be_drawn(kind: str) -> None:
    """With as many parameters as the language says, in float16 and, where it may be, in int32."""
    counts, for_integers = specfamilies.KINDS[kind]
    dtypes = (Dtype.FLOAT16, Dtype.INT32) if for_integers else (Dtype.FLOAT16,)
    for count, dtype in itertools.product(counts, dtypes):
        distribution = Distribution(kind, (1, 2)[:count])
        if kind in specfamilies.ORDERS:
            distribution = Distribution(kind, of=Distribution("integers", (1, 9)))
        array = draws.draw(distribution, dtype, (3, 4), draws.Stream("0"))

        assert (array.shape, array.dtype) == ((3, 4), dtype.storage)
        assert np.isfinite(array).all()


def ordered(kind: str, of: Distribution) -> np.ndarray:
    """A float32 array of 2,000 elements."""
    distribution = Distribution(kind, of=of)
    return draws.draw(distribution, Dtype.FLOAT32, (2000,), draws.Stream("0"))


def test_order_is_the_only_change() -> None:
    """sorted and reversed hold the numbers of their distribution."""
    normal = Distribution("normal")
    plain = draws.draw(normal, Dtype.FLOAT32, (2000,), draws.Stream("0"))

    assert np.array_equal(ordered("sorted", normal), np.sort(plain))
    assert np.array_equal(ordered("reversed", normal), np.sort(plain)[::-1])


def test_a_permutation_holds_each_number_once() -> None:
    """0 to n - 1, in another order than that; more than the type can count are refused."""
    array = drawn("permutation", shape=(40, 50))

    assert np.array_equal(np.sort(array.ravel()), np.arange(2000))
    assert not np.array_equal(array.ravel(), np.arange(2000))
    with pytest.raises(ValueError, match="got a permutation of 300 elements, expected at most 256"):
        draws.draw(Distribution("permutation"), Dtype.UINT8, (300,), draws.Stream("0"))


def test_few_numbers_are_few() -> None:
    """Many ties, of floats or of integers from all of the type."""
    integers = draws.draw(Distribution("few", (5,)), Dtype.INT32, (999,), draws.Stream("0"))

    assert len(np.unique(drawn("few", 7))) == 7
    assert len(np.unique(integers)) == 5
    assert np.abs(integers.astype(np.int64)).max() > 2**24


def test_special_numbers_are_those_of_the_format() -> None:
    """Zeros of both signs, the denormal and the least normal numbers, and large ones."""
    array = drawn("special")
    found = set(np.unique(np.abs(array)))

    assert found == {0, 2.0**-24, 2.0**-14 - 2.0**-24, 2.0**-14, 1, 16376}
    assert np.signbit(array[array == 0]).any()
    assert not np.signbit(array[array == 0]).all()
    assert np.abs(drawn("special", 80)).max() == 80
    bytes_ = draws.draw(Distribution("special"), Dtype.INT8, (99,), draws.Stream("0"))
    assert set(bytes_.tolist()) == {-128, -1, 0, 1, 127}


@pytest.mark.parametrize("full", [0, 1, 7777, 60000])
def test_a_sparse_array_has_so_many_numbers(full: int) -> None:
    """Exactly n that are not 0, at random places."""
    array = drawn("sparse", full)

    assert np.count_nonzero(array) == full
    if 1 < full < 60000:
        assert 0.4 < np.count_nonzero(array[:100]) / full < 0.6


def test_normal_numbers_may_lie_elsewhere() -> None:
    """With a mean and a deviation of their own."""
    array = drawn("normal", 100, 4)

    assert abs(array.mean() - 100) < 0.1
    assert abs(array.std() - 4) < 0.1


def test_bounds_may_be_expressions() -> None:
    """Of axes and integer scalars: bins below their number, as many non-zeros as the axis says."""
    problem = spec.load(Path(__file__).parent / "specs" / "valid" / "histogram.yaml")
    for case in cases.plan(problem, "0", 1e6):
        data = cases.make(problem, case, "0").arrays
        assert 0 <= data["input"].min() <= data["input"].max() < case.sizes["num_bins"]
        assert np.count_nonzero(data["weights"]) == case.sizes["nnz"]
    case = cases.parse_id(problem, "wrong,N=9,num_bins=3,least=-3")
    with pytest.raises(SpecError, match=r"families.wrong.inputs.input: got integers from 3 to -3"):
        cases.make(problem, case, "0")


def test_wide_scales_rows_and_columns_by_powers_of_two() -> None:
    """Rows differ in size by up to 2**12, and so do columns."""
    wide = np.abs(drawn("wide", -6, 6))

    for spread in (np.median(wide, axis=1), np.median(wide, axis=0)):
        assert 2**11 < spread.max() / spread.min() < 2**13.5


@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (64, 64), (300, 7)])
def test_one_hot_rows_walk_over_all_columns(shape: tuple[int, int]) -> None:
    """Each row has a single 1, and with enough rows each column gets one."""
    array = drawn("one_hot", shape=shape)

    assert (array.sum(axis=1) == 1).all()
    assert set(np.unique(array)) <= {0.0, 1.0}
    assert np.count_nonzero(array.sum(axis=0)) == min(shape)


@pytest.mark.parametrize(
    ("dtype", "small", "period"),
    [
        (Dtype.FLOAT16, 2048, 57331),
        (Dtype.BFLOAT16, 256, 7159),
        (Dtype.FLOAT32, 2**20, None),
        (Dtype.INT8, 127, 251),
        (Dtype.UINT8, 255, 251),
        (Dtype.INT32, 2**20, None),
    ],
)
def test_ids_name_their_element(dtype: Dtype, small: int, period: int | None) -> None:
    """Ids differ; where a type has too few numbers they come again after a prime number of them."""

    def ids(count: int) -> np.ndarray:
        array = draws.draw(Distribution("ids"), dtype, (count,), draws.Stream("0"))
        return elements.decode(array, dtype).astype(np.float64)

    few = ids(small)
    assert len(np.unique(few)) == small
    assert ((few >= 1) & (few == np.rint(few))).all()
    if period is not None:
        many = ids(2 * period)
        assert len(np.unique(many[:period])) == period
        np.testing.assert_array_equal(many[:period], many[period:])
        assert (np.abs(many) < elements.largest(dtype) * 0.26).all() or not dtype.is_float


# --------------------------------------------------------------------------------------------------
# Shrinking


def test_smaller_cases_are_smaller_and_end() -> None:
    """Following the last candidate again and again ends at the least case of the family."""
    case = cases.parse_id(GEMM, "large,M=65,N=33,K=417,alpha=0.015625,beta=0.5")
    steps = 0
    while candidates := list(cases.smaller(GEMM, case)):
        for candidate in candidates:
            assert candidate.family == case.family
            assert cases.parse_id(GEMM, candidate.id).id == candidate.id
            smaller_sizes = sum(candidate.sizes.values()) < sum(case.sizes.values())
            assert smaller_sizes or candidate.sizes == case.sizes
        case = candidates[0]
        steps += 1

    assert case.id == "large,M=1,N=1,K=64,alpha=0.015625,beta=0"
    assert steps < 30


def test_smaller_halves_and_decrements_each_axis() -> None:
    """The boldest candidate comes first, and a single step on one axis is among them."""
    case = cases.parse_id(GEMM, "normal,M=65,N=33,K=17,alpha=0.5,beta=0")
    ids = [candidate.id for candidate in cases.smaller(GEMM, case)]

    assert ids[0] == "normal,M=32,N=16,K=8,alpha=0.5,beta=0"
    for sizes in ("M=64,N=33,K=17", "M=65,N=32,K=17", "M=65,N=33,K=16", "M=65,N=33,K=1"):
        assert f"normal,{sizes},alpha=0.5,beta=0" in ids
    assert ids[-1] == "normal,M=65,N=33,K=17,alpha=1,beta=0"


def test_timed_sizes_are_the_spec_s_with_plain_scalars() -> None:
    """The first family and the first value of each scalar: alpha = 1, beta = 0."""
    found = caseids.timed(GEMM)

    assert [one.sizes for one in found] == list(GEMM.timed)
    assert found[0].id == "normal,M=1024,N=1024,K=1024,alpha=1,beta=0"
    assert {one.why for one in found} == {"timed"}
    assert caseids.parse_id(GEMM, found[0].id).sizes == found[0].sizes
