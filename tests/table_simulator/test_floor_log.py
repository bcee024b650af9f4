"""Where a pattern may be planted: no place of another truth, no patron without proof."""

from __future__ import annotations

from random import Random

import pytest

from blackjack.facts import ChipsSold, Event, Fact, PatronLeft, PatronSeated, Tender, WagerPlaced
from blackjack.findings import Kind
from blackjack.rulebook.house_rules import MAIN
from table_simulator.domain.faults.draft import StreamEntry
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.patterns.people import two_places
from table_simulator.domain.truth import Truth

SECOND = 1_000_000


def stream(table: str, *entries: tuple[int, Fact]) -> list[StreamEntry]:
    return [
        StreamEntry(Event(table, seq, at * SECOND, fact))
        for seq, (at, fact) in enumerate(entries, start=1)
    ]


def a_stay(table: str, patron: str, *wagered: int) -> list[StreamEntry]:
    """An hour at a table, with a wager at each of these seconds."""
    wagers = [(at, WagerPlaced(1, MAIN, 25_00, patron)) for at in wagered]
    return stream(table, (0, PatronSeated(1, patron)), *wagers, (3600, PatronLeft(1, patron)))


def floor(tables: dict[str, list[StreamEntry]], *truths: Truth) -> FloorLog:
    return FloorLog(Random(1), tables, list(truths))


def test_a_fact_between_rounds_that_a_truth_is_about_is_no_place_for_another() -> None:
    sale = ChipsSold(600_00, Tender.DEBIT, "P-1", 1)
    tables = {"T1": stream("T1", *((at, sale) for at in (10, 20, 30)))}
    truth = Truth("debit limit", "T1", kinds=(Kind.DEBIT_LIMIT,), first_seq=2, last_seq=2)
    assert [place for place, _ in floor(tables).facts("T1", ChipsSold)] == [0, 1, 2]
    assert [place for place, _ in floor(tables, truth).facts("T1", ChipsSold)] == [0, 2]


def test_in_two_places_is_who_plays_at_both_at_the_same_time() -> None:
    here = a_stay("T1", "P-1", 100, 200, 300, 400)
    there = a_stay("T2", "P-2", 120, 220, 320)
    (truth,) = two_places(floor({"T1": here, "T2": there}))
    assert (truth.patron, truth.tables) == ("P-1", ("T1", "T2"))


def test_who_has_not_left_a_silent_table_is_in_no_two_places() -> None:
    here = a_stay("T1", "P-1", 100, 200, 3500)
    there = a_stay("T2", "P-2", *range(300, 3400, 60))
    with pytest.raises(CannotPlant):
        two_places(floor({"T1": here, "T2": there}))
