"""Promotion terms as data: what a coupon is worth, where, and until when."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from blackjack.money import EVEN_MONEY, Odds
from blackjack.rulebook.canonical import address

FACE_CENTS_MAX: Final = 10**8
"""A million dollars: no coupon is larger."""

ODDS_MAX: Final = 1_000
"""To one: the longest odds that any filing pays."""


class PromotionKind(StrEnum):
    MATCH_PLAY = "match_play"
    FREE_BET = "free_bet"
    FREE_ACE = "free_ace"
    HAND_BONUS = "hand_bonus"
    POINT_MULTIPLIER = "point_multiplier"


class OnPush(StrEnum):
    """What becomes of the coupon when its wager pushes."""

    STAYS = "stays"
    RETURNED = "returned"
    LOST = "lost"


class Terms(Struct, frozen=True):
    """The terms of one promotion; never changed once published, only succeeded.

    `games` and `wagers` empty mean any game, the main wager only. `valid_until` 0 means
    without end. A hand bonus adds its face value when one of `wagers` ends as
    `bonus_outcome`.
    """

    name: str
    kind: PromotionKind
    face_cents: int
    games: tuple[str, ...] = ()
    wagers: tuple[str, ...] = ("main",)
    match_required: bool = True
    one_per_round: bool = True
    patron_daily_limit: int = 0
    patron_bound: bool = False
    pays: Odds = EVEN_MONEY
    natural_pays: Odds = EVEN_MONEY
    on_push: OnPush = OnPush.STAYS
    valid_from: int = 0
    valid_until: int = 0
    bonus_outcome: str = ""
    multiplier: int = 1

    @property
    def problem(self) -> str:
        """Why these terms cannot be paid by; nothing if they can."""
        if not 0 <= self.face_cents <= FACE_CENTS_MAX:
            return f"a face value of {self.face_cents} cents cannot be"
        for odds in (self.pays, self.natural_pays):
            if odds.stake < 1 or not 0 <= odds.win <= ODDS_MAX * odds.stake:
                return f"odds of {odds.win} to {odds.stake} cannot be"
        return ""

    @property
    def hash(self) -> str:
        """The name by which a coupon refers to its terms."""
        return address(self)
