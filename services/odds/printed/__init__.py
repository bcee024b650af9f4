"""The statistics that the filings print, read once from the data files beside this module.

They are kept as printed, right or wrong, and to the last printed digit: a certificate sets
them beside the exact odds. A filing that prints none, as Half Back does, has no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from blackjack.rulebook.filings import FILINGS, Filing
from odds.printed.figure import FigureKind, PrintedFigure, Unit, parse_figure
from odds.printed.loader import BadPrinted, read_printed


def load(
    *folders: Traversable, filings: Mapping[str, Filing] = FILINGS
) -> Mapping[str, tuple[PrintedFigure, ...]]:
    """The printed figures of every file in these folders, by game.

    Raises `BadPrinted` for the first bad file. A game has one file: a second is rejected,
    whichever folder it is in.
    """
    printed_figures: dict[str, tuple[PrintedFigure, ...]] = {}
    for folder in folders:
        for file in sorted(folder.iterdir(), key=_name):
            if not file.name.endswith(".toml"):
                continue
            game, printed = read_printed(file.name, file.read_text(encoding="utf-8"), filings)
            if game in printed_figures:
                problem = f"{game!r} has a file already"
                raise BadPrinted(file=file.name, key="game", problem=problem)
            printed_figures[game] = printed
    return MappingProxyType(printed_figures)


def _name(file: Traversable) -> str:
    return file.name


BUILT_IN: Final[Traversable] = resources.files(__name__)
"""The folder of the four files."""

PRINTED: Final = load(BUILT_IN)
"""Every figure that is printed, by game id."""


def printed_figures_for(
    game: str,
    wager: str,
    decks: int,
    option: int,
    printed: Mapping[str, tuple[PrintedFigure, ...]] = PRINTED,
) -> tuple[PrintedFigure, ...]:
    """The print for one choice of paytable, with the values printed for all options.

    >>> printed = printed_figures_for("dead_mans_hand", "dead_mans_hand", 6, 4)
    >>> [(figure.kind.value, figure.text) for figure in printed]
    [('house_edge', '9.24%'), ('total_hit_percentage', '28.44%'), ('payout_percentage', '90.76%')]
    >>> printed_figures_for("half_back", "upcard_bonus", 6, 1)
    ()
    """
    return tuple(
        figure
        for figure in printed.get(game, ())
        if wager in figure.wagers and figure.decks == decks and figure.option in (None, option)
    )


__all__ = [
    "BUILT_IN",
    "PRINTED",
    "BadPrinted",
    "FigureKind",
    "PrintedFigure",
    "Unit",
    "load",
    "parse_figure",
    "printed_figures_for",
]
