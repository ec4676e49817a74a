"""Reports made by hand, one of each kind, for the tests of everything that reads reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from judge.model import (
    Build,
    Case,
    CaseResult,
    Check,
    DeviceState,
    Fault,
    KernelUse,
    Occupancy,
    Peaks,
    Place,
    Reason,
    Report,
    Speed,
    TimedCase,
    Timing,
    Verdict,
    Worst,
)

NAN = float("nan")
SIZES = {"M": 65, "N": 33, "K": 17}
SCALARS = {"alpha": 0.5, "beta": -1.25}
SMALL = Case("normal,M=1,N=1,K=1,alpha=1,beta=0", "normal", {"M": 1, "N": 1, "K": 1}, {"alpha": 1})
TAIL = Case("normal,M=65,N=33,K=17,alpha=0.5,beta=-1.25", "normal", SIZES, SCALARS, "tails of 16")


def accepted() -> Report:
    """Two cases, both accepted; the second came nearer to its limit."""
    return Report(
        problem="gemm_fp16",
        submission=Path("submissions/gemm_fp16/tiled.cu"),
        backend="cpu",
        seed="4f3a",
        defines=("TILE=32",),
        verdict=Verdict.AC,
        fault=None,
        results=(
            CaseResult(SMALL, None, Check(1, 1, usage=0.01), 0.001),
            CaseResult(TAIL, None, Check(2145, 2145, usage=0.41), 0.002),
        ),
        planned=2,
        build=Build(Path("x.so"), Path("tiled.cu"), 1.2, False, "g++ 12.2.0"),
        build_seconds=1.2,
        run_seconds=0.5,
        device="CPU emulation on 2 cores",
    )


def wrong(got: float = 0.0) -> Report:
    """The second case is wrong in 33 elements."""
    place = Place("tests/submissions/gemm_fp16/wa_drops_k_tail.cu", 31)
    message = "33 of 2145 elements wrong, all in row 64 (the tail of M)"
    fault = Fault(Verdict.WA, Reason.MISMATCH, message, place, ("row 64 holds what row 0 should",))
    worst = Worst("C", (64, 7), got, -2.31, 2.31, 0.0023, 1004.0)
    failing = CaseResult(TAIL, fault, Check(2145, 2145, 33, 1004.0, worst, fault), 0.002)
    good = accepted()
    return replace(
        good,
        submission=Path("tests/submissions/gemm_fp16/wa_drops_k_tail.cu"),
        verdict=Verdict.WA,
        fault=fault,
        results=(good.results[0], failing),
        failing=failing,
        pattern=("every failing case has K % 16 != 0",),
        again=f"python -m judge run wa_drops_k_tail.cu --case {TAIL.id} --seed 4f3a",
    )


def failed(verdict: Verdict, reason: Reason, message: str, **more: object) -> Report:
    """No case was run: compile and judge errors."""
    fault = Fault(verdict, reason, message, **more)  # type: ignore[arg-type]
    return replace(accepted(), verdict=verdict, fault=fault, results=(), build=None)


def timing(median_us: float, half_width_us: float = 0.5, *, cold: bool = True) -> Timing:
    """A steady time: 200 gated samples around a median."""
    low, high = median_us - half_width_us, median_us + half_width_us
    noise = 0.5 * half_width_us / median_us
    return Timing(median_us, low, high, low, 200, noise, False, "gated events", cold)


def timed(n: int, median_us: float) -> TimedCase:
    """A square GEMM of half precision."""
    return TimedCase(
        sizes={"M": n, "N": n, "K": n},
        cold=timing(median_us),
        warm=timing(0.9 * median_us, cold=False),
        slope_us=median_us + 1 if median_us > 100 else None,
        overhead_us=1.8,
        operations=2.0 * n**3,
        bytes=8.0 * n**2,
        floor_us=2.0 * n**3 / 989e6,
    )


def speed(*cases: TimedCase) -> Speed:
    """One kernel on a card that was warm and alone."""
    before = DeviceState("NVIDIA H200", "580.65.06", "1980", "3201", "41", "310.5")
    kernel = KernelUse(
        name="gemm(__half const*, __half const*, __half*, int, int, int, float, float)",
        symbol="_Z4gemmPK6__halfS1_PS_iiiff",
        grid=(64, 64, 1),
        block=(256, 1, 1),
        dynamic_shared_bytes=1024,
        count=1,
        registers=58,
        static_shared_bytes=8256,
        local_bytes=16,
        occupancy=Occupancy(4, 0.5, "registers"),
    )
    return Speed(
        timed=cases or (timed(1024, 236.9),),
        kernels=(kernel,),
        peaks=Peaks(4.814e12, 989e12, "memory clock x bus width; 4096 tensor-core operations"),
        before=before,
        after=replace(before, sm_mhz="1755", temperature_c="48"),
    )


def fast() -> Report:
    """Accepted and timed on a GPU."""
    return replace(
        accepted(),
        backend="gpu",
        device="NVIDIA H200 (compute capability 9.0, CUDA 13.0)",
        speed=speed(),
    )
