"""What a submission kept to test the judge must get: the first lines of tests/submissions/*/*.cu.

// expect: WA mismatch|stale          the verdict, and the reasons that are right
// expect gpu: RE cuda_error          where a GPU sees it otherwise
// expect gpu: luck                   a race, or what nobody wrote: a GPU may be right by chance
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from judge.counted import counted
from judge.model import Reason, UserError, Verdict

HEADER_LINES = 5
_VERDICTS = "AC|WA|RE|TLE|MLE|CE"
_EXPECT = re.compile(rf"// expect( gpu)?: ({_VERDICTS}) ([a-z_]+(?:\|[a-z_]+)*)")

_LUCK = "// expect gpu: luck"


@dataclass(frozen=True)
class Expectation:
    """A verdict and the reasons that may stand beside it; with luck, AC in its place."""

    verdict: Verdict
    reasons: frozenset[Reason]
    luck: bool = False

    def met(self, verdict: Verdict, reason: Reason) -> bool:
        """Whether a report is as expected."""
        if self.luck:
            return verdict in (self.verdict, Verdict.AC)
        return verdict is self.verdict and reason in self.reasons


def read(path: Path, gpu: bool = False) -> Expectation:
    """What the first lines of a file say; of a GPU, where they say so.

    Raises UserError, one line, where there is not just one such line or it is none.
    """
    lines = path.read_text(encoding="utf-8").splitlines()[:HEADER_LINES]
    found = [match for match in map(_EXPECT.fullmatch, lines) if match]
    plain = [match for match in found if not match[1]]
    ours = [match for match in found if match[1]] if gpu else []
    if len(plain) != 1:
        raise UserError(
            f"{path}: got {counted(len(plain), 'line')} `// expect: VERDICT reason` in the first "
            f"{HEADER_LINES}, expected one"
        )
    luck = gpu and _LUCK in lines
    match = (ours or plain)[0]
    known = {reason.value for reason in Reason}
    unknown = [word for word in match[3].split("|") if word not in known]
    if unknown:
        raise UserError(f"{path}: got the reason {unknown[0]}, expected one of {sorted(known)}")
    return Expectation(Verdict(match[2]), frozenset(map(Reason, match[3].split("|"))), luck)
