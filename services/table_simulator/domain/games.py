"""Names of the filed games and of their wagers, and what each is dealt from."""

from __future__ import annotations

from typing import Final

DOUBLE_ACTION_III: Final = "double_action_iii"
MATCH_MADNESS_GAME: Final = "match_madness"
SKWEEZIT_BLACKJACK: Final = "skweezit"
DEAD_MANS_HAND_GAME: Final = "dead_mans_hand"
HALF_BACK_BLACKJACK: Final = "half_back"

DOUBLE_ACTION: Final = "double_action"
MATCH_MADNESS: Final = "match_madness"
MATCH_ME: Final = "match_me"
MATCH_ME_2: Final = "match_me_2"
SKWEEZIT: Final = "skweezit"
DEAD_MANS_HAND: Final = "dead_mans_hand"
UPCARD_BONUS: Final = "upcard_bonus"

GAMES: Final = (
    DOUBLE_ACTION_III,
    MATCH_MADNESS_GAME,
    SKWEEZIT_BLACKJACK,
    DEAD_MANS_HAND_GAME,
    HALF_BACK_BLACKJACK,
)

SIDE_WAGERS: Final[dict[str, tuple[str, ...]]] = {
    DOUBLE_ACTION_III: (DOUBLE_ACTION, MATCH_MADNESS),
    MATCH_MADNESS_GAME: (MATCH_ME, MATCH_ME_2),
    SKWEEZIT_BLACKJACK: (SKWEEZIT,),
    DEAD_MANS_HAND_GAME: (DEAD_MANS_HAND,),
    HALF_BACK_BLACKJACK: (UPCARD_BONUS,),
}
