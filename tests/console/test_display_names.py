"""Pages show names for people: no code of a program stands in their text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from accounting.domain.reports import REPORTS
from console.users.roles import Role
from tests.console.conftest import Visiting
from tests.console.console_environment import EVIL, Console
from tests.console.visited_pages import PAGES, open_page

CODE = re.compile(
    r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b"  # double_action_iii
    r"|\b[a-z]{2,}\.[a-z_]{2,}\b"  # payout.took_winner
    r"|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b"  # LEVEL_P1
)
TEXT = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        // Hashes, file names, positions in the log and passwords stand in code elements.
        if (!element.closest("script, style, code")) found.push(walker.currentNode.nodeValue);
    }
    for (const name of ["aria-label", "placeholder"]) {
        for (const element of document.querySelectorAll(`[${name}]`)) {
            found.push(element.getAttribute(name));
        }
    }
    return found.map((text) => text.trim()).filter(Boolean);
}"""
REPORT_PAGES = {Role.ACCOUNTING: [f"/reports/{name}" for name in REPORTS]}


def codes_on(page: Page) -> list[str]:
    """Codes in the text of a page, its labels and placeholders; tooltips may have them."""
    texts: list[str] = page.evaluate(TEXT)
    plain = (text.replace(EVIL, "") for text in texts)
    return [f"{found[0]} in {text!r}" for text in plain for found in CODE.finditer(text)]


@pytest.mark.parametrize("role", PAGES, ids=str)
def test_no_page_shows_a_code(role: Role, console: Console, visiting: Visiting) -> None:
    page = visiting(role)
    found = {}
    for path in (*PAGES[role], *REPORT_PAGES.get(role, ())):
        open_page(page, path, console)
        found[page.url] = codes_on(page)
    assert {url: codes for url, codes in found.items() if codes} == {}


@pytest.mark.parametrize(
    "code", ["double_action_iii", "payout.took_winner", "LEVEL_P1", "seat 2: paid_loser"]
)
def test_a_code_is_recognized(code: str) -> None:
    assert CODE.search(code)


@pytest.mark.parametrize(
    "text", ["Winning bet taken", "D1-006", "12.50", "10.0.0.1", "P1", "e.g. this", "230-15-140(2)"]
)
def test_names_and_numbers_are_no_codes(text: str) -> None:
    assert not CODE.search(text)
