"""Every page of the console, with the role that opens it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from console.users.roles import Role
from tests.console.alert_publisher import make_alerts, publish_alerts
from tests.console.console_environment import Console

PAGES = {
    Role.SURVEILLANCE: (
        "HAND", "ALERT", "CASE", "/floor", "/alerts", "/cases", "/hands?finding=payout.underpaid",
        "/hands?cards=AX", "/system",
    ),
    Role.ACCOUNTING: (
        "/day", "/day?day=2026-03-01", "/cash?kind=recount", "/reports", "/hold", "/promotions",
        "/promotions/new", "RECONCILED", "EXPLAINED",
    ),
    Role.AUDITOR: ("/games", "/games/skweezit", "/games/skweezit/skweezit/6/1", "/users/audit-log"),
    Role.ADMINISTRATOR: ("/users", "/password", "/nowhere"),
}  # fmt: skip


def open_page(page: Page, path: str, console: Console) -> None:
    """Open a page by its address, or by the steps that lead to it."""
    match path:
        case "HAND":
            page.goto(console.hand)
        case "ALERT" | "CASE":
            (alert,) = make_alerts(console, 1)
            page.goto("/alerts")
            expect(page.locator("#link-state")).to_have_text("live")
            publish_alerts(console, [alert])
            page.locator(f"#alert-{alert.id} .sentence").click()
            expect(page.get_by_role("button", name="Open case")).to_be_visible()
            if path == "CASE":
                page.get_by_label("Title").fill("paid short")
                page.get_by_role("button", name="Open case").click()
                expect(page.get_by_role("heading", name="paid short")).to_be_visible()
        case "RECONCILED" | "EXPLAINED":
            page.goto("/reports")
            today = page.locator(".day-line strong").inner_text()
            page.goto(f"/reports/reconciliation?from={today}&table={console.table}")
            figure = page.locator("a[href^='/explain']").first
            expect(figure).to_be_visible()
            if path == "EXPLAINED":
                figure.click()
                page.wait_for_url("**/explain**")
        case _:
            page.goto(path)
