"""Errors of a query, the same in every service.

QueryError
├── InvalidQuery         a field of the request makes no sense
│   └── InvalidPageToken     a page or a link that is not ours, or belongs to another query
├── DatabaseUnavailable  the database does not answer at the moment
├── QueryTimeout         the query took longer than a statement may
└── KafkaUnavailable     the log can be neither read nor written at the moment

A service adds `STATUS_CODES` to those of its own errors.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import grpc

REASON_MAX: Final = 600
"""Characters: the text of an error travels in headers, which are limited."""


class QueryError(Exception):
    """The root of the tree."""


class InvalidQuery(QueryError):
    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")


class InvalidPageToken(InvalidQuery):
    pass


class DatabaseUnavailable(QueryError):
    def __init__(self) -> None:
        super().__init__("the database does not answer: try again soon")


class QueryTimeout(QueryError):
    def __init__(self) -> None:
        super().__init__("the query took too long: request less, such as a shorter time")


class KafkaUnavailable(QueryError):
    def __init__(self, reason: str) -> None:
        self.reason = reason[:REASON_MAX]
        super().__init__(f"the brokers do not answer: {self.reason}")


def member(field: str, value: int, known: Collection[int]) -> int:
    """A known value of an enumeration.

    >>> member("level", 2, (0, 1, 2))
    2
    """
    if not value or value not in known:
        raise InvalidQuery(field, f"{value} is unknown" if value else "missing")
    return int(value)


STATUS_CODES: Mapping[type[Exception], grpc.StatusCode] = {
    InvalidQuery: grpc.StatusCode.INVALID_ARGUMENT,
    DatabaseUnavailable: grpc.StatusCode.UNAVAILABLE,
    QueryTimeout: grpc.StatusCode.DEADLINE_EXCEEDED,
    KafkaUnavailable: grpc.StatusCode.UNAVAILABLE,
}
