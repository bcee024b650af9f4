"""Queries of the ledger: reports, drill-downs, entries, balances."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

from accounting.config import Settings
from accounting.domain.reports import REPORTS
from accounting.domain.reports.composition import Period
from accounting.domain.reports.report import Report, ReportQuery, with_note
from accounting.grpc.day_range import check_order, read_day, read_days
from accounting.grpc.drill_down import DrillDown
from accounting.grpc.errors import UnknownReport
from accounting.grpc.report_codec import read_drill, write_report
from accounting.grpc.round_client import Channels, RoundClient
from accounting.postgres.report_inputs.journal import (
    IS_ADJUSTING,
    class_number,
    find_entries,
    with_transfers,
)
from accounting.postgres.report_inputs.loader import fetch
from accounting.postgres.report_inputs.scope import ReportScope
from accounting.postgres.report_inputs.slips_and_cash import ACCOUNTS
from accounting.postgres.report_inputs.snapshot import open_snapshot
from accounting.postgres.theory import TheoryCache
from casino.accounting.v1.ledger_pb2 import Balance
from casino.accounting.v1.service_pb2 import (
    ExplainRequest,
    ExplainResponse,
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
from runtime.query_errors import InvalidPageToken, InvalidQuery
from runtime.rpc.page_tokens import PAGES, read_token, write_token

_ACCOUNTS: Final = "SELECT id FROM accounts WHERE code ^@ %(account)s"


class Queries:
    """Answers queries. Without `links` to the round archive, drill-downs show no rounds."""

    def __init__(
        self,
        pool: AsyncPool,
        settings: Settings,
        links: Channels | None = None,
        *,
        theories: TheoryCache | None = None,
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._drill_down = DrillDown(pool, RoundClient(links, settings.round_archive_address))
        self._theories = theories if theories is not None else TheoryCache()

    async def list_reports(self, _: ListReportsRequest) -> ListReportsResponse:
        return ListReportsResponse(
            reports=[
                ReportKind(name=report.name, title=report.title, words=report.words)
                for report in REPORTS.values()
            ]
        )

    async def get_report(self, request: GetReportRequest) -> GetReportResponse:
        days = read_days(request.from_day, request.until_day)
        table = _plain("table_id", request.table_id)
        report, is_final = await self._build(request.name, days, table, request.preset)
        made_at = Timestamp()
        made_at.GetCurrentTime()
        return GetReportResponse(
            report=write_report(
                report,
                self._query(days, table, request.preset),
                property_name=self._settings.property_name,
                made_at=made_at,
                is_final=is_final,
            )
        )

    async def _build(
        self, name: str, days: tuple[date, date], table: str, preset: str
    ) -> tuple[Report, bool]:
        """A report, and whether all of its days are closed."""
        kind = REPORTS.get(name)
        if kind is None:
            raise UnknownReport(name, tuple(REPORTS))
        if preset and preset not in kind.presets:
            known = ", ".join(kind.presets) or "none"
            raise InvalidQuery("preset", f"invalid preset {preset!r}: expected one of {known}")
        fetched = await fetch(self._pool, ReportScope(*days, table), kind.needs, self._theories)
        report = kind.build(fetched.inputs, self._query(days, table, preset))
        return with_note(report, *_late(fetched.adjusting)), fetched.is_final

    def _query(self, days: tuple[date, date], table: str, preset: str) -> ReportQuery:
        return ReportQuery(
            Period(days[0].isoformat(), days[1].isoformat()),
            table,
            preset,
            self._settings.coupon_winnings_reduce_tax,
        )

    async def explain(self, request: ExplainRequest) -> ExplainResponse:
        token = read_drill(request.drill)
        if token.facts is not None:
            return await self._drill_down.facts(request, token.facts)
        if token.place is None:
            raise InvalidPageToken("drill", "invalid or damaged token")
        place = token.place
        report, _ = await self._build(
            place.report,
            read_days(place.from_day, place.until_day, field="drill"),
            _plain("drill", place.table),
            place.preset,
        )
        return await self._drill_down.figure(request, place, report)

    async def find_entries(self, request: FindEntriesRequest) -> FindEntriesResponse:
        from_day, until_day = read_days(request.from_day, request.until_day)
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
            day = read_day("page_token", str(after[0]))
            values |= {"after_day": day, "after_at": after[1], "after_id": _uuid(str(after[2]))}
            where.append(
                "(e.gaming_day, e.at, e.id) > (%(after_day)s, %(after_at)s, %(after_id)s::uuid)"
            )
        async with open_snapshot(self._pool) as snapshot:
            if request.account:
                account = _plain("account", request.account)
                found = await snapshot.fetch(_ACCOUNTS, {"account": account})
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
                values[field] = read_day(field, getattr(request, field))
                days.append(f"t.gaming_day {bound} %({field})s")
        if request.from_day and request.until_day:
            check_order(values["from_day"], values["until_day"])
        query = ACCOUNTS.format(days=" AND ".join(days), accounts="a.code ^@ %(account)s")
        async with open_snapshot(self._pool) as snapshot:
            rows = await snapshot.fetch(query, values)
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


def _late(adjusting: int) -> Iterator[str]:
    """A note that amounts of a closed day may have changed after it was signed."""
    if adjusting:
        entries = "1 entry" if adjusting == 1 else f"{adjusting:,} entries"
        yield f"{entries} posted after the close, marked as adjusting in the journal."


def _uuid(text: str) -> str:
    if len(text) != 32 or not set(text) <= set("0123456789abcdef"):
        raise InvalidQuery("page_token", "damaged token: start over")
    return text


def _plain(field: str, text: str) -> str:
    if "\0" in text:
        raise InvalidQuery(field, "zero byte in a text")
    return text
