"""Prints planted faults against findings, by kind, in as many columns as fit."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from typing import Final

from blackjack.findings import Kind
from pitctl.output.text import Page, count_noun
from table_simulator.domain.truth import TruthComparison

FAMILIES: Final = {
    "payout": "payouts",
    "bet": "bets",
    "limit": "limits",
    "cash": "sales",
    "approval": "approvals",
    "procedure": "procedure",
    "card": "cards",
    "coupon": "coupons",
    "tray": "tray",
    "win": "wins",
    "signers": "signers",
    "log": "the log itself",
    "nonsense": "impossible facts",
}
REJECTED: Final = "rejected by the gateway"
NAME_COLUMNS: Final = 25
BLOCK_COLUMNS: Final = NAME_COLUMNS + len(" planted found")
GAP: Final = 2

Row = tuple[str, str]
"""A line of a block, and its style."""


def print_verdict(page: Page, verdict: TruthComparison) -> None:
    """Print the table, then a summary, then every difference in red."""
    blocks = max(1, (page.columns + GAP) // (BLOCK_COLUMNS + GAP))
    rows = _rows(verdict)
    height = -(-len(rows) // blocks)
    columns = [rows[at : at + height] for at in range(0, len(rows), height)]
    heading = f"{'kind':<{NAME_COLUMNS}} planted found"
    page.line((_across([heading] * len(columns)), "dim"))
    for across in zip_longest(*columns, fillvalue=("", "")):
        styles = {style for _, style in across if style == "bold red"}
        page.line((_across([text for text, _ in across]), "".join(styles)))
    page.blank()
    planted = verdict.planted.total() + verdict.due_rejections.total()
    found = verdict.found.total() + verdict.rejected.total()
    others = len(verdict.surplus) + len(verdict.unexpected_rejections)
    page.line(
        f"Planted {planted}, found {found}; {count_noun(others, 'unplanned finding')}",
    )
    for line in _differences(verdict):
        page.line((line, "bold red"), indent=2, hang=2)


def _across(cells: list[str]) -> str:
    return (" " * GAP).join(cell.ljust(BLOCK_COLUMNS) for cell in cells).rstrip()


def _rows(verdict: TruthComparison) -> list[Row]:
    surplus = Counter(finding.kind for finding in verdict.surplus)
    rows: list[Row] = []
    for prefix, family in FAMILIES.items():
        kinds = [
            kind
            for kind in Kind
            if kind.value.partition(".")[0] == prefix and (verdict.planted[kind] or surplus[kind])
        ]
        if kinds:
            rows.append((family, ""))
        for kind in kinds:
            name = kind.value.partition(".")[2].replace("_", " ")
            rows.append(_row(name, verdict.planted[kind], verdict.found[kind] + surplus[kind]))
    words = {*verdict.due_rejections, *(word for _, word in verdict.unexpected_rejections)}
    if words:
        rows.append((REJECTED, ""))
    unexpected_rejections = Counter(word for _, word in verdict.unexpected_rejections)
    for word in sorted(words):
        found = verdict.rejected[word] + unexpected_rejections[word]
        rows.append(_row(word.replace("_", " "), verdict.due_rejections[word], found))
    return rows


def _row(name: str, planted: int, found: int) -> Row:
    text = f"  {name[: NAME_COLUMNS - 2]:<{NAME_COLUMNS - 2}} {planted:>7} {found:>5}"
    return text, "" if planted == found else "bold red"


def _differences(verdict: TruthComparison) -> list[str]:
    missed = [
        f"missed: {kind.value} of {truth.fault!r} at {truth.table}, "
        f"{truth.round or f'events {truth.first_seq} to {truth.last_seq}'}"
        for truth, kind in verdict.missed
    ]
    surplus = [
        f"unplanned: {finding.kind.value} at {finding.table}, "
        f"{finding.round or f'event {finding.seq}'}: {finding.text}"
        for finding in verdict.surplus
    ]
    accepted_faults = [
        f"accepted: {truth.fault!r} at {truth.table}, expected rejection {truth.rejected_as!r}"
        for truth in verdict.accepted_faults
    ]
    unexpected_rejections = [
        f"rejected: {word} at {table}" for table, word in verdict.unexpected_rejections
    ]
    return [*missed, *surplus, *accepted_faults, *unexpected_rejections]
