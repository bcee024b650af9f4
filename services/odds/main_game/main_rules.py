"""The rules that the main game's value depends on, and no others.

Two rule sets with equal `MainRules` have one analysis, whatever their side bets. Each
field of `HouseRules` that is left out has a reason:

- `double_for_less`: the value of a double is linear in the sum added. Where doubling is better
  than hitting, it is best to add all that is allowed, and where it is not, to add nothing; a
  smaller sum lies between the two and is never better than both.
- `insurance`, `even_money`: a wager of its own on the hole card (`insurance_edge`); even money
  is insurance on a natural.
- `read_confidence_min`: about cameras.
"""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from blackjack.money import THREE_TO_TWO, Odds
from blackjack.rulebook.canonical import address
from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.house_rules import HALF_BACK, DoubleOn, SplitBy
from blackjack.rulebook.rule_checks import HANDS_MAX
from blackjack.rulebook.rule_set import RuleSet

HARD_DOUBLES: Final = {
    DoubleOn.ANY_TWO: None,
    DoubleOn.HARD_9_TO_11: range(9, 12),
    DoubleOn.HARD_10_TO_11: range(10, 12),
}


class NoMainGame(ValueError):
    """A game without a blackjack hand."""

    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(f"{game} has no blackjack hand to analyse")


class NotPlayable(ValueError):
    """Rules that no game of ours can have together."""


class MainRules(Struct, frozen=True):
    """Rules of play and payout. The dealer always peeks, under an ace and under a ten."""

    dealer_hits_soft_17: bool = False
    natural_pays: Odds = THREE_TO_TWO
    double_on: DoubleOn = DoubleOn.ANY_TWO
    double_after_split: bool = True
    split_by: SplitBy = SplitBy.RANK
    hands_max: int = 4
    resplit_aces: bool = False
    hit_split_aces: bool = False
    late_surrender: bool = False
    half_back: bool = False
    """Two equal wagers, one of which may come back; an up card of 3 to 6 is replaced."""

    def __post_init__(self) -> None:
        if self.hands_max not in HANDS_MAX:
            raise NotPlayable(f"{self.hands_max} hands; {HANDS_MAX[0]} to {HANDS_MAX[-1]} can be")
        if self.natural_pays.stake < 1 or self.natural_pays.win < 0:
            raise NotPlayable(f"a natural cannot pay {self.natural_pays}")
        if self.half_back and self.late_surrender:
            raise NotPlayable("Half Back knows no surrender")

    @classmethod
    def of(cls, rules: RuleSet) -> Self:
        """The part of a rule set that the main game is played by."""
        filing, house = rules.filing, rules.spec.house
        if filing.dealing is not Dealing.STANDARD:
            raise NoMainGame(filing.game)
        return cls(
            dealer_hits_soft_17=house.dealer_hits_soft_17,
            natural_pays=house.natural_pays,
            double_on=house.double_on,
            double_after_split=house.double_after_split,
            split_by=house.split_by,
            hands_max=house.hands_max,
            resplit_aces=house.resplit_aces,
            hit_split_aces=house.hit_split_aces,
            late_surrender=house.late_surrender,
            half_back=HALF_BACK in filing.base_wagers,
        )

    @property
    def hash(self) -> str:
        """The content address by which a kept analysis is found."""
        return address(self)

    @property
    def natural_net(self) -> float:
        """The win of a natural for every unit."""
        return self.natural_pays.win / self.natural_pays.stake

    @property
    def units(self) -> int:
        """Main wagers that are on the table before the deal."""
        return 2 if self.half_back else 1

    def doubles(self, total: int, *, soft: bool) -> bool:
        """Whether a first hand of two cards with this total may be doubled."""
        hard = HARD_DOUBLES[self.double_on]
        return hard is None or (not soft and total in hard)

    def split_hands_max(self, *, aces: bool) -> int:
        """Hands that a pair may become: `hands_max`, but for aces that are not split again."""
        return 2 if aces and not self.resplit_aces else self.hands_max

    def plays_on(self, *, aces: bool) -> bool:
        """Whether split hands may do more than take their second card."""
        return self.hit_split_aces or not aces
