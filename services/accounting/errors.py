"""What accounting refuses, and what it cannot answer.

NotPosted               a message of the log that is not booked, with a code and the reason
AccountingError
├── BadQuestion         a field of a request makes no sense
│   ├── UnknownReport       there is no report of that name
│   ├── BadDay              no gaming day, or days the wrong way round
│   └── BadToken            a drill or a page that is none of ours, or of another question
├── DatabaseAway        the ledger cannot be asked at the moment
└── TooSlow             the question took longer than a statement may
"""

from __future__ import annotations

from collections.abc import Sequence


class NotPosted(Exception):
    """A message that is not booked: `code` for programs, `reason` for people."""

    def __init__(self, code: str, reason: str, author: str = "") -> None:
        self.code = code
        self.reason = reason
        self.author = author
        super().__init__(reason)


class AccountingError(Exception):
    """The root of what callers are told."""


class BadQuestion(AccountingError):
    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")


class UnknownReport(BadQuestion):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__("name", f"there is no report {name!r}; there are {', '.join(known)}")


class BadDay(BadQuestion):
    def __init__(self, field: str, day: str, reason: str) -> None:
        self.day = day
        super().__init__(field, f"{day!r} {reason}")


class BadToken(BadQuestion):
    pass


class DatabaseAway(AccountingError):
    def __init__(self) -> None:
        super().__init__("the database does not answer: try again soon")


class TooSlow(AccountingError):
    def __init__(self) -> None:
        super().__init__("the question took too long: ask for fewer days, or one table")
