"""A fault of ours -> a report with verdict JE: one line for people, the traceback in a log.

It is never shown as the submission's fault, and never as a traceback on the terminal.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

from judge.find import ROOT
from judge.model import Fault, JudgeError, Reason, Report, Request, Verdict


def report(error: Exception, request: Request | None) -> Report:
    """What can still be said of a run that we broke; `request` None where we broke before it."""
    what = str(error) if isinstance(error, JudgeError) else f"{type(error).__name__}: {error}"
    fault = Fault(Verdict.JE, Reason.INTERNAL, f"the judge failed, not the submission: {what}")
    return Report(
        problem=request.spec.slug if request else "",
        submission=request.source if request else Path(),
        backend=request.backend if request else "",
        seed=(request.seed or "") if request else "",
        defines=request.defines if request else (),
        verdict=Verdict.JE,
        fault=fault,
        log_path=log(error, request),
    )


def log(error: Exception, request: Request | None) -> Path | None:
    """Write the traceback where it can be found again; None where nothing can be written."""
    text = f"{sys.argv}\n{request}\n{''.join(traceback.format_exception(error))}"
    name = f"judge-error-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    for folder in (ROOT / "build" / "logs", Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return folder / name
    return None
