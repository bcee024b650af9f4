"""What can go wrong that trying again does not mend.

ClientError
├── JournalDamaged     bytes in the middle of the journal are not what was written
├── JournalForeign     the journal is another table's
├── Rejected           the gateway refused an event: somebody must look at it
├── LogBehind          the log lacks events that were acknowledged and are here no more
├── JournalBehind      the log has events that this journal never had
└── Replaced           a newer call speaks for the table: this controller is the older one
"""

from __future__ import annotations

from pathlib import Path


class ClientError(Exception):
    """The root of the tree."""


class JournalDamaged(ClientError):
    """Bytes in the middle of the journal are not what was written."""

    def __init__(self, path: Path, offset: int) -> None:
        self.path = path
        self.offset = offset
        super().__init__(f"{path}: damaged at byte {offset}")


class JournalForeign(ClientError):
    """The journal is another table's."""

    def __init__(self, path: Path, *, table: str, found: str) -> None:
        self.path = path
        self.table = table
        self.found = found
        super().__init__(f"{path} is the journal of {found}, not of {table}")


class Rejected(ClientError):
    """The gateway refused an event; or the declaration that it is missing, and all waits."""

    def __init__(self, *, seq: int, code: str, reason: str) -> None:
        self.seq = seq
        self.code = code
        self.reason = reason
        super().__init__(f"event {seq} was refused: {code}: {reason}")


class LogBehind(ClientError):
    """The log lacks events that were acknowledged and are here no more: is it the right one?"""

    def __init__(self, *, log_seq: int, journal_seq: int) -> None:
        self.log_seq = log_seq
        self.journal_seq = journal_seq
        super().__init__(f"the log ends with {log_seq}, the journal begins after {journal_seq}")


class JournalBehind(ClientError):
    """The log has events that this journal never had: an old copy of it, or two controllers."""

    def __init__(self, *, log_seq: int, journal_seq: int) -> None:
        self.log_seq = log_seq
        self.journal_seq = journal_seq
        super().__init__(f"the log ends with {log_seq}, the journal already with {journal_seq}")


class Replaced(ClientError):
    """A newer call speaks for the table; trying again would only end that one in turn."""

    def __init__(self, table: str) -> None:
        self.table = table
        super().__init__(f"a newer call speaks for {table}")
