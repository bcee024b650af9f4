"""Coming in and going out: who is let in, who is not, and for how long."""

from __future__ import annotations

import secrets

from playwright.sync_api import Page, expect

from console.users.roles import Role
from tests.console.browser import sign_in
from tests.console.conftest import Visiting
from tests.console.console_environment import PASSWORD, Console

CHOSEN = "violet-harbour-quiet-stone"


def choose(page: Page, old: str, new: str = CHOSEN) -> None:
    page.get_by_label("One-time password").fill(old)
    page.get_by_label("New password", exact=True).fill(new)
    page.get_by_label("New password again").fill(new)
    page.get_by_role("button", name="Use this password").click()


def somebody(console: Console, role: Role = Role.PIT) -> str:
    name = f"somebody-{secrets.token_hex(4)}"
    console.add_user(name, role)
    return name


def test_a_person_who_is_let_in_chooses_a_password_before_anything_else(
    console: Console, visiting: Visiting
) -> None:
    page, name = visiting(Role.ADMINISTRATOR), f"nina-{secrets.token_hex(4)}"
    page.goto("/people")
    page.get_by_label("Full name").fill("Nina Ode")
    page.get_by_label("Name to sign in with").fill(name)
    page.get_by_role("checkbox", name="pit").last.check()
    page.get_by_role("button", name="Let in, with a one-time password").click()
    password = page.locator(".secret code").inner_text()
    page.goto("/people")
    expect(page.get_by_text(password)).to_have_count(0)

    own = visiting()
    sign_in(own, name, password)
    expect(own).to_have_url(f"{console.origin}/password")
    own.goto("/hands")
    expect(own).to_have_url(f"{console.origin}/password")
    choose(own, password, new=f"{name}-and-more-words")
    expect(own.get_by_role("alert")).to_contain_text("it has the name in it")
    choose(own, password)
    expect(own.get_by_role("heading", name="Floor")).to_be_visible()

    page.goto("/people/changes")
    row = page.get_by_role("row").filter(has_text=name).filter(has_text="let in")
    expect(row).to_contain_text(console.name_of(Role.ADMINISTRATOR))
    expect(row).to_contain_text("127.0.0.1")


def test_a_wrong_name_and_a_wrong_password_are_told_the_same(
    console: Console, visiting: Visiting
) -> None:
    name = somebody(console)
    told = []
    for entered in (name, f"nobody-{name}"):
        page = visiting()
        sign_in(page, entered, "not the password at all")
        told.append(page.get_by_role("alert").inner_text())
    assert told == ["Name or password is wrong."] * 2


def test_who_is_wrong_too_often_waits_even_with_the_right_password(
    console: Console, visiting: Visiting
) -> None:
    page, name = visiting(), somebody(console)
    for _ in range(5):
        sign_in(page, name, "not the password at all")
    sign_in(page, name, PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("Wrong too often")
    page.goto("/hands")
    expect(page).to_have_url(f"{console.origin}/sign-in?next=%2Fhands")


def test_who_is_locked_out_is_out_at_once(console: Console, visiting: Visiting) -> None:
    page, name = visiting(), somebody(console)
    sign_in(page, name, PASSWORD)
    expect(page.get_by_role("heading", name="Floor")).to_be_visible()
    administrator = visiting(Role.ADMINISTRATOR)
    administrator.goto("/people")
    administrator.get_by_label(f"Change {name}", exact=True).click()
    row = administrator.get_by_role("row").filter(has_text=name)
    row.get_by_role("button", name="Lock out").click()
    expect(administrator.get_by_role("status")).to_contain_text("locked out")
    page.goto("/hands")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, name, PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("wrong")


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


def test_the_page_that_was_wanted_comes_after_signing_in_and_no_other_house(
    console: Console, visiting: Visiting
) -> None:
    page = visiting()
    page.goto("/games/skweezit")
    page.get_by_label("Name").fill(console.name_of(Role.PIT))
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{console.origin}/games/skweezit")
    for elsewhere in ("https://evil.example/", "//evil.example/", "/\\evil.example"):
        other = visiting()
        other.goto(f"/sign-in?next={elsewhere}")
        other.get_by_label("Name").fill(console.name_of(Role.PIT))
        other.get_by_label("Password").fill(PASSWORD)
        other.get_by_role("button", name="Sign in").click()
        expect(other).to_have_url(f"{console.origin}/floor")


def test_nobody_changes_their_own_rights(console: Console, visiting: Visiting) -> None:
    page = visiting(Role.ADMINISTRATOR)
    page.goto("/people")
    own = console.name_of(Role.ADMINISTRATOR)
    assert page.get_by_label(f"Change {own}", exact=True).count() == 0
    token = page.locator("input[name=form_token]").first.get_attribute("value") or ""
    sent = page.request.post(
        f"/people/{own}/lock",
        form={"form_token": token, "out": "yes"},
        headers={"origin": console.origin},
    )
    assert sent.status == 400
    assert "nobody changes their own rights" in sent.text()
