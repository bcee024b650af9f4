"""Fit for people: no serious violation by axe on any page, at every width, in both colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from console.users.roles import Role
from tests.console.alert_publisher import say, some_alerts
from tests.console.browser import SIZES
from tests.console.conftest import Visiting
from tests.console.console_environment import Console

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
    found: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


def colours_of(page: Page) -> str:
    return page.locator("html").get_attribute("data-theme") or ""


def too_wide(page: Page, size: str) -> list[str]:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    over: int = page.evaluate(
        """() => new Promise((measured) => requestAnimationFrame(() => requestAnimationFrame(() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            measured(scrollWidth - clientWidth);
        })))"""
    )
    return [f"{over} pixels too wide for the {size}"] if over > 0 else []


@pytest.mark.parametrize(("role", "path"), CASES, ids=[f"{r}-{p}" for r, p in CASES])
def test_no_page_keeps_anybody_out_or_is_wider_than_the_screen(
    role: Role, path: str, console: Console, visiting: Visiting
) -> None:
    """In the colours of the role as it comes on a desk, in the others as it comes on a tablet; and
    as it becomes when the screen is another."""
    page = visiting(role)
    look_at(page, path, console)
    colours = colours_of(page)
    wrong = [f"{colours}: {each}" for each in violations(page)]
    wrong += [each for size in SIZES for each in too_wide(page, size)]
    address = page.url  # by now a hand's has its step in it
    page.get_by_role("button", name="Switch to").click()
    expect(page.locator("html")).not_to_have_attribute("data-theme", colours)
    page.wait_for_url(address)
    wrong += [each for size in reversed(SIZES) for each in too_wide(page, size)]
    wrong += [f"{colours_of(page)}: {each}" for each in violations(page)]
    assert wrong == [], address


def test_the_door_keeps_nobody_out_who_may_come_in(visiting: Visiting) -> None:
    page = visiting()
    page.goto("/sign-in")
    assert violations(page) == []


def test_the_colours_that_somebody_chose_stay(visiting: Visiting) -> None:
    page = visiting(Role.SURVEILLANCE)
    page.goto("/alerts")
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
