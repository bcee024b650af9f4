"""What would give away a hole card, left out.

An alert says of itself whether it follows from a card of a round that is not over; when it is, the
alert comes again without that mark. So nobody has to be asked.
"""

from __future__ import annotations

from typing import Final

from casino.surveillance.v1.alert_pb2 import Alert

KIND: Final = "hidden"
"""The kind alone can tell the card: a wrong peek, say."""
HIDDEN: Final = "what it is about is shown when the round is over"


def mask(alert: Alert) -> Alert:
    """The alert as anybody may see it now: that it is there, how urgent, and where."""
    return Alert(
        id=alert.id,
        revision=alert.revision,
        generation=alert.generation,
        state=alert.state,
        kind=KIND,
        level=alert.level,
        sentence=HIDDEN,
        table_id=alert.table_id,
        round=alert.round,
        raised_at=alert.raised_at,
        changed_at=alert.changed_at,
        bookmarks=alert.bookmarks,
        suppressed_by=alert.suppressed_by,
        tells_hole_card=True,
    )


def shown(alert: Alert, *, with_hidden: bool) -> tuple[Alert, bool]:
    """As the caller may see it, and whether it is masked."""
    if alert.tells_hole_card and not with_hidden:
        return mask(alert), True
    return alert, False
