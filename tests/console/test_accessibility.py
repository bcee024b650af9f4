"""Accessibility: no serious axe violation on any page, at every width, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from console.users.roles import Role
from tests.console.browser import SIZES
from tests.console.conftest import Visiting
from tests.console.console_environment import Console
from tests.console.visited_pages import PAGES, open_page

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
SERIOUS = {"serious", "critical"}
CASES = [(role, path) for role, paths in PAGES.items() for path in paths]


def violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]


def theme_of(page: Page) -> str:
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
def test_no_page_has_a_serious_violation_or_is_wider_than_the_screen(
    role: Role, path: str, console: Console, visiting: Visiting
) -> None:
    """In the theme of the role at desktop width, in the other at tablet width, and resized."""
    page = visiting(role)
    open_page(page, path, console)
    theme = theme_of(page)
    wrong = [f"{theme}: {violation}" for violation in violations(page)]
    wrong += [overflow for size in SIZES for overflow in too_wide(page, size)]
    address = page.url  # the address of a hand has its step by now
    page.get_by_role("button", name="Switch to").click()
    expect(page.locator("html")).not_to_have_attribute("data-theme", theme)
    page.wait_for_url(address)
    wrong += [overflow for size in reversed(SIZES) for overflow in too_wide(page, size)]
    wrong += [f"{theme_of(page)}: {violation}" for violation in violations(page)]
    assert wrong == [], address


def test_the_sign_in_page_has_no_serious_violation(visiting: Visiting) -> None:
    page = visiting()
    page.goto("/sign-in")
    assert violations(page) == []


def test_the_chosen_theme_is_remembered(visiting: Visiting) -> None:
    page = visiting(Role.SURVEILLANCE)
    page.goto("/alerts")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Switch to light theme").click()
    page.goto("/games")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_every_page_shows_the_gaming_day_and_the_clock(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.PIT)
    for path in ("/hands", "/games", console.hand):
        page.goto(path)
        expect(page.locator(".day-line")).to_contain_text("Gaming day")
        expect(page.locator(".wall-clock")).to_be_visible()


def test_the_first_tab_stop_skips_to_the_content(visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    page.goto("/games")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_a_hand_page_stays_below_its_size_limit(console: Console, visiting: Visiting) -> None:
    """The bytes of a first visit to a hand, compressed."""
    page = visiting(Role.SURVEILLANCE)
    page.goto(console.hand, wait_until="networkidle")
    sizes: int = page.evaluate(
        """() => [performance.getEntriesByType("navigation")[0],
                  ...performance.getEntriesByType("resource")]
                 .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
    )
    assert 0 < sizes < 300_000


def test_reduced_motion_disables_animations(console: Console, visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    page.emulate_media(reduced_motion="reduce")
    page.goto("/floor")
    card = page.locator(f"#table-{console.table}")
    card.evaluate("(card) => card.classList.add('moved')")
    expect(card).to_have_css("animation-name", "none")
    page.emulate_media(reduced_motion="no-preference")
    expect(card).to_have_css("animation-name", "arrive")
