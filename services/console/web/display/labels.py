"""Small words: counts with their nouns, names for programs as people say them."""

from __future__ import annotations

import re
from typing import Final

LEVEL_WORDS: Final = {
    "P1": "act now",
    "P2": "live review",
    "P3": "in this shift",
    "P4": "for the report",
}
HASH_SHOWN: Final = 12
_ALERT_ID: Final = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{24}\b")


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


def shortened(text: str) -> str:
    """With so much of the name of every alert as tells it from others.

    >>> shortened("hold 1: alert 49e690dfe04edc6d8b6ae33f5b439ba8")
    'hold 1: alert 49e690df'
    """
    return _ALERT_ID.sub(r"\1", text)
