"""Headers of our messages: what is known of a record and is not part of it.

The bytes of a record do not depend on where and when it was made; this does. `traceparent` is
W3C's and belongs to `runtime.tracing`.
"""

from __future__ import annotations

from typing import Final

from blackjack.facts import Fact
from blackjack.play.clock import is_valid_time
from wire.events import MEMBERS

INGESTED_AT: Final = "ingested-at"
"""On a table's event: when the gateway received it, in microseconds since 1970, as digits."""

WAITED_US: Final = "waited-us"
"""On a table's event that was not sent at once: how long it had been at its controller when it
was, in microseconds, as digits."""

KIND: Final = "kind"
"""On a table's event: the name of its fact in the contract, such as `card_dealt`. A reader that
does not need facts of that kind skips the message unparsed; where the header is missing or
unknown, it parses. The event itself decides: no header alone keeps money out of the books."""

SOURCE_TOPIC: Final = "source-topic"
SOURCE_PARTITION: Final = "source-partition"
SOURCE_OFFSET: Final = "source-offset"
"""On what was made of a message, dead letters among it: which message that was."""

REASON: Final = "reason"
"""On a dead letter: why it is one, in a sentence."""
CODE: Final = "code"
"""On a dead letter: the same in one word."""
TABLE: Final = "table"
"""On a dead letter: the table in whose stream it came, where that is known."""
PEER: Final = "peer"
"""On a dead letter of the gateway: who sent it, by certificate."""
AUTHOR: Final = "author"
"""On a dead letter of accounting: who wanted to enter it; on a retried event: who wanted that."""
RETRY_OF: Final = "retry-of"
"""On a table's event that was set aside and taken after all: its offset in dead-letters."""
RETRIED_AT: Final = "retried-at"
"""On the same: when it was taken, in microseconds since 1970; `ingested-at` is when it came."""
LENGTH: Final = "length"
"""On a dead letter: how many bytes it had; more than are kept if too large."""
DIGEST: Final = "sha256"
"""On a dead letter: the SHA-256 of all of its bytes, in hexadecimal."""

BYTES_MAX: Final = 1024
"""Of one header that is written: a longer one of somebody else's is not passed on."""
_KINDS: Final = {name.encode(): name for name in MEMBERS.values()}
_DIGITS_MAX: Final = 18  # microseconds of the next 30,000 years


def read_ingested_at(value: bytes | None) -> int:
    """The time of a header; 0, as for an event that passed no gateway, where it tells none.

    >>> read_ingested_at(b"1772416800000000"), read_ingested_at(b"soon"), read_ingested_at(None)
    (1772416800000000, 0, 0)
    """
    at = read_number(value) or 0
    return at if is_valid_time(at) else 0


def read_waited_us(value: bytes | None) -> int:
    """How long an event waited; 0, as for one that was sent at once, where nothing is told."""
    return read_number(value) or 0


def read_number(value: bytes | None) -> int | None:
    """The number of a header, where it holds one.

    >>> read_number(b"17"), read_number(b"-1"), read_number(None)
    (17, None, None)
    """
    if value is None or len(value) > _DIGITS_MAX or not value.isdigit():
        return None
    return int(value)


def read_kind(value: bytes | None) -> str:
    """The kind of fact that a header names; empty where it names none of the contract.

    >>> read_kind(b"card_dealt"), read_kind(b"card_eaten"), read_kind(None)
    ('card_dealt', '', '')
    """
    return _KINDS.get(value, "") if value else ""


def write_kind(fact: Fact) -> bytes:
    return MEMBERS[type(fact)].encode()


def write_ingested_at(ingested_at: int) -> bytes:
    return b"%d" % ingested_at


def write_waited_us(waited_us: int) -> bytes:
    return b"%d" % waited_us
