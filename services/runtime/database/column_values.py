"""Values of messages as columns of a database can hold them."""

from __future__ import annotations

import hashlib
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

TEXT_MAX: Final = 300
"""Names have a few dozen characters; a longer one is cut, and distinguished by its hash."""
_LAST_SECOND: Final = 253_402_300_799
"""Of the year 9999."""


def column_text(text: str) -> str:
    """A text for an indexed column: no zero byte, and not longer than an index allows."""
    if len(text) > TEXT_MAX:
        text = text[: TEXT_MAX - 17] + "#" + hashlib.sha256(text.encode()).hexdigest()[:16]
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in text else text


def micros(time: Timestamp) -> int:
    """Microseconds since 1970, always within the range of the database."""
    return max(0, min(time.seconds, _LAST_SECOND)) * 1_000_000 + time.nanos // 1000
