"""Every word of the engine has a word on the wire, and the other way round."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

from casino.settlement.v1 import finding_pb2, settled_round_pb2
from casino.surveillance.v1 import alert_pb2
from casino.table.v1 import (
    cards_pb2,
    facts_device_pb2,
    facts_money_pb2,
    facts_promotion_pb2,
    facts_round_pb2,
    facts_shoe_pb2,
    rules_pb2,
)
from wire.vocabulary import ENUMERATIONS

FILES = [
    cards_pb2,
    facts_device_pb2,
    facts_money_pb2,
    facts_promotion_pb2,
    facts_round_pb2,
    facts_shoe_pb2,
    rules_pb2,
    finding_pb2,
    settled_round_pb2,
    alert_pb2,
]
CONTRACT = {
    name: enum for file in FILES for name, enum in file.DESCRIPTOR.enum_types_by_name.items()
}


@pytest.mark.parametrize("kind", ENUMERATIONS, ids=lambda kind: kind.__name__)
def test_every_value_maps_both_ways(kind: type[Enum]) -> None:
    members, numbers = ENUMERATIONS[kind]
    descriptor: Any = CONTRACT[kind.__name__]
    assert set(numbers) == set(kind)
    assert {number for number in descriptor.values_by_number if number} <= set(members)
    for member in kind:
        assert members[numbers[member]] is member
    for number, value in descriptor.values_by_number.items():
        if number:
            assert value.name.endswith(f"_{members[number].name}")


def test_no_enumeration_of_the_contract_is_left_out() -> None:
    assert set(CONTRACT) == {kind.__name__ for kind in ENUMERATIONS} | {"Card"}
