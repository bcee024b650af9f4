"""Small words: counts with their nouns, names for programs as people say them."""

from __future__ import annotations

from typing import Final

LEVEL_WORDS: Final = {
    "P1": "act now",
    "P2": "live review",
    "P3": "in this shift",
    "P4": "for the report",
}
HASH_SHOWN: Final = 12


def counted(count: int, one: str, many: str = "") -> str:
    """
    >>> counted(1, "seat"), counted(1200, "round")
    ('1 seat', '1,200 rounds')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def spoken(name: str) -> str:
    """A name for programs, for people.

    >>> spoken("payout.took_winner")
    'payout: took winner'
    """
    return name.replace(".", ": ").replace("_", " ")


def short(digest: str) -> str:
    """So much of a hash as is compared by eye."""
    return digest[:HASH_SHOWN]
