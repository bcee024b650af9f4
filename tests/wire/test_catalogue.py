"""Definitions in the catalogue are what their key says, or are refused."""

import pytest
from msgspec.structs import replace

from blackjack.facts import PromotionDefined
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import compose
from table_simulator.days.randomness import play
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from wire import NotADefinition
from wire.catalogue import (
    decode_rule_set,
    decode_terms,
    encode_rule_set,
    encode_terms,
    is_promotion,
    is_rule_set,
    promotion_key,
    rule_set_key,
)
from wire.headers import read_ingested_at, write_ingested_at


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_set_comes_back_with_its_hash(game: str) -> None:
    for spec in specs(game):
        rules = compose(spec)
        key = rule_set_key(rules.hash)
        assert is_rule_set(key)
        assert decode_rule_set(key, encode_rule_set(rules)) == rules


def test_a_definition_under_another_key_is_refused() -> None:
    first, second = (compose(spec) for spec in specs("skweezit")[:2])
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


def every_terms() -> list[Terms]:
    found: list[Terms] = []
    for game in GAMES:
        events = play(seed=3, table_id="T1", spec=specs(game)[0], rounds=2).events
        facts = [event.fact for event in events]
        found += [fact.terms for fact in facts if isinstance(fact, PromotionDefined)]
    return found


def test_terms_come_back_with_their_hash() -> None:
    assert len(every_terms()) > len(GAMES)
    for terms in every_terms():
        key = promotion_key(terms.hash)
        assert is_promotion(key)
        assert not is_rule_set(key)
        assert decode_terms(key, encode_terms(terms)) == terms


def test_terms_that_their_key_does_not_name_or_nobody_can_pay_are_refused() -> None:
    first, second = every_terms()[:2]
    with pytest.raises(NotADefinition, match="their key says"):
        decode_terms(promotion_key(first.hash), encode_terms(second))
    endless = replace(first, face_cents=10**12)
    with pytest.raises(NotADefinition, match="cannot be"):
        decode_terms(promotion_key(endless.hash), encode_terms(endless))


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x10\x63"])
def test_bytes_that_are_no_terms_are_refused(data: bytes) -> None:
    with pytest.raises(NotADefinition):
        decode_terms(promotion_key("0" * 64), data)
