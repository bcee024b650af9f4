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
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from wire import headers, topics
from wire.chain import digest
from wire.events import EVENT_BYTES_MAX

UNREADABLE: Final = "unreadable"
"""The code of bytes that no codec reads, or that belong to another topic or key."""
MISPLACED: Final = "misplaced"
"""The code of a message in a partition that its key does not lead to: a copy, as a rule."""
KEY_BYTES_MAX: Final = 1024
ENTERED: Final = frozenset({topics.CAGE_EVENTS, topics.PROMOTION_EVENTS})
CUT: Final = "only its first bytes are kept: whoever sent it has the rest"
MADE: Final = "a service made it of other messages: it is made anew when they are read anew"
NEVER: Final = {
    "foreign": "another table's certificate sent it, and speaks for no other: mend the wiring",
    "conflict": "the log has another event under its number, and the first one counts",
    "invalid_time": "its clock was wrong: what happened is entered by a person, or declared lost",
    "quarantined": "it is in the log: settlement tries its table again by itself at every start",
    "not_watched": "it is in its topic: surveillance reads it when it is mended and made anew",
    "not_settled": "it is in the log: settlement reads it when it is mended and the table refolded",
    "not_posted": "it is in its topic: accounting reads it when the ledger is rebuilt",
    "not_indexed": "it is in its topic: the archive reads it when the index is rebuilt",
    "not_listed": "it is in its topic: the alert desk reads it when its tables are rebuilt",
    MISPLACED: "only the partition of its key counts: find out who wrote it elsewhere",
}
"""Codes of what nobody takes again, and why."""


class DeadLetterRecord(NamedTuple):
    """Value, key and headers of what is kept of a message."""

    value: bytes
    key: bytes | None
    headers: list[tuple[str, str | bytes | None]]


def dead_letter(
    *,
    topic: str,
    partition: int,
    offset: int,
    key: bytes | None,
    value: bytes | None,
    code: str,
    reason: str,
    table: str = "",
) -> DeadLetterRecord:
    """As much of a message as is kept; `length` and the digest are those of the whole."""
    whole = value or b""
    known: list[tuple[str, str | bytes | None]] = [
        (headers.SOURCE_TOPIC, topic.encode()),
        (headers.SOURCE_PARTITION, b"%d" % partition),
        (headers.SOURCE_OFFSET, b"%d" % offset),
        (headers.CODE, code.encode()),
        (headers.REASON, cut(reason.encode(errors="replace"))),
        (headers.LENGTH, b"%d" % len(whole)),
        (headers.DIGEST, digest(whole).hex().encode()),
    ]
    if table:
        known.append((headers.TABLE, table.encode()))
    return DeadLetterRecord(whole[:EVENT_BYTES_MAX], key and key[:KEY_BYTES_MAX], known)


def cut(text: bytes) -> bytes:
    """As much of a text as a header holds, and still a text."""
    if len(text) <= headers.BYTES_MAX:
        return text
    return text[: headers.BYTES_MAX].decode("utf-8", "ignore").encode()


class RetryService(Enum):
    """Who can be asked."""

    NONE = "none"
    GATEWAY = "table_gateway"
    ACCOUNTING = "accounting"


def way_of(*, code: str, topic: str, has_place: bool, is_whole: bool) -> tuple[RetryService, str]:
    """Who can be asked; and where nobody can, why.

    `topic` is where it was read, or was meant to go; empty for what a gateway refused. It has a
    place there if it was ever written.

    >>> way_of(code="out_of_order", topic="", has_place=False, is_whole=True)
    (<RetryService.GATEWAY: 'table_gateway'>, '')
    >>> way_of(code="conflict", topic="", has_place=False, is_whole=True)[0]
    <RetryService.NONE: 'none'>
    """
    if not is_whole:
        return RetryService.NONE, CUT
    if code in NEVER:
        return RetryService.NONE, NEVER[code]
    if topic in ("", topics.TABLE_EVENTS):
        return RetryService.GATEWAY, ""
    if topic in ENTERED and not has_place:
        return RetryService.ACCOUNTING, ""
    return RetryService.NONE, MADE


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
