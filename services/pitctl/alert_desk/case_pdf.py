"""A case as a PDF: people, deadlines, alerts, evidence, held video, activity, signatures."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Final

import paper
from alerting.display_names import alert_name
from blackjack.display_names import wager_name
from blackjack.money import format_cents
from casino.surveillance.v1.case_pb2 import CASE_STATE_OPEN, Case
from casino.surveillance.v1.work_pb2 import WorkedAlert
from paper import Align, Document, PrintedColumn, PrintedTable, TableRow
from pitctl.alert_desk.case_page import deadline_words, hold_words
from pitctl.alert_desk.labels import amount_words, decision_words, level_of, state_words, where
from pitctl.output.text import escape, format_moment
from wire.vocabulary import read_time

ISSUER: Final = "Pitledger"
STATEMENT: Final = "I have reviewed this case, its evidence and its conclusion."


def as_pdf(case: Case) -> bytes:
    """The bytes of the file; the same case gives the same bytes."""
    file = BytesIO()
    paper.write_pdf(file, as_document(case))
    return file.getvalue()


def as_document(case: Case) -> Document:
    summary = case.summary
    title = f"Case {summary.number}: {escape(summary.title)}"
    opened = f"Opened {format_moment(read_time(summary.opened_at))} by {escape(summary.opened_by)}"
    return Document(
        title=title,
        issuer=ISSUER,
        subtitle=(opened, _status(case)),
        subject=title,
        running=title,
        is_landscape=True,
        blocks=tuple(_blocks(case)),
    )


def _blocks(case: Case) -> Iterator[paper.Block]:
    if case.conclusion:
        yield paper.Notice(escape(case.conclusion))
    yield from _table(
        "People", ("Role", "Name", "Note"),
        [(person.role, person.name, person.words) for person in case.people],
    )  # fmt: skip
    yield from _table(
        "Deadlines", ("Number", "Action", "Status"),
        [(str(due.number), due.words, deadline_words(due)[0]) for due in case.deadlines],
    )  # fmt: skip
    yield from _table(
        "Alerts", ("Priority", "Raised", "Kind", "Where", "Amount", "Status", "Description"),
        [_alert(worked) for worked in case.alerts], right=(4,),
    )  # fmt: skip
    yield from _table(
        "Evidence",
        ("Time", "Table", "Round", "Events", "Seat", "Wager", "Due patron", "Paid patron"),
        [row for worked in case.alerts for row in _evidence(worked)], right=(6, 7),
    )  # fmt: skip
    yield from _table("Held video", ("Video",), [(hold_words(hold),) for hold in case.holds])
    yield from _table(
        "Activity", ("Time", "Person", "Action", "Text"),
        [
            (format_moment(read_time(entry.at)), entry.author, entry.action, entry.text)
            for entry in case.journal
        ],
    )  # fmt: skip
    yield paper.Signatures(statement=STATEMENT)


def _table(
    title: str,
    columns: tuple[str, ...],
    rows: list[tuple[str, ...]],
    right: tuple[int, ...] = (),
) -> Iterator[paper.Block]:
    """A table with its heading; nothing where there are no rows."""
    if not rows:
        return
    yield paper.Heading(title, level=2)
    yield PrintedTable(
        tuple(
            PrintedColumn(name, Align.RIGHT if place in right else Align.LEFT)
            for place, name in enumerate(columns)
        ),
        tuple(TableRow(tuple(escape(cell) for cell in row)) for row in rows),
    )


def _alert(worked: WorkedAlert) -> tuple[str, ...]:
    alert = worked.alert
    label = f" ({alert.label})" if alert.label else ""
    return (
        level_of(worked).name, format_moment(read_time(alert.raised_at)),
        f"{alert_name(alert.kind)}{label}",
        where(worked), amount_words(alert), state_words(worked), alert.sentence,
    )  # fmt: skip


def _evidence(worked: WorkedAlert) -> Iterator[tuple[str, ...]]:
    for proof in worked.alert.evidence:
        events = f"{proof.first_seq} to {proof.last_seq}" if proof.first_seq else ""
        yield (
            format_moment(read_time(proof.at)), proof.table_id, proof.round, events,
            str(proof.seat) if proof.seat else "", wager_name(proof.wager) if proof.wager else "",
            format_cents(proof.owed_cents) if proof.HasField("owed_cents") else "",
            format_cents(proof.paid_cents) if proof.HasField("paid_cents") else "",
        )  # fmt: skip


def _status(case: Case) -> str:
    if case.summary.state == CASE_STATE_OPEN:
        return "Open: not final"
    when = format_moment(read_time(case.summary.closed_at))
    return f"Closed as {decision_words(case.summary.outcome)} {when} by {escape(case.closed_by)}"
