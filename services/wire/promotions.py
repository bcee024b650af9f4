"""The terms of a promotion, from the wire and back.

As with rule sets: what is left out means the engine's default, what is written is
complete. An empty list of wagers stays empty, since the hash of the terms covers it.
"""

from __future__ import annotations

from blackjack.money import EVEN_MONEY
from blackjack.rulebook.promotions import OnPush, PromotionKind, Terms
from casino.table.v1 import facts_promotion_pb2
from wire.vocabulary import enumeration, read_odds, read_time, stated, write_odds, write_time

KINDS, KIND_NUMBERS = enumeration(
    "kind of promotion", PromotionKind, facts_promotion_pb2.PromotionKind
)
ON_PUSH, ON_PUSH_NUMBERS = enumeration(
    "on_push", OnPush, facts_promotion_pb2.OnPush, default=OnPush.STAYS
)


def read_terms(message: facts_promotion_pb2.PromotionTerms) -> Terms:
    return Terms(
        name=message.name,
        kind=KINDS[message.kind],
        face_cents=message.face_cents,
        games=tuple(message.games),
        wagers=tuple(message.wagers),
        match_required=stated(message, "match_required", True),
        one_per_round=stated(message, "one_per_round", True),
        patron_daily_limit=message.patron_daily_limit,
        patron_bound=message.patron_bound,
        pays=read_odds(message.pays) if message.HasField("pays") else EVEN_MONEY,
        natural_pays=(
            read_odds(message.natural_pays) if message.HasField("natural_pays") else EVEN_MONEY
        ),
        on_push=ON_PUSH[message.on_push],
        valid_from=read_time(message.valid_from),
        valid_until=read_time(message.valid_until),
        bonus_outcome=message.bonus_outcome,
        multiplier=stated(message, "multiplier", 1),
    )


def write_terms(terms: Terms) -> facts_promotion_pb2.PromotionTerms:
    return facts_promotion_pb2.PromotionTerms(
        name=terms.name,
        kind=KIND_NUMBERS[terms.kind],
        face_cents=terms.face_cents,
        games=terms.games,
        wagers=terms.wagers,
        match_required=terms.match_required,
        one_per_round=terms.one_per_round,
        patron_daily_limit=terms.patron_daily_limit,
        patron_bound=terms.patron_bound,
        pays=write_odds(terms.pays),
        natural_pays=write_odds(terms.natural_pays),
        on_push=ON_PUSH_NUMBERS[terms.on_push],
        valid_from=write_time(terms.valid_from),
        valid_until=write_time(terms.valid_until),
        bonus_outcome=terms.bonus_outcome,
        multiplier=terms.multiplier,
    )
