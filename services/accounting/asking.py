"""All that is asked of the ledger: reports, what is behind a figure, entries, balances."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

from accounting.config import Settings
from accounting.domain.entry import entry_id
from accounting.domain.reports import REPORTS
from accounting.domain.reports.report import Period, Question
from accounting.errors import BadDay, UnknownReport
from accounting.figures.asked import Asked
from accounting.figures.fetching import fetch
from accounting.figures.journal import (
    IS_ADJUSTING,
    class_number,
    closed_positions,
    find_entries,
    named_entries,
    with_transfers,
)
from accounting.figures.office import ACCOUNTS
from accounting.figures.parts import Part, Parts
from accounting.figures.snapshot import Snapshot, open_snapshot
from accounting.report_codec import read_drill, write_report
from accounting.round_posting import KIND as ROUND
from accounting.round_posting import TAKEN_BACK
from accounting.rounds_behind import Channels, RoundsBehind
from accounting.theory import Theories
from casino.accounting.v1.ledger_pb2 import Balance, Entry, Source
from casino.accounting.v1.service_pb2 import (
    ExplainRequest,
    ExplainResponse,
    FigurePart,
    FindEntriesRequest,
    FindEntriesResponse,
    GetBalancesRequest,
    GetBalancesResponse,
    GetReportRequest,
    GetReportResponse,
    ListReportsRequest,
    ListReportsResponse,
    ReportKind,
)
from runtime.database.pools import AsyncPool
from runtime.questions import BadQuestion
from runtime.rpc.paging import PAGES, read_token, write_token
from wire.vocabulary import write_time

DAYS_MAX: Final = 366
"""Gaming days of one report."""
_ACCOUNTS: Final = "SELECT id FROM accounts WHERE code ^@ %(account)s"


class Questions:
    """`links` lead to the service that has rounds; without them figures stand alone."""

    def __init__(
        self,
        pool: AsyncPool,
        settings: Settings,
        links: Channels | None = None,
        *,
        theories: Theories | None = None,
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._rounds = RoundsBehind(links, settings.round_archive_address)
        self._theories = theories if theories is not None else Theories()

    async def list_reports(self, _: ListReportsRequest) -> ListReportsResponse:
        return ListReportsResponse(
            reports=[
                ReportKind(name=each.name, title=each.title, words=each.words)
                for each in REPORTS.values()
            ]
        )

    async def get_report(self, request: GetReportRequest) -> GetReportResponse:
        kind = REPORTS.get(request.name)
        if kind is None:
            raise UnknownReport(request.name, tuple(REPORTS))
        if request.preset and request.preset not in kind.presets:
            known = ", ".join(kind.presets) or "none"
            raise BadQuestion("preset", f"{request.name} has {known}, not {request.preset!r}")
        from_day, until_day = _days(request.from_day, request.until_day)
        asked = Asked(from_day, until_day, _plain("table_id", request.table_id))
        question = Question(
            Period(from_day.isoformat(), until_day.isoformat()),
            asked.table,
            request.preset,
            self._settings.coupon_winnings_reduce_tax,
        )
        figures, is_final = await fetch(self._pool, asked, kind.needs, self._theories)
        made_at = Timestamp()
        made_at.GetCurrentTime()
        report = write_report(
            kind.build(figures, question),
            question,
            property_name=self._settings.property_name,
            made_at=made_at,
            is_final=is_final,
        )
        return GetReportResponse(report=report)

    async def explain(self, request: ExplainRequest) -> ExplainResponse:
        drill = read_drill(request.drill)
        from_day, until_day = _days(drill.from_day, drill.until_day, field="drill")
        parts = Parts(drill, Asked(from_day, until_day))
        size = PAGES.of(request.page_size)
        after = read_token(request, request.page_token, (int, str))
        async with open_snapshot(self._pool) as snapshot:
            total = await parts.total(snapshot)
            place = (int(after[0]), str(after[1])) if after is not None else None
            some = await parts.page(snapshot, after=place, limit=size + 1)
            shown = some[:size]
            entries = await _entries_of(snapshot, shown)
        names = {
            (each.table, each.round, each.opening_seq): each.at for each in shown if each.round
        }
        rounds, without = await self._rounds.find(names.items())
        token = ""
        if len(some) > size:
            token = write_token(request, (shown[-1].at, shown[-1].key))
        return ExplainResponse(
            parts=[
                FigurePart(
                    entry=entry,
                    cents=each.cents,
                    words=each.words,
                    round=rounds.get((each.table, each.round, each.opening_seq)),
                )
                for each, entry in zip(shown, entries, strict=True)
            ],
            total_cents=total,
            next_page_token=token,
            without_rounds=without,
        )

    async def find_entries(self, request: FindEntriesRequest) -> FindEntriesResponse:
        from_day, until_day = _days(request.from_day, request.until_day)
        size = PAGES.of(request.page_size)
        after = read_token(request, request.page_token, (str, int, str))
        values: dict[str, Any] = {"from_day": from_day, "until_day": until_day}
        where = ["e.gaming_day BETWEEN %(from_day)s AND %(until_day)s"]
        for column in ("table_id", "kind", "round"):
            wanted = _plain(column, getattr(request, column))
            if wanted:
                values[column] = wanted
                where.append(f"e.{column} = %({column})s")
        if request.adjusting:
            where.append(IS_ADJUSTING)
        if after is not None:
            day = _day("page_token", str(after[0]))
            values |= {"after_day": day, "after_at": after[1], "after_id": _uuid(str(after[2]))}
            where.append(
                "(e.gaming_day, e.at, e.id) > (%(after_day)s, %(after_at)s, %(after_id)s::uuid)"
            )
        async with open_snapshot(self._pool) as snapshot:
            if request.account:
                account = _plain("account", request.account)
                found = await snapshot.ask(_ACCOUNTS, {"account": account})
                values["accounts"] = [row["id"] for row in found]
                where.append(
                    "EXISTS (SELECT FROM transfers t WHERE t.gaming_day = e.gaming_day"
                    " AND t.entry_id = e.id AND (t.debit = ANY(%(accounts)s::bigint[])"
                    " OR t.credit = ANY(%(accounts)s::bigint[])))"
                )
            rows = await find_entries(snapshot, where, values, size + 1)
            shown = rows[:size]
            entries = await with_transfers(snapshot, shown)
        token = ""
        if len(rows) > size:
            last = shown[-1]
            token = write_token(request, (last["day"], last["at"], last["id"]))
        return FindEntriesResponse(entries=entries, next_page_token=token)

    async def get_balances(self, request: GetBalancesRequest) -> GetBalancesResponse:
        values: dict[str, Any] = {"account": _plain("account", request.account)}
        days = ["true"]
        for field, bound in (("from_day", ">="), ("until_day", "<=")):
            if getattr(request, field):
                values[field] = _day(field, getattr(request, field))
                days.append(f"t.gaming_day {bound} %({field})s")
        query = ACCOUNTS.format(days=" AND ".join(days), accounts="a.code ^@ %(account)s")
        async with open_snapshot(self._pool) as snapshot:
            rows = await snapshot.ask(query, values)
        return GetBalancesResponse(
            balances=[
                Balance(
                    account=row["account"],
                    account_class=class_number(row["account_class"]),
                    debit_cents=row["debit"],
                    credit_cents=row["credit"],
                )
                for row in rows
            ]
        )


async def _entries_of(snapshot: Snapshot, parts: list[Part]) -> list[Entry]:
    """The entry of each part; one that moves nothing is not in the journal, and is told by its
    fact alone."""
    names = [_entry_names(each) for each in parts]
    found = await named_entries(
        snapshot,
        ((part.day, name) for part, some in zip(parts, names, strict=True) for name in some),
    )
    closed = await closed_positions(snapshot, (each.day for each in parts))
    entries: list[Entry] = []
    for part, some in zip(parts, names, strict=True):
        stored = next((found[part.day, name] for name in some if (part.day, name) in found), None)
        entries.append(stored if stored is not None else _unmoved(part, some[0], closed))
    return entries


def _entry_names(part: Part) -> tuple[str, ...]:
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


def _unmoved(part: Part, name: str, closed: dict[str, Any]) -> Entry:
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


def _days(first: str, last: str, *, field: str = "") -> tuple[date, date]:
    from_day = _day(field or "from_day", first)
    until_day = _day(field or "until_day", last) if last else from_day
    if until_day < from_day:
        raise BadDay(field or "until_day", last, f"is before {first}")
    if (until_day - from_day).days >= DAYS_MAX:
        raise BadDay(field or "until_day", last, f"is more than {DAYS_MAX} days after {first}")
    return from_day, until_day


def _day(field: str, text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text or not 1970 <= day.year < 9000:
        raise BadDay(field, text[:40], "is no gaming day such as 2026-03-01")
    return day


def _uuid(text: str) -> str:
    if len(text) != 32 or not set(text) <= set("0123456789abcdef"):
        raise BadQuestion("page_token", "it is damaged: begin anew")
    return text


def _plain(field: str, text: str) -> str:
    if "\0" in text:
        raise BadQuestion(field, "a text holds no zero byte")
    return text
