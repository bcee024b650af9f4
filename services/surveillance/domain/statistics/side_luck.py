"""Results of a side bet against its exact odds, from the cards that are left.

Two angles, of which each is exactly fair. One bets on a win of any size: where spots have cards
of their own, on one spot after another, each at its odds given the dealer's cards and all cards
of the spots before it (`seat_odds`). The other bets on what the wager brings back; spots share
the dealer's cards and are not independent, but the average of fair tickets is fair whatever they
have in common, so all spots are one ticket, each with the weight of its stake.

- What is not known at the end (a card not read, a round declared void) counts as lost: the
  ticket is then worth no more than it would have been, and stays fair whatever the reason.
- Dead Man's Hand depends on what the player splits. Its odds are those of one who splits as
  often as he may, which brings back most: for anybody else the ticket is worth less on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from blackjack.outcomes import Result, RoundStatus, SettledRound, WagerOutcome
from blackjack.rulebook.rule_set import RuleSet
from odds.shoe import CardCounts, TooFewCards
from odds.ways import TooManyWays
from odds.worth import ways_of, worth_by
from surveillance.domain.statistics.evidence import StreamEvidence, StreamKind, Ticket
from surveillance.domain.statistics.seat_odds import has_spots_of_its_own, spot_chances

DECIDED: Final = (Result.WON, Result.LOST, Result.PUSHED)


class SideLaw(Struct, frozen=True):
    """What one unit of a side bet does on average, from one shoe."""

    wins: Fraction
    """How likely it is paid anything."""
    brings: Fraction
    """What comes back, the unit itself included."""


def side_law(rules: RuleSet, wager: str, shoe: CardCounts) -> SideLaw | None:
    """None where the shoe cannot decide the wager, or nothing can be won."""
    try:
        ways = ways_of(rules.side_bet(wager), rules.spec.house, shoe)
    except (TooFewCards, TooManyWays):
        return None
    worth = worth_by(rules.paytables[wager], ways)
    law = SideLaw(wins=worth.hit, brings=1 - worth.edge)
    return law if law.wins else None


class SideLuck:
    """One kind of side bet in one round; what all subjects share is worked out once."""

    def __init__(
        self, played: SettledRound, rules: RuleSet, wager: str, law: SideLaw, shoe: CardCounts
    ) -> None:
        self._played = played
        self._rules = rules
        self._wager = wager
        self._wins_chance, self._brings = float(law.wins), float(law.brings)
        self._gains = law.brings - 1
        self._side_bet = rules.side_bet(wager)
        self._has_spots = has_spots_of_its_own(self._side_bet)
        self._shoe = shoe

    def of(self, bets: Sequence[WagerOutcome]) -> StreamEvidence | None:
        """What the wagers of one subject say."""
        staked = sum([weight_of(bet) for bet in bets])
        if not staked:
            return None
        back = sum([weight_of(bet) * self._brought(bet) for bet in bets])
        return StreamEvidence(
            StreamKind.LUCK,
            self._wager,
            (self._wins(bets, staked), (Ticket(back / staked / self._brings),)),
            observed=round(back - staked),
            expected=round(staked * self._gains),
        )

    def _wins(self, bets: Sequence[WagerOutcome], staked: int) -> tuple[Ticket, ...]:
        if self._has_spots:
            won = {bet.seat: self._brought(bet) > 0.0 for bet in bets}
            chances = spot_chances(self._played, self._side_bet, self._shoe, sorted(won))
            return tuple([Ticket(won[seat] / float(chance)) for seat, chance in chances])
        paid = sum([weight_of(bet) for bet in bets if self._brought(bet)])
        return (Ticket(paid / staked / self._wins_chance),)

    def _brought(self, bet: WagerOutcome) -> float:
        """What one unit brought back by its paytable; nothing if that is not known."""
        if self._played.status is not RoundStatus.SETTLED or bet.result not in DECIDED:
            return 0.0
        row = self._rules.paytables[self._wager].row(bet.outcome)
        return 0.0 if row is None else 1.0 + row.pays.win / row.pays.stake


def weight_of(bet: WagerOutcome) -> int:
    """What lay there before the deal, a coupon by its face."""
    return bet.placed_cents or bet.coupon_cents
