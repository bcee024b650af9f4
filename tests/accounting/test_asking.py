"""Questions beside reports: what is behind a figure, entries, balances, and what makes no sense."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from accounting.domain.reports import REPORTS
from accounting.grpc.errors import InvalidDay, UnknownReport
from accounting.grpc.queries import Queries
from casino.accounting.v1.ledger_pb2 import ACCOUNT_CLASS_ASSET
from casino.accounting.v1.service_pb2 import (
    ExplainRequest,
    FindEntriesRequest,
    FindEntriesResponse,
    GetBalancesRequest,
    GetReportRequest,
    ListReportsRequest,
)
from casino.settlement.v1.service_pb2 import FindRoundsRequest, FindRoundsResponse, RoundSummary
from runtime.query_errors import InvalidPageToken, InvalidQuery
from runtime.rpc.page_tokens import encode
from tests.accounting.asked import DAY, ask, explained, report, value
from tests.accounting.books import Books, Log
from tests.table_simulator.days import a_day


def test_every_report_is_listed_with_its_words(books: Books) -> None:
    listed = ask(books, lambda asked: asked.list_reports(ListReportsRequest())).reports
    assert [report_.name for report_ in listed] == [*REPORTS]
    assert all(report_.title and report_.words for report_ in listed)


@pytest.mark.parametrize(
    ("question", "error", "field"),
    [
        (lambda asked: asked.get_report(GetReportRequest(name="x", from_day=DAY)),
         UnknownReport, "name"),
        (lambda asked: asked.get_report(GetReportRequest(name="cash_log")), InvalidDay, "from_day"),
        (lambda asked: asked.get_report(GetReportRequest(name="cash_log", from_day="2026-3-1")),
         InvalidDay, "from_day"),
        (lambda asked: asked.get_report(
            GetReportRequest(name="cash_log", from_day=DAY, until_day="2026-02-01")),
         InvalidDay, "until_day"),
        (lambda asked: asked.get_report(
            GetReportRequest(name="cash_log", from_day=DAY, until_day="2028-02-01")),
         InvalidDay, "until_day"),
        (lambda asked: asked.get_report(
            GetReportRequest(name="hold_variance", from_day=DAY, preset="nevada")),
         InvalidQuery, "preset"),
        (lambda asked: asked.get_report(
            GetReportRequest(name="cash_log", from_day=DAY, table_id="T\0")),
         InvalidQuery, "table_id"),
        (lambda asked: asked.explain(ExplainRequest(drill="forged")), InvalidPageToken, "drill"),
        (lambda asked: asked.explain(ExplainRequest()), InvalidPageToken, "drill"),
        (lambda asked: asked.find_entries(FindEntriesRequest(from_day=DAY, page_size=1001)),
         InvalidQuery, "page_size"),
        (lambda asked: asked.find_entries(FindEntriesRequest(from_day=DAY, page_token="x")),
         InvalidPageToken, "page_token"),
        (lambda asked: asked.get_balances(
            GetBalancesRequest(from_day="2026-03-02", until_day="2026-03-01")),
         InvalidDay, "until_day"),
        (lambda asked: asked.get_balances(GetBalancesRequest(from_day="today")),
         InvalidDay, "from_day"),
    ],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_refused_with_the_field(
    books: Books,
    question: Callable[[Queries], Awaitable[object]],
    error: type[InvalidQuery],
    field: str,
) -> None:
    with pytest.raises(error) as refused:
        ask(books, question)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("terms", "scope"),
    [
        ([["no_leaf", 1]], []),
        ([["opener", 2]], []),
        ([], []),
        ([["opener", 1]], [["patron; DROP TABLE cash", ["x"]]]),
        ([["opener", 1]], [["table", [7]]]),
        ([["owed_win", 1]], [["seat", [2**63]]]),
        ([["opener", 1]], [["table", []]]),
    ],
)
def test_a_forged_drill_asks_for_nothing_that_figures_do_not_have(
    books: Books, terms: list[object], scope: list[object]
) -> None:
    request = ExplainRequest(drill=encode([terms, DAY, DAY, scope]))
    with pytest.raises(InvalidPageToken):
        ask(books, lambda asked: asked.explain(request))


def test_entries_come_in_order_page_by_page_and_each_once(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=8))
    books.take(log.messages())

    async def pages(asked: Queries) -> list[FindEntriesResponse]:
        request = FindEntriesRequest(from_day=DAY, page_size=17)
        found = [await asked.find_entries(request)]
        while found[-1].next_page_token:
            request.page_token = found[-1].next_page_token
            found.append(await asked.find_entries(request))
        return found

    entries = [entry for page in ask(books, pages) for entry in page.entries]
    (count,) = books.ask("SELECT count(*) FROM entries WHERE gaming_day = %s", DAY)
    assert len(entries) == len({entry.id for entry in entries}) == count[0] > 17
    places = [(entry.gaming_day, entry.at.ToMicroseconds(), entry.id) for entry in entries]
    assert places == sorted(places)
    assert all(entry.transfers and not entry.adjusting for entry in entries)


def test_entries_are_found_by_table_kind_round_and_account(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=4))
    books.take(log.messages())

    def found(**more: Any) -> list[Any]:
        request = FindEntriesRequest(from_day=DAY, page_size=1000, **more)
        return list(ask(books, lambda asked: asked.find_entries(request)).entries)

    assert {item.table_id for item in found(table_id="T001")} == {"T001"}
    assert {item.kind for item in found(kind="sale")} == {"sale"}
    assert len(found(round="T001-00002", table_id="T001")) == 1
    boxes = found(account="box/")
    assert boxes
    for box_ in boxes:
        assert any(
            code.startswith("box/") for line in box_.transfers for code in (line.debit, line.credit)
        )
    assert found(account="box/nowhere") == []


def test_balances_add_up_over_days_and_by_the_beginning_of_a_code(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=5))
    books.take(log.messages())
    every = ask(books, lambda asked: asked.get_balances(GetBalancesRequest())).balances
    assert sum(part.debit_cents - part.credit_cents for part in every) == 0
    trays = ask(
        books,
        lambda asked: asked.get_balances(GetBalancesRequest(from_day=DAY, account="tray/")),
    ).balances
    assert [tray.account for tray in trays] == ["tray/T001", "tray/T002"]
    assert {tray.account_class for tray in trays} == {ACCOUNT_CLASS_ASSET}
    before = GetBalancesRequest(until_day="2020-01-01")
    assert not ask(books, lambda asked: asked.get_balances(before)).balances


class Archive:
    """Knows the rounds of the ledger, or does not answer."""

    def __init__(self, books: Books, *, away: bool = False) -> None:
        self._away = away
        self._rounds = [
            RoundSummary(table_id=table, round=name, first_seq=seq)
            for table, name, seq in books.ask("SELECT table_id, round, opening_seq FROM rounds")
        ]

    def handler(self) -> grpc.GenericRpcHandler:
        find = grpc.unary_unary_rpc_method_handler(
            self._find,
            request_deserializer=FindRoundsRequest.FromString,
            response_serializer=FindRoundsResponse.SerializeToString,
        )
        service = "casino.settlement.v1.SettlementService"
        return grpc.method_handlers_generic_handler(service, {"FindRounds": find})

    async def _find(self, request: FindRoundsRequest, context: Any) -> FindRoundsResponse:
        if self._away:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "not now")
        fitting = [
            round
            for round in self._rounds
            if round.table_id == request.table_id and round.round.startswith(request.round)
        ]
        start = int(request.page_token or 0)
        end = start + 3
        token = str(end) if end < len(fitting) else ""
        return FindRoundsResponse(rounds=fitting[start:end], next_page_token=token)


@pytest.mark.parametrize("away", [False, True])
def test_a_figure_is_explained_with_its_rounds_and_stands_without_them(
    books: Books, away: bool
) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=8, every=1))
    books.take(log.messages())
    shown = report(books, "reconciliation")
    drill = shown.rows[0]["owed"].drill

    async def asked(questions: Queries) -> Any:
        return await explained(questions, drill)

    class Channels:
        def __init__(self, channel: grpc.aio.Channel) -> None:
            self._channel = channel

        def to(self, service: str, address: object) -> grpc.aio.Channel:
            assert (service, str(address)) == ("round_archive", "localhost:9")
            return self._channel

    async def with_archive(questions: Queries) -> Any:
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((Archive(books, away=away).handler(),))
        port = server.add_insecure_port("localhost:0")
        await server.start()
        async with grpc.aio.insecure_channel(f"localhost:{port}") as channel:
            channels.append(Channels(channel))
            answer = await asked(questions)
        await server.stop(None)
        return answer

    channels: list[Channels] = []

    class Late:
        def to(self, service: str, address: object) -> grpc.aio.Channel:
            return channels[-1].to(service, address)

    answer = ask(books, with_archive, links=Late(), round_archive_address="localhost:9")
    assert answer.total_cents == value(shown.rows[0]["owed"])
    if away:
        assert answer.without_rounds == "round_archive failed: unavailable"
        assert not any(part.HasField("round") for part in answer.parts)
    else:
        assert answer.without_rounds == ""
        assert all(part.round.round == part.entry.round for part in answer.parts)
    alone = ask(books, asked)
    assert alone.without_rounds == "ROUND_ARCHIVE_ADDRESS is not set"


def test_answers_do_not_wait_for_each_other(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=1, rounds=4))
    books.take(log.messages())

    async def asked(questions: Queries) -> list[Any]:
        requests = [GetReportRequest(name=name, from_day=DAY) for name in REPORTS]
        return await asyncio.gather(*(questions.get_report(request) for request in requests))

    assert [row.report.name for row in ask(books, asked)] == [*REPORTS]
