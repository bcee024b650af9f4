"""Promotions: terms entered in a form, errors beside the fields, coupons."""

from __future__ import annotations

import secrets

from playwright.sync_api import Locator, Page, expect

from console.users.roles import Role
from tests.console.conftest import Visiting
from tests.console.console_environment import EVIL


def open_form(page: Page) -> None:
    page.goto("/promotions")
    page.get_by_role("link", name="New terms").click()


def field(page: Page, name: str) -> Locator:
    return page.get_by_role("textbox", name=name, exact=True)


def test_terms_are_published_and_coupons_issued_under_them(visiting: Visiting) -> None:
    page, name = visiting(Role.ACCOUNTING), f"Tuesday match {secrets.token_hex(3)}"
    open_form(page)
    field(page, "Name").fill(name)
    field(page, "Face value").fill("25.00")
    page.get_by_label("Skweezit Blackjack").check()
    page.get_by_label("Valid until").fill("2030-01-01T06:00")
    page.get_by_role("button", name="Publish terms").click()
    expect(page.get_by_role("status")).to_contain_text("Terms published")
    row = page.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text("$25.00")
    expect(row).to_contain_text("Skweezit Blackjack")
    expect(row).to_contain_text("Tue 1 Jan 2030")

    serial = f"TM-{secrets.token_hex(3)}-"
    page.get_by_role("combobox").select_option(label=f"{name}, $25.00")
    page.get_by_label("Serial prefix").fill(serial)
    page.get_by_label("Quantity").fill("3")
    page.get_by_role("button", name="Issue coupons").click()
    expect(page.get_by_role("status")).to_contain_text("Issued 3 coupons")
    page.get_by_label("Serial number", exact=True).fill(f"{serial}0002")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".activity")).to_contain_text("Issued")


def test_every_invalid_field_has_its_error_and_keeps_its_text(visiting: Visiting) -> None:
    page = visiting(Role.ACCOUNTING)
    open_form(page)
    field(page, "Face value").fill("plenty")
    field(page, "Pays").fill("3 for 2")
    field(page, "Wagers").fill("main, luck")
    page.get_by_label("Valid from").fill("2030-01-02T06:00")
    page.get_by_label("Valid until").fill("2030-01-01T06:00")
    page.get_by_label("Limit per patron and gaming day").fill("-1")
    page.get_by_role("button", name="Publish terms").click()
    expect(page.get_by_role("alert")).to_contain_text("correct 6 fields")
    flaws = {
        "name": "Enter a name of at most",
        "face": 'Invalid amount "plenty"',
        "pays": 'Invalid odds "3 for 2"',
        "wagers": 'Unknown wager "luck"',
        "valid_until": "Must be later than Valid from",
        "patron_daily_limit": 'Invalid number "-1": enter 0 to 1,000',
    }
    for name, words in flaws.items():
        typed = page.locator(f"[name={name}]")
        expect(typed).to_have_attribute("aria-invalid", "true")
        expect(typed).to_have_attribute("aria-describedby", f"flaw-{name}")
        expect(page.locator(f"#flaw-{name}")).to_contain_text(words)
    expect(field(page, "Face value")).to_have_value("plenty")


def test_a_script_in_a_promotion_name_is_escaped(visiting: Visiting) -> None:
    page = visiting(Role.ACCOUNTING)
    open_form(page)
    field(page, "Name").fill(EVIL)
    field(page, "Face value").fill("5")
    page.get_by_role("button", name="Publish terms").click()
    expect(page.get_by_role("row").filter(has_text=EVIL).first).to_be_visible()
    expect(page).not_to_have_title("broken")


def test_only_accounting_can_publish(visiting: Visiting) -> None:
    for role in (Role.CAGE, Role.AUDITOR):
        page = visiting(role)
        page.goto("/promotions")
        expect(page.get_by_role("link", name="New terms")).to_have_count(0)
        assert page.request.get("/promotions/new").status == 403
