"""A case on paper: what it is about, who is in it, what proves it, what was done, signatures."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Final

import paper
from blackjack.money import format_cents
from casino.surveillance.v1.case_pb2 import CASE_STATE_OPEN, Case
from casino.surveillance.v1.work_pb2 import WorkedAlert
from paper import Align, Document, PrintedColumn, PrintedTable, TableRow
from pitctl.alert_desk.case_page import deadline_words, hold_words
from pitctl.alert_desk.labels import amount_words, decision_words, level_of, state_words, where
from pitctl.output.text import moment, plain
from wire.vocabulary import read_time

ISSUER: Final = "Pitledger"
STATEMENT: Final = "I have gone through this case, its evidence and its conclusion."


def as_pdf(case: Case) -> bytes:
    """The bytes of the file; the same case is the same bytes."""
    file = BytesIO()
    paper.write_pdf(file, as_document(case))
    return file.getvalue()


def as_document(case: Case) -> Document:
    summary = case.summary
    title = f"Case {summary.number}: {plain(summary.title)}"
    opened = f"Opened {moment(read_time(summary.opened_at))} by {plain(summary.opened_by)}"
    return Document(
        title=title,
        issuer=ISSUER,
        subtitle=(opened, _standing(case)),
        subject=title,
        running=title,
        is_landscape=True,
        blocks=tuple(_blocks(case)),
    )


def _blocks(case: Case) -> Iterator[paper.Block]:
    if case.conclusion:
        yield paper.Notice(plain(case.conclusion))
    yield from _table(
        "People", ("As", "Who", "What there is to say"),
        [(each.role, each.name, each.words) for each in case.people],
    )  # fmt: skip
    yield from _table(
        "Deadlines", ("Number", "What", "How it stands"),
        [(str(each.number), each.words, deadline_words(each)[0]) for each in case.deadlines],
    )  # fmt: skip
    yield from _table(
        "Alerts", ("Level", "Raised", "Kind", "Where", "Amount", "State", "What is to be seen"),
        [_alert(each) for each in case.alerts], right=(4,),
    )  # fmt: skip
    yield from _table(
        "Evidence",
        ("Time", "Table", "Round", "Events", "Seat", "Wager", "Due patron", "Paid patron"),
        [row for each in case.alerts for row in _evidence(each)], right=(6, 7),
    )  # fmt: skip
    yield from _table("Held", ("What",), [(hold_words(each),) for each in case.holds])
    yield from _table(
        "Journal", ("When", "Who", "Did", "What was said"),
        [
            (moment(read_time(each.at)), each.author, each.action, each.text)
            for each in case.journal
        ],
    )  # fmt: skip
    yield paper.Signatures(statement=STATEMENT)


def _table(
    title: str,
    columns: tuple[str, ...],
    rows: list[tuple[str, ...]],
    right: tuple[int, ...] = (),
) -> Iterator[paper.Block]:
    """With its heading, where there is anything in it."""
    if not rows:
        return
    yield paper.Heading(title, level=2)
    yield PrintedTable(
        tuple(
            PrintedColumn(name, Align.RIGHT if place in right else Align.LEFT)
            for place, name in enumerate(columns)
        ),
        tuple(TableRow(tuple(plain(cell) for cell in row)) for row in rows),
    )


def _alert(worked: WorkedAlert) -> tuple[str, ...]:
    alert = worked.alert
    label = f" ({alert.label})" if alert.label else ""
    return (
        level_of(worked).name, moment(read_time(alert.raised_at)), f"{alert.kind}{label}",
        where(worked), amount_words(alert), state_words(worked), alert.sentence,
    )  # fmt: skip


def _evidence(worked: WorkedAlert) -> Iterator[tuple[str, ...]]:
    for each in worked.alert.evidence:
        events = f"{each.first_seq} to {each.last_seq}" if each.first_seq else ""
        yield (
            moment(read_time(each.at)), each.table_id, each.round, events,
            str(each.seat) if each.seat else "", each.wager,
            format_cents(each.owed_cents) if each.HasField("owed_cents") else "",
            format_cents(each.paid_cents) if each.HasField("paid_cents") else "",
        )  # fmt: skip


def _standing(case: Case) -> str:
    if case.summary.state == CASE_STATE_OPEN:
        return "Open: it may still change"
    when = moment(read_time(case.summary.closed_at))
    return f"Closed as {decision_words(case.summary.outcome)} {when} by {plain(case.closed_by)}"
