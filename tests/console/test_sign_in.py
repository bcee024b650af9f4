"""Sign-in and sign-out, one-time passwords, locks, limits of attempts."""

from __future__ import annotations

import secrets

from playwright.sync_api import Page, expect

from console.users.roles import Role
from tests.console.browser import sign_in
from tests.console.conftest import Visiting
from tests.console.console_environment import PASSWORD, Console

CHOSEN = "violet-harbor-quiet-stone"


def choose(page: Page, old: str, new: str = CHOSEN) -> None:
    page.get_by_label("One-time password").fill(old)
    page.get_by_label("New password", exact=True).fill(new)
    page.get_by_label("Repeat new password").fill(new)
    page.get_by_role("button", name="Change password").click()


def new_user(console: Console, role: Role = Role.PIT) -> str:
    name = f"user-{secrets.token_hex(4)}"
    console.add_user(name, role)
    return name


def test_a_new_user_must_choose_a_password_first(console: Console, visiting: Visiting) -> None:
    page, name = visiting(Role.ADMINISTRATOR), f"nina-{secrets.token_hex(4)}"
    page.goto("/users")
    page.get_by_label("Full name").fill("Nina Ode")
    page.get_by_label("User name").fill(name)
    page.get_by_role("checkbox", name="Pit").last.check()
    page.get_by_role("button", name="Add user").click()
    password = page.locator(".secret code").inner_text()
    page.goto("/users")
    expect(page.get_by_text(password)).to_have_count(0)

    own = visiting()
    sign_in(own, name, password)
    expect(own).to_have_url(f"{console.origin}/password")
    own.goto("/hands")
    expect(own).to_have_url(f"{console.origin}/password")
    choose(own, password, new=f"{name}-and-more-words")
    expect(own.get_by_role("alert")).to_contain_text("leave out the user name")
    choose(own, password)
    expect(own.get_by_role("heading", name="Floor")).to_be_visible()

    page.goto("/users/audit-log")
    row = page.get_by_role("row").filter(has_text=name).filter(has_text="User added")
    expect(row).to_contain_text(console.name_of(Role.ADMINISTRATOR))
    expect(row).to_contain_text("127.0.0.1")


def test_a_wrong_name_and_a_wrong_password_get_the_same_message(
    console: Console, visiting: Visiting
) -> None:
    name = new_user(console)
    messages = []
    for entered in (name, f"unknown-{name}"):
        page = visiting()
        sign_in(page, entered, "not the password at all")
        messages.append(page.get_by_role("alert").inner_text())
    assert messages == ["Wrong user name or password."] * 2


def test_too_many_failures_block_the_right_password_too(
    console: Console, visiting: Visiting
) -> None:
    page, name = visiting(), new_user(console)
    for _ in range(5):
        sign_in(page, name, "not the password at all")
    sign_in(page, name, PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("Too many failed attempts")
    page.goto("/hands")
    expect(page).to_have_url(f"{console.origin}/sign-in?next=%2Fhands")


def test_a_locked_user_is_signed_out_at_once(console: Console, visiting: Visiting) -> None:
    page, name = visiting(), new_user(console)
    sign_in(page, name, PASSWORD)
    expect(page.get_by_role("heading", name="Floor")).to_be_visible()
    administrator = visiting(Role.ADMINISTRATOR)
    administrator.goto("/users")
    administrator.get_by_label(f"Edit {name}", exact=True).click()
    row = administrator.get_by_role("row").filter(has_text=name)
    row.get_by_role("button", name="Lock").click()
    expect(administrator.get_by_role("status")).to_contain_text("locked")
    page.goto("/hands")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, name, PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("Wrong")


def test_signing_out_ends_the_session_and_not_only_the_cookie(
    console: Console, visiting: Visiting
) -> None:
    page = visiting()
    sign_in(page, console.name_of(Role.PIT), PASSWORD)
    expect(page.get_by_role("heading", name="Floor")).to_be_visible()
    kept = page.context.cookies()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.context.add_cookies(kept)  # type: ignore[arg-type]
    page.goto("/hands")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert console.origin in page.url


def test_sign_in_returns_to_the_requested_page_and_to_no_other_host(
    console: Console, visiting: Visiting
) -> None:
    page = visiting()
    page.goto("/games/skweezit")
    page.get_by_label("User name").fill(console.name_of(Role.PIT))
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{console.origin}/games/skweezit")
    for elsewhere in ("https://evil.example/", "//evil.example/", "/\\evil.example"):
        other = visiting()
        other.goto(f"/sign-in?next={elsewhere}")
        other.get_by_label("User name").fill(console.name_of(Role.PIT))
        other.get_by_label("Password").fill(PASSWORD)
        other.get_by_role("button", name="Sign in").click()
        expect(other).to_have_url(f"{console.origin}/floor")


def test_an_administrator_cannot_change_the_own_account(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.ADMINISTRATOR)
    page.goto("/users")
    own = console.name_of(Role.ADMINISTRATOR)
    assert page.get_by_label(f"Edit {own}", exact=True).count() == 0
    token = page.locator("input[name=form_token]").first.get_attribute("value") or ""
    sent = page.request.post(
        f"/users/{own}/lock",
        form={"form_token": token, "locked": "yes"},
        headers={"origin": console.origin},
    )
    assert sent.status == 400
    assert "another administrator must change your own account" in sent.text()
