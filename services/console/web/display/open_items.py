"""What a check of the day lacks, with where it is mended: an alert, a hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from console.web.display.addresses import hand_address

_ALERT: Final = re.compile(r"alert ([0-9a-f]{8,64}) is open(: .+)?")
_ROUND: Final = re.compile(r"([^\s,]{1,80}), ([^\s:]{1,80}): (\w+)")
ID_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Lack:
    words: str
    address: str = ""
    """Where somebody can do something about it; empty where the words are all there is."""


def lack_of(words: str) -> Lack:
    """
    >>> found = lack_of("alert 94d8820d3be284e5 is open: wager.pinch, 2026-03-01 20:14:09 PST")
    >>> found.words, found.address
    ('alert 94d8820d is open: wager.pinch, 2026-03-01 20:14:09 PST', '/alerts/94d8820d3be284e5')
    >>> lack_of("BJ-07, R-1: unresolved").address
    '/hands/BJ-07/R-1'
    """
    if found := _ALERT.fullmatch(words):
        words = f"alert {found[1][:ID_SHOWN]} is open{found[2] or ''}"
        return Lack(words, f"/alerts/{found[1]}")
    if found := _ROUND.fullmatch(words):
        return Lack(words, hand_address(found[1], found[2]))
    return Lack(words)
