"""A leader that was replaced and does not know it yet answers for a log that is too short."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from table_gateway.domain.stream import TableStream
from table_gateway.grpc import sessions
from table_gateway.grpc.sessions import SessionRegistry
from table_gateway.kafka.ingest import EventIngest

TABLE = "BJ-07"


class Log:
    """Answers with these ends, one after the other, and with the last for good."""

    def __init__(self, *ends: int) -> None:
        self.ends = list(ends)

    async def query(self, table: str) -> TableStream:
        seq = self.ends.pop(0) if len(self.ends) > 1 else self.ends[0]
        return TableStream.at(table, seq, b"")


def seen(log: Log, *, acknowledged_seq: int) -> int:
    async def scene() -> int:
        tables = SessionRegistry(cast(EventIngest, None), log, count=lambda _: None)
        async with tables.open_session(
            TABLE, "table", acknowledged_seq=acknowledged_seq
        ) as session:
            return session.stream.seq

    return asyncio.run(scene())


def test_a_log_that_lacks_what_was_acknowledged_is_read_again() -> None:
    assert seen(Log(10, 10, 20), acknowledged_seq=20) == 20


def test_a_log_that_has_what_was_acknowledged_is_read_once() -> None:
    log = Log(10, 20)
    assert seen(log, acknowledged_seq=10) == 10
    assert log.ends == [20]


def test_a_log_that_stays_too_short_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {"STALE_SECONDS_MAX": 0.05, "AGAIN_SECONDS": 0.01}
    for name, value in names.items():
        monkeypatch.setattr(sessions, name, value)
    assert seen(Log(10), acknowledged_seq=20) == 10
