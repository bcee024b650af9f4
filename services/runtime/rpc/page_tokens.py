"""Where the next page begins: after the last row that was shown, and only for the same question.

Rows are ordered by values that never change for a row, so what arrives between two pages neither
shows a row twice nor hides one that was there.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
from google.protobuf.message import Message

from runtime.database.query import Row
from runtime.query_errors import InvalidPageToken, InvalidQuery

TOKEN_MAX: Final = 1_000_000
"""Characters: a token of ours is far shorter."""
_DIGEST_BYTES: Final = 8

Key = tuple[int | str, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RowLimit:
    """Rows of a page: as many as requested, up to a limit, or the usual number."""

    usual: int
    most: int

    def of(self, requested: int) -> int:
        if requested > self.most:
            raise InvalidQuery("page_size", f"at most {self.most}, not {requested}")
        return requested or self.usual


PAGES: Final = RowLimit(usual=100, most=1_000)
"""Of rows that are small."""


class _PageCursor(msgspec.Struct, frozen=True, array_like=True):
    question: bytes
    after: tuple[int | str, ...]


class Paging:
    """One page of a question: which rows it may hold, and the token of the next.

    `keys` are the columns that order the rows, the newest first, with the type of each; `of`
    is the table's name in the query, where several have such columns.
    """

    def __init__(
        self, question: Message, size: int, token: str, keys: Mapping[str, type], *, of: str = ""
    ) -> None:
        self._question = question
        self._size = size
        self._keys = keys
        self._of = f"{of}." if of else ""
        self._after = read_token(question, token, tuple(keys.values()))

    @property
    def limit(self) -> int:
        """One more than a page holds: its presence shows that there is a next page."""
        return self._size + 1

    def where(self, conditions: Iterable[str], values: dict[str, Any]) -> str:
        """The clause of these conditions and of the rows shown before, whose values are added."""
        every = list(conditions)
        if self._after is not None:
            columns = ", ".join(f'{self._of}"{name}"' for name in self._keys)
            places = ", ".join(f"%(after_{name})s" for name in self._keys)
            every.append(f"({columns}) < ({places})")
            names = (f"after_{name}" for name in self._keys)
            values.update(zip(names, self._after, strict=True))
        return "WHERE " + "\n    AND ".join(every) if every else ""

    def cut(
        self, rows: Sequence[Row], fits: Callable[[Row], bool] = lambda _: True
    ) -> tuple[Sequence[Row], str]:
        """The rows of this page, at least one, and the token of the next; none at the end."""
        shown = [row for at, row in enumerate(rows[: self._size]) if not at or fits(row)]
        if len(shown) == len(rows):
            return shown, ""
        return shown, write_token(self._question, tuple(shown[-1][name] for name in self._keys))


def write_token(question: Message, after: Key) -> str:
    """The token with which `question` goes on after the row of this key."""
    return encode(_PageCursor(_digest(question), after))


def read_token(question: Message, token: str, like: tuple[type, ...]) -> Key | None:
    """The key after which to go on; None at the beginning. `like` are the types of a key."""
    if not token:
        return None
    place = decode("page_token", token, _PageCursor)
    if place.question != _digest(question):
        raise InvalidPageToken(
            "page_token", "it belongs to another query: repeat that one, or start at the first page"
        )
    if tuple(map(type, place.after)) != like or "\0" in "".join(map(str, place.after)):
        raise InvalidPageToken("page_token", "it is damaged: start at the first page")
    if any(isinstance(key, int) and not 0 <= key < 2**63 for key in place.after):
        raise InvalidPageToken("page_token", "it is damaged: start at the first page")
    return place.after


def encode(value: object) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(value)).rstrip(b"=").decode()


def decode(field: str, token: str, kind: type[T]) -> T:
    if len(token) > TOKEN_MAX:
        raise InvalidPageToken(field, "it is longer than any of ours")
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
        return msgspec.msgpack.decode(data, type=kind)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        raise InvalidPageToken(field, "it is none of ours, or was damaged") from None


def _digest(question: Message) -> bytes:
    """The query without its page: the size may change between pages."""
    bare = type(question)()
    bare.CopyFrom(question)
    bare.ClearField("page_token")
    bare.ClearField("page_size")
    data = question.DESCRIPTOR.name.encode() + bare.SerializeToString(deterministic=True)
    return hashlib.sha256(data).digest()[:_DIGEST_BYTES]
