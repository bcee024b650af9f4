"""Where the next page begins: after the last row that was shown, and only for the same question.

Rows are ordered by values that never change for a row, so what arrives between two pages neither
shows a row twice nor hides one that was there.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from google.protobuf.message import Message

from accounting.database import Row
from accounting.errors import BadQuestion

PAGE_SIZE: Final = 100
PAGE_SIZE_MAX: Final = 1_000
_DIGEST_BYTES: Final = 8


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
        if page_size > PAGE_SIZE_MAX:
            raise BadQuestion("page_size", f"at most {PAGE_SIZE_MAX}, not {page_size}")
        self._size = page_size or PAGE_SIZE
        self._keys = keys
        self._digest = _digest(question)
        self._after = self._read(page_token) if page_token else None

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
        after = tuple(shown[-1][name] for name in self._keys)
        encoded = msgspec.msgpack.encode(_Place(self._digest, after))
        return shown, base64.urlsafe_b64encode(encoded).rstrip(b"=").decode()

    def _read(self, token: str) -> tuple[int | str, ...]:
        try:
            data = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
            place = msgspec.msgpack.decode(data, type=_Place)
        except (binascii.Error, ValueError, msgspec.MsgspecError):
            raise BadQuestion("page_token", "it is none of ours, or was damaged") from None
        if place.question != self._digest:
            raise BadQuestion("page_token", "it belongs to another question: begin anew")
        types = tuple(map(type, place.after))
        if types != tuple(self._keys.values()) or "\0" in "".join(map(str, place.after)):
            raise BadQuestion("page_token", "it is damaged: begin anew")
        return place.after


def _digest(question: Message) -> bytes:
    """The question without its page: another size may be asked for on the way."""
    bare = type(question)()
    bare.CopyFrom(question)
    bare.ClearField("page_token")
    bare.ClearField("page_size")
    data = question.DESCRIPTOR.name.encode() + bare.SerializeToString(deterministic=True)
    return hashlib.sha256(data).digest()[:_DIGEST_BYTES]
