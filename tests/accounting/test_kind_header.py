"""The books never lose or gain money by the header that names the kind of a table's event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from accounting.postgres.batch_writer import COLUMNS
from casino.table.v1.event_pb2 import TableEvent
from tests.accounting.books import Books, Log, Said
from tests.table_simulator.days import a_day
from wire.headers import KIND
from wire.topics import TABLE_EVENTS


def right(said: Said) -> bytes:
    return (TableEvent.FromString(said.body).WhichOneof("fact") or "").encode()


def with_header(log: Log, kind_of: Callable[[Said], bytes]) -> Iterator[Said]:
    """The messages of a log; those of tables name a kind beside the event."""
    for said in log.messages():
        if said.topic_name == TABLE_EVENTS:
            yield replace(said, head=[*said.head, (KIND, kind_of(said))])
        else:
            yield said


@pytest.mark.parametrize(
    "kind_of",
    [
        pytest.param(right, id="right"),
        pytest.param(lambda _: b"card_dealt", id="wrong: no money"),
        pytest.param(lambda _: b"chips_sold", id="wrong: money"),
        pytest.param(lambda _: b"card_eaten", id="unknown"),
    ],
)
def test_the_rows_are_those_of_a_log_without_the_header(
    make_books: Callable[[], Books], kind_of: Callable[[Said], bytes]
) -> None:
    log = Log()
    log.play(a_day(7, tables=3, rounds=5))
    without, with_kinds = make_books(), make_books()
    without.take(log.messages())
    with_kinds.take(with_header(log, kind_of))
    assert without.rows("transfers") != []
    for table in sorted(COLUMNS):
        assert without.rows(table) == with_kinds.rows(table), table
