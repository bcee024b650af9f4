"""From theory to physical win, step by step: what the reconciliation says, as a picture.

Every step is a figure of the report, or the difference of two that stand beside each other in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from casino.accounting.v1.report_pb2 import Report

WIDTH, HEIGHT = 1160.0, 330.0
_TOP, _BOTTOM, _LEFT = 30.0, 70.0, 10.0
_LETTER: Final = 7.0
"""How wide a letter of a title is, about."""
_SUMS: Final = {"theoretical", "owed", "paid", "physical"}
_STEPS: Final = (
    ("theoretical", "Theory"),
    ("luck", "Luck of the cards"),
    ("owed", "Win as owed"),
    ("overpaid", "Overpaid"),
    ("underpaid", "Underpaid"),
    ("paid", "Win as paid"),
    ("undetermined", "Undetermined"),
    ("other_day", "Of another day"),
    ("found", "Found by settlement"),
    ("no_wager", "For no wager"),
    ("unobserved", "Not seen"),
    ("incomplete", "Incomplete rounds"),
    ("by_hand", "Set right by hand"),
    ("error_slip", "Error slips"),
    ("unexplained_tray", "Unexplained, tray"),
    ("unexplained_drop", "Unexplained, drop"),
    ("physical", "Physical win"),
)


@dataclass(frozen=True, slots=True)
class Bar:
    title: str
    lines: tuple[str, ...]
    """The title, as it fits under the bar."""
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
    bars: tuple[Bar, ...]
    zero: float
    is_whole: bool
    """Whether the steps lead from theory to what was counted, to the cent."""


def waterfall(report: Report) -> Waterfall | None:
    """Of the totals of a reconciliation; none where a figure is missing."""
    figures = _figures(report)
    if not set(figures) >= _SUMS:
        return None
    figures["luck"] = figures["owed"] - figures["theoretical"]
    steps = [
        (key, title, figures[key]) for key, title in _STEPS if key in _SUMS or figures.get(key)
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
    low, high = min(0, *(min(each) for each in spans)), max(0, *(max(each) for each in spans))
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


def _figures(report: Report) -> dict[str, int]:
    if not report.HasField("totals"):
        return {}
    pairs = zip(report.columns, report.totals.cells, strict=True)
    return {c.key: each.number for c, each in pairs if each.WhichOneof("value") == "number"}
