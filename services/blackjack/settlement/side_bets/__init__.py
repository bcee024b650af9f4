"""The side bets: one module an evaluator, and the registry that the filings name them by."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from blackjack.settlement.side_bets.dead_mans_hand import DEAD_MANS_HAND
from blackjack.settlement.side_bets.double_action import DOUBLE_ACTION
from blackjack.settlement.side_bets.matches import (
    MATCH_ME,
    MATCH_ME_2,
    MATCH_ME_2_ONE_DECK,
    MATCH_ME_ONE_DECK,
    MATCH_THREE_UP,
)
from blackjack.settlement.side_bets.side_bet import LOSS, SideBet, SideBetRole
from blackjack.settlement.side_bets.skweezit import SKWEEZIT
from blackjack.settlement.side_bets.upcard_bonus import UPCARD_BONUS

EVALUATORS: Final[Mapping[str, SideBet]] = MappingProxyType(
    {
        side_bet.evaluator: side_bet
        for side_bet in (
            DOUBLE_ACTION,
            MATCH_THREE_UP,
            MATCH_ME,
            MATCH_ME_2,
            MATCH_ME_ONE_DECK,
            MATCH_ME_2_ONE_DECK,
            SKWEEZIT,
            DEAD_MANS_HAND,
            UPCARD_BONUS,
        )
    }
)
"""Every evaluator, by the name that a filing calls it."""

__all__ = ["EVALUATORS", "LOSS", "SideBet", "SideBetRole"]
