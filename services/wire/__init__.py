"""The contract in Python: protobuf to the engine's values and back, and topic names.

Nothing outside this package sees a protobuf message of the log. Bytes come in and an
`Event` goes out, or a `NotAnEvent` that says in plain words what is wrong with them.
"""

from __future__ import annotations

from wire.errors import (
    NotADefinition,
    NotAnEvent,
    NotARecord,
    UnreadableMessage,
    Unwritable,
    WireError,
)
from wire.events import decode_event, encode_event

__all__ = [
    "NotADefinition",
    "NotARecord",
    "NotAnEvent",
    "UnreadableMessage",
    "Unwritable",
    "WireError",
    "decode_event",
    "encode_event",
]
