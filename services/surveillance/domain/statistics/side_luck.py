"""Results of a side bet against its exact odds, from the cards that are left.

Two tickets, of which each is exactly fair: one that pays for any win, and one that pays what
the wager itself brings back. Seats of a round share the dealer's cards and are not independent,
but the average of fair tickets is fair whatever they have in common; so a subject with several
spots has one ticket a round, each spot with the weight of its stake.

- What is not known at the end (a card not read, a hand or round declared void) counts as lost:
  the ticket is then worth no more than it would have been, and stays fair whatever the reason.
- Dead Man's Hand depends on what the player splits. Its odds are those of one who splits as
  often as he may, which brings back most: for anybody else the ticket is worth less on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from blackjack.outcomes import Result, RoundStatus, SettledRound, WagerOutcome
from blackjack.rule_set import RuleSet
from odds.shoe import Shoe, TooFewCards
from odds.ways import TooManyWays
from odds.worth import ways_of, worth_by
from surveillance.domain.statistics.evidence import Evidence, Kind, Ticket

DECIDED: Final = (Result.WON, Result.LOST, Result.PUSHED)


class SideLaw(Struct, frozen=True):
    """What one unit of a side bet does on average, from one shoe."""

    wins: float
    """How likely it is paid anything."""
    brings: float
    """What comes back, the unit itself included."""


def side_law(rules: RuleSet, wager: str, shoe: Shoe) -> SideLaw | None:
    """None where the shoe cannot decide the wager, or nothing can be won."""
    try:
        ways = ways_of(rules.side_bet(wager), rules.spec.house, shoe)
    except (TooFewCards, TooManyWays):
        return None
    worth = worth_by(rules.paytables[wager], ways)
    law = SideLaw(wins=float(worth.hit), brings=float(1 - worth.edge))
    return law if law.wins > 0.0 else None


def side_luck(
    played: SettledRound, rules: RuleSet, law: SideLaw, bets: Sequence[WagerOutcome]
) -> Evidence | None:
    """What the wagers of one kind of one subject say; `bets` are of one kind."""
    staked = sum([weight_of(bet) for bet in bets])
    if not staked:
        return None
    wager = bets[0].wager
    won = sum([weight_of(bet) for bet in bets if brought(played, rules, bet)])
    back = sum([weight_of(bet) * brought(played, rules, bet) for bet in bets])
    return Evidence(
        Kind.LUCK,
        wager,
        ((Ticket(won / staked / law.wins),), (Ticket(back / staked / law.brings),)),
        observed=back - staked,
        expected=staked * (law.brings - 1.0),
    )


def weight_of(bet: WagerOutcome) -> int:
    """What lay there before the deal, a coupon by its face."""
    return bet.placed_cents or bet.coupon_cents


def brought(played: SettledRound, rules: RuleSet, bet: WagerOutcome) -> float:
    """What one unit brought back by its paytable; nothing if that is not known."""
    if played.status is not RoundStatus.SETTLED or bet.result not in DECIDED:
        return 0.0
    row = rules.paytables[bet.wager].row(bet.outcome)
    return 0.0 if row is None else 1.0 + row.pays.win / row.pays.stake
