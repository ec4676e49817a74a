"""Beside each time: what the ledger holds of the first rung and of the vendor's library.

Same device, same case; a time that was doubted is no baseline.
"""

from __future__ import annotations

from dataclasses import replace

from judge import caseids, ledger, rungs
from judge.ledger import Line
from judge.model import Baseline, Report, Spec, Speed, UserError


def added(report: Report, speed: Speed, spec: Spec) -> Report:
    """The report with its speed, beside the baselines or a note why there are none."""
    try:
        speed = beside(speed, spec, report.device)
    except UserError as error:
        report = replace(report, notes=(*report.notes, f"no baselines: {error}"))
    return replace(report, speed=speed)


def beside(speed: Speed, spec: Spec, device: str) -> Speed:
    """The speed with the latest recorded baselines of each case.

    device: as the backend names itself.  Raises UserError for a ledger that cannot be read.
    """
    recorded = ledger.read(ledger.path_of(spec.slug))
    references = [one for one in rungs.references(spec) if recorded]
    ids = {tuple(case.sizes.items()): case.id for case in caseids.timed(spec)}
    latest: dict[tuple[str, str, tuple[str, ...]], Line] = {}
    for line in recorded:
        if line.device != ledger.device_name(device):
            continue
        if line.measured is not None and not line.measured.doubt:
            latest[line.case, line.submission.rpartition("/")[2], line.defines] = line

    def of(case: str) -> tuple[Baseline, ...]:
        keys = ((case, one.source.name, one.defines) for one in references)
        found = ((key, latest[key].measured) for key in keys if key in latest)
        return tuple(
            Baseline(rungs.shown_name(key[1], key[2]), told.median_us, latest[key].time[:10])
            for key, told in found
            if told is not None
        )

    timed = (replace(one, baselines=of(ids[tuple(one.sizes.items())])) for one in speed.timed)
    return replace(speed, timed=tuple(timed))
