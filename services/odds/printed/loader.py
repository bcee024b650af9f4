"""Loads printed figures from a data file: each must belong to a filed wager.

The loader does not check whether a figure is right: a misprint is data too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from itertools import chain

import msgspec

from blackjack.rulebook.filings import Filing
from odds.printed.figure import FigureKind, PrintedFigure, parse_figure
from odds.printed.file_format import FileBlock, FileSeries, PrintedFile


class BadPrinted(ValueError):
    """A data file that cannot be what a filing prints, with the key that is wrong and why."""

    def __init__(self, *, file: str, key: str, problem: str) -> None:
        self.file = file
        self.key = key
        self.problem = problem
        super().__init__(f"{file}: {key}: {problem}")


class _InvalidKey(Exception):
    """One key that is wrong; the reader adds the file's name."""

    def __init__(self, key: str, problem: str) -> None:
        self.key = key
        self.problem = problem


def read_printed(
    file: str, text: str, filings: Mapping[str, Filing]
) -> tuple[str, tuple[PrintedFigure, ...]]:
    """The game of a data file and its printed figures in file order, or `BadPrinted`."""
    try:
        shape = msgspec.convert(tomllib.loads(text), PrintedFile)
        return shape.game, _printed_figures(shape, filings)
    except tomllib.TOMLDecodeError as error:
        raise BadPrinted(file=file, key="(file)", problem=str(error)) from None
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        key = path.rstrip("`").lstrip(".") or "(file)"
        raise BadPrinted(file=file, key=key, problem=problem) from None
    except _InvalidKey as invalid:
        raise BadPrinted(file=file, key=invalid.key, problem=invalid.problem) from None


def _printed_figures(
    shape: PrintedFile, filings: Mapping[str, Filing]
) -> tuple[PrintedFigure, ...]:
    if shape.game not in filings:
        raise _InvalidKey("game", f"{shape.game!r} is not filed")
    filing = filings[shape.game]
    blocks = (_block(f"blocks[{i}]", each, filing) for i, each in enumerate(shape.blocks))
    series = (_series(f"series[{i}]", each, filing) for i, each in enumerate(shape.series))
    printed_figures: list[PrintedFigure] = []
    seen: set[tuple[str, int, int | None, FigureKind, str | None]] = set()
    for key, figure in chain(*blocks, *series):
        for wager in figure.wagers:
            stated = (wager, figure.decks, figure.option, figure.kind, figure.outcome)
            if stated in seen:
                raise _InvalidKey(key, f"printed already for {wager} at {figure.decks} decks")
            seen.add(stated)
        printed_figures.append(figure)
    if not printed_figures:
        raise _InvalidKey("(file)", "states nothing; a filing without statistics has no file")
    return tuple(printed_figures)


def _block(key: str, block: FileBlock, filing: Filing) -> Iterator[tuple[str, PrintedFigure]]:
    _check_source(key, block)
    _check_decks(f"{key}.decks", str(block.decks), filing)
    _check_wagers(key, block.wagers, (block.decks,), block.option, filing)
    for outcome, text in block.hit_rates.items():
        here = f"{key}.hit_rates.{outcome}"
        for wager in block.wagers:
            if outcome not in filing.side_bets[wager].at(block.decks).outcomes:
                raise _InvalidKey(here, f"{wager} at {block.decks} decks has no such outcome")
        rate = FigureKind.HIT_RATE
        yield (
            here,
            _figure(here, block, filing, decks=block.decks, kind=rate, outcome=outcome, text=text),
        )
    totals = {
        FigureKind.TOTAL_HIT_RATE: block.total_hit_rate,
        FigureKind.TOTAL_HIT_PERCENTAGE: block.total_hit_percentage,
        FigureKind.HOUSE_EDGE: block.house_edge,
        FigureKind.PAYOUT_PERCENTAGE: block.payout_percentage,
    }
    for kind, printed in totals.items():
        if printed is not None:
            here = f"{key}.{kind}"
            yield here, _figure(here, block, filing, decks=block.decks, kind=kind, text=printed)


def _series(key: str, series: FileSeries, filing: Filing) -> Iterator[tuple[str, PrintedFigure]]:
    _check_source(key, series)
    if series.kind is FigureKind.HIT_RATE:
        raise _InvalidKey(f"{key}.kind", "a hit rate is of one outcome; write it in a block")
    for decks in series.by_decks:
        _check_decks(f"{key}.by_decks.{decks}", decks, filing)
    _check_wagers(key, series.wagers, tuple(map(int, series.by_decks)), series.option, filing)
    for decks, text in series.by_decks.items():
        here = f"{key}.by_decks.{decks}"
        yield here, _figure(here, series, filing, decks=int(decks), kind=series.kind, text=text)


def _check_source(key: str, shape: FileBlock | FileSeries) -> None:
    if not shape.clause:
        raise _InvalidKey(f"{key}.clause", "empty; a figure must name where it stands")
    if not shape.wagers or len(set(shape.wagers)) != len(shape.wagers):
        raise _InvalidKey(f"{key}.wagers", "name at least one wager, and each once")


def _check_decks(key: str, decks: str, filing: Filing) -> None:
    filed = tuple(map(str, filing.decks))
    if decks not in filed:
        raise _InvalidKey(key, f"{decks} is not among {', '.join(filed)}")


def _check_wagers(
    key: str, wagers: tuple[str, ...], decks: tuple[int, ...], option: int | None, filing: Filing
) -> None:
    """Each is a side bet of the filing, and has the option at these deck counts."""
    for wager in wagers:
        if wager not in filing.side_bets:
            raise _InvalidKey(f"{key}.wagers", f"{wager!r} is no side bet of this filing")
        for deck in decks:
            if option is not None and filing.paytable(wager, deck, option) is None:
                raise _InvalidKey(
                    f"{key}.option", f"{wager} at {deck} decks has no option {option}"
                )


def _figure(
    key: str,
    shape: FileBlock | FileSeries,
    filing: Filing,
    *,
    decks: int,
    kind: FigureKind,
    text: str,
    outcome: str | None = None,
) -> PrintedFigure:
    try:
        value, digits = parse_figure(kind, text)
    except ValueError as error:
        raise _InvalidKey(key, str(error)) from None
    return PrintedFigure(
        game=filing.game,
        wagers=shape.wagers,
        decks=decks,
        option=shape.option,
        kind=kind,
        outcome=outcome,
        text=text,
        value=value,
        digits=digits,
        clause=shape.clause,
    )
