"""A worker to be started: its command line, its environment, and what it may read.  Pure."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.confine import Bounds
from judge.reach import Reach, interpreter


@dataclass(frozen=True)
class Program:
    """A worker to start: `python FLAGS worker SETTING`, the setting completed with its pipes.

    setting:     what the worker is told, as JSON
    environment: beside the few variables every worker gets
    pass_fds:    further descriptors it inherits
    readable:    files and folders it reads beside the system's;  devices: of the GPU
    answer_bytes: the longest answer it may give
    """

    worker: Path
    setting: Mapping[str, Any]
    bounds: Bounds
    flags: tuple[str, ...] = ("-I", "-S")
    environment: Mapping[str, str] = field(default_factory=dict)
    pass_fds: tuple[int, ...] = ()
    readable: tuple[Path, ...] = ()
    devices: tuple[Path, ...] = ()
    answer_bytes: int = 4096

    def command(self, pipes: Mapping[str, int]) -> list[str]:
        """The command line; pipes: descriptors by the names the worker knows them by."""
        setting = {**self.setting, "cage": self.reach().cage(), **pipes}
        return [sys.executable, *self.flags, str(self.worker), json.dumps(setting)]

    def variables(self, cwd: Path) -> dict[str, str]:
        """Its whole environment: a submission sees nothing of the judge's own."""
        return {
            "PATH": os.defpath,
            "LC_ALL": "C.UTF-8",
            "HOME": str(cwd),
            "TMPDIR": str(cwd),
            **self.environment,
        }

    def reach(self) -> Reach:
        """The files it may touch: what it needs, and what Python needs."""
        return Reach((self.worker, *self.readable, *interpreter()), devices=self.devices)
