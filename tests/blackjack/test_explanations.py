"""What an outcome came from is a sentence made when it is displayed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from blackjack.facts import Event, RuleSetActivated
from blackjack.hand_history import parse
from blackjack.money import format_cents
from blackjack.outcomes import Result, SettledRound
from blackjack.play.table import Table, fold
from blackjack.rulebook.rule_set import NotFiled, RuleSet, compose
from blackjack.settlement.explanations import explain

TESTS = Path(__file__).parents[1]
HANDS = TESTS.parent / "docs" / "hands"
PATHS = [*sorted((TESTS / "rounds").glob("*.bj")), *sorted(HANDS.glob("*.bj"))]


def settled_in(path: Path) -> list[SettledRound]:
    events = parse(path.read_text("utf-8")).events
    return [
        settled
        for name in dict.fromkeys(event.table for event in events)
        for step in fold(Table.new(name), [event for event in events if event.table == name])[1]
        for settled in step.rounds
    ]


def rules_of(events: tuple[Event, ...], settled: SettledRound) -> RuleSet | None:
    for event in events:
        fact = event.fact
        if isinstance(fact, RuleSetActivated) and fact.rule_set == settled.context.rule_set:
            with suppress(NotFiled):
                return compose(fact.definition) if fact.definition is not None else None
    return None


def sentences(path: Path) -> dict[tuple[int, int, str], str]:
    """Of the last round of a hand history, by seat, hand and wager."""
    settled = settled_in(path)[-1]
    rules = rules_of(parse(path.read_text("utf-8")).events, settled)
    return {(o.seat, o.hand, o.wager): explain(o, settled, rules) for o in settled.outcomes}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_outcome_has_a_sentence_that_names_its_amount(path: Path) -> None:
    events = parse(path.read_text("utf-8")).events
    for settled in settled_in(path):
        for rules in {rules_of(events, settled), None}:
            for outcome in settled.outcomes:
                sentence = explain(outcome, settled, rules)
                if outcome.result is Result.WON:
                    assert format_cents(outcome.owed_cents) in sentence
                elif outcome.result is Result.LOST and outcome.stake_cents:
                    assert format_cents(outcome.taken_cents) in sentence
                assert sentence


def test_wins_and_losses_store_no_sentence_that_follows_from_the_cards() -> None:
    for path in HANDS.glob("*.bj"):
        for settled in settled_in(path):
            for outcome in settled.outcomes:
                if outcome.result in (Result.WON, Result.LOST) and not outcome.coupon:
                    assert outcome.arithmetic == ""


def test_a_round_of_an_earlier_engine_shows_the_sentence_it_stored() -> None:
    settled = settled_in(HANDS / "dispute.bj")[-1]
    stored = msgspec.structs.replace(settled.outcomes[0], arithmetic="no win: $5.00 taken")
    assert explain(stored, settled, None) == "no win: $5.00 taken"


def test_hands_are_explained_by_their_totals_and_odds() -> None:
    shown = sentences(HANDS / "dispute.bj")
    assert shown[2, 1, "main"] == "natural, 3 to 2 on $50.00 = $75.00"
    assert shown[5, 1, "main"] == "dealer bust, 18 stands, 1 to 1 on $100.00 = $100.00"


def test_a_lost_side_bet_is_explained_by_the_cards_it_looks_at() -> None:
    assert sentences(HANDS / "dispute.bj")[2, 1, "double_action"] == (
        "No winning combination: your A♠ K♠ against the dealer's 6♥. $5.00 lost."
    )
    assert sentences(HANDS / "double_action_iii.bj")[1, 1, "match_madness"] == (
        "No match: your Q♥ J♥ and the up card K♥ against the hole card 8♠. $5.00 lost."
    )
    assert sentences(HANDS / "double_action_iii.bj")[3, 1, "match_madness"] == (
        "double match, 10 to 1 on $5.00 = $50.00"
    )


def test_a_lost_side_bet_after_a_split_is_explained_by_the_first_two_cards() -> None:
    assert sentences(HANDS / "dead_mans_hand.bj")[3, 1, "dead_mans_hand"] == (
        "No winning combination: your K♦ 4♠. $5.00 lost."
    )
