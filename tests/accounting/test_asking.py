"""Questions beside reports: what is behind a figure, entries, balances, and what makes no sense."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from psycopg.types.json import Jsonb

from accounting.asking import Questions
from accounting.domain.reports import REPORTS
from accounting.errors import BadDay, UnknownReport
from accounting.theory import Theories
from blackjack.rule_set import compose
from casino.accounting.v1.cage_event_pb2 import INVENTORY_KIND_OPENER, CageEvent, EntryLine
from casino.accounting.v1.ledger_pb2 import ACCOUNT_CLASS_ASSET
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.accounting.v1.service_pb2 import (
    ExplainRequest,
    FindEntriesRequest,
    FindEntriesResponse,
    GetBalancesRequest,
    GetReportRequest,
    ListReportsRequest,
)
from casino.settlement.v1.service_pb2 import FindRoundsRequest, FindRoundsResponse, RoundSummary
from casino.table.v1.rules_pb2 import RuleSetDefinition
from odds.round_theory import theory_of
from runtime.questions import BadQuestion, BadToken
from runtime.rpc.paging import encode
from tests.accounting.asked import DAY, ask, explained, report, value
from tests.accounting.books import Books, Log
from tests.table_simulator.days import a_day
from wire import topics
from wire.rules import read_rule_set


def cage_event(event_id: str, table: str = "", **more: Any) -> CageEvent:
    at = Timestamp(seconds=1_772_420_000)
    return CageEvent(
        event_id=event_id, at=at, recorded_at=at, author="ada", table_id=table, gaming_day=DAY,
        **more,
    )  # fmt: skip


def test_every_report_is_listed_with_its_words(books: Books) -> None:
    listed = ask(books, lambda asked: asked.list_reports(ListReportsRequest())).reports
    assert [each.name for each in listed] == [*REPORTS]
    assert all(each.title and each.words for each in listed)


@pytest.mark.parametrize(
    ("question", "error", "field"),
    [
        (lambda asked: asked.get_report(GetReportRequest(name="x", from_day=DAY)),
         UnknownReport, "name"),
        (lambda asked: asked.get_report(GetReportRequest(name="cash_log")), BadDay, "from_day"),
        (lambda asked: asked.get_report(GetReportRequest(name="cash_log", from_day="2026-3-1")),
         BadDay, "from_day"),
        (lambda asked: asked.get_report(
            GetReportRequest(name="cash_log", from_day=DAY, until_day="2026-02-01")),
         BadDay, "until_day"),
        (lambda asked: asked.get_report(
            GetReportRequest(name="cash_log", from_day=DAY, until_day="2028-02-01")),
         BadDay, "until_day"),
        (lambda asked: asked.get_report(
            GetReportRequest(name="hold_variance", from_day=DAY, preset="nevada")),
         BadQuestion, "preset"),
        (lambda asked: asked.get_report(
            GetReportRequest(name="cash_log", from_day=DAY, table_id="T\0")),
         BadQuestion, "table_id"),
        (lambda asked: asked.explain(ExplainRequest(drill="forged")), BadToken, "drill"),
        (lambda asked: asked.explain(ExplainRequest()), BadToken, "drill"),
        (lambda asked: asked.find_entries(FindEntriesRequest(from_day=DAY, page_size=1001)),
         BadQuestion, "page_size"),
        (lambda asked: asked.find_entries(FindEntriesRequest(from_day=DAY, page_token="x")),
         BadToken, "page_token"),
        (lambda asked: asked.get_balances(
            GetBalancesRequest(from_day="2026-03-02", until_day="2026-03-01")),
         BadDay, "until_day"),
        (lambda asked: asked.get_balances(GetBalancesRequest(from_day="today")),
         BadDay, "from_day"),
    ],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_refused_with_the_field(
    books: Books,
    question: Callable[[Questions], Awaitable[object]],
    error: type[BadQuestion],
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
    with pytest.raises(BadToken):
        ask(books, lambda asked: asked.explain(request))


def test_entries_come_in_order_page_by_page_and_each_once(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=8))
    books.take(log.messages())

    async def pages(asked: Questions) -> list[FindEntriesResponse]:
        request = FindEntriesRequest(from_day=DAY, page_size=17)
        found = [await asked.find_entries(request)]
        while found[-1].next_page_token:
            request.page_token = found[-1].next_page_token
            found.append(await asked.find_entries(request))
        return found

    entries = [entry for page in ask(books, pages) for entry in page.entries]
    (count,) = books.ask("SELECT count(*) FROM entries WHERE gaming_day = %s", DAY)
    assert len(entries) == len({each.id for each in entries}) == count[0] > 17
    places = [(each.gaming_day, each.at.ToMicroseconds(), each.id) for each in entries]
    assert places == sorted(places)
    assert all(each.transfers and not each.adjusting for each in entries)


def test_entries_are_found_by_table_kind_round_and_account(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=4))
    books.take(log.messages())

    def found(**more: Any) -> list[Any]:
        request = FindEntriesRequest(from_day=DAY, page_size=1000, **more)
        return list(ask(books, lambda asked: asked.find_entries(request)).entries)

    assert {each.table_id for each in found(table_id="T001")} == {"T001"}
    assert {each.kind for each in found(kind="sale")} == {"sale"}
    assert len(found(round="T001-00002", table_id="T001")) == 1
    boxes = found(account="box/")
    assert boxes
    for each in boxes:
        assert any(
            code.startswith("box/") for line in each.transfers for code in (line.debit, line.credit)
        )
    assert found(account="box/nowhere") == []


def test_what_was_read_after_a_day_was_closed_is_an_adjustment(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=1, rounds=2))
    books.take(log.messages())
    positions = {
        f"{topic}/{number}": len(said) for (topic, number), said in log.of.items()
    }  # fmt: skip
    books.ask_nothing(
        "INSERT INTO closed_days VALUES (%s, 'x', 'ada', 1, %s)", DAY, Jsonb(positions)
    )
    event = cage_event("late")
    event.entry_posted.reason = "a chip was found"
    event.entry_posted.adjusting = True
    event.entry_posted.lines.extend(
        [EntryLine(account="tray/T001", cents=500), EntryLine(account="adjustment", cents=-500)]
    )
    assert "came after" not in report(books, "reconciliation").notes
    said = log.append(topics.CAGE_EVENTS, event.SerializeToString())
    books.take([said])
    for name in ("reconciliation", "trial_balance"):
        told = report(books, name)
        assert told.report.is_final
        assert told.notes.startswith("1 entry came after the day was closed; ")
    request = FindEntriesRequest(from_day=DAY, adjusting=True)
    (entry,) = ask(books, lambda asked: asked.find_entries(request)).entries
    assert (entry.kind, entry.author, entry.adjusting) == ("entry_posted", "ada", True)
    assert entry.source.offset == said.at
    whole = ask(
        books, lambda asked: asked.find_entries(FindEntriesRequest(from_day=DAY, page_size=1000))
    )
    assert sum(each.adjusting for each in whole.entries) == 1


def test_an_entry_by_hand_on_a_tray_explains_its_variance(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=3))
    event = cage_event("by-hand")
    event.entry_posted.reason = "counted again"
    event.entry_posted.lines.extend(
        [
            EntryLine(account="tray/T001", cents=-1_000),
            EntryLine(account="box/T002", cents=700),
            EntryLine(account="tray/T009", cents=50),
            EntryLine(account="adjustment", cents=250),
        ]
    )
    log.append(topics.CAGE_EVENTS, event.SerializeToString())
    books.take(log.messages())
    books.ask_nothing(
        "INSERT INTO cash SELECT 'T001', 999999, 'fill_received', gaming_day, at,"
        " 2500, '', '', 0, 'F-T001-9', '{}', '{}', 0, 999999 FROM cash LIMIT 1"
    )
    row = report(books, "reconciliation").row(table="T001")
    assert row["tray_variance"] == -2_500
    assert (row["by_hand"], row["unexplained_tray"]) == (-1_000, -1_500)
    other = report(books, "reconciliation").row(table="T002")
    assert (other["drop_variance"], other["by_hand"], other["unexplained_drop"]) == (0, 0, 0)
    # Where there is no difference to set right, what was entered is seen all the same.
    assert (row["entered"], other["entered"]) == (-1_000, 700)
    whole = report(books, "reconciliation")
    assert whole.row(table="T009")["entered"] == 50
    for words in ("-$10.00 on tray/T001", "$7.00 on box/T002", "$0.50 on tray/T009"):
        assert f"{words}, counted again" in whole.notes


def test_slips_of_openers_go_on_where_they_stood_the_day_before(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=2))
    for number, (table, slip) in enumerate((("T001", "O-T001-2"), ("T002", "O-T002-3"))):
        event = cage_event(f"opener-{number}", table)
        event.gaming_day = "2026-03-02"
        event.inventory_counted.kind = INVENTORY_KIND_OPENER
        event.inventory_counted.slip = slip
        event.inventory_counted.signers.extend(("D-1", "S-1"))
        log.append(topics.CAGE_EVENTS, event.SerializeToString())
    books.take(log.messages())
    assert report(books, "slip_sequence").row(series="O-T001-")["last"] == 1
    found = report(books, "slip_sequence", "2026-03-02")
    assert found.row(series="O-T001-")["missing"] == 0
    assert found.row(series="O-T002-")["missing"] == 1
    assert "opener O-T002-: 2 missing" in found.notes


def test_balances_add_up_over_days_and_by_the_beginning_of_a_code(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=2, rounds=5))
    books.take(log.messages())
    every = ask(books, lambda asked: asked.get_balances(GetBalancesRequest())).balances
    assert sum(each.debit_cents - each.credit_cents for each in every) == 0
    trays = ask(
        books,
        lambda asked: asked.get_balances(GetBalancesRequest(from_day=DAY, account="tray/")),
    ).balances
    assert [each.account for each in trays] == ["tray/T001", "tray/T002"]
    assert {each.account_class for each in trays} == {ACCOUNT_CLASS_ASSET}
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
            each
            for each in self._rounds
            if each.table_id == request.table_id and each.round.startswith(request.round)
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

    async def asked(questions: Questions) -> Any:
        return await explained(questions, drill)

    class Channels:
        def __init__(self, channel: grpc.aio.Channel) -> None:
            self._channel = channel

        def to(self, service: str, address: object) -> grpc.aio.Channel:
            assert (service, str(address)) == ("round_archive", "localhost:9")
            return self._channel

    async def with_archive(questions: Questions) -> Any:
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
        assert answer.without_rounds == "round_archive did not answer: unavailable"
        assert not any(part.HasField("round") for part in answer.parts)
    else:
        assert answer.without_rounds == ""
        assert all(part.round.round == part.entry.round for part in answer.parts)
    alone = ask(books, asked)
    assert alone.without_rounds == "ROUND_ARCHIVE_ADDRESS is not set"


def test_theory_is_placed_times_edge_and_z_is_by_round(books: Books) -> None:
    log = Log()
    log.play(a_day(4, tables=1, rounds=25))
    books.take(log.messages())
    request = GetReportRequest(name="win_by_wager", from_day=DAY)
    made = ask(books, lambda asked: asked.get_report(request), theories=Theories()).report
    keys = [column.key for column in made.columns]
    ((name, definition),) = books.ask("SELECT rule_set, definition FROM rule_sets")
    rules = compose(read_rule_set(RuleSetDefinition.FromString(definition)))
    expected = theory_of(rules)
    for row in made.rows:
        cells = {key: value(cell) for key, cell in zip(keys, row.cells, strict=True)}
        odds = expected[cells["wager"]]
        win, theoretical, variance = 0, 0.0, 0.0
        rounds = books.ask(
            "SELECT array_agg(placed), sum(taken - owed + coupon_owed) FROM wagers w"
            " JOIN rounds r USING (table_id, round, opening_seq, version)"
            " WHERE wager = %s AND rule_set = %s AND result <> 'void' GROUP BY round",
            cells["wager"],
            name,
        )
        for placed, won in rounds:
            whole, squares = sum(placed), sum(each * each for each in placed)
            win += int(won)
            theoretical += whole * odds.edge
            variance += squares * odds.variance + (whole**2 - squares) * odds.covariance
        assert cells["theoretical"] == round(theoretical)
        assert cells["z"] == pytest.approx((win - theoretical) / variance**0.5 * 1000, abs=0.51)


def test_coupons_that_are_out_are_sorted_by_age_and_valued(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=1, rounds=4))
    books.take(log.messages())
    (promotion, face) = next(
        (row[0], row[1])
        for row in books.ask(
            "SELECT promotion, max(face) FROM coupons WHERE face > 0 GROUP BY 1 ORDER BY 1"
        )
    )
    days = ("2026-02-28", "2026-02-10", "2026-01-01", "2025-01-01")
    for number, day in enumerate(days):
        at = Timestamp(seconds=1_772_420_000)
        event = PromotionEvent(
            event_id=f"old-{number}", at=at, recorded_at=at, author="ada", gaming_day=day
        )
        event.coupons_issued.promotion = promotion
        event.coupons_issued.serial = f"OLD-{number}-"
        event.coupons_issued.count, event.coupons_issued.first = number + 1, 1
        event.coupons_issued.digits, event.coupons_issued.face_cents = 3, face
        books.take([log.append(topics.PROMOTION_EVENTS, event.SerializeToString())])
    request = GetReportRequest(name="promotion_liability", from_day=DAY)
    theories = Theories(theory=lambda _: {}, cost=lambda *_: 250.0)
    made = ask(books, lambda asked: asked.get_report(request), theories=theories).report
    found = {
        value(row.cells[2]): [value(cell) for cell in row.cells[3:]]
        for row in made.rows
        if value(row.cells[4])
    }
    assert found == {
        "0-7 days": [1, face, 250],
        "8-30 days": [2, 2 * face, 500],
        "31-90 days": [3, 3 * face, 750],
        "over 90 days": [4, 4 * face, 1000],
    }
    drills = [(row.cells[4].drill, value(row.cells[4])) for row in made.rows]

    async def asked(questions: Questions) -> None:
        for drill, figure in drills:
            answer = await explained(questions, drill)
            assert sum(part.cents for part in answer.parts) == answer.total_cents == figure

    ask(books, asked)


def test_answers_do_not_wait_for_each_other(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=1, rounds=4))
    books.take(log.messages())

    async def asked(questions: Questions) -> list[Any]:
        requests = [GetReportRequest(name=name, from_day=DAY) for name in REPORTS]
        return await asyncio.gather(*(questions.get_report(each) for each in requests))

    assert [each.report.name for each in ask(books, asked)] == [*REPORTS]
