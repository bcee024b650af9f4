"""Facts of the cage as tests enter them, and what is expected of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from blackjack.facts import DropBoxRemoved, Fact, TableClosed, TableOpened
from blackjack.facts.vocabulary import ChipCount
from casino.accounting.v1.cage_event_pb2 import (
    INVENTORY_KIND_CLOSER,
    INVENTORY_KIND_OPENER,
    CageEvent,
    EntryLine,
    EntryPosted,
)
from casino.table.v1 import facts_money_pb2, facts_table_pb2
from runtime.rpc.errors import error_info
from tests.accounting.books import CALENDAR
from tests.accounting.house import House

DAY = date(2026, 3, 1)
AT = CALENDAR.begins_at(DAY) + 12 * 3_600_000_000
"""In the evening of the day."""
SIGNERS = ("C-1", "S-1", "D-1", "P-1")
TEAM = ("T-1", "T-2", "T-3")
HOUR = 3_600_000_000


def at(time: int = AT) -> Timestamp:
    return Timestamp(seconds=time // 1_000_000, nanos=time % 1_000_000 * 1000)


def chips(cents: int) -> list[facts_table_pb2.ChipCount]:
    return [facts_table_pb2.ChipCount(denomination_cents=100, count=cents // 100)]


def cage_event(table: str = "", **said: Any) -> CageEvent:
    return CageEvent(table_id=table, **{"at": at(), **said})


def a_fill(table: str, slip: str, *, cents: int = 500_00, **said: Any) -> CageEvent:
    signers = said.pop("signers", SIGNERS)
    fill = facts_money_pb2.FillIssued(slip=slip, inventory=chips(cents), signers=signers)
    return cage_event(table, fill_issued=fill, **said)


def pieces(*counted: tuple[str, int, int]) -> list[facts_money_pb2.DropCount]:
    return [
        facts_money_pb2.DropCount(kind=kind, denomination_cents=cents, count=count)
        for kind, cents, count in counted
    ]


def a_count(table: str, box: str, *, hundreds: int = 12, **said: Any) -> CageEvent:
    event = cage_event(table, **{"at": at(AT + HOUR), **said})
    event.drop_counted.box = box
    event.drop_counted.team.extend(TEAM)
    event.drop_counted.counts.extend(pieces(("currency", 100_00, hundreds)))
    return event


def a_recount(table: str, box: str, *, hundreds: int = 12, verifier: str = "V-1") -> CageEvent:
    event = cage_event(table, at=at(AT + HOUR))
    event.drop_recounted.box = box
    event.drop_recounted.verifier = verifier
    event.drop_recounted.counts.extend(pieces(("currency", 100_00, hundreds)))
    return event


def an_inventory(table: str, *, opens: bool, cents: int, **said: Any) -> CageEvent:
    event = cage_event(table, **said)
    kind = INVENTORY_KIND_OPENER if opens else INVENTORY_KIND_CLOSER
    event.inventory_counted.kind = kind
    event.inventory_counted.inventory.extend(chips(cents))
    event.inventory_counted.signers.extend(("D-1", "P-1"))
    return event


def by_hand(*lines: tuple[str, int], **said: Any) -> CageEvent:
    posted = EntryPosted(
        lines=[EntryLine(account=account, cents=cents) for account, cents in lines],
        currency=said.pop("currency", ""),
        reason=said.pop("reason", "as agreed"),
        adjusting=said.pop("adjusting", False),
    )
    return cage_event(entry_posted=posted, **said)


def work(house: House, table: str, *, opener: int = 10_000_00, closer: int = 10_000_00) -> None:
    """A table opens, closes and gives its box away: after that it is known."""
    house.report(table, AT, *table_facts(table, opener=opener, closer=closer))
    house.caught_up()


def table_facts(
    table: str, *, opener: int = 10_000_00, closer: int = 10_000_00
) -> tuple[Fact, ...]:
    return (
        TableOpened((ChipCount(100, opener // 100),), f"O-{table}", ("D-1", "P-1")),
        TableClosed((ChipCount(100, closer // 100),), f"C-{table}", ("D-1", "P-1")),
        DropBoxRemoved(f"B-{table}", ("T-1", "P-1")),
    )


@contextmanager
def refusal(code: str, *, status: grpc.StatusCode | None = None) -> Iterator[Callable[[], str]]:
    """What is done within is refused, with that code and the words that are asked for after."""
    words: list[str] = []
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        yield lambda: words[0]
    info = error_info(refused.value)
    assert info is not None, refused.value
    words.append(refused.value.details() or "")
    assert info.metadata.get("code", info.reason) == code, refused.value
    if status is not None:
        assert refused.value.code() is status
