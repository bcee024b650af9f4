"""Short texts: counts with their nouns, priorities, roles, topics, abbreviated hashes."""

from __future__ import annotations

import re
from typing import Final

from blackjack.display_names import game_name, wager_name, words_of
from blackjack.rulebook.filings import FILINGS
from console.users.roles import Role

PRIORITY_WORDS: Final = {
    "P1": "act now",
    "P2": "live review",
    "P3": "this shift",
    "P4": "report",
}
ROLE_NAMES: Final = {
    Role.SURVEILLANCE: "Surveillance",
    Role.ACCOUNTING: "Accounting",
    Role.PIT: "Pit",
    Role.CAGE: "Cage",
    Role.AUDITOR: "Auditor",
    Role.ADMINISTRATOR: "Administrator",
}
HASH_LENGTH: Final = 12
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_WAGER: Final = re.compile(r"[a-z][a-z0-9_]*")
_ALERT_ID: Final = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{24}\b")


def plural(count: int, one: str, many: str = "") -> str:
    """Format a count with its noun.

    >>> plural(1, "seat"), plural(1200, "round"), plural(2, "entry", "entries")
    ('1 seat', '1,200 rounds', '2 entries')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def capital(text: str) -> str:
    """Write the first letter as a capital, and leave the others as they are.

    >>> capital("accounting uses HTTP")
    'Accounting uses HTTP'
    """
    return text[:1].upper() + text[1:]


def role_name(role: str) -> str:
    """Name a role; one of a later version becomes its words."""
    return ROLE_NAMES[Role(role)] if role in set(Role) else words_of(role)


def topic_name(topic: str) -> str:
    """Name a topic of the log.

    >>> topic_name("table-events")
    'Table events'
    """
    return words_of(topic.replace("-", "_"))


def account_name(code: str) -> str:
    """Name an account of the ledger by its code: kind, then table, game, wager or promotion.

    >>> account_name("promotion_liability/" + "6e0f5df8a1e9" + "0" * 52)
    'Promotion liability, 6e0f5df8a1e9'
    >>> account_name("win/BJ-07/double_action_iii/main")
    'Win, BJ-07, Double Action Blackjack III, Main bet'
    """
    kind, *parts = code.split("/")
    return ", ".join([words_of(kind), *map(_account_part, parts)])


def _account_part(part: str) -> str:
    if _HASH.fullmatch(part):
        return short_hash(part)
    if part in FILINGS:
        return game_name(part)
    return wager_name(part) if _WAGER.fullmatch(part) else part


def short_hash(digest: str) -> str:
    """Abbreviate a hash to the part that people compare."""
    return digest[:HASH_LENGTH]


def shorten_ids(text: str) -> str:
    """Abbreviate alert ids in a text.

    >>> shorten_ids("hold 1: alert 49e690dfe04edc6d8b6ae33f5b439ba8")
    'hold 1: alert 49e690df'
    """
    return _ALERT_ID.sub(r"\1", text)
