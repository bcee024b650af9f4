"""Why a question is not answered, whichever service was asked.

QuestionError
├── BadQuestion          a field of the request makes no sense
│   └── BadToken             a page or a link that is none of ours, or of another question
├── DatabaseAway         the database cannot be asked at the moment
├── TooSlow              the question took longer than a statement may
└── KafkaAway            the log cannot be asked or written at the moment

A service adds `STATUS_CODES` to those of its own errors.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import grpc

REASON_MAX: Final = 600
"""Characters: an answer's words travel in headers, which are limited."""


class QuestionError(Exception):
    """The root of the tree."""


class BadQuestion(QuestionError):
    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")


class BadToken(BadQuestion):
    pass


class DatabaseAway(QuestionError):
    def __init__(self) -> None:
        super().__init__("the database does not answer: try again soon")


class TooSlow(QuestionError):
    def __init__(self) -> None:
        super().__init__("the question took too long: ask for less, such as a shorter time")


class KafkaAway(QuestionError):
    def __init__(self, reason: str) -> None:
        self.reason = reason[:REASON_MAX]
        super().__init__(f"the brokers do not answer: {self.reason}")


def member(field: str, value: int, known: Collection[int]) -> int:
    """A value of an enumeration that is stated and known.

    >>> member("level", 2, (0, 1, 2))
    2
    """
    if not value or value not in known:
        raise BadQuestion(field, f"{value} is none that is known" if value else "it is not stated")
    return int(value)


STATUS_CODES: Mapping[type[Exception], grpc.StatusCode] = {
    BadQuestion: grpc.StatusCode.INVALID_ARGUMENT,
    DatabaseAway: grpc.StatusCode.UNAVAILABLE,
    TooSlow: grpc.StatusCode.DEADLINE_EXCEEDED,
    KafkaAway: grpc.StatusCode.UNAVAILABLE,
}
