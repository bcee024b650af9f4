"""Where the next page begins: after the last row that was shown, and only for the same question.

Rows are ordered by values that never change for a row, so what arrives between two pages neither
shows a row twice nor hides one that was there.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from google.protobuf.message import Message

from accounting.database import Row
from accounting.errors import BadQuestion, BadToken

PAGE_SIZE: Final = 100
PAGE_SIZE_MAX: Final = 1_000
TOKEN_MAX: Final = 1_000_000
"""Characters: a token of ours is far shorter."""
_DIGEST_BYTES: Final = 8

Key = tuple[int | str, ...]
T = TypeVar("T")


class _Place(msgspec.Struct, frozen=True, array_like=True):
    question: bytes
    after: tuple[int | str, ...]


class Paging:
    """One page of a question: which rows it may hold, and the token of the next.

    `keys` are the columns that order the rows, the newest first, with the type of each.
    """

    def __init__(
        self, question: Message, page_size: int, page_token: str, keys: Mapping[str, type]
    ) -> None:
        self._size = size_of(page_size)
        self._keys = keys
        self._question = question
        self._after = read_token(question, page_token, tuple(keys.values()))

    @property
    def limit(self) -> int:
        """One more than a page holds: that there is one says that the question goes on."""
        return self._size + 1

    def where(self, conditions: Iterable[str], values: dict[str, Any]) -> str:
        """The clause of these conditions and of what was shown, whose values are added."""
        every = list(conditions)
        if self._after is not None:
            columns = ", ".join(f'"{name}"' for name in self._keys)
            places = ", ".join(f"%(after_{name})s" for name in self._keys)
            every.append(f"({columns}) < ({places})")
            names = (f"after_{name}" for name in self._keys)
            values.update(zip(names, self._after, strict=True))
        return "WHERE " + " AND ".join(every) if every else ""

    def cut(self, rows: Sequence[Row]) -> tuple[Sequence[Row], str]:
        """The rows of this page, and the token of the next; none at the end."""
        shown = rows[: self._size]
        if len(shown) == len(rows):
            return shown, ""
        return shown, write_token(self._question, tuple(shown[-1][name] for name in self._keys))


def size_of(page_size: int) -> int:
    if page_size > PAGE_SIZE_MAX:
        raise BadQuestion("page_size", f"at most {PAGE_SIZE_MAX}, not {page_size}")
    return page_size or PAGE_SIZE


def write_token(question: Message, after: Key) -> str:
    """The token with which `question` goes on after the row of this key."""
    return encode(_Place(_digest(question), after))


def read_token(question: Message, token: str, like: tuple[type, ...]) -> Key | None:
    """The key after which to go on; None at the beginning. `like` are the types of a key."""
    if not token:
        return None
    place = decode("page_token", token, _Place)
    if place.question != _digest(question):
        raise BadToken("page_token", "it belongs to another question: ask that, or begin anew")
    if tuple(map(type, place.after)) != like or "\0" in "".join(map(str, place.after)):
        raise BadToken("page_token", "it is damaged: begin anew")
    if any(isinstance(each, int) and not 0 <= each < 2**63 for each in place.after):
        raise BadToken("page_token", "it is damaged: begin anew")
    return place.after


def encode(value: object) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(value)).rstrip(b"=").decode()


def decode(field: str, token: str, kind: type[T]) -> T:
    if len(token) > TOKEN_MAX:
        raise BadToken(field, "it is longer than any of ours")
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
        return msgspec.msgpack.decode(data, type=kind)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        raise BadToken(field, "it is none of ours, or was damaged") from None


def _digest(question: Message) -> bytes:
    """The question without its page: another size may be asked for on the way."""
    bare = type(question)()
    bare.CopyFrom(question)
    bare.ClearField("page_token")
    bare.ClearField("page_size")
    data = question.DESCRIPTOR.name.encode() + bare.SerializeToString(deterministic=True)
    return hashlib.sha256(data).digest()[:_DIGEST_BYTES]
