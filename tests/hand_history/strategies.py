"""Strategies for any event at all, made from the types of `blackjack.facts` themselves.

A new fact or field is covered the day it is added. Drawn values need make no sense: a
log may hold anything, and the text must carry it.
"""

from __future__ import annotations

import types
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from blackjack.cards.card import DECK, Card
from blackjack.facts import CERTAIN, Event, Fact, RuleSetActivated
from blackjack.findings import Kind, Level
from blackjack.hand_history import (
    START_US,
    STEP_US,
    Expectation,
    ExpectedFinding,
    ExpectedNoFindings,
    ExpectedOutcome,
    ExpectedStatus,
)
from blackjack.outcomes import Payment, Result, RoundStatus
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.rule_set import FILED

FACTS: tuple[type[Fact], ...] = get_args(Fact)

_KEYWORDS = (
    "main dealer seat tip patron coupon hash by at via confidence received waited terms won "
    'void lost no in to index down card x // @ # #5 ?? , 1,250 " \\ 10 3.2 -1 expect table rules'
).split()

numbers = st.one_of(st.integers(0, 9), st.integers(-(10**6), 10**6), st.integers(-(2**70), 2**70))
texts = st.one_of(
    st.sampled_from(["", "main", "R-17", "a b", *_KEYWORDS]),
    st.from_regex(r"[A-Za-z0-9_.-]{1,8}", fullmatch=True),
    st.text(max_size=8),
    st.text(st.characters(codec=None), max_size=3),
)


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that facts are made of."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is bool:
        return st.booleans()
    if kind is int:
        return numbers
    if kind is str:
        return texts
    if kind is Card:
        return st.sampled_from(DECK)
    if kind is type(None):
        return st.none()
    if origin in (Union, types.UnionType):
        return st.one_of(*map(values_of, arguments))
    if origin is tuple:
        return st.lists(values_of(arguments[0]), max_size=3).map(tuple)
    if origin is dict:
        keys, values = map(values_of, arguments)
        return st.dictionaries(keys, values, max_size=3)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    return structs(kind)


def structs(kind: Any) -> st.SearchStrategy[Any]:
    """A struct with any values, each field left at its default half of the time."""
    hints = get_type_hints(kind)
    fields = msgspec.structs.fields(kind)
    required = {field.name: values_of(hints[field.name]) for field in fields if field.required}
    optional = {field.name: values_of(hints[field.name]) for field in fields if not field.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda v: kind(**v))


def _filed(spec: RuleSetSpec, rule_set: str) -> RuleSetActivated:
    return RuleSetActivated(rule_set, spec)


filed_rules = st.sampled_from(list(FILED)).map(lambda each: _filed(each.spec, each.hash))
facts: st.SearchStrategy[Fact] = st.one_of(
    st.sampled_from(FACTS).flatmap(structs), st.sampled_from(FACTS).flatmap(structs), filed_rules
)
_usually = st.integers(0, 5).map(bool)
_delays = st.one_of(st.just(0), st.integers(-(10**7), 10**11))


@st.composite
def events(draw: st.DrawFn, max_size: int = 12) -> tuple[Event, ...]:
    """A stream as a controller might send it: mostly in step, on one or two tables."""
    tables = draw(st.lists(st.one_of(st.just("BJ-07"), texts), min_size=1, max_size=2))
    made: list[Event] = []
    at = draw(st.one_of(st.just(START_US), numbers))
    seq, device, confidence, delay, waited = 1, "", CERTAIN, 0, 0
    for fact in draw(st.lists(facts, max_size=max_size)):
        if not draw(_usually):
            at += draw(st.one_of(st.integers(0, 10**7), numbers))
        if not draw(_usually):
            seq = draw(numbers)
        if not draw(_usually):
            device, confidence, delay = draw(texts), draw(numbers), draw(_delays)
            waited = draw(st.sampled_from([0, 0, 250_000, 600_000_000, 86_400_000_001]))
        made.append(
            Event(
                table=draw(st.sampled_from(tables)),
                seq=seq,
                at=at,
                fact=fact,
                device=device,
                confidence=confidence,
                ingested_at=at + delay if delay else 0,
                waited_us=waited,
            )
        )
        at += STEP_US
        seq += 1
    return tuple(made)


_maybe_cents = st.none() | numbers


@st.composite
def expectations(draw: st.DrawFn) -> Expectation:
    table, name, after = draw(texts), draw(texts), draw(st.integers(0, 12))
    match draw(st.integers(0, 3)):
        case 0:
            return ExpectedNoFindings(table=table, round=name, after=after)
        case 1:
            version = draw(st.none() | numbers)
            status = draw(st.sampled_from(RoundStatus))
            return ExpectedStatus(
                table=table, round=name, status=status, version=version, after=after
            )
        case 2:
            return ExpectedFinding(
                table=table,
                round=name,
                kind=draw(st.sampled_from(Kind)),
                seat=draw(st.none() | numbers),
                hand=draw(st.none() | numbers),
                wager=draw(st.none() | texts),
                cents=draw(_maybe_cents),
                level=draw(st.none() | st.sampled_from(Level)),
                withdrawn=draw(st.booleans()),
                after=after,
            )
        case _:
            return _outcome(draw, table, name, after)


def _outcome(draw: st.DrawFn, table: str, name: str, after: int) -> ExpectedOutcome:
    result = draw(st.sampled_from(Result))
    cents = most = None
    if result in (Result.WON, Result.LOST, Result.SURRENDERED):
        cents = draw(_maybe_cents)
    if result is Result.UNDETERMINED and draw(st.booleans()):
        cents, most = draw(numbers), draw(numbers)
    return ExpectedOutcome(
        table=table,
        round=name,
        seat=draw(numbers),
        hand=draw(numbers),
        wager=draw(texts),
        tip=draw(st.booleans()),
        outcome=draw(texts),
        result=result,
        cents=cents,
        cents_most=most,
        coupon_cents=draw(_maybe_cents),
        payment=draw(st.none() | st.sampled_from(Payment)),
        after=after,
    )
