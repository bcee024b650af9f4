"""How rich what is left of a shoe is for a wager: the index that a counter would keep."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from blackjack.cards.card import DECK
from blackjack.facts import ShoeKind
from blackjack.outcomes import SettledRound
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.rule_set import RuleSet
from odds.shoe import CardCounts
from odds.worth import worth
from surveillance.domain.statistics.evidence import Bet, StreamEvidence, StreamKind
from surveillance.domain.statistics.main_tables import tables_for

Weights = tuple[float, ...]
"""By card: how much good it does the player while it is in the shoe, from nought to one."""


@lru_cache(maxsize=256)
def weights_of(rules: RuleSet, wager: str) -> Weights | None:
    """From what the wager loses when one card of a full shoe is gone; None if nothing matters."""
    return _scaled(_main(rules) if wager == MAIN else _side(rules, wager))


def _main(rules: RuleSet) -> Weights:
    removal = tables_for(rules).removal
    return tuple(removal[card.rank - 1] for card in DECK)


def _side(rules: RuleSet, wager: str) -> Weights:
    filed, paytable = rules.filing.side_bets[wager], rules.paytables[wager]
    decks, house = rules.spec.decks, rules.spec.house
    whole = CardCounts.of_decks(decks)
    edge = worth(filed, paytable, house, decks=decks, shoe=whole).edge
    return tuple(
        float(worth(filed, paytable, house, decks=decks, shoe=whole.without((card,))).edge - edge)
        for card in DECK
    )


def _scaled(weights: Weights) -> Weights | None:
    least, most = min(weights), max(weights)
    if most - least < 1e-12:
        return None
    return tuple((each - least) / (most - least) for each in weights)


class ShoeIndex(NamedTuple):
    """How rich the cards left are for a wager."""

    shoe: str
    average: float
    variance: float
    cards: int


def shoe_index(
    played: SettledRound, rules: RuleSet, wager: str, shoe: CardCounts
) -> ShoeIndex | None:
    """The index that a round's bets are made on; no shuffler can be counted."""
    weights = weights_of(rules, wager)
    if played.context.shoe_kind is not ShoeKind.SHOE or weights is None or not shoe.total:
        return None
    cards = shoe.total
    rich = sum([weight * count for weight, count in zip(weights, shoe.counts, strict=True)]) / cards
    squares = sum([w * w * count for w, count in zip(weights, shoe.counts, strict=True)]) / cards
    name = f"{played.table}/{played.context.shoe}"
    return ShoeIndex(name, rich, max(0.0, squares - rich * rich), cards)


def counted(index: ShoeIndex, wager: str, cents: int) -> StreamEvidence:
    """A bet beside the index of the shoe that it was made on."""
    bet = Bet(index.shoe, cents, index.average, index.variance, index.cards)
    return StreamEvidence(StreamKind.COUNT, wager, (), observed=0, expected=0, bet=bet)
