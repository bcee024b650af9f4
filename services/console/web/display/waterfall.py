"""From theo to count win, step by step: the reconciliation as a chart.

Every step is a column of the report, or the difference of two neighboring columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from casino.accounting.v1.report_pb2 import Report

WIDTH, HEIGHT = 1160.0, 330.0
_TOP, _BOTTOM, _LEFT = 30.0, 70.0, 10.0
_LETTER: Final = 7.0
"""The approximate width of a letter of a title."""
_SUMS: Final = {"theoretical", "owed", "paid", "physical"}
_STEPS: Final = (
    ("theoretical", "Theo"),
    ("luck", "Luck"),
    ("owed", "System win, as owed"),
    ("overpaid", "Overpaid"),
    ("underpaid", "Underpaid"),
    ("paid", "System win, as paid"),
    ("undetermined", "Undetermined"),
    ("other_day", "Other gaming days"),
    ("found", "Other findings"),
    ("no_wager", "Paid without a wager"),
    ("unobserved", "Not observed"),
    ("incomplete", "Incomplete rounds"),
    ("by_hand", "Manual entries"),
    ("error_slip", "Error slips"),
    ("unexplained_tray", "Unexplained, float"),
    ("unexplained_drop", "Unexplained, drop"),
    ("physical", "Count win"),
)


@dataclass(frozen=True, slots=True)
class Bar:
    """One step of the chart."""

    title: str
    lines: tuple[str, ...]
    """The title, wrapped to fit under the bar."""
    cents: int
    kind: str
    """sum, gain or loss"""
    x: float
    y: float
    width: float
    height: float
    label_y: float


@dataclass(frozen=True, slots=True)
class Waterfall:
    """The chart, laid out."""

    bars: tuple[Bar, ...]
    zero: float
    is_whole: bool
    """Whether the steps add up from theo to count win, to the cent."""


def draw_waterfall(report: Report) -> Waterfall | None:
    """Draw the totals of a reconciliation; None if an amount is missing."""
    amounts = _read_totals(report)
    if not set(amounts) >= _SUMS:
        return None
    amounts["luck"] = amounts["owed"] - amounts["theoretical"]
    steps = [
        (key, title, amounts[key]) for key, title in _STEPS if key in _SUMS or amounts.get(key)
    ]
    spans, level, is_whole = [], 0, True
    for key, _, cents in steps:
        if key in _SUMS:
            is_whole = is_whole and (key == "theoretical" or level == cents)
            spans.append((0, cents))
            level = cents
        else:
            spans.append((level, level + cents))
            level += cents
    low, high = min(0, *(min(span) for span in spans)), max(0, *(max(span) for span in spans))
    room = HEIGHT - _TOP - _BOTTOM
    scale = room / max(high - low, 1)

    def height_of(cents: float) -> float:
        return round(_TOP + (high - cents) * scale, 1)

    pitch = (WIDTH - 2 * _LEFT) / len(steps)
    bars = tuple(
        Bar(
            title=title,
            lines=tuple(wrap(title, round(pitch / _LETTER))),
            cents=cents,
            kind="sum" if key in _SUMS else "gain" if cents > 0 else "loss",
            x=round(_LEFT + pitch * at + pitch * 0.12, 1),
            y=height_of(max(span)),
            width=round(pitch * 0.76, 1),
            height=max(round(abs(span[1] - span[0]) * scale, 1), 1.5),
            label_y=height_of(max(span)) - 7,
        )
        for at, ((key, title, cents), span) in enumerate(zip(steps, spans, strict=True))
    )
    return Waterfall(bars, height_of(0), is_whole)


def _read_totals(report: Report) -> dict[str, int]:
    if not report.HasField("totals"):
        return {}
    pairs = zip(report.columns, report.totals.cells, strict=True)
    return {column.key: cell.number for column, cell in pairs if cell.HasField("number")}
