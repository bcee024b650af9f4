"""Reports as the service answers them, made up for tests."""

from __future__ import annotations

from casino.accounting.v1.report_pb2 import (
    ColumnKind,
    Report,
    ReportCell,
    ReportColumn,
    ReportRow,
)

TEXT = ColumnKind.COLUMN_KIND_TEXT
CENTS = ColumnKind.COLUMN_KIND_CENTS
COUNT = ColumnKind.COLUMN_KIND_COUNT
SHARE = ColumnKind.COLUMN_KIND_SHARE
NUMBER = ColumnKind.COLUMN_KIND_NUMBER

Value = str | int | None


def a_cell(value: Value, drill: str = "") -> ReportCell:
    if value is None:
        return ReportCell(drill=drill)
    if isinstance(value, str):
        return ReportCell(text=value, drill=drill)
    return ReportCell(number=value, drill=drill)


def a_row(*values: Value, drills: bool = False) -> ReportRow:
    return ReportRow(
        cells=[
            a_cell(each, f"d/{number}" if drills and isinstance(each, int) else "")
            for number, each in enumerate(values)
        ]
    )


def a_report(
    columns: list[tuple[str, str, ColumnKind.ValueType]],
    rows: list[ReportRow],
    totals: ReportRow | None = None,
    *,
    until_day: str = "2026-03-01",
    is_final: bool = False,
) -> Report:
    report = Report(
        name="reconciliation",
        title="Three-way reconciliation",
        property="Example Casino",
        from_day="2026-03-01",
        until_day=until_day,
        columns=[ReportColumn(key=key, title=title, kind=kind) for key, title, kind in columns],
        rows=rows,
        totals=totals,
        notes=["Theoretical win is exact: see docs/odds.md."],
        is_final=is_final,
    )
    report.made_at.FromSeconds(1_772_460_000)
    return report


SMALL_COLUMNS = [
    ("table", "table", TEXT),
    ("win", "win", CENTS),
    ("rounds", "rounds", COUNT),
    ("hold", "hold", SHARE),
    ("z", "z", NUMBER),
]


def a_small_report(*, is_final: bool = False) -> Report:
    """Two tables: one lost, one has no hold since nothing was dropped."""
    return a_report(
        SMALL_COLUMNS,
        [
            a_row("BJ-07", -123_450, 1_204, -12_549, 1_960, drills=True),
            a_row("=HYPERLINK(1)", 5, 0, None, None),
        ],
        a_row(None, -123_445, 1_204, None, None),
        is_final=is_final,
    )


WIDE_TITLES = (
    "physical win", "event win as owed", "event win as paid", "theoretical", "tray variance",
    "drop variance", "payout errors", "corrections", "promotion cost", "voided rounds",
    "undetermined", "jackpots", "over and short", "unexplained", "handle", "net win for tax",
    "coupon winnings", "fills", "credits", "opener", "closer", "expected closer",
)  # fmt: skip


def a_wide_report(columns: int = len(WIDE_TITLES), rows: int = 12) -> Report:
    """More columns of money than any terminal or sheet holds."""
    titles = WIDE_TITLES[:columns]
    return a_report(
        [
            ("table", "table", TEXT),
            ("game", "game", TEXT),
            *((each.replace(" ", "_"), each, CENTS) for each in titles),
        ],
        [
            a_row(
                f"BJ-{row:02d}",
                "double_action_iii",
                *((-1) ** place * 1_234_567 * (row + 1) for place in range(columns)),
            )
            for row in range(rows)
        ],
        a_row(None, None, *(99_999_999 for _ in range(columns))),
    )
