"""The 52 faces, the back and the unread card as SVG symbols.

A face has its index in two corners, large enough for a small felt, and pips as on printed cards.
Court cards are half a figure, and the same half turned about the middle.
"""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import DECK, Card

RED: Final = "#b7202b"
BLACK: Final = "#15202b"
GOLD: Final = "#d9a93a"
IVORY: Final = "#fffdf7"
SKIN: Final = "#f1d4b3"
BACK: Final = "back"
UNREAD: Final = "unread"

_SUITS: Final = {
    "H": "M50 90C22 66 8 49 8 31 8 17 18 8 30 8c9 0 16 5 20 14 4-9 11-14 20-14 12 0 22 9 22 23"
    " 0 18-14 35-42 59Z",
    "D": "M50 3c9 17 21 33 36 47-15 14-27 30-36 47-9-17-21-33-36-47C29 36 41 20 50 3Z",
    "S": "M50 4c13 21 42 36 42 58 0 12-9 20-20 20-8 0-15-4-18.5-10 .5 10 4.5 18 13.5 23H33c9-5"
    " 13-13 13.5-23C43 78 36 82 28 82 17 82 8 74 8 62 8 40 37 25 50 4Z",
    "C": "M50 5a21 21 0 0 1 15 36 21 21 0 1 1-12 33c.5 9 4 16 13 21H34c9-5 12.5-12 13-21a21 21 0 1 "
    "1-12-33A21 21 0 0 1 50 5Z",
}
_LEFT, _MIDDLE, _RIGHT = 38.0, 50.0, 62.0
_PIPS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    2: ((_MIDDLE, 30), (_MIDDLE, 110)),
    3: ((_MIDDLE, 30), (_MIDDLE, 70), (_MIDDLE, 110)),
    4: tuple((x, y) for x in (_LEFT, _RIGHT) for y in (30, 110)),
    5: (*((x, y) for x in (_LEFT, _RIGHT) for y in (30, 110)), (_MIDDLE, 70)),
    6: tuple((x, y) for x in (_LEFT, _RIGHT) for y in (30, 70, 110)),
    7: (*((x, y) for x in (_LEFT, _RIGHT) for y in (30, 70, 110)), (_MIDDLE, 50)),
    8: (*((x, y) for x in (_LEFT, _RIGHT) for y in (30, 70, 110)), (_MIDDLE, 50), (_MIDDLE, 90)),
    9: (*((x, y) for x in (_LEFT, _RIGHT) for y in (30, 57, 83, 110)), (_MIDDLE, 70)),
    10: (
        *((x, y) for x in (_LEFT, _RIGHT) for y in (30, 57, 83, 110)),
        (_MIDDLE, 43),
        (_MIDDLE, 97),
    ),
}
_MID_HEIGHT: Final = 70.0
_CROWNS: Final = {
    "J": f'<path d="M36 31q14-16 29-5l-2 7q-13-6-26 1Z" fill="{{cloth}}"/>'
    f'<path d="M62 27q9-10 12-3-5 2-10 7Z" fill="{GOLD}"/>',
    "Q": f'<path d="M37 31l1-11 6 6 6-8 6 8 6-6 1 11q-13-6-26 0Z" fill="{GOLD}"/>'
    '<circle cx="50" cy="17" r="2.2" fill="{cloth}"/>',
    "K": f'<path d="M35 31V17l7 7 8-11 8 11 7-7v14q-15-6-30 0Z" fill="{GOLD}"/>'
    '<path d="M48.5 9h3v-3h-3ZM46 8.5v2h8v-2Z" fill="{cloth}"/>',
}
_HAIR: Final = {
    "J": '<path d="M38 36q-3 12 3 14l2-14ZM62 36q3 12-3 14l-2-14Z" fill="#6b4a2b"/>',
    "Q": '<path d="M38 34q-7 16-2 22 5-2 7-20ZM62 34q7 16 2 22-5-2-7-20Z" fill="#8a5a2b"/>',
    "K": '<path d="M40 42q0 16 10 17 10-1 10-17-4 6-10 6t-10-6Z" fill="#5b4636"/>',
}


def draw_cards() -> str:
    """Draw one SVG file with a symbol for each card: `AS`, `TD`, ..., `back`, `unread`."""
    suits = "".join(
        f'<symbol id="suit-{suit}" viewBox="0 0 100 100"><path d="{path}"/></symbol>'
        for suit, path in _SUITS.items()
    )
    faces = "".join(_symbol(card.name, _face(card)) for card in DECK)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg">{suits}{faces}'
        f"{_symbol(BACK, _back())}{_symbol(UNREAD, _unread())}</svg>"
    )


def _symbol(name: str, drawing: str) -> str:
    edge = f'<rect x=".5" y=".5" width="99" height="139" rx="8" fill="{IVORY}" stroke="#8b8574"/>'
    return f'<symbol id="{name}" viewBox="0 0 100 140">{edge}{drawing}</symbol>'


def _face(card: Card) -> str:
    color = RED if card.is_red else BLACK
    index = _index(card)
    middle = _court(card) if card.rank > 10 else _pips(card)
    return f'<g fill="{color}">{middle}{index}{_rotate(index)}</g>'


def _index(card: Card) -> str:
    rank = "10" if card.rank == 10 else card.name[0]
    squeezed = ' textLength="21" lengthAdjust="spacingAndGlyphs"' if rank == "10" else ""
    text = (
        f'<text x="14" y="28" font-family="Inter,Arial,sans-serif" font-weight="700" '
        f'font-size="27" text-anchor="middle"{squeezed}>{rank}</text>'
    )
    return text + _pip(card.suit, 14, 40, 15)


def _pips(card: Card) -> str:
    if card.rank == 1:
        return _pip(card.suit, _MIDDLE, _MID_HEIGHT, 46)
    return "".join(_draw_pip_at(card.suit, x, y) for x, y in _PIPS[card.rank])


def _draw_pip_at(suit: str, x: float, y: float) -> str:
    """Draw a pip, upside down in the lower half."""
    pip = _pip(suit, x, y, 17)
    return pip if y <= _MID_HEIGHT else f'<g transform="rotate(180 {x:g} {y:g})">{pip}</g>'


def _pip(suit: str, x: float, y: float, size: float) -> str:
    left, top = x - size / 2, y - size / 2
    return f'<use href="#suit-{suit}" x="{left:g}" y="{top:g}" width="{size:g}" height="{size:g}"/>'


def _court(card: Card) -> str:
    rank = card.name[0]
    cloth, trim = (RED, "#27406b") if card.is_red else ("#27406b", RED)
    half = (
        f'<path d="M29 70q1-20 21-20t21 20Z" fill="{cloth}"/>'
        f'<path d="M44 51l6 19 6-19Z" fill="{IVORY}"/>'
        f'<path d="M33 60l9 10h-6l-6-5ZM67 60l-9 10h6l6-5Z" fill="{GOLD}"/>'
        f'<path d="M48.5 56h3v14h-3Z" fill="{trim}"/>'
        f"{_HAIR[rank] if rank != 'K' else ''}"
        f'<ellipse cx="50" cy="39" rx="9.5" ry="11" fill="{SKIN}"/>'
        f"{_HAIR[rank] if rank == 'K' else ''}"
        '<circle cx="46.5" cy="38" r="1.1" fill="#333"/><circle cx="53.5" cy="38" r="1.1" '
        'fill="#333"/><path d="M48 44.5q2 1.4 4 0" stroke="#9a3b32" fill="none"/>'
        f"{_CROWNS[rank].format(cloth=cloth)}"
    )
    frame = f'<rect x="27" y="12" width="46" height="116" fill="none" stroke="{GOLD}"/>'
    line = f'<path d="M27 70h46" stroke="{GOLD}"/>'
    suit = _pip(card.suit, 34, 21, 11)
    return f"{frame}{half}{_rotate(half)}{line}{suit}{_rotate(suit)}"


def _rotate(drawing: str) -> str:
    return f'<g transform="rotate(180 50 70)">{drawing}</g>'


def _back() -> str:
    lattice = "".join(
        f'<path d="M{8 + 12 * step} 8L8 {8 + 12 * step}M{92 - 12 * step} 132L92 {132 - 12 * step}'
        f'M{92 - 12 * step} 8L92 {8 + 12 * step}M{8 + 12 * step} 132L8 {132 - 12 * step}" />'
        for step in range(1, 8)
    )
    return (
        '<rect x="6" y="6" width="88" height="128" rx="5" fill="#7c1f2c"/>'
        f'<g stroke="#c9848c" stroke-width="1.2" fill="none">{lattice}'
        '<rect x="10" y="10" width="80" height="120" rx="3"/></g>'
        f'<circle cx="50" cy="70" r="17" fill="#7c1f2c" stroke="{GOLD}" stroke-width="2"/>'
        f'<g fill="{GOLD}">{_pip("S", 50, 70, 18)}</g>'
    )


def _unread() -> str:
    return (
        '<rect x="6" y="6" width="88" height="128" rx="5" fill="#e9e2cf" stroke="#a3813a" '
        'stroke-dasharray="6 4"/>'
        '<text x="50" y="92" font-family="Inter,Arial,sans-serif" font-weight="700" font-size="60" '
        'text-anchor="middle" fill="#7a5d16">?</text>'
    )
