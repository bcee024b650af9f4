"""Batches of records whose header names are not UTF-8, read all the same.

The Kafka client under Faust decodes the names of headers strictly, and a name that is not UTF-8
ends it again after every start: one such message, written by anybody, would stop surveillance for
good. A batch that the client's compiled reader fails on is therefore read by its Python reader,
with such names replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from aiokafka.consumer import fetcher
from aiokafka.record.default_records import _DefaultRecordBatchPy
from aiokafka.record.memory_records import MemoryRecords

_LENGTH_AT: Final = 8
_HEAD_BYTES: Final = 12
"""Before what a batch calls its length: the first offset, and the length itself."""


class LenientRecords:
    """The batches of a fetch, as the client's own class gives them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._records: Any = MemoryRecords(data)
        self._at = 0

    def size_in_bytes(self) -> int:
        size: int = self._records.size_in_bytes()
        return size

    def has_next(self) -> bool:
        has: bool = self._records.has_next()
        return has

    def next_batch(self) -> Any:
        begin = self._at
        size = int.from_bytes(self._data[begin + _LENGTH_AT : begin + _HEAD_BYTES], "big")
        self._at = begin + _HEAD_BYTES + size
        return LenientBatch(self._records.next_batch(), self._data[begin : self._at])


class LenientBatch:
    """One batch; everything but its records is told by the client's own class."""

    def __init__(self, batch: Any, data: bytes) -> None:
        self._batch = batch
        self._data = data
        self._records: Iterator[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._records is None:
            self._records = self._read()
        return next(self._records)

    def _read(self) -> Iterator[Any]:
        given = 0
        try:
            for record in self._batch:
                yield record
                given += 1
        except UnicodeDecodeError:
            batch: Any = _DefaultRecordBatchPy(self._data)
            batch._maybe_uncompress()
            batch._buffer = _Lenient(batch._buffer)
            for number, record in enumerate(batch):
                if number >= given:
                    yield record


class _Lenient(bytearray):
    """Bytes whose parts decode whatever they hold."""

    def __getitem__(self, at: Any) -> Any:
        part = super().__getitem__(at)
        return _Lenient(part) if isinstance(at, slice) else part

    def decode(self, encoding: str = "utf-8", errors: str = "replace") -> str:  # noqa: ARG002
        return bytes(self).decode(encoding, "replace")


def install() -> None:
    """From now on, in this process."""
    fetcher.MemoryRecords = LenientRecords
