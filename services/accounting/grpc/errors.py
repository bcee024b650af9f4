"""The errors of accounting.

PostingRejected             a message of the log that is not posted, with a code and the reason
InvalidQuery                an invalid field of a request (runtime.query_errors)
├── UnknownReport           no report has that name
└── InvalidDay              not a gaming day, or days in the wrong order
AccountingError
├── NotFound                no coupon, day or promotion has that name
├── CommandRejected         a command that is not entered; nothing of it is in the log
│   ├── InvalidCommand      invalid by itself: unbalanced, another currency, in the future, ...
│   ├── AlreadyEntered      entered before, or its slip, box or coupon was used
│   └── CommandConflict     in conflict with the ledger: a closed day, an unknown table, ...
├── NotClosable             checks of the day are not met, and no override approves that
├── PostingPending          the entry is in the log, but not yet in the ledger
├── EntryUnacknowledged     the brokers did not acknowledge the entry in time
├── LedgerBehind            earlier entries are not posted yet: nothing was entered
├── Busy                    another command holds the lock: nothing was entered
└── NotRebuildable          the process may not empty the tables
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import grpc

from runtime import query_errors
from runtime.query_errors import REASON_MAX, InvalidQuery


class PostingRejected(Exception):
    """A message that is not posted: `code` for programs, `reason` for people."""

    def __init__(self, code: str, reason: str, author: str = "") -> None:
        self.code = code
        self.reason = reason
        self.author = author
        super().__init__(reason)


class AccountingError(Exception):
    """The root of the errors that callers get."""


class UnknownReport(InvalidQuery):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__("name", f"report {name!r} not found: expected one of {', '.join(known)}")


class InvalidDay(InvalidQuery):
    def __init__(self, field: str, day: str, expected: str) -> None:
        self.day = day
        super().__init__(field, f'invalid gaming day "{day}": expected {expected}')


class NotFound(AccountingError):
    def __init__(self, what: str, name: str) -> None:
        self.what = what
        self.name = name
        super().__init__(f"{what.capitalize()} {name!r} not found.")


class CommandRejected(AccountingError):
    """`code` is for programs, in the list of rejections too; `see` is the call to make instead."""

    def __init__(self, code: str, reason: str, *, see: str = "") -> None:
        self.code = code
        self.reason = reason[:REASON_MAX]
        self.see = see
        super().__init__(self.reason)


class InvalidCommand(CommandRejected):
    pass


class AlreadyEntered(CommandRejected):
    pass


class CommandConflict(CommandRejected):
    pass


_KINDS: Final[Mapping[str, type[CommandRejected]]] = {
    "duplicate": AlreadyEntered,
    **dict.fromkeys(
        (
            "amount", "currency", "future", "no_account", "no_day", "no_number", "no_patron",
            "no_reason", "no_table", "not_bookable", "not_here", "overflow", "terms", "too_many",
            "unbalanced", "unreadable",
        ),
        InvalidCommand,
    ),
}  # fmt: skip


def rejection_of(code: str, reason: str) -> CommandRejected:
    """The error for a code: a conflict, unless the command is invalid by itself."""
    return _KINDS.get(code, CommandConflict)(code, reason)


class NotClosable(AccountingError):
    def __init__(self, gaming_day: str, reason: str, checks: Sequence[str] = ()) -> None:
        self.gaming_day = gaming_day
        self.reason = reason[:REASON_MAX]
        self.checks = ", ".join(checks)
        super().__init__(f"Gaming day {gaming_day} cannot be closed: {self.reason}.")


class PostingPending(AccountingError):
    def __init__(self, event_id: str, seconds: float) -> None:
        self.event_id = event_id
        super().__init__(
            f"Not posted within {seconds:g} s: entry {event_id} is in the log and will be posted."
            " Retry with the same event_id; it is entered only once."
        )


class EntryUnacknowledged(AccountingError):
    def __init__(self, event_ids: Sequence[str], reason: str) -> None:
        self.event_ids = " ".join(event_ids)
        self.reason = reason[:REASON_MAX]
        super().__init__(
            f"Not acknowledged by the brokers ({self.reason}): retry with the same event_id; it is"
            " entered only once."
        )


class LedgerBehind(AccountingError):
    def __init__(self, messages: int, seconds: float) -> None:
        self.messages = messages
        super().__init__(
            f"Nothing was entered: after {seconds:g} s, {messages} earlier messages are not posted"
            " yet. Retry shortly."
        )


class Busy(AccountingError):
    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"Nothing was entered: other commands held the lock for {seconds:g} s. Retry shortly."
        )


class NotRebuildable(AccountingError):
    def __init__(self) -> None:
        super().__init__(
            "Rebuilding requires the rights of the ledger's owner: start accounting with"
            " DATABASE_MIGRATION_URL, then retry."
        )


STATUS_CODES: Mapping[type[Exception], grpc.StatusCode] = {
    **query_errors.STATUS_CODES,
    NotFound: grpc.StatusCode.NOT_FOUND,
    InvalidCommand: grpc.StatusCode.INVALID_ARGUMENT,
    AlreadyEntered: grpc.StatusCode.ALREADY_EXISTS,
    CommandConflict: grpc.StatusCode.FAILED_PRECONDITION,
    NotClosable: grpc.StatusCode.FAILED_PRECONDITION,
    PostingPending: grpc.StatusCode.DEADLINE_EXCEEDED,
    EntryUnacknowledged: grpc.StatusCode.UNAVAILABLE,
    LedgerBehind: grpc.StatusCode.UNAVAILABLE,
    Busy: grpc.StatusCode.UNAVAILABLE,
    NotRebuildable: grpc.StatusCode.FAILED_PRECONDITION,
}
