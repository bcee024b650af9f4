"""How many compositions of a shoe a second are priced exactly, while a shoe is dealt."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from blackjack.rulebook.filings import FILINGS, FiledSideBet, Paytable
from blackjack.rulebook.rule_set import standard_house
from odds.shoe import CardCounts
from odds.worth import worth
from tests.bench.measure import Measurement, compared, timed
from tests.odds.independent import brute

ASKED: Final = Measurement("asked for: 2,000 shoes/s", 2_000, "shoes/s")
"""For the bets on three or four cards; not measured, and so not listed itself."""

AIM: Final = 100
"""Counting by classes is worth its code if it is so many times faster than dealing."""

DECKS: Final = 6

BETS: Final = (
    ("double_action_iii", "double_action"),
    ("double_action_iii", "match_madness"),
    ("match_madness", "match_me"),
    ("skweezit", "skweezit"),
    ("half_back", "upcard_bonus"),
    ("dead_mans_hand", "dead_mans_hand"),
)


def dealt_down(seed: int, shoes: int) -> list[CardCounts]:
    """What is left of one shoe after another, as rounds of a few cards leave it."""
    rng = Random(seed)
    found: list[CardCounts] = []
    while len(found) < shoes:
        cards = [card for card in range(52) for _ in range(DECKS)]
        rng.shuffle(cards)
        while len(cards) > 52 and len(found) < shoes:
            del cards[: rng.randrange(4, 20)]
            found.append(CardCounts(tuple(cards.count(card) for card in range(52))))
    return found


def measure(*, quick: bool) -> list[Measurement]:
    """Edge and variance from the 52 counts, each as an exact fraction."""
    shoes = dealt_down(seed=1, shoes=200 if quick else 2_000)
    found: list[Measurement] = []
    for game, wager in BETS:
        filed, table = FILINGS[game].side_bets[wager], FILINGS[game].paytables(wager, DECKS)[0]
        rate = len(shoes) / min(timed(_pricing(filed, table, shoes)) for _ in range(3))
        name = f"{filed.title} priced for any shoe"
        if wager == "dead_mans_hand":  # splits and the dealer's cards: no aim is set for it
            found.append(Measurement(name, rate, "shoes/s"))
        else:
            found.append(compared(name, rate, "shoes/s", ASKED, aim=1.0))
    fast = found[BETS.index(("double_action_iii", "double_action"))].value
    return [*found, *_against_single_cards(fast, shoes[: 2 if quick else 10])]


def _pricing(filed: FiledSideBet, table: Paytable, shoes: list[CardCounts]) -> Callable[[], object]:
    house = standard_house(table.game, {filed.wager: table.option})

    def price() -> object:
        priced = (worth(filed, table, house, decks=DECKS, shoe=shoe) for shoe in shoes)
        return [(price.edge, price.variance) for price in priced]

    return price


def _against_single_cards(fast: float, shoes: list[CardCounts]) -> list[Measurement]:
    """The plain way, in the same run: every ordered deal of the shoe judged on its own."""
    seconds = timed(lambda: [brute.law(shoe.counts, 3, brute.double_action) for shoe in shoes])
    plain = Measurement("Double Action dealt card by card", len(shoes) / seconds, "shoes/s")
    return [plain, compared("Double Action by classes of cards", fast, "shoes/s", plain, aim=AIM)]
