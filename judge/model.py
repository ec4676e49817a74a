"""The vocabulary of the judge: every noun that crosses a door between two rooms, as a frozen type.

Read this file first.  It imports nothing of ours, does nothing, and owns no files.  Arrays are
row-major NumPy arrays; sizes are plain ints; times carry `_s` or `_us`, sizes in bytes `_bytes`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# --------------------------------------------------------------------------------------------------
# Errors: each ends in one line for people and one exit code for machines


class ExitCode(enum.IntEnum):
    """What the process says to the shell: CI tells a wrong submission from a broken machine."""

    ACCEPTED = 0
    NOT_ACCEPTED = 1
    USAGE = 2
    JUDGE_ERROR = 3
    BACKEND_MISSING = 4
    INTERRUPTED = 130
    READER_LEFT = 141


class UserError(Exception):
    """A fault of the input, not of the judge: one line `where: what; next step`, no traceback."""

    exit_code: ExitCode = ExitCode.USAGE


class SpecError(UserError):
    """A problem spec is wrong.  Prints as `path:line: key: got ..., expected ...`."""

    def __init__(self, path: Path | str, line: int, key: str, message: str) -> None:
        self.path, self.line, self.key, self.message = str(path), line, key, message
        where = f"{path}:{line}: " if line else f"{path}: "
        super().__init__(where + (f"{key}: " if key else "") + message)


class BackendMissing(UserError):
    """The backend asked for is not here; the message says what is missing and how to get it."""

    exit_code = ExitCode.BACKEND_MISSING


class JudgeError(Exception):
    """The judge or the machine is broken (verdict JE): never the submission's fault."""


# --------------------------------------------------------------------------------------------------
# Verdicts and reasons


class Verdict(str, enum.Enum):
    """Who is to blame, in the words of programming contests.  Only JE blames us."""

    AC = "AC"  # accepted
    WA = "WA"  # wrong answer
    RE = "RE"  # runtime error
    TLE = "TLE"  # time limit exceeded
    MLE = "MLE"  # memory limit exceeded
    CE = "CE"  # compile error
    JE = "JE"  # judge error


class Reason(str, enum.Enum):
    """Why, as a closed set for machines; the sentence for people stands beside it."""

    ACCEPTED = "accepted"
    # WA
    MISMATCH = "mismatch"
    PRECISION = "precision"  # everywhere nearly right: a lower precision than the spec asks for
    NONFINITE = "nonfinite"
    UNWRITTEN = "unwritten"  # the output still holds what it began with
    NOT_ZEROED = "not_zeroed"  # added to a poisoned output
    STALE = "stale"  # the output holds the result of an earlier call
    GUARD_OVERWRITTEN = "guard_overwritten"  # bytes beside a buffer were written
    INPUT_MODIFIED = "input_modified"
    # RE
    OUT_OF_BOUNDS = "out_of_bounds"
    MISALIGNED = "misaligned"
    DATA_RACE = "data_race"
    BARRIER_DIVERGENCE = "barrier_divergence"
    DEADLOCK = "deadlock"
    UNINITIALISED_READ = "uninitialised_read"
    STACK_OVERFLOW = "stack_overflow"
    LAUNCH_LIMITS = "launch_limits"
    CUDA_ERROR = "cuda_error"
    SIGNAL = "signal"
    EXITED = "exited"
    # TLE, MLE
    TIMEOUT = "timeout"
    MEMORY = "memory"
    # CE
    COMPILE = "compile"
    NO_SUBMISSION = "no_submission"  # nothing there that could be compiled
    NO_SOLVE_SYMBOL = "no_solve_symbol"
    SIGNATURE = "signature"
    BANNED = "banned"  # a library that the problem bans; RE where it was loaded while running
    UNSUPPORTED = "unsupported"  # right CUDA, but this backend cannot run it
    # JE
    INTERNAL = "internal"


# --------------------------------------------------------------------------------------------------
# Spec: what a problem.yaml says


class Dtype(str, enum.Enum):
    """Element types of arrays and scalars, by their NumPy names (bfloat16 by ml_dtypes' name)."""

    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    INT8 = "int8"
    UINT8 = "uint8"
    INT16 = "int16"
    UINT16 = "uint16"
    INT32 = "int32"
    UINT32 = "uint32"
    INT64 = "int64"
    UINT64 = "uint64"

    @property
    def storage(self) -> np.dtype[Any]:
        """The NumPy dtype of the bytes: itself, and uint16 for bfloat16."""
        return np.dtype("uint16" if self is Dtype.BFLOAT16 else self.value)

    @property
    def itemsize(self) -> int:
        """Bytes an element."""
        return self.storage.itemsize

    @property
    def is_float(self) -> bool:
        """Whether values of this type are rounded."""
        return "float" in self.value

    @property
    def c_type(self) -> str:
        """The C++ type a submission declares for it."""
        return _C_TYPES[self]


_C_TYPES = {
    Dtype.FLOAT16: "half",
    Dtype.BFLOAT16: "__nv_bfloat16",
    Dtype.FLOAT32: "float",
    Dtype.FLOAT64: "double",
    Dtype.INT8: "signed char",
    Dtype.UINT8: "unsigned char",
    Dtype.INT16: "short",
    Dtype.UINT16: "unsigned short",
    Dtype.INT32: "int",
    Dtype.UINT32: "unsigned int",
    Dtype.INT64: "long long",
    Dtype.UINT64: "unsigned long long",
}


class Init(str, enum.Enum):
    """What an array of role OUT holds before a call."""

    POISON = "poison"  # bytes that no right answer has
    ZERO = "zero"
    RANDOM = "random"  # finite numbers, as an old result would leave


class Role(str, enum.Enum):
    """What `solve` may do with an argument."""

    IN = "in"  # a device pointer that is only read
    OUT = "out"  # a device pointer that is only written
    INOUT = "inout"  # a device pointer that is read and written
    AXIS = "axis"  # a size, by value
    SCALAR = "scalar"  # a number that is no size, by value


@dataclass(frozen=True)
class Argument:
    """One parameter of `solve`, in the order of the signature.

    `shape` holds one expression over the size axes for each dimension (empty for scalars and axes);
    `values` the scalar values the cases draw from (empty for arrays and axes);
    `init` what an array of role OUT holds before a call (of no meaning for others).
    """

    name: str
    dtype: Dtype
    role: Role
    shape: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    init: Init = Init.POISON

    @property
    def is_array(self) -> bool:
        """Whether `solve` gets a device pointer."""
        return self.role in (Role.IN, Role.OUT, Role.INOUT)

    @property
    def is_output(self) -> bool:
        """Whether the judge checks it after a call."""
        return self.role in (Role.OUT, Role.INOUT)

    def declaration(self) -> str:
        """The parameter as a submission writes it: `const half* A`, `int M`, `float alpha`."""
        if not self.is_array:
            return f"{self.dtype.c_type} {self.name}"
        const = "const " if self.role is Role.IN else ""
        return f"{const}{self.dtype.c_type}* {self.name}"


@dataclass(frozen=True)
class Axis:
    """A size of the problem (M, N, K) and the range it may take, both ends included.

    equals: the expression over axes before it that it is computed by; empty where it is drawn
    hidden: it is no argument of `solve`
    """

    name: str
    minimum: int
    maximum: int
    equals: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class Distribution:
    """How the content of one input array is drawn: `uniform` with (-1, 1), `normal` with (), ...

    parameters: numbers, or expressions over the axes and the integer scalars
    of:         what is put in order, where the kind is `sorted` or `reversed`
    """

    kind: str
    parameters: tuple[float | str, ...] = ()
    of: Distribution | None = None


@dataclass(frozen=True)
class Family:
    """A named way to fill the inputs.

    weight:      its share of the drawn cases
    inputs:      a distribution for every array of role IN or INOUT
    exact:       every partial sum is exactly representable, so the output must be equal
    scalars:     scalar values this family allows, where they differ from the signature's
    names_index: outputs are unique ids, so a wrong element names the index it was read from
    axes:        narrower ranges of sizes, where this family makes sense only there
    """

    name: str
    weight: int
    inputs: Mapping[str, Distribution]
    exact: bool = False
    scalars: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    names_index: bool = False
    axes: Mapping[str, Axis] = field(default_factory=dict)


@dataclass(frozen=True)
class FixedCase:
    """A case the spec asks for by name, with the reason it is there."""

    sizes: Mapping[str, int]
    family: str
    scalars: Mapping[str, float]
    why: str


@dataclass(frozen=True)
class Tolerance:
    """The rule that makes `allowed` for one output.

    rule:       `rounding`, `exact`, `ulp` or `allclose`
    accumulate: the type sums are kept in (rounding)
    terms:      expression over the axes, the number of accumulated terms (rounding)
    ulp:        units in the last place of the output type (ulp)
    rtol, atol: |out - r| <= atol + rtol * |r| (allclose)
    source:     where a number that is no consequence of the types comes from
    """

    rule: str
    accumulate: Dtype = Dtype.FLOAT32
    terms: str = "1"
    ulp: float = 0.0
    rtol: float = 0.0
    atol: float = 0.0
    source: str = ""


@dataclass(frozen=True)
class Limits:
    """What one call may take before it is stopped: wall-clock seconds, and bytes of memory."""

    seconds_per_call: float
    memory_bytes: int


@dataclass(frozen=True)
class Scoring:
    """Points of a grading: for compiling, for each family of cases, for speed on a GPU.

    time_baseline: the rung of the ledger that a time is held against
    time_full:     full points at this multiple of the baseline's speed, in proportion below
    """

    families: Mapping[str, float]
    compiles: float = 0.0
    time_points: float = 0.0
    time_baseline: str = ""
    time_full: float = 1.0


@dataclass(frozen=True)
class Spec:
    """A problem: all that problem.yaml says, checked.

    reference: output name -> expression over arguments, in float64; empty where reference.py serves
    work, bytes: expressions over the axes: operations and bytes of one call
    timed:     sizes whose time is reported on a GPU, of all axes
    require:   comparisons over the axes that hold in every case
    wrong:     words for a mistake -> output name -> expression that makes it
    banned:    libraries that a submission may not use
    scoring:   points of a grading; None: an equal share for each family
    challenge: what makes cases, contents and right answers in place of all that; None: nothing does
    """

    slug: str
    path: Path
    title: str
    summary: str
    source: str
    axes: tuple[Axis, ...]
    signature: tuple[Argument, ...]
    families: tuple[Family, ...]
    tiles: tuple[int, ...]
    fixed: tuple[FixedCase, ...]
    drawn: int
    work: str
    bytes: str
    reference: Mapping[str, str]
    reference_path: Path | None
    tolerance: Mapping[str, Tolerance]
    timed: tuple[Mapping[str, int], ...]
    limits: Limits
    require: tuple[str, ...] = ()
    wrong: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    banned: tuple[str, ...] = ()
    scoring: Scoring | None = None
    challenge: Challenge | None = field(default=None, compare=False)

    def argument(self, name: str) -> Argument:
        """The argument of that name.  Raises KeyError."""
        return {argument.name: argument for argument in self.signature}[name]

    @property
    def arrays(self) -> tuple[Argument, ...]:
        """The arguments that are device pointers, in signature order."""
        return tuple(argument for argument in self.signature if argument.is_array)

    @property
    def outputs(self) -> tuple[Argument, ...]:
        """The arguments the judge checks, in signature order."""
        return tuple(argument for argument in self.signature if argument.is_output)

    @property
    def drawn_axes(self) -> tuple[Axis, ...]:
        """The axes that no expression computes: what a case id and a fixed case name."""
        return tuple(axis for axis in self.axes if not axis.equals)

    @property
    def scalars(self) -> tuple[Argument, ...]:
        """The scalars that are no sizes, in signature order."""
        return tuple(argument for argument in self.signature if argument.role is Role.SCALAR)

    def family(self, name: str) -> Family:
        """The family of that name.  Raises KeyError."""
        return {family.name: family for family in self.families}[name]

    def declaration(self) -> str:
        """The line a submission begins with."""
        parameters = ", ".join(argument.declaration() for argument in self.signature)
        return f'extern "C" void solve({parameters})'


@dataclass(frozen=True)
class Flaw:
    """What is missing or weak in a problem: `path: what: got ..., expected ...; next step`."""

    path: str
    what: str
    got: str
    expected: str
    next: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}: got {self.got}, expected {self.expected}; {self.next}"


@dataclass(frozen=True)
class Case:
    """Sizes, scalars and an input family; the id says it all and can be parsed back.

    `id` reads `normal,M=65,N=33,K=17,alpha=0.5,beta=-1.25`: family first, then every size axis that
    is drawn and every scalar in signature order.  Bytes depend on (seed, id) alone.  `sizes` holds
    the computed axes too.  `why` is for people.
    """

    id: str
    family: str
    sizes: Mapping[str, int]
    scalars: Mapping[str, float]
    why: str = ""


@dataclass(frozen=True)
class CallData:
    """What one call of `solve` gets: arrays by argument name, in their storage dtype.

    `round` is 0 for the first call of a case and 1 for the second, which has other content at the
    same addresses, so that state a submission forgot to reset shows.  `arrays` are the inputs (role
    IN and INOUT); `initial` what arrays of role OUT hold before the call, where that is not poison.
    """

    case: Case
    round: int
    arrays: Mapping[str, Array]
    initial: Mapping[str, Array] = field(default_factory=dict)

    def before(self, argument: Argument) -> Array | None:
        """What an array holds before the call; None where a backend poisons it."""
        if argument.role is Role.OUT:
            return self.initial.get(argument.name)
        return self.arrays[argument.name]


@dataclass(frozen=True)
class Expected:
    """The right answer of one output and how far from it an honest kernel may land.

    Shapes: both as the output.  value: float64, or the output's integer type where it is one.
    allowed: float64, the absolute error permitted of each element; 0 where it must be equal.
    """

    value: Array
    allowed: Array


class Challenge(Protocol):
    """A challenge of a LeetGPU checkout behind a Spec: it makes what the spec leaves out.

    path:    its challenge.py
    cases:   its tests;  timed: those whose time is reported on a GPU
    remarks: what a reader of a report should know of it
    """

    path: Path
    cases: tuple[Case, ...]
    timed: tuple[Case, ...]
    remarks: tuple[str, ...]

    def call(self, spec: Spec, case: Case, round_: int) -> CallData:
        """The arrays of one call.  Raises SpecError."""

    def expected(self, spec: Spec, data: CallData) -> dict[str, Expected]:
        """The right answers of a call, its content altered or not.  Raises SpecError."""


# --------------------------------------------------------------------------------------------------
# Build: source -> something a worker can load


@dataclass(frozen=True)
class Place:
    """A line of the submission (1-based), or line 0 where only the file is known."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Fault:
    """Why something is not accepted: a verdict, a machine-readable reason, a sentence, and where.

    `details` are further lines for people, most telling first.
    """

    verdict: Verdict
    reason: Reason
    message: str
    place: Place | None = None
    details: tuple[str, ...] = ()


class CompileError(Exception):
    """The submission does not build.  Carries the fault, the command and the whole log."""

    def __init__(
        self, fault: Fault, command: str = "", log: str = "", log_path: Path | None = None
    ) -> None:
        super().__init__(fault.message)
        self.fault, self.command, self.log, self.log_path = fault, command, log, log_path


class CallFault(Exception):
    """A timed call of an accepted submission was not right; carries the fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True)
class Build:
    """A compiled submission.  `warnings` are the compiler's, cut to a few; `notes` are ours.

    cubin, kernels: on the GPU backend, the device half and what each of its kernels takes
    """

    library: Path
    source: Path
    seconds: float
    cached: bool
    compiler: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cubin: Path | None = None
    kernels: tuple[KernelUse, ...] = ()


# --------------------------------------------------------------------------------------------------
# Calls: what a session with a worker gives back


class Mistake(str, enum.Enum):
    """What a check build finds, the most telling first."""

    OUT_OF_BOUNDS = "out_of_bounds"
    RACE = "race"
    UNINITIALISED = "uninitialised"
    HOST_ACCESS = "host_access"  # host code uses device memory, or a kernel the host's
    CONSTANT_WRITE = "constant_write"  # a kernel writes what is __constant__
    BARRIER = "barrier"  # threads of a block at different barriers
    DEADLOCK = "deadlock"
    SHUFFLE = "shuffle"  # the value of a lane that takes no part
    ERROR = "error"  # whatever else ended the run


@dataclass(frozen=True)
class Finding:
    """One mistake that a check build saw, where it first showed.

    other:    the other access of a race
    harmless: nothing is wrong unless the answer is: the value read may never be used
    """

    mistake: Mistake
    message: str
    place: Place | None
    other: Place | None = None
    details: tuple[str, ...] = ()
    harmless: bool = False


@dataclass(frozen=True)
class Outcome:
    """What the judge saw of one call; nothing in it is the worker's word but `notes` and `fault`,
    which can only make a verdict worse.

    returned:    the worker acknowledged the call (says nothing about right or wrong)
    outputs:     the judge's own copy of each output, by argument name, storage dtype
    overwritten: one sentence for each guard band that was written, naming the buffer
    modified:    names of inputs whose bytes changed
    fault:       why the worker did not return, or an error the backend saw during the call
    notes:       sentences worth showing beside a verdict (a launch with an empty grid, say)
    printed:     what the submission printed during the call, cleaned and capped
    findings:    of a check build on the CPU backend
    """

    returned: bool
    outputs: Mapping[str, Array] = field(default_factory=dict)
    overwritten: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    fault: Fault | None = None
    notes: tuple[str, ...] = ()
    printed: str = ""
    seconds: float = 0.0
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Worst:
    """The worst element of an output.  usage = error / allowed: 1.0 is the limit."""

    output: str
    index: tuple[int, ...]
    got: float
    expected: float
    error: float
    allowed: float
    usage: float


@dataclass(frozen=True)
class Check:
    """The checker's answer for one call: accepted only if `fault` is None and checked == total."""

    checked: int
    total: int
    wrong: int = 0
    usage: float = 0.0
    worst: Worst | None = None
    fault: Fault | None = None


# --------------------------------------------------------------------------------------------------
# Timing: what a GPU run says of speed.  There is none without AC, and none on the CPU backend


@dataclass(frozen=True)
class Timing:
    """The time of one call of `solve` at one size, under one condition.

    median_us, low_us, high_us: the median and its 95 % interval;  min_us: the fastest sample
    noise:  standard deviation over mean of the samples (0.01 = 1 %)
    noisy:  the interval is wider than the stop rule asks: a number all the same, with a warning
    method: how a sample was taken (`gated events`, `events`)
    cold:   whether the L2 cache was flushed before each sample
    """

    median_us: float
    low_us: float
    high_us: float
    min_us: float
    samples: int
    noise: float
    noisy: bool
    method: str
    cold: bool

    @property
    def half_width_us(self) -> float:
        """Half the width of the interval: the +- behind the median."""
        return (self.high_us - self.low_us) / 2


@dataclass(frozen=True)
class Occupancy:
    """How full a multiprocessor gets: blocks on it, share of its warps (0 to 1), and the limit."""

    blocks: int
    share: float
    limit: str


@dataclass(frozen=True)
class Peaks:
    """What the device can do at best, for the roofline, and where the numbers come from."""

    bytes_per_s: float
    operations_per_s: float
    source: str


@dataclass(frozen=True)
class Baseline:
    """A recorded time of another submission, same device and case: its rung, us, and the date."""

    name: str
    median_us: float
    date: str


@dataclass(frozen=True)
class TimedCase:
    """The time of `solve` at one size, and what it is held against.

    cold, warm:  with the L2 cache flushed before each sample (the headline), and without
    slope_us:    a call by the judge's own clock; None where too short to be told from launch cost
    overhead_us: what the method reads for an empty call; never subtracted
    operations, bytes: of the call; of a challenge, which does not say, 0 and the outputs' bytes
    floor_us:    what the device needs at best for them
    doubt:       why the time is not believed, or an empty string
    baselines:   what the ledger holds of the first rung and the vendor's library
    """

    sizes: Mapping[str, int]
    cold: Timing
    warm: Timing
    slope_us: float | None
    overhead_us: float
    operations: float
    bytes: float
    floor_us: float
    doubt: str = ""
    baselines: tuple[Baseline, ...] = ()

    @property
    def tera_per_s(self) -> float:
        """Operations a second, in units of 10^12 (TFLOP/s for float problems)."""
        return self.operations / self.cold.median_us * 1e-6

    @property
    def giga_bytes_per_s(self) -> float:
        """Bytes a second that the call must move at least, in units of 10^9."""
        return self.bytes / self.cold.median_us * 1e-3

    @property
    def roofline(self) -> float:
        """The floor over the time: 1.0 is the best this device can do."""
        return self.floor_us / self.cold.median_us


@dataclass(frozen=True)
class KernelUse:
    """A kernel as it was launched.  registers a thread; bytes of each memory a block or thread.

    name, symbol: as people write it, and as the linker does
    error: the runtime's answer to the launch, 0 for success
    """

    name: str
    symbol: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    dynamic_shared_bytes: int
    count: int
    error: int = 0
    registers: int = 0
    static_shared_bytes: int = 0
    local_bytes: int = 0
    constant_bytes: int = 0
    occupancy: Occupancy | None = None


@dataclass(frozen=True)
class DeviceState:
    """The card before or after a timing, as its driver tells; empty fields where it does not."""

    name: str = ""
    driver: str = ""
    sm_mhz: str = ""
    memory_mhz: str = ""
    temperature_c: str = ""
    power_w: str = ""
    throttle: str = ""
    other_processes: int = 0


@dataclass(frozen=True)
class Speed:
    """All that a GPU run says of speed: only with AC."""

    timed: tuple[TimedCase, ...]
    kernels: tuple[KernelUse, ...]
    peaks: Peaks
    before: DeviceState
    after: DeviceState


@dataclass(frozen=True)
class SpeedRatio:
    """Two submissions a and b timed in turns.

    word:  SAME, FASTER (b than a), SLOWER or UNSURE
    ratio: b / a with the ends of its 95 % interval, so that below 1 means b is faster
    """

    word: str
    ratio: float
    low: float
    high: float
    pairs: int


# --------------------------------------------------------------------------------------------------
# Report: what one run of the judge says


@dataclass(frozen=True)
class Request:
    """What one run of the judge is asked to do.

    defines: `NAME=VALUE`, passed to the compiler as -D
    case:    the id of the only case to run; None runs every case of the spec
    seed:    what the inputs are drawn from; None lets the judge choose one and the report name it
    timed:   how many of the spec's timed sizes to time on a GPU, the first first; None: all
    """

    source: Path
    spec: Spec
    backend: str
    defines: tuple[str, ...] = ()
    case: str | None = None
    seed: str | None = None
    timed: int | None = 1


@dataclass(frozen=True)
class Progress:
    """How far a run has come: `done` of `total` steps of `build`, `run`, `shrink` or `time`."""

    stage: str
    done: int
    total: int
    text: str


@dataclass(frozen=True)
class CaseResult:
    """One case of one run; `fault` is None exactly when every call of it was accepted."""

    case: Case
    fault: Fault | None
    check: Check | None = None
    seconds: float = 0.0
    printed: str = ""
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """AC, or the fault's verdict."""
        return self.fault.verdict if self.fault else Verdict.AC


@dataclass(frozen=True)
class Report:
    """The whole of one run, from which every format is made.

    `results` are in case order; `failing` is the case shown (the smallest that still fails),
    `pattern` what the failing cases have in common; `again` repeats just the failing case.
    `init` says what each output of role OUT held before a call.
    """

    problem: str
    submission: Path
    backend: str
    seed: str
    defines: tuple[str, ...]
    verdict: Verdict
    fault: Fault | None
    results: tuple[CaseResult, ...] = ()
    planned: int = 0
    failing: CaseResult | None = None
    pattern: tuple[str, ...] = ()
    again: str = ""
    build: Build | None = None
    log_path: Path | None = None
    notes: tuple[str, ...] = ()
    build_seconds: float = 0.0
    run_seconds: float = 0.0
    device: str = ""
    speed: Speed | None = None
    init: Mapping[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> int:
        """How many cases were accepted."""
        return sum(result.fault is None for result in self.results)
