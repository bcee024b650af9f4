"""Line forms as data: one description that reads a fact from a line and writes it back.

A form is its leading words, its parts in their order, then its options in any order. An
option is written only where the fact differs from the default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from blackjack.facts import Fact
from blackjack.hand_history.context import Context
from blackjack.hand_history.cursor import Cursor
from blackjack.hand_history.lexer import write_text
from blackjack.hand_history.values import (
    AnyCodec,
    is_spot,
    read_spot,
    write_spot,
)

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Words:
    """Keywords that must stand here."""

    words: tuple[str, ...]

    def read(self, cursor: Cursor, values: Values) -> None:  # noqa: ARG002
        cursor.require(*self.words)

    def write(self, fact: Fact, context: Context) -> str:  # noqa: ARG002
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Field:
    """A value that must stand here."""

    name: str
    codec: AnyCodec

    def read(self, cursor: Cursor, values: Values) -> None:
        values[self.name] = self.codec.read(cursor)

    def write(self, fact: Fact, context: Context) -> str:  # noqa: ARG002
        return self.codec.write(getattr(fact, self.name))


@dataclass(frozen=True, slots=True)
class SpotField:
    """A seat with its hand; with `has_hand` false a seat alone."""

    has_hand: bool = True

    def read(self, cursor: Cursor, values: Values) -> None:
        token = cursor.token
        if token is not None and not is_spot(token) and "seat" in values:
            return  # as in `pay 3 main 25, double_action 5`: the seat of the item before
        seat, hand = read_spot(cursor, hand=1 if self.has_hand else None)
        values["seat"] = seat
        if self.has_hand:
            values["hand"] = hand

    def write(self, fact: Any, context: Context) -> str:  # noqa: ARG002
        return write_spot(fact.seat, fact.hand if self.has_hand else 1)


@dataclass(frozen=True, slots=True)
class TermsName:
    """A promotion by its name, where the text defines it, or else by its hash."""

    def read(self, cursor: Cursor, values: Values) -> None:
        cursor.require("terms")
        if cursor.accept("by", "hash"):
            values["promotion"] = cursor.text("a hash")
            return
        token = cursor.token
        name = cursor.text("the name of a promotion, or 'by hash'")
        known = cursor.context.promotions
        if name not in known and token is not None:
            expected = "a promotion that a line above defines, or 'by hash'"
            raise cursor.unexpected_token(token, expected, known)
        values["promotion"] = known[name]

    def write(self, fact: Any, context: Context) -> str:
        for name, promotion in context.promotions.items():
            if promotion == fact.promotion and name.lower() != "by":
                return f"terms {write_text(name)}"
        return f"terms by hash {write_text(fact.promotion)}"


Part = Words | Field | SpotField | TermsName


@dataclass(frozen=True, slots=True)
class Option:
    """A keyword with a value behind it, or a keyword that is a value itself."""

    words: tuple[str, ...]
    name: str
    codec: AnyCodec | None = None
    value: Any = True

    def read(self, cursor: Cursor) -> Any:
        return self.value if self.codec is None else self.codec.read(cursor)

    def write(self, value: Any) -> str:
        """The option as it stands in a line, or nothing where it has another value."""
        lead = " ".join(self.words)
        if self.codec is not None:
            return f"{lead} {self.codec.write(value)}"
        return lead if value == self.value else ""

    @property
    def lead(self) -> str:
        return " ".join(self.words)


def clause(words: str, name: str, codec: AnyCodec) -> Option:
    return Option(tuple(words.split()), name, codec)


def flag(words: str, name: str, value: Any = True) -> Option:
    return Option(tuple(words.split()), name, None, value)


def accept_option(cursor: Cursor, options: Sequence[Option]) -> Option | None:
    """Go past the keywords of the longest option that fits."""
    for option in sorted(options, key=lambda each: -len(each.words)):
        if cursor.accept(*option.words):
            return option
    return None


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of fact is written. A `listed` form takes several, parted by commas."""

    kind: type[Fact]
    lead: tuple[str, ...]
    parts: tuple[Part, ...] = ()
    options: tuple[Option, ...] = ()
    listed: bool = False

    def read(self, cursor: Cursor) -> list[Fact]:
        """What follows the leading words."""
        facts = [self._read_one(cursor, {})]
        while self.listed and cursor.accept_comma():
            facts.append(self._read_one(cursor, _spot_of(facts[-1])))
        return facts

    def _read_one(self, cursor: Cursor, values: Values) -> Fact:
        for part in self.parts:
            part.read(cursor, values)
        seen: set[str] = set()
        while option := accept_option(cursor, self.options):
            if option.name in seen:
                raise cursor.unexpected(f"{option.words[0]!r} only once")
            seen.add(option.name)
            values[option.name] = option.read(cursor)
        for option in self.options:  # a list that is required may still be empty
            if option.name not in defaults_of(self.kind):
                values.setdefault(option.name, ())
        return self.kind(**values)

    def write(self, fact: Fact, context: Context) -> str:
        """The item for this fact, without the leading words."""
        words = [part.write(fact, context) for part in self.parts]
        defaults = defaults_of(type(fact))
        for option in self.options:
            value = getattr(fact, option.name)
            if value != defaults.get(option.name, ()):
                words.append(option.write(value))
        return " ".join(filter(None, words))

    def accepted(self) -> list[str]:
        """The keywords that may still come once the parts are read."""
        return [option.lead for option in self.options]


def _spot_of(fact: Fact) -> Values:
    return {name: getattr(fact, name) for name in ("seat", "hand") if hasattr(fact, name)}


_DEFAULTS: Final[dict[type, Values]] = {}


def defaults_of(kind: type) -> Values:
    """The defaults of a struct's fields, those that have one."""
    if kind not in _DEFAULTS:
        _DEFAULTS[kind] = {
            field.name: field.default
            if field.default is not msgspec.NODEFAULT
            else field.default_factory()
            for field in msgspec.structs.fields(kind)
            if not field.required
        }
    return _DEFAULTS[kind]


def form(
    kind: type[Fact],
    lead: str,
    *parts: Part | str,
    options: tuple[Option, ...] = (),
    listed: bool = False,
) -> Form:
    """A form, with keywords between the parts written as plain strings."""
    return Form(
        kind=kind,
        lead=tuple(lead.split()),
        parts=tuple(Words(tuple(p.split())) if isinstance(p, str) else p for p in parts),
        options=options,
        listed=listed,
    )
