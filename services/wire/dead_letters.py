"""What was set aside, and who can be asked to take it again.

    refused at the gateway's door        the gateway judges it anew, as what a table sends
    no codec of settlement's read it     the same: it is told once more, and the fold takes it
    refused as an entry                  accounting, for the person who enters it again
    all else                             nobody; the reason is a sentence for people

To take something again is safe wherever it is offered: folds ignore what they have seen, and an
entry counts once under its id.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from google.protobuf.message import DecodeError

from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from wire import topics

ENTERED: Final = frozenset({topics.CAGE_EVENTS, topics.PROMOTION_EVENTS})
CUT: Final = "only its first bytes are kept: whoever sent it has the rest"
MADE: Final = "a service made it of other messages: it is made anew when they are read anew"
NEVER: Final = {
    "foreign": "another table's certificate sent it, and speaks for no other: mend the wiring",
    "conflict": "the log has another event under its number, and the first one counts",
    "quarantined": "it is in the log: settlement tries its table again by itself at every start",
    "not_watched": "it is in its topic: surveillance reads it when it is mended and made anew",
}
"""Codes of what nobody takes again, and why."""


class Way(Enum):
    """Who can be asked."""

    NOBODY = "nobody"
    GATEWAY = "table_gateway"
    ACCOUNTING = "accounting"


def way_of(*, code: str, topic: str, has_place: bool, is_whole: bool) -> tuple[Way, str]:
    """Who can be asked; and where nobody can, why.

    `topic` is where it was read, or was meant to go; empty for what a gateway refused. It has a
    place there if it was ever written.

    >>> way_of(code="out_of_order", topic="", has_place=False, is_whole=True)
    (<Way.GATEWAY: 'table_gateway'>, '')
    >>> way_of(code="conflict", topic="", has_place=False, is_whole=True)[0]
    <Way.NOBODY: 'nobody'>
    """
    if not is_whole:
        return Way.NOBODY, CUT
    if code in NEVER:
        return Way.NOBODY, NEVER[code]
    if topic in ("", topics.TABLE_EVENTS):
        return Way.GATEWAY, ""
    if topic in ENTERED and not has_place:
        return Way.ACCOUNTING, ""
    return Way.NOBODY, MADE


def entry_of(source: str, value: bytes) -> CageEvent | PromotionEvent | None:
    """What somebody wanted to enter, by the source that the letter names; None where the bytes are
    no entry, such as a line of a file."""
    kind = (
        PromotionEvent if source.partition("/")[0].endswith(topics.PROMOTION_EVENTS) else CageEvent
    )
    try:
        event = kind.FromString(value)
    except DecodeError:
        return None
    return event if event.event_id and event.WhichOneof("fact") else None
