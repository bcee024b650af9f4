"""The four suits as a TrueType font, drawn here because Vera has none.

Outlines are in thousandths of an em. A contour is a closed run of points, clockwise; two
points off the curve in a row have one on it halfway between them, as TrueType has it.
"""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from struct import pack
from typing import Final, TypeAlias

Point: TypeAlias = tuple[int, int, bool]
"""Across, up, and whether it is on the curve."""
Contour: TypeAlias = tuple[Point, ...]

EM: Final = 1000
MIDDLE: Final = 330
"""The axis that every suit is drawn about."""
BEARING: Final = 45
"""Space on either side, so that a suit does not touch the rank before it."""
ADVANCE: Final = 2 * (MIDDLE + BEARING)
ON, OFF = True, False


def _mirrored(left: Contour) -> Contour:
    """A left half from the bottom up, and its reflection back down; ends lie on the axis."""
    right = tuple((2 * MIDDLE - across, up, on) for across, up, on in reversed(left[1:-1]))
    return left + right


def _circle(across: int, up: int, radius: int) -> Contour:
    reach = radius / cos(pi / 8)
    turns = [-2 * pi * (step + 0.5) / 8 for step in range(8)]
    return tuple(
        (round(across + reach * cos(turn)), round(up + reach * sin(turn)), OFF) for turn in turns
    )


_STEM: Final = ((200, -20, ON), (310, 60, OFF), (315, 260, ON))
_FOOT: Final = (*_STEM, *((2 * MIDDLE - x, y, on) for x, y, on in reversed(_STEM)))

_HEART: Final = _mirrored(
    (
        (MIDDLE, -20, ON),
        (250, 130, OFF),
        (160, 240, ON),
        (50, 370, OFF),
        (50, 520, ON),
        (50, 700, OFF),
        (190, 700, ON),
        (300, 700, OFF),
        (MIDDLE, 560, ON),
    )
)
_DIAMOND: Final = _mirrored(
    ((MIDDLE, -30, ON), (240, 190, OFF), (80, 350, ON), (240, 510, OFF), (MIDDLE, 730, ON))
)
_SPADE: Final = _mirrored(
    (
        (MIDDLE, 230, ON),
        (300, 110, OFF),
        (190, 110, ON),
        (50, 110, OFF),
        (50, 270, ON),
        (50, 390, OFF),
        (160, 490, ON),
        (270, 590, OFF),
        (MIDDLE, 730, ON),
    )
)
_CLUB: Final = (_circle(MIDDLE, 550, 160), _circle(175, 265, 160), _circle(485, 265, 160))

OUTLINES: Final[dict[str, tuple[Contour, ...]]] = {
    "♠": (_SPADE, _FOOT),
    "♣": (*_CLUB, _FOOT),
    "♥": (_HEART,),
    "♦": (_DIAMOND,),
}
"""In the order of their code points, as the table of characters needs them."""

_BOX: Final = (0, -50, ADVANCE, 750)


def _glyph(contours: tuple[Contour, ...]) -> bytes:
    points = [point for contour in contours for point in contour]
    across, up = [point[0] + BEARING for point in points], [point[1] for point in points]
    ends, count = [], 0
    for contour in contours:
        count += len(contour)
        ends.append(count - 1)
    head = pack(">5h", len(contours), min(across), min(up), max(across), max(up))
    body = pack(f">{len(ends)}H", *ends) + pack(">H", 0)
    flags = bytes(int(point[2]) for point in points)
    steps = _steps(across) + _steps(up)
    glyph = head + body + flags + pack(f">{len(steps)}h", *steps)
    return glyph + bytes(-len(glyph) % 4)


def _metrics(contours: tuple[Contour, ...]) -> bytes:
    """The second number is where the outline begins; a printer that differs would shift it."""
    left = min(point[0] for contour in contours for point in contour)
    return pack(">Hh", ADVANCE, left + BEARING)


def _steps(numbers: list[int]) -> list[int]:
    return [number - before for number, before in zip(numbers, [0, *numbers], strict=False)]


def _characters() -> bytes:
    """Format 4: a segment for each character, and the last one that has to be there."""
    codes = [ord(sign) for sign in OUTLINES]
    deltas = [glyph - code for glyph, code in enumerate(codes, start=1)]
    count = len(codes) + 1
    ends = pack(f">{count}H", *codes, 0xFFFF)
    offsets = bytes(2 * count)
    body = ends + bytes(2) + ends + pack(f">{count}h", *deltas, 1) + offsets
    head = pack(">7H", 4, 14 + len(body), 0, 2 * count, 8, 2, 2 * count - 8)
    return pack(">HHHHL", 0, 1, 3, 1, 12) + head + body


def _names() -> bytes:
    name = "PitledgerSuits".encode("utf-16-be")
    kinds = (1, 4, 6)
    records = b"".join(pack(">6H", 3, 1, 0x409, kind, len(name), 0) for kind in kinds)
    return pack(">3H", 0, len(kinds), 6 + len(records)) + records + name


@cache
def font_file() -> bytes:
    """The font as the file that a program for fonts would have written."""
    glyphs = [b"", *(_glyph(contours) for contours in OUTLINES.values())]
    count = len(glyphs)
    places = [sum(map(len, glyphs[:number])) for number in range(count + 1)]
    points = max(sum(map(len, contours)) for contours in OUTLINES.values())
    contours_most = max(map(len, OUTLINES.values()))
    maxima = (count, points, contours_most, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    head = (0x10000, 0x10000, 0, 0x5F0F3CF5, 3, EM, *_BOX, 0, 8, 2, 1, 0)
    lines = (0x10000, 750, -50, 0, ADVANCE, 0, 0, ADVANCE, 1, *[0] * 7, count)
    tables = {
        b"cmap": _characters(),
        b"glyf": b"".join(glyphs),
        b"head": pack(">4L2H16x4h2H3h", *head),
        b"hhea": pack(">L3hH11hH", *lines),
        b"hmtx": pack(">Hh", ADVANCE, 0) + b"".join(map(_metrics, OUTLINES.values())),
        b"loca": pack(f">{count + 1}L", *places),
        b"maxp": pack(">L14H", 0x10000, *maxima),
        b"name": _names(),
        b"post": pack(">LlhhL16x", 0x30000, 0, -100, 50, 0),
    }
    return _assembled(tables)


def _assembled(tables: dict[bytes, bytes]) -> bytes:
    power = len(tables).bit_length() - 1
    span = 16 << power
    directory = pack(">L4H", 0x10000, len(tables), span, power, 16 * len(tables) - span)
    place, content = len(directory) + 16 * len(tables), b""
    for tag, table in tables.items():
        padded = table + bytes(-len(table) % 4)
        directory += pack(">4s3L", tag, _checksum(padded), place + len(content), len(table))
        content += padded
    return directory + content


def _checksum(table: bytes) -> int:
    words = (table[start : start + 4] for start in range(0, len(table), 4))
    return sum(int.from_bytes(word, "big") for word in words) % 2**32
