"""The shape of a filing's data file, key by key, before anything is made of it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from blackjack.rulebook.filings.filing import Dealing, MoreWagers, Settles

CITED_IN_ANY_GAME: Final = (
    "bust",
    "compare",
    "deal_order",
    "dealer_blackjack",
    "dealer_play",
    "decks",
    "double",
    "even_money",
    "hit",
    "hole_card",
    "insurance",
    "main.required",
    "natural",
    "natural_push",
    "peek",
    "push",
    "resplit",
    "right_to_left",
    "side_bets.optional",
    "split",
    "split_aces",
    "stand",
    "surrender",
)
"""Clause keys that the engine cites in any game.

Where a filing has no clause of its own for one, it rests on the clause `game`, by which it
takes over standard blackjack.
"""


class FileRequirement(Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    value: bool | int | str
    clause: str


class FileSideBet(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    evaluator: str
    settles: Settles
    right_to_left: bool
    clause: str
    evaluator_at_decks: dict[str, str] = field(default_factory=dict)


class FileMoreWagers(MoreWagers, frozen=True, forbid_unknown_fields=True):
    pass


class FilePaytable(Struct, frozen=True, forbid_unknown_fields=True):
    wagers: tuple[str, ...]
    decks: tuple[int, ...]
    option: int
    clause: str
    pays: dict[str, str]
    pays_as: dict[str, str] = field(default_factory=dict)
    requires: tuple[FileRequirement, ...] = ()


class FilingFile(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    title: str
    filing: str
    decks: tuple[int, ...]
    base_wagers: tuple[str, ...]
    dealing: Dealing
    clauses: dict[str, str]
    labels: dict[str, str]
    side_bets: dict[str, FileSideBet]
    paytables: tuple[FilePaytable, ...]
    allows_promotions: bool = False
    more_wagers: FileMoreWagers | None = None
    house: tuple[FileRequirement, ...] = ()
