"""Errors that another try does not fix.

ClientError
├── OutboxDamaged     bytes in the middle of the outbox are not those that were written
├── OutboxForeign     the outbox is another table's
├── Rejected          the gateway rejected an event: a person must look at it
├── LogBehind         the log is missing acknowledged events that the outbox no longer has
├── OutboxBehind      the log has events that this outbox never had
└── Replaced          a newer call reports for the table: this controller is the older one
"""

from __future__ import annotations

from pathlib import Path


class ClientError(Exception):
    """The root of the tree."""


class OutboxDamaged(ClientError):
    """Bytes in the middle of the outbox are not those that were written."""

    def __init__(self, path: Path, offset: int) -> None:
        self.path = path
        self.offset = offset
        super().__init__(f"{path}: damaged at byte {offset}")


class OutboxForeign(ClientError):
    """The outbox is another table's."""

    def __init__(self, path: Path, *, table: str, found: str) -> None:
        self.path = path
        self.table = table
        self.found = found
        super().__init__(f"{path} is the outbox of table {found}, not of table {table}")


class Rejected(ClientError):
    """The gateway rejected an event; or the declaration of its gap, and the table waits."""

    def __init__(self, *, seq: int, code: str, reason: str) -> None:
        self.seq = seq
        self.code = code
        self.reason = reason
        super().__init__(f"event {seq} was rejected: {code}: {reason}")


class LogBehind(ClientError):
    """The log is missing acknowledged events that the outbox no longer has: another log?"""

    def __init__(self, *, log_seq: int, outbox_seq: int) -> None:
        self.log_seq = log_seq
        self.outbox_seq = outbox_seq
        super().__init__(
            f"the log ends with event {log_seq}, the outbox begins after event {outbox_seq}"
        )


class OutboxBehind(ClientError):
    """The log has events that this outbox never had: an old copy of it, or two controllers."""

    def __init__(self, *, log_seq: int, outbox_seq: int) -> None:
        self.log_seq = log_seq
        self.outbox_seq = outbox_seq
        super().__init__(
            f"the log ends with event {log_seq}, the outbox already with event {outbox_seq}"
        )


class Replaced(ClientError):
    """A newer call reports for the table; another try would only end that one in turn."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(f"a newer call reports for table {table}")
