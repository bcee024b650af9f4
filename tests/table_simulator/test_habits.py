"""Habits are in the data: each is far from chance where it was planted, and nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import correlation, mean

import pytest

from blackjack.cards.card import Card
from blackjack.facts import (
    DEALER,
    Action,
    BetsClosed,
    CardBurned,
    CardDealt,
    CouponPresented,
    DealerArrived,
    Event,
    InsuranceTaken,
    PatronSeated,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    ShoeLoaded,
    UpcardReplaced,
    WagerChanged,
    WagerPlaced,
)
from blackjack.outcomes import Result
from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.house_rules import MAIN, RuleSetSpec
from odds.shoe import CardCounts
from odds.worth import Worth, worth
from table_simulator.days.randomness import posted_rules
from table_simulator.domain.faults.stations import HALF_BACK, SKWEEZIT, Station
from table_simulator.domain.habit import Habit
from table_simulator.domain.oracle.hands import is_soft, total
from table_simulator.domain.play.card_count import COUNTED_SIDES
from table_simulator.domain.table_day import PlayedTable, TablePlan
from table_simulator.domain.table_day import play_table as play_evening

ROUNDS = 400
LOW, HIGH = (2, 3, 4, 5, 6), (1, 10)


def spec_at(station: Station) -> RuleSetSpec:
    return max(station.specs, key=lambda spec: spec.decks)


def an_evening(habit: Habit, station: Station = SKWEEZIT, seed: int = 1) -> PlayedTable:
    evening = TablePlan(
        table="T1",
        rules=posted_rules(spec_at(station)),
        rounds=ROUNDS,
        habits=frozenset({habit}),
        coupon_share=0.15,
    )
    return play_evening(Random(seed), evening)


@dataclass(slots=True)
class LoggedRound:
    """One round as the log reports it."""

    id: str
    dealer: str
    patrons: dict[int, str]
    seen: tuple[Card, ...]
    """Cards that had left the shoe when the bets were closed."""
    stakes: dict[tuple[int, str], int] = field(default_factory=dict)
    coupons: set[str] = field(default_factory=set)
    cards: dict[int, list[Card]] = field(default_factory=dict)
    first_acts: dict[int, Action] = field(default_factory=dict)
    insured: set[int] = field(default_factory=set)


def logged_rounds(events: list[Event]) -> Iterator[LoggedRound]:
    seen: list[Card] = []
    patrons: dict[int, str] = {}
    dealer = ""
    now = LoggedRound("", "", {}, ())
    for event in events:
        match event.fact:
            case ShoeLoaded():
                seen = []
            case CardBurned(card=Card() as card):
                seen.append(card)
            case DealerArrived(licence=licence):
                dealer = licence
            case PatronSeated(seat=seat, patron=patron):
                patrons = {**patrons, seat: patron}
            case RoundOpened(round=name):
                now = LoggedRound(name, dealer, patrons, tuple(seen))
            case WagerPlaced(tip=False) | WagerChanged(tip=False) as bet:
                now.stakes[bet.seat, bet.wager] = bet.cents
            case CouponPresented(serial=serial):
                now.coupons.add(serial)
            case BetsClosed():
                now.seen = tuple(seen)
            case CardDealt(seat=seat, card=Card() as card):
                seen.append(card)
                now.cards.setdefault(seat, []).append(card)
            case UpcardReplaced(card=Card() as card):
                seen.append(card)
                now.cards[DEALER][0] = card
            case InsuranceTaken(seat=seat, even_money=False):
                now.insured.add(seat)
            case PlayerActed(seat=seat, action=action):
                now.first_acts.setdefault(seat, action)
            case RoundClosed():
                yield now
            case _:
                pass


def stiff_hands(
    played: PlayedTable, *, of: str, others: bool = False
) -> Counter[tuple[str, Action]]:
    """First decisions on a hard 12 to 16 against a strong up card, by what the dealer has."""
    found: Counter[tuple[str, Action]] = Counter()
    for played_round in logged_rounds(played.events):
        up, hole = played_round.cards[DEALER][:2]
        house = total([up, hole])
        for seat, action in played_round.first_acts.items():
            dealt = played_round.cards[seat][:2]
            is_his = played_round.patrons.get(seat) == of
            if is_his is others or up.points in LOW or is_soft(dealt):
                continue
            if house < 12 or is_soft([up, hole]):
                continue
            if 12 <= total(dealt) <= 16 and dealt[0].points != dealt[1].points:
                found["stiff" if house < 17 else "pat", action] += 1
    return found


def share_of_standing(decisions: Counter[tuple[str, Action]], house: str) -> float:
    all_of_them = sum(count for (which, _), count in decisions.items() if which == house)
    return decisions[house, Action.STAND] / all_of_them


def test_who_sees_the_hole_card_stands_where_the_dealer_may_break_and_others_do_not() -> None:
    played = an_evening(Habit.SEES_HOLE_CARD)
    patron = played.habits[Habit.SEES_HOLE_CARD].patron
    his = stiff_hands(played, of=patron)
    theirs = stiff_hands(played, of=patron, others=True)
    assert share_of_standing(his, "stiff") > 0.7 > 0.2 > share_of_standing(his, "pat")
    difference = share_of_standing(theirs, "stiff") - share_of_standing(theirs, "pat")
    assert abs(difference) < 0.1


def test_who_sees_the_hole_card_insures_only_when_it_is_a_ten() -> None:
    played = an_evening(Habit.SEES_HOLE_CARD, HALF_BACK)
    patron = played.habits[Habit.SEES_HOLE_CARD].patron
    holes: dict[bool, list[bool]] = {True: [], False: []}
    for played_round in logged_rounds(played.events):
        for seat in played_round.insured:
            holes[played_round.patrons.get(seat) == patron].append(
                played_round.cards[DEALER][1].points == 10
            )
    assert all(holes[True])
    assert mean(holes[False]) < 0.6


def hits(played: PlayedTable, wager: str, *, seats: set[int], others: bool) -> list[bool]:
    return [
        placed.result is Result.WON
        for round in played.rounds
        for placed in round.wagers
        if placed.wager == wager and not placed.tip and (placed.seat in seats) is not others
    ]


def test_only_the_lucky_patron_wins_beyond_the_exact_odds_of_his_wager() -> None:
    played = an_evening(Habit.LUCKY)
    spec, trace = spec_at(SKWEEZIT), played.habits[Habit.LUCKY]
    exact = float(exact_worth(spec, trace.wager, CardCounts.of_decks(spec.decks)).hit)
    seats = {
        event.fact.seat
        for event in played.events
        if isinstance(event.fact, PatronSeated) and event.fact.patron == trace.patron
    }

    def deviation(found: list[bool]) -> float:
        return (sum(found) - len(found) * exact) / sqrt(len(found) * exact * (1 - exact))

    assert deviation(hits(played, trace.wager, seats=seats, others=False)) > 5
    assert abs(deviation(hits(played, trace.wager, seats=seats, others=True))) < 4
    assert mean(hits(played, trace.wager, seats=seats, others=False)) == pytest.approx(
        exact + (1 - exact) * trace.sizes["tilt"], abs=0.1
    )


def exact_worth(spec: RuleSetSpec, wager: str, shoe: CardCounts) -> Worth:
    filing = FILINGS[spec.game]
    paytable = filing.paytable(wager, spec.decks, spec.paytables[wager])
    assert paytable is not None
    return worth(filing.side_bets[wager], paytable, spec.house, decks=spec.decks, shoe=shoe)


def high_low(logged: LoggedRound, decks: int) -> float:
    running = sum((card.points in LOW) - (card.points in HIGH) for card in logged.seen)
    return running * 52 / (52 * decks - len(logged.seen))


def bets_of(
    played: PlayedTable, wager: str, *, of: str, others: bool = False
) -> list[tuple[LoggedRound, int]]:
    return [
        (played_round, cents)
        for played_round in logged_rounds(played.events)
        for (seat, placed), cents in played_round.stakes.items()
        if placed == wager and cents and (played_round.patrons.get(seat) == of) is not others
    ]


def test_the_bets_of_who_counts_follow_the_count_and_those_of_others_do_not() -> None:
    played = an_evening(Habit.COUNTS)
    decks, patron = spec_at(SKWEEZIT).decks, played.habits[Habit.COUNTS].patron
    for others in (False, True):
        bets = bets_of(played, MAIN, of=patron, others=others)
        follows = correlation(
            [high_low(each, decks) for each, _ in bets], [float(cents) for _, cents in bets]
        )
        assert (follows < 0.2) if others else (follows > 0.6)


@pytest.mark.parametrize("station", [SKWEEZIT, HALF_BACK], ids=lambda station: station.name)
def test_side_bets_of_a_counter_follow_the_exact_edge_of_the_remaining_shoe(
    station: Station,
) -> None:
    played = an_evening(Habit.COUNTS_SIDES, station)
    spec, trace = spec_at(station), played.habits[Habit.COUNTS_SIDES]
    assert trace.wager in COUNTED_SIDES
    for others in (False, True):
        bets = bets_of(played, trace.wager, of=trace.patron, others=others)
        edges = [
            float(
                exact_worth(
                    spec, trace.wager, CardCounts.of_decks(spec.decks).without(each.seen)
                ).edge
            )
            for each, _ in bets
        ]
        follows = correlation(edges, [float(cents) for _, cents in bets])
        assert (abs(follows) < 0.2) if others else (follows < -0.4)


def test_only_the_patron_with_too_many_coupons_passes_the_limit_of_their_terms() -> None:
    played = an_evening(Habit.HOARDS)
    trace = played.habits[Habit.HOARDS]
    serials: dict[tuple[str, str], set[str]] = {}
    for event in played.events:
        if isinstance(event.fact, CouponPresented) and event.fact.patron:
            used = (event.fact.promotion, event.fact.patron)
            serials.setdefault(used, set()).add(event.fact.serial)
    limited = {
        patron: len(used)
        for (promotion, patron), used in serials.items()
        if promotion == _limited_promotion(played)
    }
    assert limited.pop(trace.patron) == trace.sizes["times"] > trace.sizes["limit"]
    assert max(limited.values(), default=0) <= trace.sizes["limit"] / 2


def _limited_promotion(played: PlayedTable) -> str:
    return next(
        promotion
        for event in played.events
        if (promotion := getattr(event.fact, "promotion", ""))
        and getattr(getattr(event.fact, "terms", None), "patron_daily_limit", 0)
    )


def test_coupons_pile_up_while_the_dealer_who_substitutes_them_deals() -> None:
    played = an_evening(Habit.SUBSTITUTES)
    trace = played.habits[Habit.SUBSTITUTES]
    shares: dict[bool, list[float]] = {True: [], False: []}
    for played_round in logged_rounds(played.events):
        mains = sum(wager == MAIN for _, wager in played_round.stakes)
        shares[played_round.dealer == trace.dealer].append(len(played_round.coupons) / mains)
    assert mean(shares[True]) > 0.4 > 0.2 > mean(shares[False])


def test_a_table_without_a_habit_names_no_patron() -> None:
    evening = TablePlan(table="T1", rules=posted_rules(spec_at(SKWEEZIT)), rounds=40)
    assert play_evening(Random(1), evening).habits == {}
