"""Luck in the main game: every ticket is fair over all that chance can do, whatever is decided."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from blackjack.cards.card import DECK, Card, cards
from blackjack.outcomes import Result, SettledRound, WagerOutcome
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.rule_set import RuleSet
from odds.shoe import CardCounts
from surveillance.domain.statistics import Ticket
from surveillance.domain.statistics.main_luck import MainLuck
from tests.surveillance.statistics.rounds import bet, dealers, hand, played, rules_of

FACES = {points: DECK[points - 1] for points in range(1, 11)}


def some_shoe(seed: int, cards_left: int = 60) -> CardCounts:
    """What is left of six decks, of one suit's counts only so that faces stand for values."""
    rng = Random(seed)
    counts = Counter(rng.choices(range(10), k=cards_left))
    return CardCounts(tuple(counts[card] if card < 10 else 0 for card in range(52)))


def tickets(each: SettledRound, rules: RuleSet, shoe: CardCounts) -> tuple[Ticket, ...]:
    found = MainLuck(each, rules, shoe).of([bet for bet in each.outcomes if bet.wager == MAIN])
    return () if found is None else tuple(each for angle in found.angles for each in angle)


def ways(shoe: CardCounts, row: tuple[Card, ...]) -> int:
    left, number = list(shoe.counts), 1
    for card in row:
        number *= left[card.index]
        left[card.index] -= 1
    return number


@pytest.mark.parametrize("seed", range(3))
def test_the_deal_is_worth_one_on_average(seed: int) -> None:
    rules, shoe = rules_of("skweezit"), some_shoe(seed)
    total = weighed = 0.0
    values = set()
    for row in product(FACES.values(), repeat=3):
        count = ways(shoe, row)
        if not count:
            continue
        each = played(
            rules,
            shoe,
            dealer=dealers(row[0], None),
            hands=[hand(1, row[1:], surrendered=True)],  # so that there is no other ticket
            outcomes=[bet(1, MAIN, Result.SURRENDERED)],
        )
        (ticket,) = tickets(each, rules, shoe)
        values.add(round(ticket.value, 6))
        total += count
        weighed += count * ticket.value
    assert weighed / total == pytest.approx(1, abs=1e-12)
    assert len(values) > 100


@pytest.mark.proof
def test_the_deal_of_half_back_knows_that_an_up_card_is_replaced() -> None:
    rules, shoe = rules_of("half_back"), some_shoe(5)
    total = weighed = 0.0
    for row in product(FACES.values(), repeat=4):
        first, second, *own = row
        replaced = 3 <= first.points <= 6
        count = ways(shoe, row)
        if not count:
            continue
        each = played(
            rules,
            shoe,
            dealer=dealers(
                second if replaced else first, None, replaced=first if replaced else None
            ),
            hands=[hand(1, own, surrendered=True)],
            outcomes=[bet(1, MAIN, Result.SURRENDERED)],
        )
        (ticket,) = tickets(each, rules, shoe)
        total += count
        weighed += count * ticket.value
    assert weighed / total == pytest.approx(1, abs=1e-12)


def ends(shoe: CardCounts, up: Card) -> dict[int, Fraction]:
    """The dealer followed card by card; soft seventeen is stood on, a blackjack left out."""
    found: dict[int, Fraction] = {}

    def draw(left: CardCounts, hard: int, ace: bool, size: int, chance: Fraction) -> None:
        total = hard + 10 if ace and hard <= 11 else hard
        if total >= 17:
            end = total if total <= 21 else 0
            found[end] = found.get(end, Fraction()) + chance
            return
        for card in FACES.values():
            count = left.counts[card.index]
            makes = size == 1 and {up.points, card.points} == {1, 10}
            if count and not makes:
                part = chance * Fraction(count, left.total)
                draw(
                    left.without((card,)), hard + card.points, ace or card.rank == 1, size + 1, part
                )

    draw(shoe, up.points, up.rank == 1, 1, Fraction(1))
    passed = sum(found.values(), Fraction())
    return {end: chance / passed for end, chance in found.items()}


@pytest.mark.parametrize("up", ["6C", "AC", "TC"])
def test_the_dealers_end_is_worth_one_on_average_for_all_hands_together(up: str) -> None:
    """One hand doubled, one that was drawn to, one split; all share the end."""
    rules = rules_of("double_action_iii")
    assert not rules.spec.house.dealer_hits_soft_17
    (shown,) = cards(up)
    shoe = CardCounts(tuple(6 if card < 10 else 0 for card in range(52)))
    hands = [
        hand(1, cards("5C 6C 9C"), doubled=True),
        hand(2, cards("2C 3C 7C")),
        hand(3, cards("8C TC"), from_split=True),
        hand(3, cards("8C 4C"), 2, from_split=True),
        hand(4, cards("TC 6C 9C")),
    ]
    totals = {(1, 1): 20, (2, 1): 12, (3, 1): 18, (3, 2): 12}
    stakes = {(1, 1): 40_00, (2, 1): 5_00, (3, 1): 10_00, (3, 2): 10_00}
    seen = [card for each in hands for card in each.cards if card is not None]
    weighed = 0.0
    for end, chance in ends(shoe.without([shown, *seen]), shown).items():
        outcomes: list[WagerOutcome] = []
        for (seat, number), total in totals.items():
            result = Result.WON if total > end else Result.PUSHED if total == end else Result.LOST
            cents = stakes[seat, number]
            outcomes.append(bet(seat, MAIN, result, hand=number, cents=cents))
        outcomes.append(bet(4, MAIN, Result.LOST))
        each = played(rules, shoe, dealer=dealers(shown, None), hands=hands, outcomes=outcomes)
        _, ticket = tickets(each, rules, shoe)
        weighed += float(chance) * ticket.value
    assert weighed == pytest.approx(1, abs=1e-12)


def test_a_dealers_blackjack_leaves_no_end_to_bet_on() -> None:
    rules, shoe = rules_of("skweezit"), CardCounts.of_decks(6)
    ace, king, ten, nine = cards("AC KC TC 9C")
    each = played(
        rules,
        shoe,
        dealer=dealers(ace, king),
        hands=[hand(1, (ten, nine))],
        outcomes=[bet(1, MAIN, Result.LOST)],
    )
    assert len(tickets(each, rules, shoe)) == 1


def test_a_hand_under_a_free_ace_is_not_bet_on() -> None:
    rules, shoe = rules_of("skweezit"), CardCounts.of_decks(6)
    six, five, ten, nine = cards("6C 5C TC 9C")
    each = played(
        rules,
        shoe,
        dealer=dealers(six, five, ten),
        hands=[hand(1, (ten, nine), free_ace=True)],
        outcomes=[bet(1, MAIN, Result.WON)],
    )
    assert tickets(each, rules, shoe) == ()
