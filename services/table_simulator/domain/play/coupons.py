"""The promotions of an evening: terms as the marketing desk publishes them."""

from __future__ import annotations

from blackjack.money import THREE_TO_TWO
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.promotions import OnPush, PromotionKind, Terms
from table_simulator.domain.games import DOUBLE_ACTION, DOUBLE_ACTION_III

DAY = 86_400_000_000
PATRON_DAILY_LIMIT = 4


def promotions(spec: RuleSetSpec, *, valid_from: int) -> list[tuple[str, Terms]]:
    """Terms with the name a coupon gives them.

    A free ace is worth a card, not chips. A bonus on a hand is an extra prize, to which only
    the owner of Double Action consents (15-141). Points count at the promotions desk, not at the
    table.
    """
    game = spec.game
    since = (valid_from // DAY - 1) * DAY  # the same terms, and so the same name, at every table
    until = since + 30 * DAY
    terms = [
        Terms("Match $10", PromotionKind.MATCH_PLAY, 10_00, valid_from=since, valid_until=until),
        Terms(
            "Match $25, players club",
            PromotionKind.MATCH_PLAY,
            25_00,
            games=(game,),
            patron_daily_limit=PATRON_DAILY_LIMIT,
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
        Terms(
            "Double points",
            PromotionKind.POINT_MULTIPLIER,
            0,
            match_required=False,
            patron_bound=True,
            multiplier=2,
            valid_from=since,
            valid_until=until,
        ),
    ]
    limit = spec.limits.wagers.get(DOUBLE_ACTION)
    if game == DOUBLE_ACTION_III and not (limit and limit.aggregate_cents):
        terms.append(
            Terms(
                "Flush of the day",
                PromotionKind.HAND_BONUS,
                15_00,
                games=(game,),
                wagers=(DOUBLE_ACTION,),
                match_required=False,
                bonus_outcome="flush",
                valid_from=since,
                valid_until=until,
            )
        )
    return [(term.hash, term) for term in terms]
