"""The differences of two versions of a round, in words: field by field, wager by wager."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from msgspec import Struct, structs

from blackjack.cards.card import Card
from blackjack.findings import Finding
from blackjack.outcomes import DealerCard, HandCards, SettledRound, WagerOutcome

S = TypeVar("S", bound=Struct)
_PARTS: Final = frozenset(("context", "dealer", "hands", "outcomes", "findings"))


def differences(
    emitted: SettledRound, replayed: SettledRound, known: Mapping[str, Finding]
) -> tuple[str, ...]:
    """Every difference between the emitted round and its replay; `known` names findings."""
    if emitted == replayed:
        return ()
    return tuple(_differences(emitted, replayed, known))


def _differences(
    emitted: SettledRound, replayed: SettledRound, known: Mapping[str, Finding]
) -> Iterator[str]:
    yield from _fields("round", emitted, replayed, without=_PARTS)
    yield from _fields("opening context", emitted.context, replayed.context)
    if emitted.dealer != replayed.dealer:
        before, after = _dealer(emitted.dealer), _dealer(replayed.dealer)
        yield f"dealer's cards: emitted {before}, replayed {after}"
    yield from _paired(emitted.hands, replayed.hands, key=_hand_key, name=_hand_name)
    yield from _paired(emitted.outcomes, replayed.outcomes, key=_wager_key, name=_wager_name)
    for name in emitted.findings:
        if name not in replayed.findings:
            yield f"finding {_finding(name, known)}: emitted, not replayed"
    for name in replayed.findings:
        if name not in emitted.findings:
            yield f"finding {_finding(name, known)}: replayed, not emitted"
    if set(emitted.findings) == set(replayed.findings) and emitted.findings != replayed.findings:
        yield "findings: the same, in another order"


def _fields(
    part: str, emitted: S, replayed: S, without: frozenset[str] = frozenset()
) -> Iterator[str]:
    for name in emitted.__struct_fields__:
        before, after = getattr(emitted, name), getattr(replayed, name)
        if name not in without and before != after:
            label = name.replace("_", " ")
            yield f"{part}, {label}: emitted {_value(before)}, replayed {_value(after)}"


def _paired(
    emitted: tuple[S, ...],
    replayed: tuple[S, ...],
    *,
    key: Callable[[S], object],
    name: Callable[[S], str],
) -> Iterator[str]:
    unmatched = {key(part): part for part in replayed}
    for part in emitted:
        other = unmatched.pop(key(part), None)
        if other is None:
            yield f"{name(part)}: emitted, not replayed"
        else:
            yield from _fields(name(part), part, other)
    for part in unmatched.values():
        yield f"{name(part)}: replayed, not emitted"


def _wager_key(outcome: WagerOutcome) -> object:
    return (outcome.seat, outcome.hand, outcome.wager, outcome.tip)


def _wager_name(outcome: WagerOutcome) -> str:
    tip = " for the dealer" if outcome.tip else ""
    return f"seat {outcome.seat} hand {outcome.hand} {outcome.wager}{tip}"


def _hand_key(hand: HandCards) -> object:
    return (hand.seat, hand.hand)


def _hand_name(hand: HandCards) -> str:
    return f"seat {hand.seat} hand {hand.hand}"


def _finding(name: str, known: Mapping[str, Finding]) -> str:
    found = known.get(name)
    return name if found is None else f"{found.kind.value} ({found.text})"


def _dealer(laid: tuple[DealerCard, ...]) -> str:
    return ", ".join(f"{_value(card.card)} {card.place.value}" for card in laid) or "none"


def _value(value: object) -> str:
    if value is None:
        return "not read"
    if isinstance(value, Card):
        return value.sign
    if isinstance(value, tuple):
        return ", ".join(map(_value, value)) or "none"
    if isinstance(value, Struct):
        return " ".join(map(_value, structs.astuple(value)))
    return str(value) if value != "" else "nothing"
