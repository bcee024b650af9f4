"""Hypothesis strategies for the engine's values, made from their own annotations.

A field that is added to a fact is drawn without anything written here; a field whose
meaning narrows its values has an entry in `_BY_NAME` or `_BY_FIELD`.

    facts()                 any fact
    facts(CardDealt)        one kind of fact
    events()                any fact in an envelope
    structs(SettledRound)   any other value of the engine
"""

from __future__ import annotations

import types
from enum import Enum
from typing import Any, Final, TypeVar, Union, get_args, get_origin

import msgspec
from hypothesis import strategies as st

from blackjack.cards.card import DECK, Card
from blackjack.facts import Event, Fact
from blackjack.play.clock import VALID_SINCE, VALID_UNTIL

S = TypeVar("S", bound=msgspec.Struct)

FACTS: Final[tuple[type[Any], ...]] = get_args(Fact)
"""Every kind of fact."""

TIME_MAX: Final = 253_402_300_799_999_999
"""The last microsecond of the year 9999."""

words = st.sampled_from(["main", "double_action", "T-07", "ä", ""]) | st.text(max_size=12)
names = st.text(min_size=1, max_size=12)
seats = st.integers(0, 9) | st.integers(0, 2**32 - 1)
counts = st.integers(0, 500) | st.integers(0, 2**32 - 1)
amounts = st.integers(-100_00, 1_000_00) | st.integers(-(2**63), 2**63 - 1)
sequences = st.integers(1, 1000) | st.integers(1, 2**64 - 1)
times_or_none = st.just(0) | st.integers(1, TIME_MAX)

# By a word of the field's name; the first that is in it holds (`stake_cents` are cents).
_BY_NAME: Final[dict[str, st.SearchStrategy[Any]]] = {
    "seat": seats,
    "hand": st.integers(1, 5) | st.integers(1, 2**32 - 1),
    "cents": amounts,
    "count": amounts,
    "at": times_or_none,
    "from": times_or_none,
    "until": times_or_none,
    "stake": st.integers(1, 2**32 - 1),
    "run": st.integers(-(2**31), 2**31 - 1),
    "seq": sequences,
}
_BY_FIELD: Final[dict[tuple[str, str], st.SearchStrategy[Any]]] = {
    ("IrregularityRuled", "hand"): counts,
    ("Finding", "hand"): counts,
    ("Alert", "evidence_count"): counts,
    ("Evidence", "hand"): counts,
    ("RoundOpened", "round"): names,
    ("SettledRound", "table"): names,
    ("SettledRound", "round"): names,
    ("SettledRound", "version"): st.integers(1, 2**31 - 1),
    ("SettledRound", "first_seq"): st.integers(0, 2**63 - 1),
    ("SettledRound", "last_seq"): st.integers(0, 2**63 - 1),
}


def structs(kind: type[S]) -> st.SearchStrategy[S]:
    """Any value of a Struct, every field drawn."""
    fields = msgspec.structs.fields(kind)
    return st.builds(kind, **{field.name: _field(kind.__name__, field) for field in fields})


def facts(*kinds: type[Fact]) -> st.SearchStrategy[Any]:
    """Any fact, or any of these kinds."""
    return st.one_of([structs(kind) for kind in kinds or FACTS])


def events(*kinds: type[Fact]) -> st.SearchStrategy[Event]:
    """Any fact in an envelope that the contract can carry, without digest and ingest time."""
    return st.builds(
        Event,
        table=st.sampled_from(["T-01", "T-02"]) | st.text(min_size=1, max_size=12),
        seq=sequences,
        at=st.integers(VALID_SINCE, VALID_UNTIL - 1),
        fact=facts(*kinds),
        device=words,
        confidence=st.integers(1, 1000),
        previous=st.just(b"") | st.binary(min_size=32, max_size=32),
    )


def _field(owner: str, field: msgspec.structs.FieldInfo) -> st.SearchStrategy[Any]:
    if (owner, field.name) in _BY_FIELD:
        return _BY_FIELD[owner, field.name]
    if field.type is int:
        words_of_name = field.name.split("_")
        for word, strategy in _BY_NAME.items():
            if word in words_of_name:
                return strategy
    return _of_type(field.type)


def _of_type(annotation: Any) -> st.SearchStrategy[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is Card:
        return st.sampled_from(DECK)
    if annotation is int:
        return counts
    if annotation is float:
        return st.floats(allow_nan=False)
    if annotation is bool:
        return st.booleans()
    if annotation is str:
        return words
    if annotation is type(None):
        return st.none()
    if origin in (Union, types.UnionType):
        return st.one_of([_of_type(argument) for argument in arguments])
    if origin is tuple:
        return st.lists(_of_type(arguments[0]), max_size=6).map(tuple)
    if origin is dict:
        return st.dictionaries(_of_type(arguments[0]), _of_type(arguments[1]), max_size=4)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(annotation)
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return structs(annotation)
    raise TypeError(f"no strategy for {annotation!r}: write one in tests/strategies.py")
