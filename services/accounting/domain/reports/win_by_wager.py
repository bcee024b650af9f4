"""Win by wager: each wager of each game, decks and paytable, against its exact odds."""

from __future__ import annotations

from typing import Final

from accounting.domain.reports import leaves
from accounting.domain.reports.figures import Figures, Play, theory_of
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    EMPTY,
    Cell,
    Grid,
    Question,
    Report,
    ReportKind,
    cents,
    count,
    figure,
    number,
    share,
    share_column,
    summed,
    text,
)
from accounting.domain.reports.taxing import tax_notes

COLUMNS: Final = (
    text("game", "Game"),
    count("decks", "Decks"),
    count("option", "Paytable"),
    text("wager", "Wager"),
    count("rounds", "Rounds"),
    cents("handle", "Handle"),
    cents("winnings_owed", "Winnings owed"),
    cents("winnings_paid", "Winnings paid"),
    cents("owed", "Win as owed"),
    cents("paid", "Win as paid"),
    cents("undetermined", "Undetermined, moved"),
    cents("promotion_cost", "Promotion cost"),
    share_column("actual", "Win of handle"),
    cents("theoretical", "Theoretical win"),
    share_column("edge", "Theoretical, of placed"),
    number("z", "z"),
)
ADDED: Final = (
    "handle", "winnings_owed", "winnings_paid", "owed", "paid", "undetermined", "promotion_cost",
    "theoretical",
)  # fmt: skip
_FIGURES: Final = {
    "handle": ((Leaf.HANDLE, 1),),
    "winnings_owed": ((Leaf.WINNINGS_OWED, 1),),
    "winnings_paid": ((Leaf.WINNINGS_PAID, 1),),
    "owed": leaves.OWED_WIN,
    "paid": leaves.PAID_WIN,
    "undetermined": leaves.UNDETERMINED,
    "promotion_cost": leaves.PROMOTION_COST,
}
Key = tuple[str, int, int, str]


def build(figures: Figures, question: Question) -> Report:
    groups: dict[Key, list[Play]] = {}
    for play in figures.play:
        groups.setdefault(_key(figures, play), []).append(play)
    grid = Grid(COLUMNS, added=ADDED)
    for key, plays in sorted(groups.items()):
        grid.add(_row(figures, question, key, plays))
    theory = theory_of(figures.play, figures.rules)
    z = theory.z if theory is not None else None
    sums = summed(each.sums for each in figures.play)
    totals = grid.totals(
        {
            "game": Cell("total"),
            "actual": share(grid.total("owed"), grid.total("handle")),
            "z": Cell(round(z * 1000) if z is not None else None),
        }
    )
    notes = [
        "A round counts once for each wager that was made in it. Handle is what was placed and"
        " added; theory is per unit placed, doubles and splits being part of its result.",
        "z compares the win as owed, coupons left aside, with theory; rounds, not wagers, are"
        " taken as independent. In the total, standard deviations of different wagers are added.",
        *tax_notes(sums, question),
    ]
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, totals, tuple(notes))


def _key(figures: Figures, play: Play) -> Key:
    rules = figures.rules.get(play.rule_set)
    if rules is None:
        return play.game, 0, 0, play.wager
    return rules.game, rules.decks, rules.options.get(play.wager, 0), play.wager


def _row(figures: Figures, question: Question, key: Key, plays: list[Play]) -> dict[str, Cell]:
    game, decks, option, wager = key
    sums = summed(each.sums for each in plays)
    scope: dict[str, tuple[str, ...]] = {
        "rule_set": tuple(sorted({each.rule_set for each in plays})),
        "game": tuple(sorted({each.game for each in plays})),
        "wager": (wager,),
    }
    if question.table:
        scope["table"] = (question.table,)
    cells = {
        "game": Cell(game or "unknown"),
        "decks": Cell(decks) if decks else EMPTY,
        "option": Cell(option) if option else EMPTY,
        "wager": Cell(wager),
        "rounds": Cell(sum(each.rounds for each in plays)),
    }
    cells |= {name: figure(sums, terms, question.period, scope) for name, terms in _FIGURES.items()}
    cells["actual"] = share(sums[Leaf.OWED_WIN], sums[Leaf.HANDLE])
    theory = theory_of(plays, figures.rules)
    if theory is not None:
        cells["theoretical"] = Cell(round(theory.expected))
        cells["edge"] = share(theory.expected, sum(each.placed for each in plays))
        if theory.z is not None:
            cells["z"] = Cell(round(theory.z * 1000))
    return cells


KIND: Final = ReportKind(
    "win_by_wager",
    "Win by wager type",
    "Rounds, handle, win and exact theory of each wager, by game, decks and paytable.",
    ("play",),
    build,
)
