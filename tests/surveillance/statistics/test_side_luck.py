"""Tickets on side bets are exactly fair: enumerated, in fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import fsum, perm

import pytest

from blackjack.cards.card import DECK, Card, cards
from blackjack.outcomes import DealerCard, DealerPlace, Result, RoundStatus, SettledRound
from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.rule_set import FILED, RuleSet
from blackjack.settlement.side_bets import LOSS
from odds.certificates import Offer, offers
from odds.shoe import CardCounts
from surveillance.domain.statistics.seat_odds import spot_chances
from surveillance.domain.statistics.side_luck import SideLuck, side_law
from tests.odds.independent.edges import law_of, prices
from tests.surveillance.statistics.rounds import bet, dealers, hand, played, rules_of

OFFERS = [offer for filing in FILINGS.values() for offer in offers(filing)]
SHARE = Fraction(2, 5)


def named(offer: Offer) -> str:
    return f"{offer.wagers[0]}-{offer.decks}-{offer.paytable.option}"


def rule_set_of(offer: Offer) -> RuleSet:
    wager, option = offer.wagers[0], offer.paytable.option
    return next(
        each
        for each in FILED
        if each.spec.game == offer.filing.game
        and each.spec.decks == offer.decks
        and each.spec.paytables[wager] == option
    )


@pytest.mark.parametrize("offer", OFFERS, ids=named)
def test_from_a_full_shoe_both_tickets_are_worth_one_on_average(offer: Offer) -> None:
    """Of every filed paytable, by chances that were counted apart from ours."""
    wager = offer.wagers[0]
    key = (offer.filing.game, wager, offer.decks, offer.paytable.option)
    chances = next(law_of(each) for each in prices() if tuple(each) == key)
    law = side_law(rule_set_of(offer), wager, CardCounts.of_decks(offer.decks))
    assert law is not None
    rows = {name: offer.paytable.row(name) for name in chances if name != LOSS}
    paid = {name: 1 + row.pays.ratio for name, row in rows.items() if row is not None}
    assert sum(chances[name] for name in paid) / law.wins == 1
    assert sum(chances[name] * back for name, back in paid.items()) / law.brings == 1


SMALL = {
    ("double_action_iii", "double_action"): "2C 3C 4C 4D 4H 9S KS",
    ("double_action_iii", "match_madness"): "2C 2C 2D 2H 9S 9D KS",
    ("skweezit", "skweezit"): "2C 3C 4C 5D 5H 9S AS",
    ("match_madness", "match_me"): "2C 2C 2D 2H 9S 9D KS",
    ("match_madness", "match_me_2"): "2C 2C 2D 2H 9S 9D KS",
    ("half_back", "upcard_bonus"): "3C 4D 5H 7S AS KS KS",
}


def dealt(rules: RuleSet, wager: str, shoe: CardCounts) -> Iterator[SettledRound]:
    """Every way to deal the wager to as many spots as the shoe has cards for, at most two."""
    left = [card for card in DECK for _ in range(shoe.counts[card.index])]
    side_bet = rules.side_bet(wager)
    own = 3 if wager.startswith("match_me") else 0 if wager == "upcard_bonus" else 2
    shared = len(side_bet.roles) - own
    seats = 2 if shared + 2 * own <= len(left) else 1
    for row in permutations(left, shared + seats * own):
        common, spots = row[:shared], [row[shared + own * n :][:own] for n in range(seats)]
        judged = [side_bet.judge(*spot, *common) for spot in spots]
        yield played(
            rules,
            shoe,
            dealer=shown(wager, common),
            hands=[hand(seat, spot) for seat, spot in enumerate(spots, start=1)],
            outcomes=[
                bet(
                    seat,
                    wager,
                    Result.LOST if outcome == LOSS else Result.WON,
                    outcome or "",
                    cents=seat * 7_00,
                )
                for seat, outcome in enumerate(judged, start=1)
            ],
        )


def shown(wager: str, common: tuple[Card, ...]) -> tuple[DealerCard, ...]:
    match wager:
        case "match_me":
            return (DealerCard(common[0], DealerPlace.MATCH_ME),)
        case "match_me_2":
            return (DealerCard(common[0], DealerPlace.MATCH_ME_2),)
        case "match_madness":
            return dealers(*common)
        case "upcard_bonus":
            return dealers(*common[1:], replaced=common[0])
        case _:
            return dealers(common[0], None)


@pytest.mark.parametrize(("game", "wager"), SMALL)
def test_from_any_shoe_a_round_of_two_spots_is_fair(game: str, wager: str) -> None:
    """Every single deal: what a gambler has after the round is one on average, by each angle."""
    rules = rules_of(game)
    shoe = CardCounts.of_cards(cards(SMALL[game, wager]))
    law = side_law(rules, wager, shoe)
    assert law is not None
    sums: list[list[float]] = [[], []]
    for each in dealt(rules, wager, shoe):
        found = SideLuck(each, rules, wager, law, shoe).of(each.outcomes)
        assert found is not None
        for wealths, tickets in zip(sums, found.angles, strict=True):
            wealth = 1.0
            for ticket in tickets:
                wealth *= 1 - float(SHARE) + float(SHARE) * ticket.value
            wealths.append(wealth)
    for wealths in sums:
        assert fsum(wealths) / len(wealths) == pytest.approx(1, abs=1e-12)
        assert max(wealths) > 1


def test_one_spot_after_the_other_is_fair_to_the_last_digit() -> None:
    rules = rules_of("skweezit")
    shoe = CardCounts.of_cards(cards(SMALL["skweezit", "skweezit"]))
    side_bet = rules.side_bet("skweezit")
    everything = Fraction(0)
    for each in dealt(rules, "skweezit", shoe):
        won = {bet.seat: bet.result is Result.WON for bet in each.outcomes}
        wealth = Fraction(1)
        for seat, chance in spot_chances(each, side_bet, shoe, (1, 2)):
            wealth *= 1 - SHARE + SHARE * won[seat] / chance
        everything += wealth
    assert everything == perm(7, 5)


def test_what_is_not_known_counts_as_lost() -> None:
    rules, shoe = rules_of("skweezit"), CardCounts.of_decks(6)
    law = side_law(rules, "skweezit", shoe)
    assert law is not None
    up, low, high = cards("7C 2C AS")

    def values(result: Result, status: RoundStatus = RoundStatus.SETTLED) -> list[float]:
        each = played(
            rules,
            shoe,
            dealer=dealers(up, None),
            hands=[hand(1, (low, high))],
            outcomes=[bet(1, "skweezit", result, "skweezer")],
            status=status,
        )
        found = SideLuck(each, rules, "skweezit", law, shoe).of(each.outcomes)
        assert found is not None
        return [ticket.value for tickets in found.angles for ticket in tickets]

    assert min(values(Result.WON)) > 1
    assert values(Result.UNDETERMINED) == values(Result.VOID) == [0, 0]
    assert values(Result.WON, RoundStatus.VOID) == [0, 0]


def test_dead_mans_hand_pays_most_to_who_splits_as_often_as_he_may() -> None:
    """So the odds of that play are a bound for every other."""
    for rules in FILED:
        if rules.spec.game != "dead_mans_hand":
            continue
        table = rules.paytables["dead_mans_hand"]
        ladder = ("pair_no_set", "one_set", "two_sets", "three_sets", "four_sets")
        rows = [table.row(name) for name in ladder]
        pays = [row.pays.ratio for row in rows if row is not None]
        assert pays == sorted(pays)
        assert len(pays) == len(ladder)
