"""Promotions: terms typed into a form, what is wrong beside its field, coupons under them."""

from __future__ import annotations

import secrets

from playwright.sync_api import Locator, Page, expect

from console.users.roles import Role
from tests.console.conftest import Visiting
from tests.console.console_environment import EVIL


def begin(page: Page) -> None:
    page.goto("/promotions")
    page.get_by_role("link", name="New terms").click()


def field(page: Page, name: str) -> Locator:
    return page.get_by_role("textbox", name=name, exact=True)


def test_terms_are_published_and_coupons_issued_under_them(visiting: Visiting) -> None:
    page, name = visiting(Role.ACCOUNTING), f"Tuesday match {secrets.token_hex(3)}"
    begin(page)
    field(page, "Name").fill(name)
    field(page, "Face value").fill("25.00")
    page.get_by_label("Skweezit Blackjack").check()
    page.get_by_label("Valid until").fill("2030-01-01T06:00")
    page.get_by_role("button", name="Publish the terms").click()
    expect(page.get_by_role("status")).to_contain_text("The terms are published")
    row = page.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text("$25.00")
    expect(row).to_contain_text("Skweezit Blackjack")
    expect(row).to_contain_text("Tue 1 Jan 2030")

    serial = f"TM-{secrets.token_hex(3)}-"
    page.get_by_role("combobox").select_option(label=f"{name}, $25.00")
    page.get_by_label("Serial numbers begin with").fill(serial)
    page.get_by_label("How many").fill("3")
    page.get_by_role("button", name="Issue").click()
    expect(page.get_by_role("status")).to_contain_text("3 coupons are issued")
    page.get_by_label("Serial number", exact=True).fill(f"{serial}0002")
    page.get_by_role("button", name="Look it up").click()
    expect(page.locator(".journal")).to_contain_text("issued")


def test_each_field_that_is_wrong_says_so_and_what_was_typed_stays(visiting: Visiting) -> None:
    page = visiting(Role.ACCOUNTING)
    begin(page)
    field(page, "Face value").fill("plenty")
    field(page, "Pays").fill("3 for 2")
    field(page, "Wagers, by name").fill("main, luck")
    page.get_by_label("Valid from").fill("2030-01-02T06:00")
    page.get_by_label("Valid until").fill("2030-01-01T06:00")
    page.get_by_label("A patron may use so many").fill("-1")
    page.get_by_role("button", name="Publish the terms").click()
    expect(page.get_by_role("alert")).to_contain_text("6 fields need to be corrected")
    flaws = {
        "name": "a name of at most",
        "face": 'Invalid amount "plenty"',
        "pays": "odds are written as 3 to 2",
        "wagers": "no game has a wager 'luck'",
        "valid_until": "it ends before it begins",
        "patron_daily_limit": "a number from 0 to 1,000",
    }
    for name, words in flaws.items():
        typed = page.locator(f"[name={name}]")
        expect(typed).to_have_attribute("aria-invalid", "true")
        expect(typed).to_have_attribute("aria-describedby", f"flaw-{name}")
        expect(page.locator(f"#flaw-{name}")).to_contain_text(words)
    expect(field(page, "Face value")).to_have_value("plenty")


def test_a_promotion_called_script_is_a_name(visiting: Visiting) -> None:
    page = visiting(Role.ACCOUNTING)
    begin(page)
    field(page, "Name").fill(EVIL)
    field(page, "Face value").fill("5")
    page.get_by_role("button", name="Publish the terms").click()
    expect(page.get_by_role("row").filter(has_text=EVIL).first).to_be_visible()
    expect(page).not_to_have_title("broken")


def test_only_accounting_is_offered_to_publish(visiting: Visiting) -> None:
    for role in (Role.CAGE, Role.AUDITOR):
        page = visiting(role)
        page.goto("/promotions")
        expect(page.get_by_role("link", name="New terms")).to_have_count(0)
        assert page.request.get("/promotions/new").status == 403
