"""Messages of the changelog of states, as a store of the library takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from faust.types import TP


@dataclass(frozen=True, slots=True)
class Record:
    key: bytes
    value: bytes | None
    """None: the subject has no state any more."""
    tp: TP
    offset: int

    @property
    def partition(self) -> int:
        return self.tp.partition


@dataclass(frozen=True, slots=True)
class _StoreEvent:
    message: Record

    @property
    def key(self) -> bytes:
        return self.message.key

    @property
    def value(self) -> bytes | None:
        return self.message.value


def apply(store: Any, records: Iterable[Record]) -> None:
    """Writes the states to the store and notes how far the changelog is in it, where it can."""
    events = [_StoreEvent(record) for record in records]
    store.apply_changelog_batch(events, to_key=bytes, to_value=lambda value: value)
