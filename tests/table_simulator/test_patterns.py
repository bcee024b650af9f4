"""Patterns for surveillance are in the data, and the tables' own logs do not decide them."""

from __future__ import annotations

import pytest

from blackjack.facts import (
    ChipsSold,
    CouponIssued,
    CouponPresented,
    CouponVoided,
    DropCounted,
    PatronSeated,
    Tender,
    WagerPlaced,
)
from blackjack.findings import Kind
from deploy.demo.money import missing_cents
from table_simulator.domain.back_office import CAGE, PROMOTIONS
from table_simulator.domain.habit import Habit
from table_simulator.domain.truth import Truth
from tests.table_simulator.days import a_day, events_of, standing

SEEDS = range(3)


def planted(seed: int, name: str) -> Truth:
    return next(
        truth for truth in a_day(seed, patterns=1).truths if truth.pattern and truth.fault == name
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_only_what_a_dealer_pays_wrongly_is_seen_by_the_engine(seed: int) -> None:
    day = a_day(seed, patterns=1)
    wrong = {(truth.round, kind) for truth in day.truths if truth.pattern for kind in truth.kinds}
    found = [finding for finding in standing(day) if finding.kind is not Kind.BIG_WIN]
    assert {(finding.round, finding.kind) for finding in found} == wrong


@pytest.mark.parametrize("seed", SEEDS)
def test_who_dumps_pays_one_patron_and_who_errs_pays_anybody_either_way(seed: int) -> None:
    day = a_day(seed, patterns=1)
    dumped, erred = (
        [planted for planted in day.truths if planted.pattern == name]
        for name in ("dealer dumping", "dealer error rate")
    )
    assert len({(truth.dealer, truth.patron) for truth in dumped}) == 1
    assert len({truth.dealer for truth in erred}) == 1
    assert {truth.kinds for truth in erred} == {(Kind.OVERPAID,), (Kind.UNDERPAID,)}
    assert len(erred) == erred[0].sizes["errors"]
    found = {finding.round: finding for finding in standing(day)}
    for truth in erred:
        assert (found[truth.round].dealer, found[truth.round].cents) == (truth.dealer, truth.cents)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_truth_names_who_has_a_habit_its_time_and_its_size(seed: int) -> None:
    streams = events_of(a_day(seed, patterns=1).frames)
    for habit in Habit:
        truth = planted(seed, habit.value)
        assert truth.sizes["times"] >= 3
        assert truth.patron or truth.dealer
        names = {
            getattr(event.fact, "patron", "") or getattr(event.fact, "licence", "")
            for event in streams[truth.table]
            if truth.first_seq <= event.seq <= truth.last_seq
        }
        assert {truth.patron or truth.dealer} <= names


@pytest.mark.parametrize("seed", SEEDS)
def test_a_coupon_that_is_used_twice_is_presented_at_two_tables(seed: int) -> None:
    truth = planted(seed, "coupon used twice")
    streams = events_of(a_day(seed, patterns=1).frames)
    where = {
        table
        for table, events in streams.items()
        for event in events
        if isinstance(event.fact, CouponPresented) and event.fact.serial == truth.wager
    }
    assert where == set(truth.tables)


@pytest.mark.parametrize("seed", SEEDS)
def test_coupons_differ_from_their_issue_as_the_truth_states(seed: int) -> None:
    desk = [e.fact for e in events_of(a_day(seed, patterns=1).frames)[PROMOTIONS]]
    issued = {fact.serial: fact.patron for fact in desk if isinstance(fact, CouponIssued)}
    voided = {fact.serial for fact in desk if isinstance(fact, CouponVoided)}
    assert planted(seed, "coupon unknown").wager not in issued
    assert planted(seed, "coupon void").wager in voided
    other = planted(seed, "other patron's coupon")
    assert issued[other.wager] != other.patron


@pytest.mark.parametrize("seed", SEEDS)
def test_cash_adds_up_to_the_amount_in_the_truth(seed: int) -> None:
    streams = events_of(a_day(seed, patterns=1).frames)
    for name, least in (("structuring", 8_000_00), ("cash over the line", 10_000_01)):
        truth = planted(seed, name)
        sales = [
            fact.cents
            for event in streams[truth.table]
            if isinstance(fact := event.fact, ChipsSold)
            and fact.tender is Tender.CASH
            and fact.patron == truth.patron
        ]
        assert sum(sales) >= least
        if name == "structuring":
            assert max(sales) < 3_000_00
            assert sum(sales) < 10_000_00


@pytest.mark.parametrize("seed", SEEDS)
def test_unknown_patrons_pay_the_amount_in_the_truth_at_its_seat(seed: int) -> None:
    streams = events_of(a_day(seed, patterns=1).frames)
    for name, count in (("anonymous cash over the line", 1), ("anonymous structuring", 3)):
        truth = planted(seed, name)
        sales = [
            fact
            for event in streams[truth.table]
            if isinstance(fact := event.fact, ChipsSold)
            and truth.first_seq <= event.seq <= truth.last_seq
            and (fact.seat, fact.patron, fact.tender) == (truth.seat, "", Tender.CASH)
            and fact.note
        ]
        assert len(sales) == count
        assert sum(sale.cents for sale in sales) == truth.cents
        assert truth.cents > 10_000_00 or max(sale.cents for sale in sales) < 3_000_00


@pytest.mark.parametrize("seed", SEEDS)
def test_each_shortage_of_a_pattern_takes_as_much_from_the_float(seed: int) -> None:
    day = a_day(seed, patterns=1)
    truths = [truth for truth in day.truths if truth.pattern == "pattern of shortages"]
    assert len(truths) == 3
    (table,) = {truth.table for truth in truths}
    assert (
        missing_cents(events_of(day.frames)[table]) == sum(truth.cents for truth in truths) == 90_00
    )


def test_who_buys_too_much_by_debit_buys_too_much_at_no_table_alone() -> None:
    day = a_day(770_021, tables=12, rounds=100, every=1, patterns=1)
    (truth,) = [planted for planted in day.truths if planted.fault == "debit over the limit"]
    streams = events_of(day.frames)
    by_debit = [
        sum(
            event.fact.cents
            for event in streams[table]
            if isinstance(event.fact, ChipsSold)
            and (event.fact.patron, event.fact.tender) == (truth.patron, Tender.DEBIT)
        )
        for table in truth.tables
    ]
    assert max(by_debit) <= 2_500_00 < sum(by_debit)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_box_is_counted_short_of_the_sales(seed: int) -> None:
    truth = planted(seed, "drop short")
    streams = events_of(a_day(seed, patterns=1).frames)
    counted = sum(
        count.denomination_cents * count.count
        for event in streams[CAGE]
        if isinstance(event.fact, DropCounted) and event.fact.box == f"B-{truth.table}"
        for count in event.fact.counts
        if count.kind == "currency"
    )
    sold = sum(
        fact.cents
        for event in streams[truth.table]
        if isinstance(fact := event.fact, ChipsSold) and fact.tender is Tender.CASH
    )
    assert sold - counted == truth.cents > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_silent_table_is_silent_between_the_two_events_of_the_truth(seed: int) -> None:
    truth = planted(seed, "silent table")
    at = {e.seq: e.at for e in events_of(a_day(seed, patterns=1).frames)[truth.table]}
    assert at[truth.last_seq] - at[truth.first_seq] > 30 * 60_000_000


@pytest.mark.parametrize("seed", SEEDS)
def test_who_washes_coupons_plays_nothing_else_and_comes_three_times(seed: int) -> None:
    truth = planted(seed, "coupon washing")
    own = [
        event.fact
        for event in events_of(a_day(seed, patterns=1).frames)[truth.table]
        if getattr(event.fact, "patron", "") == truth.patron
    ]
    seated = [fact for fact in own if isinstance(fact, PatronSeated)]
    serials = {fact.serial for fact in own if isinstance(fact, CouponPresented)}
    assert len(seated) == 3
    assert len(serials) >= 2
    mains = [fact for fact in own if isinstance(fact, WagerPlaced) and fact.wager == "main"]
    assert all(main.coupon for main in mains if not main.tip)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_counts_bets_more_when_the_shoe_is_rich(seed: int) -> None:
    """His bets spread further than a patron's who bets one, two or three units."""
    truth = planted(seed, "bet follows the count")
    stakes = {
        event.fact.cents
        for event in events_of(a_day(seed, patterns=1).frames)[truth.table]
        if isinstance(event.fact, WagerPlaced)
        and (event.fact.patron, event.fact.wager) == (truth.patron, "main")
    }
    assert max(stakes) >= 3 * min(stakes)
