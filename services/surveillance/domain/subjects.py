"""Subjects of sightings: the keys of states."""

from __future__ import annotations

from typing import Final
from zlib import crc32

FLOOR: Final = "floor"
"""All tables together."""

OFFICES: Final = "offices"
"""The cage, the count room and the desk together."""

PROMOTION_PARTS: Final = 16
"""A promotion is watched in so many parts, each with some of the patrons: none grows large."""


def table(name: str) -> str:
    return f"table:{name}"


def dealer(license: str) -> str:
    return f"dealer:{license}"


def patron(token: str) -> str:
    return f"patron:{token}"


def coupon(serial: str) -> str:
    return f"coupon:{serial}"


def shoe(table_name: str, name: str) -> str:
    return f"shoe:{table_name}/{name}"


def pair(license: str, token: str) -> str:
    """A dealer with a patron."""
    return f"pair:{license}/{token}"


def peers(game: str) -> str:
    """All who deal one game."""
    return f"peers:{game}"


def slips(series: str) -> str:
    return f"slips:{series}"


def box(table_name: str) -> str:
    return f"box:{table_name}"


def unnamed_cash(table_name: str, seat: int) -> str:
    """Cash without a patron, at one seat of a table; at the cage where the table is unknown."""
    return f"cash:{table_name}/{seat}"


def promotion(name: str, token: str) -> str:
    """The part of a promotion that has this patron."""
    return _part(name, crc32(token.encode("utf-8", "surrogatepass")) % PROMOTION_PARTS)


def whole_promotion(name: str) -> tuple[str, ...]:
    return tuple(_part(name, number) for number in range(PROMOTION_PARTS))


def _part(name: str, number: int) -> str:
    return f"promotion:{name}/{number}"
