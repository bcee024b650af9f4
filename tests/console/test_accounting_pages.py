"""Accounting in the morning: checks of the day, reports, counts, closing."""

from __future__ import annotations

import secrets
from datetime import date, timedelta

from playwright.sync_api import Page, expect

from console.users.roles import Role
from tests.console.conftest import Visiting
from tests.console.console_environment import Console

COUNTED = "2026-03-01"
"""A gaming day without play."""


def empty_day(third: int) -> str:
    """A gaming day of the ledger without play or counts.

    Each test uses its own third of the days, so that no other test closes the day.
    """
    return (date(2026, 1, 2) + timedelta(days=18 * third + secrets.randbelow(18))).isoformat()


def today(page: Page) -> str:
    """The current gaming day, on which the disputed hand was played."""
    return page.locator(".day-line strong").inner_text()


def enter_count(page: Page, kind: str, table: str, box: str, names: str, hundreds: int) -> None:
    page.goto(f"/cash?kind={kind}&day={COUNTED}")
    page.get_by_label("Table").fill(table)
    page.get_by_label("Box number").fill(box)
    page.get_by_label("Verifier" if kind == "recount" else "Count team").fill(names)
    page.get_by_label("currency of $100.00").fill(str(hundreds))
    page.get_by_role("button", name="Submit").click()


def test_the_day_lists_every_check_with_its_open_items(visiting: Visiting) -> None:
    page = visiting(Role.ACCOUNTING)
    page.goto(f"/day?day={empty_day(0)}")
    assert page.locator(".checks > li").count() >= 8
    unmet = page.locator(".checks > li.unmet")
    expect(unmet).to_have_count(1)
    expect(unmet).to_contain_text("not reconciled yet")


def test_a_day_is_reconciled_and_closed(console: Console, visiting: Visiting) -> None:
    page, day = visiting(Role.ACCOUNTING), empty_day(1)
    page.goto(f"/day?day={day}")
    page.get_by_label("Note").fill("looked at every table")
    page.get_by_role("button", name="Confirm reconciliation").click()
    expect(page.get_by_role("status")).to_contain_text("Day reconciled")
    page.get_by_role("button", name="Close the day").click()
    expect(page.get_by_text(f"Closed by {console.name_of(Role.ACCOUNTING)}")).to_be_visible()


def test_closing_with_an_exception_needs_a_second_approver(
    console: Console, visiting: Visiting
) -> None:
    page, own = visiting(Role.ACCOUNTING), console.name_of(Role.ACCOUNTING)
    page.goto(f"/day?day={empty_day(2)}")
    for approver in (own, "shift-manager"):
        page.get_by_label("Second approver").fill(approver)
        page.get_by_label("Reason").fill("nothing was played")
        page.get_by_role("button", name="Close with 1 exception").click()
        if approver == own:
            expect(page.get_by_role("alert")).to_be_visible()
            expect(page.get_by_label("Reason")).to_have_value("nothing was played")
    expect(page.get_by_text("approved by shift-manager")).to_be_visible()


def test_a_day_that_is_not_over_cannot_be_closed(visiting: Visiting) -> None:
    page = visiting(Role.ACCOUNTING)
    page.goto("/day")
    expect(page.get_by_text("The day is not over")).to_be_visible()
    expect(page.get_by_role("button", name="Close the day")).to_have_count(0)


def test_a_blind_recount_reports_the_difference_to_the_count(
    console: Console, visiting: Visiting
) -> None:
    page, box = visiting(Role.CAGE), f"B-{secrets.token_hex(3)}"
    page.goto("/cash?kind=count")
    page.get_by_label("currency of $100.00").fill("12")
    expect(page.locator("#sum")).to_have_text("$1,200.00")
    enter_count(page, "count", console.table, box, "G-301, G-302, G-303", 12)
    expect(page.locator(".done")).to_contain_text("$1,200.00")
    page.goto(f"/cash?kind=recount&day={COUNTED}")
    expect(page.locator("main")).not_to_contain_text("1,200.00")
    enter_count(page, "recount", console.table, box, "G-309", 11)
    expect(page.locator(".done .remark").first).to_be_visible()
    again = visiting(Role.CAGE)
    enter_count(again, "count", console.table, box, "G-301, G-302, G-303", 12)
    expect(again.get_by_role("alert")).to_be_visible()


def test_tickets_and_checks_are_entered_as_amounts(console: Console, visiting: Visiting) -> None:
    page, box = visiting(Role.CAGE), f"B-{secrets.token_hex(3)}"
    tickets, checks = "Tickets (list of amounts)", "Checks (list of amounts)"
    for typed in ("27.50 12,50", "27.50 1,000 27.5"):
        page.goto(f"/cash?kind=count&day={COUNTED}")
        page.get_by_label(tickets).fill(typed)
        page.get_by_label(checks).fill("$250")
        enter = page.get_by_role("button", name="Submit")
        page.get_by_label("Table").fill(console.table)
        page.get_by_label("Box number").fill(box)
        page.get_by_label("Count team").fill("G-301, G-302, G-303")
        if "12,50" not in typed:
            expect(page.locator("#sum")).to_have_text("$1,305.00")
        enter.click()
        if "12,50" in typed:
            expect(page.get_by_role("alert")).to_contain_text('Invalid amount "12,50"')
            expect(page.get_by_label(tickets)).to_have_value(typed)
    expect(page.locator(".done")).to_contain_text("$1,305.00")
    report = page.request.get(f"/reports/master_games.csv?from={COUNTED}&table={console.table}")
    assert ",1055.00," in report.text()


def test_the_same_form_sent_twice_counts_once(console: Console, visiting: Visiting) -> None:
    page, slip = visiting(Role.CAGE), f"F-{secrets.token_hex(3)}-1"
    page.goto(f"/cash?kind=fill&day={COUNTED}")
    form: dict[str, str | float | bool] = {
        "form_token": page.locator("input[name=form_token]").first.get_attribute("value") or "",
        "event_id": page.locator("input[name=event_id]").get_attribute("value") or "",
        "kind": "fill",
        "day": COUNTED,
        "table": console.table,
        "number": slip,
        "names": "C-1, R-2, D-3, S-4",
        "pieces.chips.10000": "5",
    }
    statuses = [
        page.request.post("/cash", form=form, headers={"origin": console.origin}).status
        for _ in range(2)
    ]
    assert statuses == [200, 200]
    report = page.request.get(f"/reports/master_games.csv?from={COUNTED}&table={console.table}")
    assert report.text().count(slip) == 1


def test_an_amount_of_a_report_drills_down_to_the_hand(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.ACCOUNTING)
    page.goto("/reports")
    query = f"from={today(page)}&table={console.table}"
    page.goto(f"/reports/payout_exceptions?{query}")
    expect(page.locator(".report tbody tr")).to_have_count(1)
    page.goto(f"/reports/reconciliation?{query}")
    page.locator(".report tbody a").filter(has_text="15.00").first.click()
    page.get_by_role("link", name=console.round).first.click()
    expect(page.get_by_label("Summary")).to_contain_text("underpaid $15.00")


def test_a_report_is_downloaded_as_csv_and_pdf(visiting: Visiting) -> None:
    page = visiting(Role.AUDITOR)
    page.goto(f"/reports/master_games?from={COUNTED}")
    with page.expect_download() as got:
        page.get_by_role("link", name="CSV").click()
    assert got.value.suggested_filename == f"master_games_{COUNTED}.csv"
    assert "Gaming day" in got.value.path().read_text("utf-8-sig")
    with page.expect_download() as got:
        page.get_by_role("link", name="PDF").click()
    assert got.value.path().read_bytes().startswith(b"%PDF-")


def test_an_auditor_cannot_enter_anything(console: Console, visiting: Visiting) -> None:
    page = visiting(Role.AUDITOR)
    page.goto("/cash")
    expect(page.get_by_text("Read only")).to_be_visible()
    page.goto("/day")
    expect(page.get_by_role("button", name="Confirm reconciliation")).to_have_count(0)
    token = page.locator("input[name=form_token]").first.get_attribute("value") or ""
    yesterday = (date.today() - timedelta(days=1)).isoformat()
    for path in ("/cash", "/day/close", "/day/reconcile", "/promotions"):
        sent = page.request.post(
            path,
            form={"form_token": token, "day": yesterday},
            headers={"origin": console.origin},
        )
        assert sent.status == 403, path


def test_a_day_has_one_format_in_every_browser(visiting: Visiting) -> None:
    page = visiting(Role.ACCOUNTING)
    page.goto("/reports/reconciliation?from=2026-03-01")
    first = page.get_by_label("From")
    expect(first).to_have_value("2026-03-01")
    page.locator(".picker").first.fill("2026-03-02")
    expect(first).to_have_value("2026-03-02")
    assert page.locator("input[name][type=date], input[name][type=datetime-local]").count() == 0
