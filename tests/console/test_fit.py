"""Fit for people: no serious violation by axe on any page, at every width, in both colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from console.people.roles import Role
from tests.console.browsing import SIZES
from tests.console.conftest import Visiting
from tests.console.house import Console
from tests.console.saying import say, some_alerts

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
SERIOUS = {"serious", "critical"}
PAGES = {
    Role.SURVEILLANCE: (
        "HAND", "ALERT", "CASE", "/floor", "/alerts", "/cases", "/hands?finding=payout",
        "/hands?cards=AX", "/system",
    ),
    Role.ACCOUNTING: (
        "/day?day=2026-03-01", "/cash?kind=recount", "/reports", "/hold", "/promotions",
        "/promotions/new", "RECONCILED", "EXPLAINED",
    ),
    Role.AUDITOR: ("/games", "/games/skweezit", "/games/skweezit/skweezit/6/1", "/people/changes"),
    Role.ADMINISTRATOR: ("/people", "/password", "/nowhere"),
}  # fmt: skip
CASES = [(role, path) for role, paths in PAGES.items() for path in paths]


def look_at(page: Page, path: str, console: Console) -> None:
    """A page by its address, or by what leads to it."""
    match path:
        case "HAND":
            page.goto(console.hand)
        case "ALERT" | "CASE":
            (alert,) = some_alerts(console, 1)
            page.goto("/alerts")
            expect(page.locator("#link-state")).to_have_text("live")
            say(console, [alert])
            page.locator(f"#alert-{alert.id} .sentence").click()
            expect(page.get_by_role("button", name="Open a case")).to_be_visible()
            if path == "CASE":
                page.get_by_label("Title").fill("paid short")
                page.get_by_role("button", name="Open a case").click()
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


def violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("axe.run()")
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


@pytest.mark.parametrize(("role", "path"), CASES, ids=[f"{r}-{p}" for r, p in CASES])
def test_no_page_keeps_anybody_out(
    role: Role, path: str, console: Console, visiting: Visiting
) -> None:
    page = visiting(role)
    look_at(page, path, console)
    address = page.url
    for _ in range(2):
        page.goto(address)
        theme = page.locator("html").get_attribute("data-theme")
        assert violations(page) == [], theme
        page.get_by_role("button", name="Switch to").click()


def test_the_door_keeps_nobody_out_who_may_come_in(visiting: Visiting) -> None:
    page = visiting()
    page.goto("/sign-in")
    assert violations(page) == []


@pytest.mark.parametrize("size", SIZES)
def test_no_page_is_wider_than_the_screen(size: str, console: Console, visiting: Visiting) -> None:
    for role, paths in PAGES.items():
        page = visiting(role, size=size)
        for path in paths:
            look_at(page, path, console)
            over = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert over <= 0, path


def test_the_colours_that_somebody_chose_stay(visiting: Visiting) -> None:
    page = visiting(Role.SURVEILLANCE)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Switch to light colours").click()
    page.goto("/games")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_the_gaming_day_and_the_clock_of_the_house_are_always_shown(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.PIT)
    for path in ("/hands", "/games", console.hand):
        page.goto(path)
        expect(page.locator(".day-line")).to_contain_text("Gaming day")
        expect(page.locator(".wall-clock")).to_be_visible()


def test_the_first_key_skips_to_the_page(visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    page.goto("/games")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_a_page_weighs_little(console: Console, visiting: Visiting) -> None:
    """What a first visit to a hand loads, as it comes over the wire."""
    page = visiting(Role.SURVEILLANCE)
    page.goto(console.hand, wait_until="networkidle")
    sizes: int = page.evaluate(
        """() => [performance.getEntriesByType("navigation")[0],
                  ...performance.getEntriesByType("resource")]
                 .reduce((sum, each) => sum + each.encodedBodySize, 0)"""
    )
    assert 0 < sizes < 300_000


def test_nothing_moves_for_who_asks_for_less_motion(console: Console, visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    page.emulate_media(reduced_motion="reduce")
    page.goto("/floor")
    card = page.locator(f"#table-{console.table}")
    card.evaluate("(each) => each.classList.add('moved')")
    expect(card).to_have_css("animation-name", "none")
    page.emulate_media(reduced_motion="no-preference")
    expect(card).to_have_css("animation-name", "arrive")
