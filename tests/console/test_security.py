"""Attacks: forged forms, scripts in names, frames, pages of other roles."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from console.users import roles
from console.users.roles import Role, Roles
from tests.console.browser import sign_in
from tests.console.conftest import Visiting
from tests.console.console_environment import EVIL, PASSWORD, Console

PAGES: dict[str, Roles] = {
    "/floor": roles.SEE_HANDS,
    "/alerts": roles.SEE_ALERTS,
    "/cases": roles.SEE_CASES,
    "/hands": roles.SEE_HANDS,
    "/day": roles.SEE_BOOKS,
    "/cash": roles.SEE_BOOKS,
    "/reports": roles.SEE_BOOKS,
    "/hold": roles.SEE_BOOKS,
    "/promotions": roles.SEE_BOOKS,
    "/promotions/new": roles.MANAGE_BOOKS,
    "/games": roles.ALL_ROLES,
    "/system": roles.SEE_SYSTEM,
    "/users": roles.SEE_USERS,
    "/users/audit-log": roles.SEE_USERS,
}
FORMS: dict[str, Roles] = {
    "/users": roles.MANAGE_USERS,
    "/cash": roles.ENTER_CASH,
    "/promotions": roles.MANAGE_BOOKS,
    "/promotions/new": roles.MANAGE_BOOKS,
}
"""An empty form is invalid for roles that may send it, and forbidden for others."""

Form = dict[str, str | float | bool]


def token_of(page: Page) -> str:
    return page.locator("input[name=form_token]").first.get_attribute("value") or ""


@pytest.mark.parametrize("role", list(Role), ids=str)
def test_a_role_sees_its_pages_and_no_others(
    role: Role, console: Console, visiting: Visiting
) -> None:
    page = visiting(role)
    page.goto("/")
    offered = {link.get_attribute("href") for link in page.locator(".navigation a").all()}
    for path, allowed in {**PAGES, console.hand: roles.SEE_HANDS}.items():
        answer = page.request.get(path)
        assert answer.status == (200 if role in allowed else 403), path
        if role not in allowed:
            assert path not in offered
    for path, allowed in FORMS.items():
        form: Form = {"form_token": token_of(page)}
        answer = page.request.post(path, form=form, headers={"origin": console.origin})
        assert answer.status == (400 if role in allowed else 403), path


def test_every_page_requires_sign_in(console: Console, visiting: Visiting) -> None:
    page = visiting()
    for path in (*PAGES, console.hand):
        answer = page.request.get(path, max_redirects=0)
        assert answer.status == 303
        assert (answer.headers["location"] or "").startswith("/sign-in")


def test_a_forged_form_changes_nothing(console: Console, visiting: Visiting) -> None:
    page = visiting(Role.ADMINISTRATOR)
    page.goto("/users")
    name = f"forged-{console.suffix}"
    form: Form = {"name": name, "full_name": "ForgedForm", "roles": "administrator"}
    own: Form = {**form, "form_token": token_of(page)}
    stranger: Form = {**form, "form_token": "0" * 64}
    forged = [
        page.request.post("/users", form=form, headers={"origin": console.origin}),
        page.request.post("/users", form=stranger, headers={"origin": console.origin}),
        page.request.post("/users", form=own, headers={"origin": "https://evil.example"}),
        page.request.post("/users", form=own, headers={"origin": "null"}),
        page.request.post("/users", form=own),
    ]
    assert [response.status for response in forged] == [403] * len(forged)
    assert name not in console.users("list")


def test_a_form_token_is_bound_to_its_session(console: Console, visiting: Visiting) -> None:
    stranger = visiting(Role.AUDITOR)
    stranger.goto("/games")
    other = token_of(stranger)
    page = visiting(Role.ADMINISTRATOR)
    sent = page.request.post(
        "/users", form={"form_token": other}, headers={"origin": console.origin}
    )
    assert sent.status == 403


def test_a_script_in_a_patron_token_is_escaped(console: Console, visiting: Visiting) -> None:
    page = visiting(Role.SURVEILLANCE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console", lambda message: wrong.append(message.text) if message.type == "error" else None
    )
    page.goto(console.hand)
    expect(page.locator(".wagers").get_by_text(EVIL).first).to_be_visible()
    expect(page).not_to_have_title("broken")
    page.goto(f"/hands?patron={EVIL}")
    expect(page.get_by_role("link", name=console.round)).to_be_visible()
    assert page.get_by_role("textbox", name="Patron").input_value() == EVIL
    assert wrong == []


def test_every_response_forbids_foreign_scripts_and_frames(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.AUDITOR)
    page.goto("/games")
    for path in (*PAGES, console.hand, "/nowhere", "/sign-in"):
        headers = page.request.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store"
    ran = page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            return window.ran === true;
        }"""
    )
    assert ran is False


def test_the_session_cookie_is_hidden_from_scripts_and_other_sites(
    console: Console, visiting: Visiting
) -> None:
    page = visiting()
    sign_in(page, console.name_of(Role.PIT), PASSWORD)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    (cookie,) = [cookie for cookie in page.context.cookies() if cookie["name"].endswith("session")]
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    assert page.evaluate("document.cookie") == ""


def test_a_page_loads_resources_from_its_own_origin_only(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.SURVEILLANCE)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(console.hand, wait_until="networkidle")
    assert requested
    assert [url for url in requested if not url.startswith(f"{console.origin}/")] == []
