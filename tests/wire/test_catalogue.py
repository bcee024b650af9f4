"""Definitions in the catalogue are what their key says, or are refused."""

import pytest

from blackjack.rule_set import compose
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from wire import NotADefinition
from wire.catalogue import decode_rule_set, encode_rule_set, is_rule_set, rule_set_key
from wire.headers import read_ingested_at, write_ingested_at


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_set_comes_back_with_its_hash(game: str) -> None:
    for spec in specs(game):
        rules = compose(spec)
        key = rule_set_key(rules.hash)
        assert is_rule_set(key)
        assert decode_rule_set(key, encode_rule_set(rules)) == rules


def test_a_definition_under_another_key_is_refused() -> None:
    first, second = (compose(each) for each in specs("skweezit")[:2])
    with pytest.raises(NotADefinition, match="its key says"):
        decode_rule_set(rule_set_key(first.hash), encode_rule_set(second))


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x0a\x05poker"])
def test_bytes_that_define_no_filed_game_are_refused(data: bytes) -> None:
    with pytest.raises(NotADefinition):
        decode_rule_set(rule_set_key("0" * 64), data)


def test_an_ingest_time_comes_back_and_nonsense_tells_none() -> None:
    assert read_ingested_at(write_ingested_at(1_772_416_800_000_000)) == 1_772_416_800_000_000
    for odd in (None, b"", b"-1", b"1.5", b"9" * 40, b"\xff"):
        assert read_ingested_at(odd) == 0
