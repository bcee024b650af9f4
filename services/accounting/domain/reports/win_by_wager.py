"""Win by wager: each wager of each game, decks and paytable, against its exact odds."""

from __future__ import annotations

from typing import Final

from accounting.domain.reports import leaves
from accounting.domain.reports.composition import (
    EMPTY,
    Component,
    ReportCell,
    ValueKind,
    by_formula,
    drill,
    figure,
    ratio,
    summed,
)
from accounting.domain.reports.expected_win import PLACED, ExpectedWin
from accounting.domain.reports.inputs import ReportInputs, WagerTotals
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    cents,
    count,
    number,
    result,
    share_column,
    text,
)
from accounting.domain.reports.tax import tax_notes
from blackjack.display_names import game_name, wager_name

COLUMNS: Final = (
    text("game", "Game"),
    count("decks", "Decks"),
    count("option", "Paytable"),
    text("wager", "Wager"),
    count("rounds", "Rounds"),
    cents("handle", "Handle"),
    cents("winnings_owed", "Winnings owed"),
    cents("winnings_paid", "Winnings paid"),
    result("owed", "Win as owed"),
    result("paid", "Win as paid"),
    result("undetermined", "Undetermined"),
    cents("promotion_cost", "Promotion cost"),
    share_column("actual", "Win % of handle"),
    result("theoretical", "Theoretical win"),
    share_column("edge", "Theoretical % of placed"),
    number("z", "z"),
)
ADDED: Final = (
    "handle", "winnings_owed", "winnings_paid", "owed", "paid", "undetermined", "promotion_cost",
    "theoretical",
)  # fmt: skip
_SUMS: Final = {
    "handle": ((Leaf.HANDLE, 1),),
    "winnings_owed": ((Leaf.WINNINGS_OWED, 1),),
    "winnings_paid": ((Leaf.WINNINGS_PAID, 1),),
    "owed": leaves.OWED_WIN,
    "paid": leaves.PAID_WIN,
    "undetermined": leaves.UNDETERMINED,
    "promotion_cost": leaves.PROMOTION_COST,
}
Key = tuple[str, int, int, str]
BY_RULES: Final = "from each rule set"


def build(inputs: ReportInputs, query: ReportQuery) -> Report:
    groups: dict[Key, list[WagerTotals]] = {}
    for play in inputs.play:
        groups.setdefault(_key(inputs, play), []).append(play)
    grid = ReportRows(COLUMNS, added=ADDED)
    for key, plays in sorted(groups.items()):
        grid.add(key, _row(inputs, query, key, plays))
    expecting = ExpectedWin(inputs.play, inputs.rules, query.period, query.scope)
    sums = summed(play.sums for play in inputs.play)
    totals = grid.totals(
        {
            "game": ReportCell("total"),
            "actual": ratio(
                Component("win as owed", grid.total("owed")),
                Component("handle", grid.total("handle")),
            ),
            "edge": expecting.of(Component("placed with known odds", expecting.placed)),
            "z": expecting.z,
        }
    )
    notes = [
        "A round counts once for each wager in it. Handle includes doubles and splits; theory is"
        " per unit placed at the deal, with doubles and splits in its result.",
        "z compares the win as owed, without coupons, with theory; rounds, not wagers, are"
        " independent. In the total, standard deviations of different wagers are added.",
        *tax_notes(sums, query),
    ]
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, grid.names, totals, tuple(notes))


def _key(inputs: ReportInputs, play: WagerTotals) -> Key:
    rules = inputs.rules.get(play.rule_set)
    if rules is None:
        return play.game, 0, 0, play.wager
    return rules.game, rules.decks, rules.options.get(play.wager, 0), play.wager


def _row(
    inputs: ReportInputs, query: ReportQuery, key: Key, plays: list[WagerTotals]
) -> dict[str, ReportCell]:
    game, decks, option, wager = key
    sums = summed(play.sums for play in plays)
    scope: dict[str, tuple[str, ...]] = {
        "rule_set": tuple(sorted({play.rule_set for play in plays})),
        "game": tuple(sorted({play.game for play in plays})),
        "wager": (wager,),
    }
    scope |= query.scope
    rules = [_rules(inputs, rule_set, wager) for rule_set in scope["rule_set"]]
    cells = {
        "game": ReportCell(game_name(game) if game else "unknown"),
        "decks": by_formula(decks or None, BY_RULES, *(decked for decked, _ in rules)),
        "option": by_formula(option or None, BY_RULES, *(paytable for _, paytable in rules)),
        "wager": ReportCell(wager_name(wager)),
        "rounds": ReportCell(
            sum(play.rounds for play in plays),
            drill(((Leaf.ROUNDS, 1),), query.period, scope),
        ),
    }
    cells |= {name: figure(sums, terms, query.period, scope) for name, terms in _SUMS.items()}
    cells["actual"] = ratio(
        Component("win as owed", cells["owed"]), Component("handle", cells["handle"])
    )
    expecting = ExpectedWin(plays, inputs.rules, query.period, scope)
    cells |= {"theoretical": expecting.theoretical, "z": expecting.z}
    placed = ReportCell(sum(play.placed for play in plays), drill(PLACED, query.period, scope))
    cells["edge"] = expecting.of(Component("placed", placed))
    return cells


def _rules(inputs: ReportInputs, rule_set: str, wager: str) -> tuple[Component, Component]:
    """The decks and the paytable of a rule set."""
    rules = inputs.rules.get(rule_set)
    words = f"rule set {rule_set[:12] or 'unknown'}"
    decks = ReportCell(rules.decks) if rules is not None else EMPTY
    option = ReportCell(rules.options.get(wager, 0)) if rules is not None else EMPTY
    return Component(words, decks, ValueKind.COUNT), Component(words, option, ValueKind.COUNT)


KIND: Final = ReportKind(
    "win_by_wager",
    "Win by wager type",
    "Rounds, handle, win and exact theory of each wager, by game, decks and paytable.",
    ("play",),
    build,
)
