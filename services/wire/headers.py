"""What travels beside a message of the log, so that its bytes stay as they were received."""

from __future__ import annotations

from typing import Final

INGEST_TIME: Final = "ingest-time"
"""When the gateway received an event: microseconds since 1970, in decimal digits."""

CODE: Final = "code"
"""Of a dead letter: what is wrong with it, in one word."""
REASON: Final = "reason"
"""Of a dead letter: what is wrong with it, in a sentence."""
TABLE: Final = "table"
"""Of a dead letter: the table in whose stream it came."""
PEER: Final = "peer"
"""Of a dead letter: who sent it, by certificate."""
LENGTH: Final = "length"
"""Of a dead letter: how many bytes it had; more than are kept where it was too large."""
DIGEST: Final = "sha256"
"""Of a dead letter: the SHA-256 of all of its bytes, in hexadecimal."""


def write_ingest_time(at: int) -> bytes:
    """
    >>> write_ingest_time(1_772_396_100_000_000)
    b'1772396100000000'
    """
    return b"%d" % at


def read_ingest_time(header: bytes | None) -> int:
    """Microseconds since 1970; 0 where there is none, or none that can be read.

    >>> read_ingest_time(b"1772396100000000"), read_ingest_time(None), read_ingest_time(b"noon")
    (1772396100000000, 0, 0)
    """
    return int(header) if header is not None and header.isdigit() and len(header) < 19 else 0
