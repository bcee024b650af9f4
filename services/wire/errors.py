"""What can go wrong between bytes and values.

    WireError
    ├── Unreadable          bytes or text that the contract does not accept
    │   ├── NotAnEvent          ... as an event of a table
    │   ├── NotARecord          ... as an output of settlement
    │   ├── NotADefinition      ... as an entry of the catalogue
    │   └── Misplaced           ... in that partition, which its key does not lead to
    └── Unwritable          a value that the contract cannot carry

A reason is a plain sentence without a full stop, fit for a dead letter and for the
answer to a controller.
"""

from __future__ import annotations


class WireError(ValueError):
    """The root of the tree: something does not fit the contract."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class UnreadableMessage(WireError):
    """Bytes or text that the contract does not accept."""


class NotAnEvent(UnreadableMessage):
    """Bytes or text that are no event of a table."""


class NotARecord(UnreadableMessage):
    """Bytes or text that are no output of settlement."""


class NotADefinition(UnreadableMessage):
    """Bytes that define nothing, or something else than their key says."""


class Misplaced(UnreadableMessage):
    """A message outside the partition that its key leads to, where only copies can be."""

    def __init__(self, partition: int, home: int) -> None:
        super().__init__(f"it lies in partition {partition}, and its key leads to {home}")


class Unwritable(WireError):
    """A value that the contract cannot carry."""
