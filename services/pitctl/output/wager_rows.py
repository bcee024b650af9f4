"""The wagers of a round as rows: stake, result, due to the patron, paid, difference.

The difference is a result of the house: negative where it paid too much.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final

from rich.text import Text

from blackjack.display_names import wager_name
from blackjack.money import FormattedAmount, format_cents, format_result
from blackjack.outcomes import Payment, Result, SettledRound, WagerOutcome
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.explanations import explain
from pitctl.engine.table_set import is_judged
from pitctl.output.text import TONE_STYLES, Page, escape

HEADINGS: Final = ("seat", "wager", "stake", "result", "due patron", "paid patron", "difference")
_TO_THE_RIGHT: Final = frozenset(("stake", "due patron", "paid patron", "difference"))
_RESULT_STYLES: Final = {
    Result.UNDETERMINED: "yellow",
    Result.NOT_SETTLED: "dim",
}
_UNMEASURED: Final = {Payment.UNOBSERVED: "not seen", Payment.UNDECIDED: "open"}
_ON_THE_HAND: Final = (MAIN, HALF_BACK)
_ORDER: Final = (*_ON_THE_HAND, INSURANCE)
_AFTER_THE_HANDS: Final = sys.maxsize
_INDENT: Final = 2

Row = tuple[str, ...]


def print_wagers(
    page: Page,
    settled: SettledRound,
    superseded: SettledRound | None,
    rules: RuleSet | None,
    name: Callable[[str], str] = wager_name,
) -> None:
    """A row for each wager, with the arithmetic and the clause below it."""
    split = {outcome.seat for outcome in settled.outcomes if outcome.hand > 1}
    outcomes = sorted(settled.outcomes, key=_place)
    rows = [_row(outcome, outcome.seat in split, name) for outcome in outcomes]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
    gap = 2 if sum(widths) + 2 * (len(widths) - 1) + _INDENT <= page.columns else 1
    before = (
        {_key(outcome): outcome for outcome in superseded.outcomes}
        if superseded is not None
        else {}
    )
    page.line(Text(_aligned(HEADINGS, widths, gap), "dim"), indent=_INDENT)
    below = _INDENT + widths[0] + gap
    for row, outcome in zip(rows, outcomes, strict=True):
        page.line(_styled(row, outcome, widths, gap), indent=_INDENT)
        _print_reason(page, outcome, explain(outcome, settled, rules), below)
        was = before.get(_key(outcome))
        if superseded is not None and was != outcome:
            before_it = explain(was, superseded, rules) if was is not None else ""
            changed = before_it if before_it != explain(outcome, settled, rules) else ""
            words = f"version {superseded.version}: {_former_words(was, changed)}"
            page.line((words, "yellow"), indent=below, hang=2)


def _print_reason(page: Page, outcome: WagerOutcome, reason: str, indent: int) -> None:
    """The arithmetic and, on the same line if there is room, the clause."""
    arithmetic = escape(f"{reason}{_coupon(outcome)}")
    if not outcome.clause:
        page.line(arithmetic, indent=indent, hang=2)
        return
    clause = (f"[{escape(outcome.clause)}]", "dim")
    if indent + len(arithmetic) + 1 + len(clause[0]) <= page.columns:
        page.line(arithmetic, " ", clause, indent=indent)
    else:
        page.line(arithmetic, indent=indent, hang=2)
        page.line(clause, indent=indent, hang=2)


def _place(outcome: WagerOutcome) -> tuple[int, int, int, str, bool]:
    """By seat; the wagers on its hands first, then insurance and the side bets of the spot."""
    rank = _ORDER.index(outcome.wager) if outcome.wager in _ORDER else len(_ORDER)
    hand = outcome.hand if outcome.wager in _ON_THE_HAND else _AFTER_THE_HANDS
    return (outcome.seat, hand, rank, outcome.wager, outcome.tip)


def _row(outcome: WagerOutcome, is_split: bool, name: Callable[[str], str]) -> Row:
    on_hand = is_split and outcome.wager in _ON_THE_HAND
    seat = f"{outcome.seat}.{outcome.hand}" if on_hand else str(outcome.seat)
    wager = escape(name(outcome.wager)) + (" tip" if outcome.tip else "")
    result = outcome.result.value.replace("_", " ")
    return (
        seat,
        wager,
        format_cents(outcome.stake_cents, currency=False),
        result,
        _owed(outcome),
        format_cents(outcome.net_paid, currency=False),
        _difference(outcome),
    )


def _owed(outcome: WagerOutcome) -> str:
    if outcome.result is Result.UNDETERMINED and outcome.owed_cents_most:
        bounds = (outcome.owed_cents_least, outcome.owed_cents_most)
        return " to ".join(format_cents(cents, currency=False) for cents in bounds)
    return format_cents(outcome.net_owed, currency=False) if is_judged(outcome) else "open"


def _difference(outcome: WagerOutcome) -> str:
    return _UNMEASURED.get(outcome.payment) or _house_difference(outcome).text


def _house_difference(outcome: WagerOutcome) -> FormattedAmount:
    return format_result(-outcome.difference_cents, currency=False)


def _coupon(outcome: WagerOutcome) -> str:
    if not outcome.coupon:
        return ""
    return f"; coupon {outcome.coupon} of {format_cents(outcome.coupon_cents)}"


def _former_words(was: WagerOutcome | None, arithmetic: str) -> str:
    """The outcome of an earlier version, with its arithmetic if that differs."""
    if was is None:
        return "no such wager"
    result = was.result.value.replace("_", " ")
    words = f"{result}, owed {_owed(was)}, paid {format_cents(was.net_paid, currency=False)}"
    return f"{words} ({escape(arithmetic)})" if arithmetic else words


def _key(outcome: WagerOutcome) -> tuple[int, int, str, bool]:
    return (outcome.seat, outcome.hand, outcome.wager, outcome.tip)


def _aligned(row: Row, widths: Sequence[int], gap: int) -> str:
    return (" " * gap).join(_cells(row, widths))


def _cells(row: Row, widths: Sequence[int]) -> list[str]:
    return [
        cell.rjust(width) if name in _TO_THE_RIGHT else cell.ljust(width)
        for name, cell, width in zip(HEADINGS, row, widths, strict=True)
    ]


def _styled(row: Row, outcome: WagerOutcome, widths: Sequence[int], gap: int) -> Text:
    styles = dict.fromkeys(HEADINGS, "")
    styles["result"] = _RESULT_STYLES.get(outcome.result, "")
    if outcome.payment in _UNMEASURED:
        styles["difference"] = "yellow"
    elif outcome.payment is not Payment.EXACT:
        styles["difference"] = f"bold {TONE_STYLES[_house_difference(outcome).tone]}"
    else:
        styles["difference"] = "dim"
    cells = zip(_cells(row, widths), styles.values(), strict=True)
    return Text(" " * gap).join(Text(cell, style) for cell, style in cells)
