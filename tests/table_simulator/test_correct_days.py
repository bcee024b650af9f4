"""A day in which nothing was planted: nothing is found, and all books tie."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from blackjack.facts import (
    ChipsSold,
    CouponIssued,
    CouponPresented,
    CreditAccepted,
    CreditSent,
    DealerArrived,
    DeviceFaulted,
    DropCounted,
    FillIssued,
    FillReceived,
    PatronLeft,
    PatronSeated,
    PromotionDefined,
    RoundClosed,
    TableClosed,
    TableOpened,
    Tender,
    TicketIssued,
    TrayObserved,
)
from blackjack.findings import Kind
from blackjack.rulebook.promotions import PromotionKind
from table_simulator.domain.back_office import BACK_OFFICE, CAGE, PROMOTIONS
from table_simulator.domain.play.controller_log import moved_cents, value_cents
from table_simulator.domain.truth import planted_vs_found
from tests.table_simulator.days import a_day, events_of, standing
from wire.chain import verify

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_found_in_a_correct_day(seed: int) -> None:
    """But for big wins, which are no fault: each is where the oracle expects it."""
    day = a_day(seed)
    assert {truth.fault for truth in day.truths} <= {"big win"}
    assert planted_vs_found(day.truths, standing(day)).is_clean


@pytest.mark.parametrize("seed", range(40, 60))
def test_nothing_is_found_at_small_tables_of_any_seed(seed: int) -> None:
    day = a_day(seed, tables=5, rounds=12)
    assert [finding for finding in standing(day) if finding.kind is not Kind.BIG_WIN] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_every_stream_is_numbered_and_chained_without_a_break(seed: int) -> None:
    frames = a_day(seed).frames
    for stream in {frame.stream for frame in frames}:
        own = [frame for frame in frames if frame.stream == stream]
        assert [frame.seq for frame in own] == list(range(1, len(own) + 1))
        assert verify(frame.data for frame in own) == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_every_table_opens_plays_its_rounds_and_closes(seed: int) -> None:
    day = a_day(seed)
    streams = events_of(day.frames)
    assert sorted(streams) == sorted((*day.tables, *BACK_OFFICE))
    for table in day.tables:
        kinds = Counter(type(event.fact) for event in streams[table])
        assert (kinds[TableOpened], kinds[RoundClosed], kinds[TableClosed]) == (1, 40, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_closer_is_what_the_day_left_in_the_tray(seed: int) -> None:
    for table, events in events_of(a_day(seed).frames).items():
        if table in BACK_OFFICE or any(isinstance(entry.fact, DeviceFaulted) for entry in events):
            continue
        opener = closer = moved = 0
        for event in events:
            moved += moved_cents(event.fact)
            if isinstance(event.fact, TableOpened):
                opener = value_cents(event.fact.inventory)
            if isinstance(event.fact, TableClosed):
                closer = value_cents(event.fact.inventory)
        assert closer == opener + moved


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tray_never_holds_less_than_nothing(seed: int) -> None:
    for events in events_of(a_day(seed).frames).values():
        for event in events:
            if isinstance(event.fact, TrayObserved):
                assert value_cents(event.fact.inventory) > 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("kind", "tender"),
    [
        ("currency", Tender.CASH),
        ("debit", Tender.DEBIT),
        ("tickets", Tender.TICKET),
        ("checks", Tender.CHECK),
    ],
)
def test_the_count_of_the_boxes_equals_the_sales_of_chips(
    seed: int, kind: str, tender: Tender
) -> None:
    streams = events_of(a_day(seed).frames)
    counted = {
        fact.box: sum(
            count.denomination_cents * count.count for count in fact.counts if count.kind == kind
        )
        for event in streams[CAGE]
        if isinstance(fact := event.fact, DropCounted)
    }
    sold = {
        f"B-{table}": sum(
            fact.cents
            for event in events
            if isinstance(fact := event.fact, ChipsSold) and fact.tender is tender
        )
        for table, events in streams.items()
        if table not in BACK_OFFICE
    }
    assert counted == sold


def test_chips_are_sold_for_every_tender_and_turned_into_tickets() -> None:
    facts = [
        event.fact
        for seed in SEEDS
        for events in events_of(a_day(seed).frames).values()
        for event in events
    ]
    assert {fact.tender for fact in facts if isinstance(fact, ChipsSold)} == set(Tender)
    assert any(isinstance(fact, TicketIssued) for fact in facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cage_issues_what_tables_receive_and_accepts_what_they_send(seed: int) -> None:
    streams = events_of(a_day(seed).frames)
    facts = [event.fact for name in streams if name != CAGE for event in streams[name]]
    cage = [event.fact for event in streams[CAGE]]
    for theirs, ours in ((FillReceived, FillIssued), (CreditSent, CreditAccepted)):
        moved = {(fact.slip, fact.inventory) for fact in facts if isinstance(fact, theirs)}
        assert {(fact.slip, fact.inventory) for fact in cage if isinstance(fact, ours)} == moved


def test_some_trays_run_low_and_some_run_over() -> None:
    kinds = Counter(
        type(event.fact)
        for seed in SEEDS
        for events in events_of(a_day(seed).frames).values()
        for event in events
    )
    assert kinds[FillReceived] > 0
    assert kinds[CreditSent] > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_coupon_is_issued_once_before_it_is_presented(seed: int) -> None:
    streams = events_of(a_day(seed).frames)
    issued = {
        fact.serial: event.at
        for event in streams[PROMOTIONS]
        if isinstance(fact := event.fact, CouponIssued)
    }
    for events in streams.values():
        for event in events:
            if isinstance(event.fact, CouponPresented):
                assert issued[event.fact.serial] < event.at


def test_promotions_of_every_kind_are_on_offer_and_used() -> None:
    terms, used = {}, set()
    for seed in SEEDS:
        for events in events_of(a_day(seed).frames).values():
            for event in events:
                fact = event.fact
                if isinstance(fact, PromotionDefined):
                    terms[fact.promotion] = fact.terms
                elif isinstance(fact, CouponPresented | CouponIssued):
                    used.add(fact.promotion)
    assert {terms[promotion].kind for promotion in used} == set(PromotionKind)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_dealer_is_at_two_tables(seed: int) -> None:
    dealers: dict[str, str] = {}
    for table, events in events_of(a_day(seed).frames).items():
        for event in events:
            if isinstance(event.fact, DealerArrived):
                assert dealers.setdefault(event.fact.licence, table) == table


WALK_US = 180_000_000


@pytest.mark.parametrize("seed", SEEDS)
def test_who_plays_at_two_tables_has_time_to_walk(seed: int) -> None:
    stays: dict[str, list[tuple[int, int, str]]] = {}
    for table, events in events_of(a_day(seed).frames).items():
        seated: dict[str, int] = {}
        for event in events:
            if isinstance(event.fact, PatronSeated):
                seated.setdefault(event.fact.patron, event.at)
            elif isinstance(event.fact, PatronLeft) and event.fact.patron in seated:
                patron = event.fact.patron
                stays.setdefault(patron, []).append((seated.pop(patron), event.at, table))
    walkers = 0
    for visits in stays.values():
        for (_, left_at, here), (sat_down_at, _, there) in pairwise(sorted(visits)):
            walkers += here != there
            assert here == there or sat_down_at - left_at >= WALK_US
    assert walkers >= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_no_patron_uses_more_coupons_than_their_terms_allow(seed: int) -> None:
    limits: dict[str, int] = {}
    used: dict[tuple[str, str], set[str]] = {}
    for events in events_of(a_day(seed).frames).values():
        for event in events:
            if isinstance(event.fact, PromotionDefined):
                limits[event.fact.promotion] = event.fact.terms.patron_daily_limit
            elif isinstance(event.fact, CouponPresented) and event.fact.patron:
                key = (event.fact.promotion, event.fact.patron)
                used.setdefault(key, set()).add(event.fact.serial)
    counts = [(len(each), limits[promotion]) for (promotion, _), each in used.items()]
    assert any(limit for _, limit in counts)
    assert all(count <= limit for count, limit in counts if limit)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    first = a_day(5, tables=3, rounds=6)
    a_day.cache_clear()
    assert a_day(5, tables=3, rounds=6) == first
    assert a_day(6, tables=3, rounds=6) != first


def test_one_more_table_leaves_the_others_as_they_were() -> None:
    few, more = a_day(5, tables=3, rounds=6), a_day(5, tables=4, rounds=6)
    for table in few.tables:
        assert [f for f in few.frames if f.stream == table] == [
            f for f in more.frames if f.stream == table
        ]
