"""What reports tell: late and by hand, from day to day, by the odds, and by the age of coupons."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from psycopg.types.json import Jsonb

from accounting.grpc.queries import Queries
from accounting.postgres.theory import TheoryCache
from blackjack.display_names import wager_name
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import RuleSet, compose
from casino.accounting.v1.cage_event_pb2 import INVENTORY_KIND_OPENER, CageEvent, EntryLine
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.accounting.v1.service_pb2 import (
    FindEntriesRequest,
    GetReportRequest,
)
from casino.table.v1.rules_pb2 import RuleSetDefinition
from odds.round_theory import theory_of
from tests.accounting.asked import DAY, anticipate, ask, explained, report, value
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
    assert "after the close" not in report(books, "reconciliation").notes
    said = log.append(topics.CAGE_EVENTS, event.SerializeToString())
    books.take([said])
    for name in ("reconciliation", "trial_balance"):
        told = report(books, name)
        assert told.report.is_final
        assert told.notes.startswith("1 entry posted after the close, ")
    request = FindEntriesRequest(from_day=DAY, adjusting=True)
    (entry,) = ask(books, lambda asked: asked.find_entries(request)).entries
    assert (entry.kind, entry.author, entry.adjusting) == ("entry_posted", "ada", True)
    assert entry.source.offset == said.at
    whole = ask(
        books, lambda asked: asked.find_entries(FindEntriesRequest(from_day=DAY, page_size=1000))
    )
    assert sum(entry.adjusting for entry in whole.entries) == 1


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
    # Manual entries show even if there is no difference to correct.
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


def test_what_coupons_cost_is_worked_out_before_anybody_asks(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=5, rounds=20))
    books.take(log.messages(), batch=5_000)
    worked_out: list[tuple[str, str, str]] = []

    def cost(terms: Terms, rules: RuleSet, wager: str) -> float:
        worked_out.append((terms.hash, rules.hash, wager))
        return 250.0

    report(books, "promotion_cost", theories=TheoryCache(theory=lambda _: {}, cost=cost))
    needed = {*worked_out}
    assert needed
    assert len(needed) == len(worked_out), "each once"
    worked_out.clear()
    theories = TheoryCache(theory=lambda _: {}, cost=cost)
    anticipate(books, theories, until=lambda: needed <= {*worked_out})
    ahead = len(worked_out)
    shown = report(books, "promotion_cost", theories=theories)
    assert len(worked_out) == ahead
    assert shown.total("expected") > 0


def test_what_cannot_be_worked_out_ahead_ends_nothing(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=5, rounds=20))
    books.take(log.messages(), batch=5_000)
    tried: list[str] = []

    def theory(rules: RuleSet) -> dict[str, Any]:
        tried.append(rules.hash)
        raise ZeroDivisionError

    def cost(terms: Terms, rules: RuleSet, wager: str) -> float:
        tried.append(f"{terms.hash} {rules.hash} {wager}")
        raise ZeroDivisionError

    theories = TheoryCache(theory=theory, cost=cost)
    anticipate(books, theories, until=lambda: sum(" " in attempt for attempt in tried) >= 3)
    assert len({*tried}) == len(tried), "each once"


def test_theory_is_placed_times_edge_and_z_is_by_round(books: Books) -> None:
    log = Log()
    log.play(a_day(4, tables=1, rounds=25))
    books.take(log.messages())
    request = GetReportRequest(name="win_by_wager", from_day=DAY)
    made = ask(books, lambda asked: asked.get_report(request), theories=TheoryCache()).report
    keys = [column.key for column in made.columns]
    ((name, definition),) = books.ask("SELECT rule_set, definition FROM rule_sets")
    rules = compose(read_rule_set(RuleSetDefinition.FromString(definition)))
    expected = theory_of(rules)
    codes = {wager_name(code): code for code in expected}
    for row in made.rows:
        cells = {key: value(cell) for key, cell in zip(keys, row.cells, strict=True)}
        wager = codes[cells["wager"]]
        odds = expected[wager]
        win, theoretical, variance = 0, 0.0, 0.0
        rounds = books.ask(
            "SELECT array_agg(placed), sum(taken - owed + coupon_owed) FROM wagers w"
            " JOIN rounds r USING (table_id, round, opening_seq, version)"
            " WHERE wager = %s AND rule_set = %s AND result <> 'void' GROUP BY round",
            wager,
            name,
        )
        for placed, won in rounds:
            whole, squares = sum(placed), sum(answer * answer for answer in placed)
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
    theories = TheoryCache(theory=lambda _: {}, cost=lambda *_: 250.0)
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

    async def asked(questions: Queries) -> None:
        for drill, figure in drills:
            answer = await explained(questions, drill)
            assert sum(part.cents for part in answer.parts) == answer.total_cents == figure

    ask(books, asked)
