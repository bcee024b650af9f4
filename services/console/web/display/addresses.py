"""Addresses of pages."""

from __future__ import annotations

from urllib.parse import quote, urlencode


def hand_address(table: str, round: str, first_seq: int = 0, step: int = 0) -> str:
    """The address of a hand; with the number of its first event it is permanent.

    >>> hand_address("BJ-07", "R 1", 21)
    '/hands/BJ-07/R%201?first=21'
    """
    query = urlencode([(n, v) for n, v in (("first", first_seq), ("step", step)) if v])
    path = f"/hands/{quote(table, safe='')}/{quote(round, safe='')}"
    return f"{path}?{query}" if query else path
