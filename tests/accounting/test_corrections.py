"""A settlement that is put right on another gaming day: both days say so, to the cent."""

from __future__ import annotations

import pytest
from msgspec import structs

from blackjack.facts import (
    ChipCount,
    Event,
    Fact,
    Inventory,
    SettlementCorrected,
    TableClosed,
    TableOpened,
)
from tests.accounting.asked import DAY, report
from tests.accounting.behind import check_behind
from tests.accounting.books import Books, Log
from tests.table_simulator.days import a_day, events_of
from wire.events import encode_event

NEXT_DAY = "2026-03-02"
DAY_US = 24 * 60 * 60 * 1_000_000
TABLE = "T001"


class Floor:
    """A day at one table, and what it reports on the day after."""

    def __init__(self) -> None:
        day = a_day(3, tables=1, rounds=12)
        self.log = Log()
        self.log.play(day)
        self.events = [event_ for event_ in events_of(day.frames)[TABLE] if event_.table == TABLE]
        self.seq = max(event.seq for event in self.events)
        self.at = max(event.at for event in self.events) + DAY_US // 2

    def last(self, kind: type[Fact]) -> Fact:
        return next(event.fact for event in reversed(self.events) if isinstance(event.fact, kind))

    def say(self, *facts: Fact) -> None:
        for fact in facts:
            self.seq += 1
            self.at += 1_000_000
            event = Event(TABLE, self.seq, self.at, fact)
            self.log.report(TABLE, encode_event(event), self.at)

    def next_day(self, corrected: SettlementCorrected, *, lacking: int) -> None:
        """Opens with the last closer, corrects a round of the day before, closes."""
        opened, closed = self.last(TableOpened), self.last(TableClosed)
        assert isinstance(opened, TableOpened)
        assert isinstance(closed, TableClosed)
        self.say(
            structs.replace(opened, inventory=closed.inventory, slip="O-2"),
            corrected,
            structs.replace(closed, inventory=without(closed.inventory, lacking), slip="C-2"),
        )


def without(inventory: Inventory, cents: int) -> Inventory:
    """A tray that lacks so much of its smallest chips that are worth it."""
    chip = next(
        chip_count
        for chip_count in inventory
        if cents % chip_count.denomination_cents == 0
        and chip_count.count >= cents // chip_count.denomination_cents
    )
    left = ChipCount(chip.denomination_cents, chip.count - cents // chip.denomination_cents)
    return tuple(left if chip_count is chip else chip_count for chip_count in inventory)


def a_wager(books: Books) -> tuple[str, int, int, str]:
    """Of the last round: those long before are out of the engine's reach."""
    (found,) = books.ask(
        "SELECT round, seat, hand, wager FROM wagers WHERE wager = 'main'"
        " AND NOT tip ORDER BY opening_seq DESC, seat, hand LIMIT 1"
    )
    round_, seat, hand, wager = found
    return round_, seat, hand, wager


@pytest.mark.parametrize("short", [0, 300_00])
def test_chips_of_a_correction_are_explained_on_the_day_of_the_round_and_on_their_own(
    books: Books, short: int
) -> None:
    floor = Floor()
    books.take(floor.log.messages(), batch=5_000)
    round_, seat, hand, wager = a_wager(books)
    before = {place: len(said) for place, said in floor.log.of.items()}
    corrected = SettlementCorrected(round_, seat, wager, 100_00, "misread", "S-1", hand)
    floor.next_day(corrected, lacking=100_00 + short)
    books.take(
        [
            message
            for message in floor.log.messages()
            if message.at >= before.get(_place(message), 0)
        ]
    )

    played = report(books, "reconciliation")
    row = played.row(table=TABLE)
    assert (row["tray_variance"], row["other_day"], row["unexplained_tray"]) == (100_00, 100_00, 0)
    assert f"round {round_}: -$100.00 of a correction moved on {NEXT_DAY}" in played.notes
    later = report(books, "reconciliation", day=NEXT_DAY)
    row = later.row(table=TABLE)
    assert row["tray_variance"] == -100_00 - short
    assert row["other_day"] == -100_00
    assert row["found"] + row["unexplained_tray"] == -short
    assert f"round {round_}: -$100.00 of a correction of {DAY}" in later.notes
    both = report(books, "reconciliation", until_day=NEXT_DAY)
    assert both.total("other_day") == 0
    check_behind(books, [played, later, both])


def test_a_correction_of_a_wager_that_was_never_made_is_part_of_its_round(books: Books) -> None:
    floor = Floor()
    books.take(floor.log.messages(), batch=5_000)
    round_, seat, hand, _ = a_wager(books)
    before = {place: len(said) for place, said in floor.log.of.items()}
    floor.next_day(
        SettlementCorrected(round_, seat, "insurance", 100_00, "misread", "S-1", hand + 5),
        lacking=100_00,
    )
    books.take(
        [
            message
            for message in floor.log.messages()
            if message.at >= before.get(_place(message), 0)
        ]
    )
    row = report(books, "reconciliation").row(table=TABLE)
    assert (row["tray_variance"], row["other_day"], row["no_wager"]) == (100_00, 100_00, 0)
    row = report(books, "reconciliation", day=NEXT_DAY).row(table=TABLE)
    assert (row["tray_variance"], row["other_day"], row["no_wager"]) == (-100_00, -100_00, 0)


def _place(said: object) -> tuple[str, int]:
    return said.topic_name, said.number  # type: ignore[attr-defined]
