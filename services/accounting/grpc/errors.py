"""What accounting refuses, and what it cannot answer.

MessageRejected               a message of the log that is not booked, with a code and the reason
InvalidQuery            a field of a request makes no sense (runtime.query_errors)
├── UnknownReport           there is no report of that name
└── InvalidDay                  no gaming day, or days the wrong way round
AccountingError
├── NotFound            there is no such coupon, day or promotion
├── CommandRejected      an entry that is not made; nothing of it is in the log
│   ├── InvalidCommand           by itself: unbalanced, of another currency, in the future, ...
│   ├── AlreadyEntered      it was entered before, or something that stands in its place
│   └── CommandConflict        by what is known: a closed day, an unknown table, a spent coupon, ...
├── NotClosable         checks of the day are not met, and no override answers for them
├── PostingPending        an entry that is in the log, and not in the ledger by now
├── EntryUnacknowledged      an entry of which nobody knows whether it is in the log
├── LedgerBehind        the ledger has not read what was entered before: nothing was entered
├── Busy                others are entering: nothing was entered
└── NotRebuildable      the process may not empty the tables
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import grpc

from runtime import query_errors
from runtime.query_errors import REASON_MAX, InvalidQuery


class MessageRejected(Exception):
    """A message that is not booked: `code` for programs, `reason` for people."""

    def __init__(self, code: str, reason: str, author: str = "") -> None:
        self.code = code
        self.reason = reason
        self.author = author
        super().__init__(reason)


class AccountingError(Exception):
    """The root of what callers are told."""


class UnknownReport(InvalidQuery):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__("name", f"there is no report {name!r}; there are {', '.join(known)}")


class InvalidDay(InvalidQuery):
    def __init__(self, field: str, day: str, reason: str) -> None:
        self.day = day
        super().__init__(field, f"{day!r} {reason}")


class NotFound(AccountingError):
    def __init__(self, what: str, name: str) -> None:
        self.what = what
        self.name = name
        super().__init__(f"there is no {what} {name!r}")


class CommandRejected(AccountingError):
    """`code` is the word under which `FindRefusals` lists it; `see` is the call to make instead."""

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
    """The refusal of a code: what is not wrong by itself is contradicted by what is known."""
    return _KINDS.get(code, CommandConflict)(code, reason)


class NotClosable(AccountingError):
    def __init__(self, gaming_day: str, reason: str, checks: Sequence[str] = ()) -> None:
        self.gaming_day = gaming_day
        self.reason = reason[:REASON_MAX]
        self.checks = ", ".join(checks)
        super().__init__(f"{gaming_day} is not closed: {self.reason}")


class PostingPending(AccountingError):
    def __init__(self, event_id: str, seconds: float) -> None:
        self.event_id = event_id
        super().__init__(
            f"after {seconds:g} s the ledger has not posted it: the entry {event_id} is in the log"
            " and will be posted. Ask again with the same event_id: that enters nothing twice"
        )


class EntryUnacknowledged(AccountingError):
    def __init__(self, event_ids: Sequence[str], reason: str) -> None:
        self.event_ids = " ".join(event_ids)
        self.reason = reason[:REASON_MAX]
        super().__init__(
            f"the brokers did not say that they have it ({self.reason}): ask again with the same"
            " event_id, which enters nothing twice"
        )


class LedgerBehind(AccountingError):
    def __init__(self, messages: int, seconds: float) -> None:
        self.messages = messages
        super().__init__(
            f"after {seconds:g} s the ledger is {messages} messages behind what was entered before:"
            " nothing was entered, try again soon"
        )


class Busy(AccountingError):
    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"others were entering for {seconds:g} s: nothing was entered, try again soon"
        )


class NotRebuildable(AccountingError):
    def __init__(self) -> None:
        super().__init__(
            "to empty the ledger takes the right of its owner: start accounting with"
            " DATABASE_MIGRATION_URL, then ask again"
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
