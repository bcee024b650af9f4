"""The definition of a rule set, from the wire and back.

What is left out on the wire means the engine's default, as in the canonical form; what
is written is always complete, so that a later default cannot change an old definition.
"""

from __future__ import annotations

from typing import Final

from blackjack.money import Rounding
from blackjack.rulebook.house_rules import (
    DoubleOn,
    HouseRules,
    Limits,
    Peek,
    RuleSetSpec,
    SplitBy,
    WagerLimit,
)
from casino.table.v1 import rules_pb2
from wire.vocabulary import enumeration, read_odds, stated, write_odds

_HOUSE: Final = HouseRules()
_LIMITS: Final = Limits()

DOUBLE_ON, DOUBLE_ON_NUMBERS = enumeration(
    "double_on", DoubleOn, rules_pb2.DoubleOn, default=_HOUSE.double_on
)
SPLIT_BY, SPLIT_BY_NUMBERS = enumeration(
    "split_by", SplitBy, rules_pb2.SplitBy, default=_HOUSE.split_by
)
PEEKS, PEEK_NUMBERS = enumeration("peek", Peek, rules_pb2.Peek, default=_HOUSE.peek)
ROUNDINGS, ROUNDING_NUMBERS = enumeration(
    "rounding", Rounding, rules_pb2.Rounding, default=_LIMITS.rounding
)


def read_rule_set(message: rules_pb2.RuleSetDefinition) -> RuleSetSpec:
    return RuleSetSpec(
        game=message.game,
        decks=message.decks,
        paytables=dict(message.paytables),
        house=_read_house(message.house),
        limits=_read_limits(message.limits),
    )


def write_rule_set(spec: RuleSetSpec) -> rules_pb2.RuleSetDefinition:
    return rules_pb2.RuleSetDefinition(
        game=spec.game,
        decks=spec.decks,
        paytables=spec.paytables,
        house=_write_house(spec.house),
        limits=_write_limits(spec.limits),
    )


def _read_house(message: rules_pb2.HouseRules) -> HouseRules:
    return HouseRules(
        dealer_hits_soft_17=stated(message, "dealer_hits_soft_17", _HOUSE.dealer_hits_soft_17),
        natural_pays=(
            read_odds(message.natural_pays)
            if message.HasField("natural_pays")
            else _HOUSE.natural_pays
        ),
        double_on=DOUBLE_ON[message.double_on],
        double_after_split=stated(message, "double_after_split", _HOUSE.double_after_split),
        double_for_less=stated(message, "double_for_less", _HOUSE.double_for_less),
        split_by=SPLIT_BY[message.split_by],
        hands_max=stated(message, "hands_max", _HOUSE.hands_max),
        resplit_aces=stated(message, "resplit_aces", _HOUSE.resplit_aces),
        hit_split_aces=stated(message, "hit_split_aces", _HOUSE.hit_split_aces),
        insurance=stated(message, "insurance", _HOUSE.insurance),
        even_money=stated(message, "even_money", _HOUSE.even_money),
        late_surrender=stated(message, "late_surrender", _HOUSE.late_surrender),
        read_confidence_min=stated(message, "read_confidence_min", _HOUSE.read_confidence_min),
        peek=PEEKS[message.peek],
    )


def _write_house(house: HouseRules) -> rules_pb2.HouseRules:
    return rules_pb2.HouseRules(
        dealer_hits_soft_17=house.dealer_hits_soft_17,
        natural_pays=write_odds(house.natural_pays),
        double_on=DOUBLE_ON_NUMBERS[house.double_on],
        double_after_split=house.double_after_split,
        double_for_less=house.double_for_less,
        split_by=SPLIT_BY_NUMBERS[house.split_by],
        hands_max=house.hands_max,
        resplit_aces=house.resplit_aces,
        hit_split_aces=house.hit_split_aces,
        insurance=house.insurance,
        even_money=house.even_money,
        late_surrender=house.late_surrender,
        read_confidence_min=house.read_confidence_min,
        # Left out at its default, as in the canonical form: older definitions keep their bytes.
        peek=PEEK_NUMBERS[house.peek]
        if house.peek is not _HOUSE.peek
        else rules_pb2.PEEK_UNSPECIFIED,
    )


def _read_limits(message: rules_pb2.Limits) -> Limits:
    return Limits(
        wagers={
            wager: WagerLimit(limit.cents_min, limit.cents_max, limit.aggregate_cents)
            for wager, limit in message.wagers.items()
        },
        smallest_chip_cents=stated(message, "smallest_chip_cents", _LIMITS.smallest_chip_cents),
        rounding=ROUNDINGS[message.rounding],
        other_wagers=tuple(message.other_wagers),
    )


def _write_limits(limits: Limits) -> rules_pb2.Limits:
    return rules_pb2.Limits(
        wagers={
            wager: rules_pb2.WagerLimit(
                cents_min=limit.cents_min,
                cents_max=limit.cents_max,
                aggregate_cents=limit.aggregate_cents,
            )
            for wager, limit in limits.wagers.items()
        },
        smallest_chip_cents=limits.smallest_chip_cents,
        rounding=ROUNDING_NUMBERS[limits.rounding],
        other_wagers=limits.other_wagers,
    )
