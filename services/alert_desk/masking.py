"""What would give away a hole card, left out.

An alert says of itself whether it follows from a card of a round that is not over; when it is, the
alert comes again without that mark. So nobody has to be asked.
"""

from __future__ import annotations

from typing import Final

from casino.surveillance.v1.alert_pb2 import Alert

HIDDEN: Final = "what it is about is shown when the round is over"


def mask(alert: Alert) -> Alert:
    """The alert as anybody may see it now: that it is there, of which kind, and where."""
    masked = Alert()
    masked.CopyFrom(alert)
    masked.sentence = f"{alert.kind}: {HIDDEN}"
    masked.cents = 0
    masked.ClearField("statistics")
    masked.ClearField("evidence")
    masked.ClearField("rule")
    return masked


def shown(alert: Alert, *, with_hidden: bool) -> tuple[Alert, bool]:
    """As the caller may see it, and whether it is masked."""
    if alert.tells_hole_card and not with_hidden:
        return mask(alert), True
    return alert, False
