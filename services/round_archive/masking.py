"""What would give away a hole card before it is shown is masked: the words and the amount."""

from __future__ import annotations

from typing import Final

from casino.settlement.v1.finding_pb2 import Finding

HIDDEN: Final = "hidden until the hole card is shown"


def mask(finding: Finding) -> Finding:
    """The finding as anybody may see it now: that it is there, of which kind, and where."""
    masked = Finding()
    masked.CopyFrom(finding)
    masked.text = f"{finding.kind}: {HIDDEN}"
    masked.cents = 0
    return masked
