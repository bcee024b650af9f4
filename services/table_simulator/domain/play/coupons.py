"""The promotions of an evening: terms as the marketing desk publishes them."""

from __future__ import annotations

from blackjack.money import THREE_TO_TWO
from blackjack.promotions import OnPush, PromotionKind, Terms

DAY = 86_400_000_000


def promotions(game: str, *, valid_from: int) -> list[tuple[str, Terms]]:
    """Terms with the name a coupon gives them. A free ace is worth a card, not chips."""
    since, until = valid_from - DAY, valid_from + 30 * DAY
    terms = (
        Terms("Match $10", PromotionKind.MATCH_PLAY, 10_00, valid_from=since, valid_until=until),
        Terms(
            "Match $25, players club",
            PromotionKind.MATCH_PLAY,
            25_00,
            games=(game,),
            patron_bound=True,
            natural_pays=THREE_TO_TWO,
            on_push=OnPush.LOST,
            valid_from=since,
            valid_until=until,
        ),
        Terms(
            "Free bet $5",
            PromotionKind.FREE_BET,
            5_00,
            match_required=False,
            on_push=OnPush.RETURNED,
            valid_from=since,
            valid_until=until,
        ),
        Terms(
            "Free ace",
            PromotionKind.FREE_ACE,
            0,
            match_required=False,
            natural_pays=THREE_TO_TWO,
            on_push=OnPush.LOST,
            valid_from=since,
            valid_until=until,
        ),
    )
    return [(each.hash, each) for each in terms]
