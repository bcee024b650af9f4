"""The shape of a file of printed figures, key by key, before anything is made of it.

A filing prints its statistics in one of two ways: below the payouts of one option at one
deck count (a block), or in a table of their own with a column for each deck count (a series).
"""

from __future__ import annotations

from msgspec import Struct, field

from odds.printed.figure import FigureKind


class FileBlock(Struct, frozen=True, forbid_unknown_fields=True):
    """The printed table beside and below one paytable."""

    wagers: tuple[str, ...]
    decks: int
    option: int
    clause: str
    hit_rates: dict[str, str] = field(default_factory=dict)
    total_hit_rate: str | None = None
    total_hit_percentage: str | None = None
    house_edge: str | None = None
    payout_percentage: str | None = None


class FileSeries(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of figure at each deck count; without an option, for all of them."""

    wagers: tuple[str, ...]
    kind: FigureKind
    clause: str
    by_decks: dict[str, str]
    option: int | None = None


class PrintedFile(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    blocks: tuple[FileBlock, ...] = ()
    series: tuple[FileSeries, ...] = ()
