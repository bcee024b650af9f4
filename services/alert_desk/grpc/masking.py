"""Masks alerts that would reveal a hole card.

An alert states whether it follows from a card of a round in progress; when the round is over, the
alert is published again without that mark. So no other service has to be queried.
"""

from __future__ import annotations

from typing import Final

from casino.surveillance.v1.alert_pb2 import Alert

KIND: Final = "hidden"
"""The kind alone can reveal the card: a wrong peek, for example."""
HIDDEN: Final = "Hidden until the round is over"


def mask(alert: Alert) -> Alert:
    """The alert as any reader may see it now: that it exists, its priority, and its table."""
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


def visible_alert(alert: Alert, *, with_hidden: bool) -> tuple[Alert, bool]:
    """The alert as the caller may see it, and whether it is masked."""
    if alert.tells_hole_card and not with_hidden:
        return mask(alert), True
    return alert, False
