"""The drill-down of an amount: its facts with their entries and rounds, or its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accounting.domain.entry import entry_id
from accounting.domain.reports.composition import (
    Component,
    Composition,
    DrillQuery,
    FactReference,
    ReportCell,
    ValueKind,
)
from accounting.domain.reports.report import Report
from accounting.grpc.day_range import read_days
from accounting.grpc.report_codec import KINDS, FigurePath, write_cell
from accounting.grpc.round_client import RoundClient
from accounting.kafka.round_posting import KIND as ROUND
from accounting.kafka.round_posting import TAKEN_BACK
from accounting.postgres.report_inputs import parts as facts
from accounting.postgres.report_inputs.journal import closed_positions, named_entries
from accounting.postgres.report_inputs.scope import ReportScope
from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot, open_snapshot
from casino.accounting.v1 import report_pb2
from casino.accounting.v1.ledger_pb2 import Entry, Source
from casino.accounting.v1.service_pb2 import ExplainRequest, ExplainResponse, FigurePart
from runtime.database.pools import AsyncPool
from runtime.query_errors import InvalidPageToken
from runtime.rpc.page_tokens import PAGES, read_token, write_token
from wire.vocabulary import write_time


class DrillDown:
    def __init__(self, pool: AsyncPool, rounds: RoundClient) -> None:
        self._pool = pool
        self._rounds = rounds

    async def facts(self, request: ExplainRequest, drill: DrillQuery) -> ExplainResponse:
        """The facts that add up to an amount."""
        from_day, until_day = read_days(drill.from_day, drill.until_day, field="drill")
        parts = facts.FactQuery(drill, ReportScope(from_day, until_day))
        size = PAGES.of(request.page_size)
        after = read_token(request, request.page_token, (int, str))
        async with open_snapshot(self._pool) as snapshot:
            total = await parts.total(snapshot)
            place = (int(after[0]), str(after[1])) if after is not None else None
            some = await parts.page(snapshot, after=place, limit=size + 1)
            shown = some[:size]
            entries = await _entries_of(snapshot, shown)
        names = {
            (part.table, part.round, part.opening_seq): part.at for part in shown if part.round
        }
        rounds, without = await self._rounds.find(names.items())
        answer = _answer(ReportCell(total), parts.kind, without)
        for part, entry in zip(shown, entries, strict=True):
            answer.parts.append(
                FigurePart(
                    entry=entry,
                    cents=part.cents if parts.kind is ValueKind.CENTS else 0,
                    words=part.words,
                    round=rounds.get((part.table, part.round, part.opening_seq)),
                    figure=report_pb2.ReportCell(number=part.cents),
                    kind=KINDS[parts.kind],
                )
            )
        if len(some) > size:
            answer.next_page_token = write_token(request, (shown[-1].at, shown[-1].key))
        return answer

    async def figure(
        self, request: ExplainRequest, place: FigurePath, report: Report
    ) -> ExplainResponse:
        """The parts of an amount in a report, which was rebuilt for it."""
        cell, kind = _find(report, place)
        made = cell.made() if cell.made is not None else Composition(())
        size = PAGES.of(request.page_size)
        after = read_token(request, request.page_token, (int,))
        begin = int(after[0]) if after is not None else 0
        shown = made.parts[begin : begin + size]
        names = {
            (part.fact.table, part.fact.round, part.fact.opening_seq): part.fact.at
            for part in shown
            if part.fact is not None and part.fact.round and part.fact.opening_seq
        }
        rounds, without = await self._rounds.find(names.items())
        answer = _answer(cell, kind, without)
        answer.formula = made.formula
        for part in shown:
            answer.parts.append(_part(part, place))
            name = (part.fact.table, part.fact.round, part.fact.opening_seq) if part.fact else None
            if name in rounds:
                answer.parts[-1].round.CopyFrom(rounds[name])
        if begin + size < len(made.parts):
            answer.next_page_token = write_token(request, (begin + size,))
        return answer


def _answer(cell: ReportCell, kind: ValueKind, without_rounds: str) -> ExplainResponse:
    value = cell.value if isinstance(cell.value, int) else 0
    return ExplainResponse(
        total_cents=value if kind is ValueKind.CENTS else 0,
        figure=report_pb2.ReportCell(number=value),
        kind=KINDS[kind],
        without_rounds=without_rounds,
    )


def _find(report: Report, place: FigurePath) -> tuple[ReportCell, ValueKind]:
    """Find an amount by the words of the parts on its path."""
    cell = report.cell(tuple(place.row), place.column)
    kind = report.kind_of(place.column) if cell is not None else ValueKind.CENTS
    for words in place.path:
        made = cell.made() if cell is not None and cell.made is not None else Composition(())
        part = next((part for part in made.parts if part.words == words), None)
        cell, kind = (part.cell, part.kind) if part is not None else (None, kind)
    if cell is None:
        raise InvalidPageToken(
            "drill", "the amount is no longer in the report: open the report again"
        )
    return cell, kind


def _part(part: Component, place: FigurePath) -> FigurePart:
    cell = write_cell(part.cell, place.within(part.words))
    return FigurePart(
        entry=_entry_of(part.fact) if part.fact is not None else None,
        cents=cell.number if part.kind is ValueKind.CENTS else 0,
        words=part.words,
        figure=cell,
        kind=KINDS[part.kind],
    )


def _entry_of(fact: FactReference) -> Entry:
    """A fact in the form of an entry."""
    return Entry(
        id=entry_id("cage", fact.event_id) if fact.event_id else "",
        gaming_day=fact.day,
        kind=fact.kind,
        at=write_time(fact.at) if fact.at else None,
        table_id=fact.table,
        round=fact.round,
        seq=fact.seq or fact.opening_seq,
    )


async def _entries_of(snapshot: DatabaseSnapshot, parts: Sequence[facts.FigureFact]) -> list[Entry]:
    """The entry of each part. A fact that moves no money has no entry in the journal; its own
    fields stand for it."""
    names = [_entry_names(part) for part in parts]
    found = await named_entries(
        snapshot,
        ((part.day, name) for part, some in zip(parts, names, strict=True) for name in some),
    )
    closed = await closed_positions(snapshot, (part.day for part in parts))
    entries: list[Entry] = []
    for part, some in zip(parts, names, strict=True):
        stored = next((found[part.day, name] for name in some if (part.day, name) in found), None)
        entries.append(stored if stored is not None else _unmoved(part, some[0], closed))
    return entries


def _entry_names(part: facts.FigureFact) -> tuple[str, ...]:
    match part.origin:
        case "round":
            key = (part.table, part.round, part.opening_seq, part.version)
            kinds = (ROUND,) if part.sign > 0 else (TAKEN_BACK, ROUND)
            return tuple(entry_id(kind, *key) for kind in kinds)
        case "cash":
            return (entry_id("cash", part.table, part.seq),)
        case "cage" | "desk":
            return (entry_id(part.origin, part.event_id),)
        case _:
            return (part.event_id,)


def _unmoved(part: facts.FigureFact, name: str, closed: dict[str, Any]) -> Entry:
    positions = closed.get(part.day)
    read = positions.get(f"{part.topic}/{part.partition}", 0) if positions is not None else None
    return Entry(
        id=name,
        gaming_day=part.day,
        kind=part.leaf.value if part.origin != "round" else ROUND,
        at=write_time(part.at),
        table_id=part.table,
        round=part.round,
        version=part.version,
        seq=part.seq,
        adjusting=read is not None and part.offset >= read,
        source=Source(topic=part.topic, partition=part.partition, offset=part.offset),
    )
