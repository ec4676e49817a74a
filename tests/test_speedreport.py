"""judge/speedreport.py, judge/speedjson.py: times with what they hang on, on screen and in JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import made_reports
import pytest

from judge import jsonl, speedreport
from judge.model import Baseline, Speed
from judge.report import Screen, render


def shown(speed: Speed) -> dict[str, list[str]]:
    """The lines under each label."""
    found: dict[str, list[str]] = {}
    label = ""
    for name, line in speedreport.lines(speed):
        label = name or label
        found.setdefault(label, []).append(line)
    return found


def test_a_line_a_size_with_interval_noise_and_rates() -> None:
    """The cold median is the headline; beside it +-, n, noise, warm, the judge's clock, rates."""
    speed = made_reports.speed(made_reports.timed(1024, 236.9), made_reports.timed(128, 9.02))
    heads, first, second, method = shown(speed)["time"]

    assert heads.split("  ")[0] == "size"
    assert first.split() == [
        *("1024", "x", "1024", "x", "1024", "236.9", "0.5", "200", "0.11", "%", "213.2", "237.9"),
        *("9.06", "35.4", "0.92", "%"),
    ]
    # A call too short for the judge's own clock has no number there.
    assert second.split()[5:] == [
        *("9.020", "0.5", "200", "2.8", "%", "8.118", "0.47", "14.5", "0.047", "%"),
    ]
    assert method == (
        "by gated events; an empty call reads 1.8 us; cold: L2 flushed; clock: the judge's own"
    )


def test_where_nobody_knows_the_operations_there_are_no_rates() -> None:
    """The times of a challenge stand alone: a roofline made of its outputs' bytes would mislead."""
    timed = replace(made_reports.timed(1024, 236.9), operations=0.0)

    _, line, _ = shown(made_reports.speed(timed))["time"]

    assert line.split()[5:] == ["236.9", "0.5", "200", "0.11", "%", "213.2", "237.9"]


def test_the_speed_against_the_baselines_has_the_ledger_s_date() -> None:
    """`2.18 x naive` reads: this call takes 1 / 2.18 of naive's recorded time."""
    baselines = (Baseline("naive", 517.6, "2026-11-30"), Baseline("cublas", 9.0, "2026-12-01"))
    timed = replace(made_reports.timed(1024, 236.9), baselines=baselines)

    assert shown(made_reports.speed(timed))["time"][2] == (
        "1024 x 1024 x 1024: speed 2.18 x naive, 0.038 x cublas (ledger 2026-11-30 and 2026-12-01)"
    )


def test_what_spoils_a_time_is_a_warning() -> None:
    """Noise, doubt, held-back clocks and company on the GPU are told by size or moment."""
    timed = made_reports.timed(1024, 236.9)
    timed = replace(
        timed, cold=replace(timed.cold, noisy=True), doubt="less than this device needs"
    )
    speed = made_reports.speed(timed)
    after = replace(speed.after, throttle="power cap", other_processes=2)

    assert shown(replace(speed, after=after))["warning"] == [
        "1024 x 1024 x 1024: this time is not believed: less than this device needs",
        "1024 x 1024 x 1024: cold time is noisy: 236.4 to 237.4 us after 200 samples",
        "clocks were held back after the timing: power cap",
        "2 other processes used the GPU",
    ]
    assert "warning" not in shown(made_reports.speed())


def test_a_kernel_shows_its_shape_and_what_limits_its_occupancy() -> None:
    """Grid and block without trailing ones, registers, shared static+dynamic, local, occupancy."""
    heads, kernel = shown(made_reports.speed())["kernels"]

    assert heads.split() == [
        *("kernel", "grid", "block", "calls", "regs", "shared", "local", "occupancy"),
    ]
    assert kernel.split() == [
        *("gemm", "64x64", "256", "1", "58", "8256+1024", "B", "16", "B"),
        *("50", "%,", "by", "registers"),
    ]


def test_peaks_and_the_card_say_where_the_roofline_comes_from() -> None:
    """The peaks with their source; clocks, heat and power before and after."""
    lines = shown(made_reports.speed())

    assert lines["peaks"] == [
        "4814 GB/s, 989 TFLOP/s: memory clock x bus width; 4096 tensor-core operations"
    ]
    assert lines["card"] == [
        "SM 1980 -> 1755 MHz, memory 3201 -> 3201 MHz, 41 -> 48 C, 310.5 -> 310.5 W; "
        "driver 580.65.06"
    ]


def test_a_card_that_does_not_tell_has_no_line() -> None:
    """Without nvidia-smi there is a time all the same."""
    from judge.model import DeviceState

    silent = replace(made_reports.speed(), before=DeviceState(), after=DeviceState())

    assert "card" not in shown(silent)


def test_the_report_shows_the_speed_of_an_accepted_run_only() -> None:
    """Between usage and seed, within a hundred columns for the times."""
    screen = render(made_reports.fast(), Screen())

    assert "  time     size " in screen
    assert max(len(line) for line in screen.splitlines() if "1024 x 1024" in line) <= 100
    assert "  time " not in render(made_reports.accepted(), Screen())


def test_json_has_all_of_it() -> None:
    """Numbers as numbers with their units in the names, null where nothing was timed."""
    speed = json.loads(jsonl.line(made_reports.fast()))["speed"]

    assert speed["timed"][0]["cold"]["median_us"] == 236.9
    assert speed["timed"][0]["tera_per_s"] == pytest.approx(9.065, rel=1e-3)
    assert speed["kernels"][0]["occupancy"] == {"blocks": 4, "share": 0.5, "limit": "registers"}
    assert speed["before"]["sm_mhz"] == "1980"
    assert json.loads(jsonl.line(made_reports.accepted()))["speed"] is None


@pytest.mark.parametrize(
    ("us", "text"),
    [(9.0211, "9.021"), (23.456, "23.46"), (236.94, "236.9"), (18240.4, "18240"), (1e6, "1000000")],
)
def test_microseconds_have_four_digits_that_count(us: float, text: str) -> None:
    """Never a power of ten, so that a column can be read down."""
    assert speedreport.microseconds(us) == text
