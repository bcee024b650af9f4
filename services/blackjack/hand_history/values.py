"""The values that a line is made of, each with its way to be read and to be written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from blackjack.cards.card import Card, NotACard, card
from blackjack.facts import ChipCount, DropCount
from blackjack.hand_history.cursor import Cursor
from blackjack.hand_history.lexer import Token, TokenKind, UnreadableLine, quote, write_text
from blackjack.hand_history.times import read_time, write_time
from blackjack.money import InvalidAmount, Odds, format_cents, parse_cents

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

# No number has more than 300 digits, so that no text can make the parser slow.
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,300}")
_SPOT: Final = re.compile(r"(dealer|-?[0-9]{1,300})(?:\.(-?[0-9]{1,300}))?")
_COUNTED: Final = re.compile(r"([0-9]{1,18})[x×](.+)")
_TIMES: Final = ("x", "×")


@dataclass(frozen=True, slots=True)
class ValueCodec(Generic[T]):
    """How a value is read from a line and written into one; `shape` is for the reader's eye."""

    shape: str
    read: Callable[[Cursor], T]
    write: Callable[[T], str]


def _read_integer(cursor: Cursor) -> int:
    token = cursor.word("a whole number")
    if not _INTEGER.fullmatch(token.text):
        raise cursor.unexpected_token(token, "a whole number")
    return int(token.text)


def _read_money(cursor: Cursor) -> int:
    token = cursor.word(_AMOUNT)
    return _parse_amount(token.text, token.column)


def _parse_amount(text: str, column: int) -> int:
    """Cents of any sign and size: a history carries what a log holds, nonsense included."""
    try:
        return parse_cents(text, signed=True, cents_max=None)
    except InvalidAmount as invalid:
        raise UnreadableLine(column, str(invalid)) from None


def write_money(cents: int) -> str:
    return format_cents(cents, currency=False)


_AMOUNT: Final = "an amount such as 25.00"
_CARD: Final = "a card such as AS, TD or 7C, or ?? for one that was not read"


def _read_card(cursor: Cursor) -> Card | None:
    token = cursor.word(_CARD)
    if token.text == "??":
        return None
    try:
        return card(token.text)
    except NotACard:
        raise cursor.unexpected_token(token, _CARD) from None


def _read_known_card(cursor: Cursor) -> Card:
    token = cursor.word("a card such as AS, TD or 7C")
    try:
        return card(token.text)
    except NotACard:
        raise cursor.unexpected_token(token, "a card such as AS, TD or 7C") from None


def _write_card(dealt: Card | None) -> str:
    return "??" if dealt is None else dealt.name


def _read_time(cursor: Cursor) -> int:
    token = cursor.word(_MOMENT)
    at = read_time(token.text)
    if at is None:
        raise cursor.unexpected_token(token, _MOMENT)
    return at


_MOMENT: Final = "a time such as 2026-03-01T20:15:00Z"


def _read_odds(cursor: Cursor) -> Odds:
    win = INTEGER.read(cursor)
    cursor.require("to")
    return Odds(win, INTEGER.read(cursor))


def _read_text(cursor: Cursor) -> str:
    return cursor.text("a word, or a text in quotes")


def _read_name(cursor: Cursor) -> str:
    token = cursor.token
    if token is not None and token.kind is TokenKind.WORD and not _NAME.fullmatch(token.text):
        raise cursor.unexpected("a name such as main, or a name in quotes")
    return cursor.text("a name such as main")


_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
SUFFIX_WORDS: Final = ("at", "hash", "via", "confidence", "received", "waited")
"""What may follow a list of names, so that a name like it is written in quotes."""


def write_name(name: str) -> str:
    """A name of a game, a wager or an outcome: quoted where it could be taken for a keyword."""
    plain = _NAME.fullmatch(name) and name.lower() not in SUFFIX_WORDS
    return name if plain else quote(name)


def _read_sequence(cursor: Cursor) -> int:
    token = cursor.word("the number of an event, such as #57")
    if not _INTEGER.fullmatch(token.text.removeprefix("#")):
        raise cursor.unexpected_token(token, "the number of an event, such as #57")
    return int(token.text.removeprefix("#"))


INTEGER: Final = ValueCodec("NUMBER", _read_integer, str)
MONEY: Final = ValueCodec("AMOUNT", _read_money, write_money)
TEXT: Final = ValueCodec("TEXT", _read_text, write_text)
NAME: Final = ValueCodec("NAME", _read_name, write_name)
CARD: Final = ValueCodec("CARD", _read_card, _write_card)
KNOWN_CARD: Final = ValueCodec("CARD", _read_known_card, _write_card)
TIME: Final = ValueCodec("TIME", _read_time, write_time)
ODDS: Final = ValueCodec("ODDS", _read_odds, lambda odds: f"{odds.win} to {odds.stake}")
SEQUENCE: Final = ValueCodec("#NUMBER", _read_sequence, lambda seq: f"#{seq}")


def one_of(kind: type[E]) -> ValueCodec[E]:
    """One of the words of an enumeration."""
    words = [member.value for member in kind]

    def read(cursor: Cursor) -> E:
        token = cursor.word(f"one of {', '.join(words)}", words)
        if token.text.lower() not in words:
            raise cursor.unexpected_token(token, f"one of {', '.join(words)}", words)
        return kind(token.text.lower())

    return ValueCodec("|".join(words), read, str)


def listed(codec: ValueCodec[T]) -> ValueCodec[tuple[T, ...]]:
    """One or more, parted by commas. Nothing at all is written by leaving the clause out."""

    def read(cursor: Cursor) -> tuple[T, ...]:
        items = [codec.read(cursor)]
        while cursor.accept_comma():
            items.append(codec.read(cursor))
        return tuple(items)

    def write(items: Sequence[T]) -> str:
        return ", ".join(map(codec.write, items))

    return ValueCodec(f"{codec.shape}, ...", read, write)


def _read_counted(cursor: Cursor) -> tuple[int, int]:
    """How many of which amount: `20 x 100.00`, or `20x100`."""
    expected = "a count of chips such as 20 x 100.00"
    token = cursor.word(expected)
    if together := _COUNTED.fullmatch(token.text):
        column = token.column + together.start(2)
        return int(together[1]), _parse_amount(together[2], column)
    if not _INTEGER.fullmatch(token.text):
        raise cursor.unexpected_token(token, expected)
    if not any(cursor.accept(times) for times in _TIMES):
        raise cursor.unexpected("'x' and the worth of one")
    return int(token.text), MONEY.read(cursor)


def _read_chips(cursor: Cursor) -> ChipCount:
    count, cents = _read_counted(cursor)
    return ChipCount(denomination_cents=cents, count=count)


def _read_drop(cursor: Cursor) -> DropCount:
    kind = TEXT.read(cursor)
    count, cents = _read_counted(cursor)
    return DropCount(kind=kind, denomination_cents=cents, count=count)


def _write_drop(found: DropCount) -> str:
    amount = write_money(found.denomination_cents)
    return f"{write_text(found.kind)} {found.count} x {amount}"


CHIPS: Final = ValueCodec(
    "NUMBER x AMOUNT",
    _read_chips,
    lambda chips: f"{chips.count} x {write_money(chips.denomination_cents)}",
)
DROP: Final = ValueCodec("TEXT NUMBER x AMOUNT", _read_drop, _write_drop)


def _read_cards(cursor: Cursor) -> tuple[Card, ...]:
    cards = [KNOWN_CARD.read(cursor)]
    while (token := cursor.token) is not None and is_card(token):
        cards.append(KNOWN_CARD.read(cursor))
    return tuple(cards)


CARDS: Final = ValueCodec(
    "CARD CARD ...", _read_cards, lambda cards: " ".join(c.name for c in cards)
)


def is_card(token: Token) -> bool:
    """Whether this word names one of the 52."""
    try:
        card(token.text)
    except NotACard:
        return False
    return token.kind is TokenKind.WORD


def is_spot(token: Token) -> bool:
    return token.kind is TokenKind.WORD and (
        token.text.lower() == "seat" or _SPOT.fullmatch(token.text.lower()) is not None
    )


def read_spot(cursor: Cursor, *, hand: int | None = 1, expected: str = "") -> tuple[int, int]:
    """A seat and its hand, `3` or `3.2` or `dealer`; `hand` is what stands for no hand.

    Where `hand` is None the line takes a seat alone. The word `seat` before it is allowed.
    """
    expected = expected or ("a seat such as 3" if hand is None else "a seat such as 3 or 3.2")
    noise = cursor.accept("seat")
    token = cursor.word(expected + ("" if noise else ", or dealer"), ["dealer"])
    match = _SPOT.fullmatch(token.text.lower())
    if match is None:
        raise cursor.unexpected_token(token, expected + ", or dealer", ["dealer"])
    if match[2] and hand is None:
        raise cursor.unexpected_token(token, expected + " without a hand")
    seat = 0 if match[1] == "dealer" else int(match[1])
    return seat, int(match[2]) if match[2] else hand or 0


def write_spot(seat: int, hand: int, *, default: int = 1, dealer: str = "dealer") -> str:
    """A seat with its hand, unless that is the usual one."""
    return (str(seat) if seat else dealer) + ("" if hand == default else f".{hand}")


def choices(words: Iterable[str]) -> str:
    return ", ".join(map(repr, words))


AnyCodec = ValueCodec[Any]
