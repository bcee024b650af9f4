"""Four incidents from public regulator cases that a table log would have caught at once."""

from __future__ import annotations

import msgspec

from blackjack.cards.card import DECK, Card
from blackjack.facts import (
    BetsClosed,
    CardDealt,
    Event,
    Fact,
    Irregularity,
    IrregularityRuled,
    RoundClosed,
    RoundOpened,
    RuleSetActivated,
    Ruling,
    ShoeCounted,
    ShoeLoaded,
    WagerPlaced,
)
from blackjack.findings import Finding, Kind, Level
from blackjack.play.table import Table, fold
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.rule_set import compose
from table_simulator.days.randomness import play
from table_simulator.domain.specs import specs

SPEC = RuleSetSpec(game="skweezit", decks=6, paytables={"skweezit": 1})


MISPAYS = frozenset(kind for kind in Kind if kind.value.startswith("payout."))


def findings(events: list[Event]) -> list[Finding]:
    _, steps = fold(Table.new(events[0].table), events)
    return [finding for step in steps for finding in step.findings]


def stream(facts: list[Fact]) -> list[Event]:
    return [Event("T1", at + 1, at * 1_000_000, fact) for at, fact in enumerate(facts)]


def opening(spec: RuleSetSpec = SPEC) -> list[Fact]:
    return [RuleSetActivated(compose(spec).hash, spec), ShoeLoaded("S1", spec.decks)]


def test_five_cards_missing_for_438_rounds_are_found_when_the_first_shoe_is_counted() -> None:
    """Cards seen and cards left make 307, not 312: reported at the count, not 16 hours later."""
    spec = specs("skweezit")[0]
    events = play(seed=11, table_id="T1", spec=spec, rounds=200).events
    first = next(at for at, event in enumerate(events) if isinstance(event.fact, ShoeCounted))
    counted = events[first].fact
    assert isinstance(counted, ShoeCounted)
    short = msgspec.structs.replace(counted, remaining=counted.remaining - 5, cards=())
    events[first] = msgspec.structs.replace(events[first], fact=short)
    found = [finding for finding in findings(events) if finding.kind is Kind.SHOE_SHORT]
    assert [(finding.seq, finding.level) for finding in found] == [(events[first].seq, Level.P1)]
    assert "Shoe 5 cards short" in found[0].text


def test_missing_cards_are_named_where_the_rest_of_the_shoe_was_read() -> None:
    spec = msgspec.structs.replace(SPEC, decks=2)
    gone = {DECK[3], DECK[20]}
    rest = tuple(card for card in DECK for _ in range(2 - (card in gone)))
    found = findings(stream([*opening(spec), ShoeCounted(remaining=len(rest), cards=rest)]))
    assert [finding.kind for finding in found] == [Kind.SHOE_SHORT]
    assert all(card.sign in found[0].text for card in gone)


def test_a_rule_on_soft_17_that_contradicts_the_play_is_found_the_first_time_it_matters() -> None:
    """The dealer hits soft 17 for a day while the table displays that he stands on it."""
    played_by = next(
        spec
        for spec in specs("double_action_iii")
        if spec.house.dealer_hits_soft_17 and spec.decks == 6
    )
    displayed = msgspec.structs.replace(
        played_by, house=msgspec.structs.replace(played_by.house, dealer_hits_soft_17=False)
    )
    events = [
        msgspec.structs.replace(event, fact=RuleSetActivated(compose(displayed).hash, displayed))
        if isinstance(event.fact, RuleSetActivated)
        else event
        for event in play(seed=3, table_id="T1", spec=played_by, rounds=150).events
    ]
    found = [finding for finding in findings(events) if finding.kind is not Kind.BIG_WIN]
    assert found
    assert found[0].kind is Kind.DEALER_DREW
    assert "soft 17" in found[0].text
    assert {finding.kind for finding in found} <= {Kind.DEALER_DREW, *MISPAYS}, (
        "cards that do not count"
    )


def skipped_deal(*, after_the_skip: list[Fact]) -> list[Event]:
    """Three players; the dealer passes seat 2 over on the first card."""
    return stream(
        [
            *opening(),
            RoundOpened("R1"),
            *(WagerPlaced(seat, "main", 2500) for seat in (1, 2, 3)),
            BetsClosed(),
            CardDealt(1, DECK[5]),
            CardDealt(3, DECK[18]),
            *after_the_skip,
        ]
    )


def test_a_card_skipped_in_the_first_deal_is_found_at_the_next_card() -> None:
    found = findings(skipped_deal(after_the_skip=[]))
    assert [(finding.kind, finding.seat) for finding in found] == [(Kind.DEAL_ORDER, 3)]
    assert "the card was for seat 2" in found[0].text


def test_a_skipped_card_dealt_late_without_a_ruling_is_found_as_well() -> None:
    backfilled: list[Fact] = [CardDealt(2, DECK[30]), CardDealt(0, DECK[40])]
    found = findings(skipped_deal(after_the_skip=backfilled))
    assert [finding.kind for finding in found] == [Kind.DEAL_ORDER, Kind.IRREGULARITY_UNRULED]


def test_a_skipped_card_dealt_late_after_a_ruling_is_in_order() -> None:
    ruled: list[Fact] = [
        IrregularityRuled(Irregularity.CARD_SKIPPED, Ruling.PLAY_ON, "S-7", seat=2),
        CardDealt(2, DECK[30]),
        CardDealt(0, DECK[40]),
    ]
    found = findings(skipped_deal(after_the_skip=ruled))
    assert [finding.kind for finding in found] == [Kind.DEAL_ORDER]


def new_deck_order(decks: int) -> list[Card]:
    """Spades and diamonds from the ace up, clubs and hearts from the king down."""
    clubs, diamonds, hearts, spades = (DECK[at : at + 13] for at in (0, 13, 26, 39))
    return [*spades, *diamonds, *reversed(clubs), *reversed(hearts)] * decks


def test_hands_from_an_unshuffled_shoe_are_found_within_the_first_eight_cards() -> None:
    cards = iter(new_deck_order(6))
    facts = opening()
    for number in range(25):
        facts.append(RoundOpened(f"R{number}"))
        facts.extend(WagerPlaced(seat, "main", 1000) for seat in (1, 2, 3, 4))
        facts.append(BetsClosed())
        for deal in range(2):
            facts.extend(CardDealt(seat, next(cards)) for seat in (1, 2, 3, 4))
            facts.append(CardDealt(0, next(cards), face_up=deal == 0))
        facts.append(RoundClosed())
    found = [finding for finding in findings(stream(facts)) if finding.kind is Kind.UNSHUFFLED]
    assert [(finding.round, finding.level) for finding in found] == [("R0", Level.P1)]
    dealt = [event for event in stream(facts) if isinstance(event.fact, CardDealt)]
    assert found[0].seq <= dealt[8].seq
