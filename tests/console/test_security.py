"""What an attacker tries: forms from elsewhere, scripts in names, frames, pages of other roles."""

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
    "/people": roles.SEE_USERS,
    "/people/changes": roles.SEE_USERS,
}
FORMS: dict[str, Roles] = {
    "/people": roles.MANAGE_USERS,
    "/cash": roles.ENTER_CASH,
    "/promotions": roles.MANAGE_BOOKS,
    "/promotions/new": roles.MANAGE_BOOKS,
}
"""With nothing filled in, who may is told what is missing."""

Form = dict[str, str | float | bool]


def token_of(page: Page) -> str:
    return page.locator("input[name=form_token]").first.get_attribute("value") or ""


@pytest.mark.parametrize("role", list(Role), ids=str)
def test_a_role_sees_its_pages_and_is_refused_the_others(
    role: Role, console: Console, visiting: Visiting
) -> None:
    page = visiting(role)
    page.goto("/")
    offered = {link.get_attribute("href") for link in page.locator(".places a").all()}
    for path, allowed in {**PAGES, console.hand: roles.SEE_HANDS}.items():
        answer = page.request.get(path)
        assert answer.status == (200 if role in allowed else 403), path
        if role not in allowed:
            assert path not in offered
    for path, allowed in FORMS.items():
        form: Form = {"form_token": token_of(page)}
        answer = page.request.post(path, form=form, headers={"origin": console.origin})
        assert answer.status == (400 if role in allowed else 403), path


def test_nobody_sees_anything_before_signing_in(console: Console, visiting: Visiting) -> None:
    page = visiting()
    for path in (*PAGES, console.hand):
        answer = page.request.get(path, max_redirects=0)
        assert answer.status == 303
        assert (answer.headers["location"] or "").startswith("/sign-in")


def test_a_form_from_elsewhere_changes_nothing(console: Console, visiting: Visiting) -> None:
    page = visiting(Role.ADMINISTRATOR)
    page.goto("/people")
    name = f"forged-{console.suffix}"
    form: Form = {"name": name, "full_name": "ForgedForm", "roles": "administrator"}
    own: Form = {**form, "form_token": token_of(page)}
    stranger: Form = {**form, "form_token": "0" * 64}
    forged = [
        page.request.post("/people", form=form, headers={"origin": console.origin}),
        page.request.post("/people", form=stranger, headers={"origin": console.origin}),
        page.request.post("/people", form=own, headers={"origin": "https://evil.example"}),
        page.request.post("/people", form=own, headers={"origin": "null"}),
        page.request.post("/people", form=own),
    ]
    assert [each.status for each in forged] == [403] * len(forged)
    assert name not in console.users("list")


def test_the_token_of_one_session_is_of_no_use_in_another(
    console: Console, visiting: Visiting
) -> None:
    stranger = visiting(Role.AUDITOR)
    stranger.goto("/games")
    other = token_of(stranger)
    page = visiting(Role.ADMINISTRATOR)
    sent = page.request.post(
        "/people", form={"form_token": other}, headers={"origin": console.origin}
    )
    assert sent.status == 403


def test_a_patron_called_script_is_a_name_and_not_a_script(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.SURVEILLANCE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(console.hand)
    expect(page.locator(".wagers").get_by_text(EVIL).first).to_be_visible()
    expect(page).not_to_have_title("broken")
    page.goto(f"/hands?patron={EVIL}")
    expect(page.get_by_role("link", name=console.round)).to_be_visible()
    assert page.get_by_label("Patron").input_value() == EVIL
    assert wrong == []


def test_no_page_runs_what_is_not_ours_and_none_is_framed(
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


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(
    console: Console, visiting: Visiting
) -> None:
    page = visiting()
    sign_in(page, console.name_of(Role.PIT), PASSWORD)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    (cookie,) = [each for each in page.context.cookies() if each["name"].endswith("session")]
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    assert page.evaluate("document.cookie") == ""


def test_everything_a_page_loads_comes_from_the_same_address(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.SURVEILLANCE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(console.hand, wait_until="networkidle")
    assert asked
    assert [url for url in asked if not url.startswith(f"{console.origin}/")] == []
