"""A wrong submission that is right where the lanes of a warp run in step is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import caseids, cpubuild, lockstep, run, spec
from judge.find import ROOT
from judge.model import Request, Verdict

GEMM = spec.load("gemm_fp16")
COPY = spec.load(str(Path(__file__).parent / "problems" / "copy"))
SUBMISSIONS = ROOT / "tests" / "submissions" / "gemm_fp16"

# A neighbour's value is read without a barrier.  The lanes come to it by different ways: through a
# loop of 0 to 31 rounds, through a function, on two sides of a branch.
MEETING_AGAIN = """
__device__ float twice(const float* A, int i) { return A[i] + A[i]; }
__global__ void k(const float* A, float* B, int N) {
    __shared__ float s[32];
    int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
    float sum = 0;
    for (int j = 0; j < lane; j++) sum += A[j % N];
    if (lane % 3 == 0) sum += twice(A, lane % N);
    else sum -= A[0];
    s[lane] = i < N ? A[i] : sum;
    int other = blockIdx.x * 32 + (lane ^ 5);
    if (other < N) B[other] = s[lane ^ 5];
}
extern "C" void solve(const float* A, float* B, int N) { k<<<(N + 31) / 32, 32>>>(A, B, N); }
"""


def passes(text: str, tmp_path: Path) -> bool:
    """Whether a copy program is right in lockstep, on one ragged size."""
    source = tmp_path / "copy.cu"
    source.write_text(text)
    build = cpubuild.compile(source, COPY, (), check=True)
    return lockstep.passes(build, COPY, [caseids.parse_id(COPY, "normal,N=1000")], "1")


def test_lanes_meet_again_behind_loops_calls_and_branches(tmp_path: Path) -> None:
    """All lanes of a warp write before any of them reads, however they came there."""
    assert passes(MEETING_AGAIN, tmp_path)


def test_lanes_of_two_warps_do_not_run_in_step(tmp_path: Path) -> None:
    """A race between warps is no luck of warp timing."""
    wide = MEETING_AGAIN.replace("s[32]", "s[64]").replace("blockIdx.x * 32", "blockIdx.x * 64")
    wide = wide.replace("<<<(N + 31) / 32, 32>>>", "<<<(N + 63) / 64, 64>>>")

    assert not passes(wide.replace("lane ^ 5", "lane ^ 37"), tmp_path)
    assert passes(wide, tmp_path)


@pytest.mark.parametrize(
    ("name", "luck"), [("wa_warp_synchronous", True), ("wa_missing_first_sync", False)]
)
def test_the_report_says_that_it_was_luck(name: str, luck: bool) -> None:
    """A wrong answer stays one; that it passes in lockstep stands among the reasons."""
    request = Request(SUBMISSIONS / f"{name}.cu", GEMM, "cpu", seed="1")
    report = run.judge(request, lambda progress: None)

    assert report.verdict is Verdict.WA
    assert report.fault
    assert (lockstep.SENTENCE in report.fault.details) is luck
