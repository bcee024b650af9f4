"""The engine's state as plain values, to compare and to measure it."""

from __future__ import annotations

from typing import Any

import msgspec

from blackjack.cards.card import Card
from blackjack.rulebook.rule_set import Catalogue, RuleSet

SKIPPED = {"catalogue", "event"}
"""What states have in common, and what is only in hand while an event is applied."""


def plain(value: Any) -> Any:
    """A state without identity: equal for equal histories, whatever objects hold them."""
    if isinstance(value, msgspec.Struct | Card | RuleSet | Catalogue):
        return value
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, set | frozenset):
        return frozenset(value)
    names = fields(value)
    if not names:
        return value
    return {name: plain(getattr(value, name)) for name in names if name not in SKIPPED}


def fields(value: Any) -> tuple[str, ...]:
    """The names of what an object of the engine holds, plain or compiled."""
    kind = type(value)
    held: tuple[str, ...] = getattr(kind, "__mypyc_attrs__", ()) or getattr(kind, "__slots__", ())
    return tuple(name for name in held if not name.startswith("__"))


def weight(value: Any) -> int:
    """How many values a state holds: a measure of its size that no allocator changes."""
    if isinstance(value, dict):
        return 1 + sum(weight(part) for part in value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return 1 + sum(weight(part) for part in value)
    if isinstance(value, str | bytes):
        return 1 + len(value) // 64
    return 1
