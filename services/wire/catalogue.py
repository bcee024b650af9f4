"""The catalogue as a topic: definitions under their hash, never changed once they are there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from google.protobuf.message import DecodeError

from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import Catalogue, NotFiled, RuleSet, compose
from casino.table.v1.facts_promotion_pb2 import PromotionTerms
from casino.table.v1.rules_pb2 import RuleSetDefinition
from wire.errors import NotADefinition, UnreadableMessage
from wire.promotions import read_terms, write_terms
from wire.rules import read_rule_set, write_rule_set

_RULE_SET: Final = b"rule-set/"
_PROMOTION: Final = b"promotion/"


def rule_set_key(rule_set_hash: str) -> bytes:
    """The key under which a rule set is published; other definitions have other prefixes."""
    return _RULE_SET + rule_set_hash.encode()


def is_rule_set(key: bytes | None) -> bool:
    return key is not None and key.startswith(_RULE_SET)


def promotion_key(terms_hash: str) -> bytes:
    """The key under which the terms of a promotion are published."""
    return _PROMOTION + terms_hash.encode()


def is_promotion(key: bytes | None) -> bool:
    return key is not None and key.startswith(_PROMOTION)


def encode_rule_set(rules: RuleSet) -> bytes:
    """The whole definition, so that a later default cannot change it."""
    return write_rule_set(rules.spec).SerializeToString(deterministic=True)


def decode_rule_set(key: bytes, data: bytes) -> RuleSet:
    """The rule set of these bytes, or `NotADefinition`: not filed, or not what its key names."""
    try:
        rules = compose(read_rule_set(RuleSetDefinition.FromString(data)))
    except DecodeError:
        raise NotADefinition("the bytes are no RuleSetDefinition, or were cut off") from None
    except UnreadableMessage as error:
        raise NotADefinition(error.reason) from None
    except NotFiled as rejected:
        raise NotADefinition(f"no filing allows it: {rejected}") from None
    if rule_set_key(rules.hash) != key:
        raise NotADefinition(f"the definition has the hash {rules.hash[:12]}, its key says {key!r}")
    return rules


def encode_terms(terms: Terms) -> bytes:
    """All of the terms, so that a later default cannot change them."""
    return write_terms(terms).SerializeToString(deterministic=True)


def decode_terms(key: bytes, data: bytes) -> Terms:
    """The terms of these bytes, or `NotADefinition`: not payable, or not what their key names."""
    try:
        terms = read_terms(PromotionTerms.FromString(data))
    except DecodeError:
        raise NotADefinition("the bytes are no PromotionTerms, or were cut off") from None
    except UnreadableMessage as error:
        raise NotADefinition(error.reason) from None
    if terms.problem:
        raise NotADefinition(f"no coupon can be paid by these terms: {terms.problem}")
    if promotion_key(terms.hash) != key:
        raise NotADefinition(f"the terms have the hash {terms.hash[:12]}, their key says {key!r}")
    return terms


def check_definition(key: bytes | None, value: bytes) -> None:
    """Raises `NotADefinition` for a message that no catalogue takes."""
    if key is not None and is_rule_set(key):
        decode_rule_set(key, value)
    elif key is not None and is_promotion(key):
        decode_terms(key, value)
    else:
        raise NotADefinition(f"the key {key!r} names no kind of definition"[:200])


def with_definitions(
    catalogue: Catalogue,
    messages: Iterable[tuple[bytes | str | None, bytes | str | None]],
    on_rejected: Callable[[bytes, str], None],
) -> Catalogue:
    """The catalogue and what was published, by key and value; what cannot be read is left out."""
    rule_sets: list[RuleSet] = []
    terms: list[Terms] = []
    for key, value in messages:
        if not isinstance(key, bytes) or not isinstance(value, bytes):
            continue
        try:
            if is_rule_set(key):
                rule_sets.append(decode_rule_set(key, value))
            elif is_promotion(key):
                terms.append(decode_terms(key, value))
        except NotADefinition as rejected:
            on_rejected(key, rejected.reason)
        except Exception as failed:
            # One definition that breaks its codec must not keep all others from being known.
            on_rejected(key, repr(failed))
    return catalogue.with_(*rule_sets).with_terms(*terms)
