"""Every word of the engine has a word on the wire, and the other way round."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest
from google.protobuf.descriptor import EnumDescriptor

from casino.settlement.v1 import finding_pb2, settled_round_pb2
from casino.table.v1 import (
    cards_pb2,
    facts_device_pb2,
    facts_money_pb2,
    facts_promotion_pb2,
    facts_round_pb2,
    facts_shoe_pb2,
    rules_pb2,
)
from wire import (
    facts_device,
    facts_money,
    facts_round,
    facts_ruling,
    facts_shoe,
    outcomes,
    promotions,
    rules,
    settlement,
    vocabulary,
)

PAIRS: list[tuple[dict[int, Any], dict[Any, Any], Any]] = [
    (vocabulary.PLACES, vocabulary.PLACE_NUMBERS, cards_pb2.Place),
    (facts_shoe.SHOE_KINDS, facts_shoe.SHOE_KIND_NUMBERS, facts_shoe_pb2.ShoeKind),
    (facts_round.ACTIONS, facts_round.ACTION_NUMBERS, facts_round_pb2.Action),
    (
        facts_ruling.IRREGULARITIES,
        facts_ruling.IRREGULARITY_NUMBERS,
        facts_round_pb2.Irregularity,
    ),
    (facts_ruling.RULINGS, facts_ruling.RULING_NUMBERS, facts_round_pb2.Ruling),
    (facts_money.TENDERS, facts_money.TENDER_NUMBERS, facts_money_pb2.Tender),
    (facts_device.OBSERVATIONS, facts_device.OBSERVATION_NUMBERS, facts_device_pb2.Observation),
    (rules.DOUBLE_ON, rules.DOUBLE_ON_NUMBERS, rules_pb2.DoubleOn),
    (rules.PEEKS, rules.PEEK_NUMBERS, rules_pb2.Peek),
    (rules.SPLIT_BY, rules.SPLIT_BY_NUMBERS, rules_pb2.SplitBy),
    (rules.ROUNDINGS, rules.ROUNDING_NUMBERS, rules_pb2.Rounding),
    (promotions.KINDS, promotions.KIND_NUMBERS, facts_promotion_pb2.PromotionKind),
    (promotions.ON_PUSH, promotions.ON_PUSH_NUMBERS, facts_promotion_pb2.OnPush),
    (settlement.LEVELS, settlement.LEVEL_NUMBERS, finding_pb2.Level),
    (outcomes.RESULTS, outcomes.RESULT_NUMBERS, settled_round_pb2.Result),
    (outcomes.PAYMENTS, outcomes.PAYMENT_NUMBERS, settled_round_pb2.Payment),
    (settlement.STATUSES, settlement.STATUS_NUMBERS, settled_round_pb2.RoundStatus),
    (
        settlement.DEALER_PLACES,
        settlement.DEALER_PLACE_NUMBERS,
        settled_round_pb2.DealerPlace,
    ),
]


@pytest.mark.parametrize(
    ("members", "numbers", "wire"), PAIRS, ids=[pair[2].DESCRIPTOR.name for pair in PAIRS]
)
def test_every_value_maps_both_ways(
    members: dict[int, Enum], numbers: dict[Enum, int], wire: Any
) -> None:
    descriptor: EnumDescriptor = wire.DESCRIPTOR
    kind = type(next(iter(numbers)))
    assert set(numbers) == set(kind)
    assert {number for number in descriptor.values_by_number if number} <= set(members)
    for member in kind:
        assert members[numbers[member]] is member
    for number, value in descriptor.values_by_number.items():
        if number:
            assert value.name.endswith(f"_{members[number].name}")


def test_no_enumeration_of_the_contract_is_left_out() -> None:
    files = [
        cards_pb2,
        facts_device_pb2,
        facts_money_pb2,
        facts_promotion_pb2,
        facts_round_pb2,
        facts_shoe_pb2,
        rules_pb2,
        finding_pb2,
        settled_round_pb2,
    ]
    named = {name for file in files for name in file.DESCRIPTOR.enum_types_by_name}
    assert named == {pair[2].DESCRIPTOR.name for pair in PAIRS} | {"Card"}
