"""Arrays of more elements than an int counts, on the hardware."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from judge import caseids, checker, gpu, spec
from judge.model import CallData, Case, Check, Expected, Reason, Verdict

pytestmark = pytest.mark.gpu

HERE = Path(__file__).parent
PROBLEM = spec.load(HERE / "problems" / "last_column")
M, N = 65537, 32769  # 98305 elements more than 2^31
NEEDED_BYTES = 3 << 30


@pytest.fixture(scope="module")
def large() -> tuple[Case, CallData, dict[str, Expected]]:
    """A call whose last rows lie beyond the reach of an int, and the right answer."""
    free, _ = gpu.device().driver.mem_get_info()
    if free < NEEDED_BYTES:
        pytest.skip(f"needs {NEEDED_BYTES >> 30} GiB of GPU memory, {free / 2**30:.1f} are free")
    case = caseids.parse_id(PROBLEM, f"integers,M={M},N={N}")
    # Drawn, it would take a minute; a period that divides no power of two tells every index.
    content = np.resize(np.arange(251, dtype=np.uint8), (M, N))
    right = {"B": Expected(content[:, -1].astype(np.int64), np.zeros(M))}
    return case, CallData(case, 0, {"A": content}), right


def checked(large: tuple[Case, CallData, dict[str, Expected]], *defines: str) -> Check:
    """What the judge makes of one call."""
    _, data, right = large
    build = gpu.compile(HERE / "gpu" / "last_column.cu", PROBLEM, defines)
    session = gpu.open_session(build, PROBLEM)
    try:
        outcome = session.call(data, schedule=0, same_addresses=False)
    finally:
        session.close()
    return checker.check(PROBLEM, data, right, outcome, None)


def test_a_size_t_counts_them(large: tuple[Case, CallData, dict[str, Expected]]) -> None:
    """Accepted: all elements checked, though the array takes more than half the memory limit."""
    check = checked(large)

    assert check.fault is None
    assert check.checked == check.total == M


def test_an_int_that_overflows_is_found(
    large: tuple[Case, CallData, dict[str, Expected]],
) -> None:
    """The same kernel with an int for its index reads far before the array."""
    fault = checked(large, "INDEX=int").fault

    assert fault is not None
    assert (fault.verdict, fault.reason) in (
        (Verdict.RE, Reason.OUT_OF_BOUNDS),
        (Verdict.WA, Reason.MISMATCH),
    )
