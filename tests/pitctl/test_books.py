"""What an accountant types, against a service over TLS: what is asked, shown and refused."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.ledger_pb2 import AccountClass, Balance, Entry, Transfer
from casino.accounting.v1.report_pb2 import (
    ColumnKind,
    Report,
    ReportCell,
    ReportColumn,
    ReportRow,
)
from casino.accounting.v1.service_pb2 import (
    CloseDayRequest,
    CloseDayResponse,
    CouponStep,
    Day,
    DayCheck,
    DayState,
    ExpireCouponsRequest,
    ExpireCouponsResponse,
    ExplainRequest,
    ExplainResponse,
    FigurePart,
    FindEntriesRequest,
    FindEntriesResponse,
    GetBalancesResponse,
    GetCouponResponse,
    GetDayResponse,
    GetReportRequest,
    GetReportResponse,
    ImportCountsRequest,
    ImportCountsResponse,
    ImportedCount,
    ListPromotionsResponse,
    ListReportsResponse,
    OpenItem,
    OpenItemKind,
    Promotion,
    RecordPromotionRequest,
    RecordPromotionResponse,
    RecordRequest,
    RecordResponse,
    ReportKind,
)
from casino.table.v1.facts_promotion_pb2 import PromotionTerms
from pitctl.accounting.terms_file import read_terms_file
from tests.pitctl.command import pitctl
from tests.pitctl.fake_accounting import FakeAccounting, PostingRejected, serving
from tests.pitctl.sample_reports import a_small_report


@pytest.fixture
def accountant(tmp_path: Path) -> Iterator[FakeAccounting]:
    with serving(tmp_path) as found:
        found.answers["Record"] = _entered
        found.answers["RecordPromotion"] = lambda request: RecordPromotionResponse(
            event=request.event
        )
        yield found


def _entered(request: RecordRequest) -> RecordResponse:
    event = CageEvent()
    event.CopyFrom(request.event)
    event.author = "operator/local"
    event.gaming_day = event.gaming_day or "2026-03-02"
    moved = Transfer(debit="transit/BJ-07", credit="cage_chips", cents=300_000)
    return RecordResponse(
        event=event, entry=Entry(id="e1", transfers=[moved]), remarks=["one signature is missing"]
    )


MISSING = OpenItem(
    kind=OpenItemKind.OPEN_ITEM_KIND_SLIPS_MISSING, slip="F- 126", last_slip="F- 126"
)


def a_day(*, lacking: bool, state: DayState.ValueType = DayState.DAY_STATE_COUNTED) -> Day:
    return Day(
        gaming_day="2026-03-01",
        state=state,
        checks=[
            DayCheck(name="counted", words="every box is counted", met=True),
            DayCheck(
                name="slips",
                words="slip series have no gaps",
                met=not lacking,
                open_items=[MISSING] if lacking else [],
            ),
        ],
    )


# Asking ----------------------------------------------------------------------------------


def test_a_report_is_asked_for_and_written_in_each_form(
    accountant: FakeAccounting, tmp_path: Path
) -> None:
    accountant.answers["GetReport"] = lambda _: GetReportResponse(report=a_small_report())
    shown = accountant.pitctl("report", "reconciliation", "--day", "yesterday", "--table", "BJ-07")
    assert shown.exit_code == 0
    assert "Total" in shown.stdout
    (asked,) = accountant.asked_of(GetReportRequest)
    assert asked == GetReportRequest(name="reconciliation", from_day="2026-03-01", table_id="BJ-07")
    as_json = accountant.pitctl("report", "reconciliation", "--json")
    assert json.loads(as_json.stdout)["rows"][0]["win"] == -123_450
    assert accountant.asked_of(GetReportRequest)[-1].from_day == "2026-03-02"
    for form, start in (("csv", b"\xef\xbb\xbftable"), ("pdf", b"%PDF-"), ("table", "──".encode())):
        file = tmp_path / f"report.{form}"
        done = accountant.pitctl(
            "report", "reconciliation", "--day", "2026-03-01", "--format", form, "--output", file
        )
        assert (done.exit_code, done.stdout) == (0, "")
        assert file.read_bytes().startswith(start)
    assert not list(tmp_path.glob("*.part"))
    missing = tmp_path / "no" / "report.csv"
    refused = accountant.pitctl("report", "x", "--format", "csv", "--output", missing)
    assert refused.exit_code == 2
    assert "name a file that can be written" in refused.stderr


def test_the_reports_there_are_are_listed(accountant: FakeAccounting) -> None:
    kind = ReportKind(name="cash-log", title="Cash log", words="Cash by patron.")
    accountant.answers["ListReports"] = lambda _: ListReportsResponse(reports=[kind])
    assert "cash-log  Cash by patron." in accountant.pitctl("report", "--list").stdout
    assert "pitctl report --list" in accountant.pitctl("report").stderr


def test_a_refusal_ends_with_one_and_says_code_and_reason(accountant: FakeAccounting) -> None:
    def refuse(_: Any) -> Any:
        raise PostingRejected("no_report", "there is no report 'x'", see="ListReports")

    accountant.answers["GetReport"] = refuse
    result = accountant.pitctl("report", "x", "--day", "2026-03-01", "--json")
    assert result.exit_code == 1
    said = "pitctl: rejected: no_report: there is no report 'x'; see `pitctl report --list`"
    assert result.stderr.strip() == said
    assert json.loads(result.stdout)["rejected"]["code"] == "no_report"


def test_without_a_service_a_person_is_told_how_to_start_it(tmp_path: Path) -> None:
    for command in (
        ("report", "reconciliation"), ("explain", "d"), ("balances",), ("journal",), ("day",),
        ("redeem", "5.00"), ("coupon", "show", "MP-1"), ("promotion", "list"),
    ):  # fmt: skip
        result = pitctl(*command, "--stack", tmp_path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "is not up: make up" in result.stderr


def test_all_pages_of_an_explanation_add_up_to_the_figure(accountant: FakeAccounting) -> None:
    def page(request: ExplainRequest) -> ExplainResponse:
        second = bool(request.page_token)
        entry = Entry(kind="round", table_id="BJ-07", round=f"R-{2 if second else 1}")
        cents = 5_000 if second else -7_500
        part = figure_part(cents, "main paid", entry=entry, cents=cents)
        return ExplainResponse(
            parts=[part],
            total_cents=-2_500,
            figure=ReportCell(number=-2_500),
            kind=ColumnKind.COLUMN_KIND_CENTS,
            next_page_token="" if second else "more",
        )

    accountant.answers["Explain"] = page
    whole = accountant.pitctl("explain", "recon/2026-03-01/BJ-07/win")
    assert whole.exit_code == 0
    assert "total -25.00" in whole.stdout
    assert "pitctl replay R-1" in whole.stdout
    first = accountant.pitctl("explain", "d", "--limit", "1")
    assert "-75.00 shown, 50.00 in parts beyond --limit" in first.stdout
    said = json.loads(accountant.pitctl("explain", "d", "--json").stdout)
    assert (said["total_cents"], len(said["parts"]), said["is_complete"]) == (-2_500, 2, True)


def figure_part(value: int, words: str, drill: str = "", **more: Any) -> FigurePart:
    kind = more.pop("kind", ColumnKind.COLUMN_KIND_CENTS)
    return FigurePart(figure=ReportCell(number=value, drill=drill), kind=kind, words=words, **more)


def test_a_figure_is_named_by_report_column_and_row_and_followed_part_by_part(
    accountant: FakeAccounting,
) -> None:
    report = Report(
        name="hold_variance",
        columns=[
            ReportColumn(key="table", title="Table", kind=ColumnKind.COLUMN_KIND_TEXT),
            ReportColumn(key="hold", title="Hold", kind=ColumnKind.COLUMN_KIND_SHARE),
        ],
        rows=[
            ReportRow(
                cells=[ReportCell(text=table), ReportCell(number=1, drill=f"hold of {table}")]
            )
            for table in ("BJ-07", "BJ-08")
        ],
    )
    answers = {
        "hold of BJ-08": ExplainResponse(
            parts=[figure_part(2_500, "win", "win"), figure_part(10_000, "drop")],
            figure=ReportCell(number=250_000),
            kind=ColumnKind.COLUMN_KIND_SHARE,
            formula="win / drop",
        ),
        "win": ExplainResponse(
            parts=[figure_part(2_500, "closer")],
            figure=ReportCell(number=2_500),
            kind=ColumnKind.COLUMN_KIND_CENTS,
        ),
    }
    accountant.answers["GetReport"] = lambda _: GetReportResponse(report=report)
    accountant.answers["Explain"] = lambda request: answers[request.drill]
    asked = ("explain", "hold_variance", "hold", "BJ-08", "--day", "2026-03-01")
    shown = accountant.pitctl(*asked)
    assert shown.exit_code == 0
    assert "win / drop" in shown.stdout
    assert "25.00%" in shown.stdout
    assert "total" not in shown.stdout
    assert "total 25.00" in accountant.pitctl(*asked, "--part", "1").stdout
    for wrong, reason in (
        ((*asked, "--part", "2"), "'drop' has no parts"),
        ((*asked, "--part", "3"), "there are 2 parts"),
        (("explain", "hold_variance", "win", *asked[3:]), "hold_variance has hold"),
        (("explain", "hold_variance", "hold", "BJ-09", *asked[4:]), "matches 0 rows"),
        (
            ("explain", "hold_variance", "hold", *asked[4:]),
            '"a total": it matches 0 rows of hold_variance',
        ),
    ):
        refused = accountant.pitctl(*wrong)
        assert refused.exit_code == 2, wrong
        assert reason in refused.stderr


def test_the_journal_has_the_entries_of_all_pages(
    accountant: FakeAccounting, tmp_path: Path
) -> None:
    def page(request: FindEntriesRequest) -> FindEntriesResponse:
        number = int(request.page_token or 1)
        moved = Transfer(debit="tray/BJ-07", credit="adjustment", cents=1_250 * number)
        entry = Entry(
            id=str(number), gaming_day="2026-03-01", kind="entry_posted", transfers=[moved]
        )
        return FindEntriesResponse(
            entries=[entry], next_page_token=str(number + 1) if number < 3 else ""
        )

    accountant.answers["FindEntries"] = page
    file = tmp_path / "journal.beancount"
    done = accountant.pitctl(
        "journal", "--day", "2026-03-01", "--format", "beancount", "--output", file
    )
    assert done.exit_code == 0
    assert 'option "title" "Example Casino, gaming day 2026-03-01"' in file.read_text()
    assert file.read_text().count(" * ") == 3
    assert "37.50  tray/BJ-07  from  adjustment" in accountant.pitctl("journal").stdout
    lines = accountant.pitctl("journal", "--json").stdout.splitlines()
    assert [json.loads(each)["transfers"][0]["cents"] for each in lines] == [1250, 2500, 3750]


def test_a_journal_that_breaks_off_leaves_no_file(
    accountant: FakeAccounting, tmp_path: Path
) -> None:
    def page(request: FindEntriesRequest) -> FindEntriesResponse:
        if request.page_token:
            raise PostingRejected("too_slow", "it took too long")
        return FindEntriesResponse(entries=[Entry(id="1")], next_page_token="2")

    accountant.answers["FindEntries"] = page
    file = tmp_path / "journal.jsonl"
    done = accountant.pitctl("journal", "--json", "--output", file)
    assert done.exit_code == 1
    assert not file.exists()
    assert not list(tmp_path.glob("*.part"))


def test_balances_stand_on_their_usual_side_and_are_even(accountant: FakeAccounting) -> None:
    accountant.answers["GetBalances"] = lambda _: GetBalancesResponse(
        balances=[
            Balance(
                account="tray/BJ-07",
                account_class=AccountClass.ACCOUNT_CLASS_ASSET,
                debit_cents=10_000,
                credit_cents=2_500,
            ),
            Balance(
                account="custody",
                account_class=AccountClass.ACCOUNT_CLASS_LIABILITY,
                debit_cents=2_500,
                credit_cents=10_000,
            ),
        ]
    )
    shown = accountant.pitctl("balances").stdout
    assert shown.count(" 75.00") == 2
    assert "debits equal credits" in shown


# Days ------------------------------------------------------------------------------------


def test_a_day_says_what_is_lacking(accountant: FakeAccounting) -> None:
    accountant.answers["GetDay"] = lambda _: GetDayResponse(day=a_day(lacking=True))
    for command in (("day",), ("day", "2026-03-01"), ("day", "show", "yesterday")):
        shown = accountant.pitctl(*command)
        assert shown.exit_code == 0
        assert "slip F- 126 missing" in shown.stdout
        assert "✗ slips: slip series have no gaps" in shown.stdout
    assert json.loads(accountant.pitctl("day", "--json").stdout)["state"] == "DAY_STATE_COUNTED"


def test_a_day_is_closed_when_a_person_says_yes_and_nothing_is_lacking(
    accountant: FakeAccounting,
) -> None:
    accountant.answers["GetDay"] = lambda _: GetDayResponse(day=a_day(lacking=False))
    closed = a_day(lacking=False, state=DayState.DAY_STATE_CLOSED)
    accountant.answers["CloseDay"] = lambda _: CloseDayResponse(day=closed)
    assert accountant.pitctl("day", "close", "2026-03-01", typed="n\n").exit_code == 1
    assert accountant.pitctl("day", "close", "2026-03-01").exit_code == 1
    assert accountant.asked_of(CloseDayRequest) == []
    assert "closed" in accountant.pitctl("day", "close", "2026-03-01", typed="y\n").stdout
    assert accountant.asked_of(CloseDayRequest) == [CloseDayRequest(gaming_day="2026-03-01")]


def test_an_override_names_exactly_the_checks_that_are_lacking(accountant: FakeAccounting) -> None:
    accountant.answers["GetDay"] = lambda _: GetDayResponse(day=a_day(lacking=True))
    closed = a_day(lacking=True, state=DayState.DAY_STATE_CLOSED)
    accountant.answers["CloseDay"] = lambda _: CloseDayResponse(day=closed)
    refused = accountant.pitctl("day", "close", "2026-03-01", "--yes")
    assert refused.exit_code == 1
    assert "1 check not met" in refused.stderr
    half = accountant.pitctl("day", "close", "2026-03-01", "--override-by", "A-17", "--yes")
    assert half.exit_code == 2
    done = accountant.pitctl(
        "day", "close", "2026-03-01", "--override-by", "A-17", "--reason", "torn", "--yes"
    )
    assert done.exit_code == 0
    (asked,) = accountant.asked_of(CloseDayRequest)
    assert (asked.override.by, asked.override.reason) == ("A-17", "torn")
    assert list(asked.override.checks) == ["slips"]


# Entering --------------------------------------------------------------------------------

DAY = ("--day", "2026-03-01")
CASES = {
    ("count", "BJ-07", "--box", "12", *DAY, "--team", "C-1,C-2", "--currency", "100x12",
     "--currency", "20x7", "--debit", "100x1", "--tickets", "27.50x1, 1,250x2",
     "--checks", "$1,000x1", "--coupons", "10x3"):
        {"tableId": "BJ-07", "gamingDay": "2026-03-01", "dropCounted": {
            "box": "12", "team": ["C-1", "C-2"], "counts": [
                {"kind": "currency", "denominationCents": "10000", "count": "12"},
                {"kind": "currency", "denominationCents": "2000", "count": "7"},
                {"kind": "debit", "denominationCents": "10000", "count": "1"},
                {"kind": "tickets", "denominationCents": "2750", "count": "1"},
                {"kind": "tickets", "denominationCents": "125000", "count": "2"},
                {"kind": "checks", "denominationCents": "100000", "count": "1"},
                {"kind": "coupons", "denominationCents": "1000", "count": "3"}]}},
    ("count", "BJ-07", "--box", "12", *DAY, "--verifier", "C-9", "--currency", "100x12"):
        {"tableId": "BJ-07", "gamingDay": "2026-03-01", "dropRecounted": {
            "box": "12", "verifier": "C-9",
            "counts": [{"kind": "currency", "denominationCents": "10000", "count": "12"}]}},
    ("fill", "BJ-07", "--slip", "F-1", "--chips", "100x20,25x40", "--signers", "A,B,C,D"):
        {"tableId": "BJ-07", "fillIssued": {"slip": "F-1", "signers": ["A", "B", "C", "D"],
            "inventory": [{"denominationCents": "10000", "count": "20"},
                          {"denominationCents": "2500", "count": "40"}]}},
    ("credit", "BJ-07", "--slip", "C-1", "--chips", "0.50x2", "--signers", "A,B"):
        {"tableId": "BJ-07", "creditAccepted": {"slip": "C-1", "signers": ["A", "B"],
            "inventory": [{"denominationCents": "50", "count": "2"}]}},
    ("inventory", "closer", "BJ-07", "--slip", "I-1", "--chips", "5x10", *DAY):
        {"tableId": "BJ-07", "gamingDay": "2026-03-01", "inventoryCounted": {
            "kind": "INVENTORY_KIND_CLOSER", "slip": "I-1",
            "inventory": [{"denominationCents": "500", "count": "10"}]}},
    ("redeem", "3,150.00", "--patron", "P-1"):
        {"chipsRedeemed": {"cents": "315000", "patron": "P-1"}},
    ("redeem", "4200.00", "--table", "BJ-07", "--seat", "3", "--note", "gray coat"):
        {"tableId": "BJ-07", "chipsRedeemed": {"cents": "420000", "seat": 3, "note": "gray coat"}},
    ("slip", "void", "F-2", "--reason", "torn", "--signers", "A"):
        {"slipVoided": {"slip": "F-2", "reason": "torn", "signers": ["A"]}},
    ("slip", "explain", "F-", "126", "128", "--reason", "printer"):
        {"slipsExplained": {"series": "F-", "first": "126", "last": "128", "reason": "printer"}},
    ("slip", "error", "E-1", "--difference", "-25.00", "--reason", "unknown", "--table", "BJ-07"):
        {"tableId": "BJ-07", "errorSlipWritten": {
            "slip": "E-1", "differenceCents": "-2500", "reason": "unknown"}},
    ("entry", *DAY, "--line", "tray/BJ-07=12.50", "--line", "adjustment=-12.50",
     "--reason", "found", "--adjusting"):
        {"gamingDay": "2026-03-01", "entryPosted": {"reason": "found", "adjusting": True,
            "lines": [{"account": "tray/BJ-07", "cents": "1250"},
                      {"account": "adjustment", "cents": "-1250"}]}},
    ("room", "--from", "2026-03-01", "--receipts", "7,250,000.00", "--licensed-on", "2019-05-01",
     "--currency-counter", "--surveillance", "V-1,V-2"):
        {"roomProfileSet": {"fromDay": "2026-03-01", "annualReceiptsCents": "725000000",
            "licensedOn": "2019-05-01", "hasCurrencyCounter": True,
            "surveillance": ["V-1", "V-2"]}},
    ("day", "reconcile", "yesterday", "--note", "all well"):
        {"gamingDay": "2026-03-01", "dayReconciled": {"note": "all well"}},
}  # fmt: skip


def test_what_is_typed_is_what_is_entered(accountant: FakeAccounting) -> None:
    from google.protobuf.json_format import MessageToDict

    for typed, expected in CASES.items():
        done = accountant.pitctl(*typed, "--id", "E-77", "--at", "2026-03-02 10:00")
        assert done.exit_code == 0, (typed, done.stderr)
        said = MessageToDict(accountant.asked_of(RecordRequest)[-1].event)
        assert said.pop("eventId") == "E-77"
        assert said.pop("at") == "2026-03-02T10:00:00Z"
        assert said == expected
        assert "3,000.00" in done.stdout
        assert "one signature is missing" in done.stdout


NONSENSE = [
    (("fill", "BJ-07", "--slip", "F-1"), "no chips: add"),
    (("fill", "BJ-07", "--slip", "F-1", "--chips", "many"), "denomination x count"),
    (("redeem", "12,50"), 'AMOUNT: Invalid amount "12,50": '),
    (("redeem", "1e3"), 'AMOUNT: Invalid amount "1e3": '),
    (("coupon", "redeem", "S-1", "--paid", "1_0"), '--paid: Invalid amount "1_0": '),
    (
        ("slip", "error", "E-1", "--table", "T", "--reason", "r", "--difference=$-5"),
        '--difference: Invalid amount "$-5": ',
    ),
    (("entry", *DAY, "--line", "tray/BJ-07", "--reason", "r"), "ACCOUNT=AMOUNT"),
    (("count", "BJ-07", "--box", "1"), "a count needs"),
    (("count", "B", "--box", "1", *DAY, "--team", "A", "--verifier", "A"), "cannot verify"),
    (("slip", "explain", "F-", "9", "8", "--reason", "r"), "is below the first"),
    (("day", "tomorrow"), "expected YYYY-MM-DD"),
    (("coupon", "issue", "p", "S", "--first", "3"), "need --count"),
    (("report", "x", "--json", "--format", "pdf"), "contradict each other"),
]


def test_nonsense_is_refused_with_what_makes_sense(accountant: FakeAccounting) -> None:
    for typed, reason in NONSENSE:
        result = accountant.pitctl(*typed)
        assert result.exit_code == 2
        assert reason in result.stderr
    assert accountant.asked_of(RecordRequest) == []


def test_where_no_answer_comes_the_id_is_told_with_which_it_counts_once(
    accountant: FakeAccounting,
) -> None:
    def fall_silent(_: Any) -> Any:
        raise grpc.RpcError(grpc.StatusCode.UNAVAILABLE, "the log cannot be reached")

    accountant.answers["Record"] = fall_silent
    result = accountant.pitctl("redeem", "5.00")
    assert result.exit_code == 2
    event_id = accountant.asked_of(RecordRequest)[0].event.event_id
    assert len(event_id) == 32
    assert f"--id {event_id}" in result.stderr


def test_counts_are_imported_and_a_refused_box_ends_with_one(
    accountant: FakeAccounting, tmp_path: Path
) -> None:
    accountant.answers["ImportCounts"] = lambda _: ImportCountsResponse(
        counts=[
            ImportedCount(line=2, table_id="BJ-07", box="12", cents=134_000),
            ImportedCount(line=4, table_id="BJ-99", box="13", refused="no such table"),
        ]
    )
    file = tmp_path / "counts.csv"
    file.write_text("table,box\r\nBJ-07,12\r\n", "utf-8-sig", newline="")
    done = accountant.pitctl("count", "--import", file, "--dry-run", *DAY)
    assert done.exit_code == 1
    assert "no such table" in done.stdout
    (asked,) = accountant.asked_of(ImportCountsRequest)
    assert asked == ImportCountsRequest(
        csv="table,box\r\nBJ-07,12\r\n", gaming_day="2026-03-01", dry_run=True
    )


# Promotions ------------------------------------------------------------------------------

TERMS = """
name = "Tuesday match play"
kind = "match_play"
face = "25.00"
games = ["skweezit"]
natural_pays = "3 to 2"
on_push = "returned"
valid_until = 2026-12-31T23:59:59-08:00
"""


def test_terms_are_published_under_their_hash_from_toml_and_json_alike(
    accountant: FakeAccounting, tmp_path: Path
) -> None:
    toml, as_json = tmp_path / "terms.toml", tmp_path / "terms.json"
    toml.write_text(TERMS)
    as_json.write_text(
        json.dumps(
            {
                "name": "Tuesday match play",
                "kind": "PROMOTION_KIND_MATCH_PLAY",
                "face_cents": 2500,
                "games": ["skweezit"],
                "natural_pays": {"win": 3, "stake": 2},
                "on_push": "ON_PUSH_RETURNED",
                "valid_until": "2027-01-01T07:59:59Z",
            }
        )
    )
    for file in (toml, as_json):
        assert accountant.pitctl("promotion", "publish", file).exit_code == 0
    first, second = accountant.asked_of(RecordPromotionRequest)
    defined = first.event.promotion_defined
    assert defined == second.event.promotion_defined
    assert len(defined.promotion) == 64
    assert (defined.terms.face_cents, defined.terms.natural_pays.win) == (2500, 3)
    toml.write_text(TERMS.replace("match_play", "match_plays"))
    wrong = accountant.pitctl("promotion", "publish", toml)
    assert wrong.exit_code == 2
    assert "expected match_play, free_bet" in wrong.stderr


def test_coupons_are_issued_at_the_face_value_of_their_terms(accountant: FakeAccounting) -> None:
    terms = PromotionTerms(name="Tuesday", face_cents=2500)
    accountant.answers["ListPromotions"] = lambda _: ListPromotionsResponse(
        promotions=[
            Promotion(promotion="abcd1", terms=terms, outstanding=2, outstanding_cents=5000),
            Promotion(promotion="abcd2", terms=PromotionTerms(name="Friday")),
        ]
    )
    assert "abcd1" in accountant.pitctl("promotion", "list").stdout
    given = ("--count", "500", "--first", "1", "--digits", "4", "--expires", "2026-04-01 00:00")
    for wanted in ("abcd1", "Tuesday"):
        assert accountant.pitctl("coupon", "issue", wanted, "MP-", *given).exit_code == 0
        issued = accountant.asked_of(RecordPromotionRequest)[-1].event.coupons_issued
        assert (issued.promotion, issued.face_cents, issued.serial) == ("abcd1", 2500, "MP-")
        assert (issued.count, issued.first, issued.digits) == (500, 1, 4)
        assert issued.expires_at.ToJsonString() == "2026-04-01T00:00:00Z"
    several = accountant.pitctl("coupon", "issue", "abcd", "MP-1")
    assert (several.exit_code, "write more of it" in several.stderr) == (2, True)
    done = accountant.pitctl("coupon", "void", "MP-1", "MP-2", "--reason", "misprinted")
    assert done.exit_code == 0
    voided = accountant.asked_of(RecordPromotionRequest)[-1].event.coupons_voided
    assert (list(voided.serials), voided.reason) == (["MP-1", "MP-2"], "misprinted")


def test_a_coupon_is_shown_with_what_is_wrong_with_it(accountant: FakeAccounting) -> None:
    accountant.answers["GetCoupon"] = lambda request: GetCouponResponse(
        serial=request.serial,
        promotion="ab" * 32,
        face_cents=2500,
        steps=[CouponStep(what="redeemed", table_id="BJ-07", round="R-1", paid_cents=2500)],
        problems=["it was never issued"],
    )
    shown = accountant.pitctl("coupon", "show", "MP-9")
    assert shown.exit_code == 1
    assert "it was never issued" in shown.stdout
    answer = ExpireCouponsResponse(coupons=3, face_cents=7500)
    accountant.answers["ExpireCoupons"] = lambda _: answer
    assert "3 coupons expired, total $75.00" in accountant.pitctl("coupon", "expire").stdout
    assert accountant.asked_of(ExpireCouponsRequest) == [ExpireCouponsRequest()]


def test_the_terms_that_the_pages_show_can_be_published(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    helped = textwrap.dedent(pitctl("promotion", "--help").stdout.partition("of terms:\n")[2])
    for number, text in enumerate((shown, helped.partition("\n\n")[0])):
        file = tmp_path / f"{number}.toml"
        file.write_text(text)
        assert read_terms_file(str(file)).face_cents == 2500
