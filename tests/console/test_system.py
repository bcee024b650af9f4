"""Status of the services, and dead letters with their retries."""

from __future__ import annotations

import secrets

from playwright.sync_api import Locator, Page, expect

from blackjack.facts import GapDeclared, RoundOpened
from console.users.roles import Role
from tests.console.conftest import Visiting
from tests.console.console_environment import Console
from tests.stack.reporting import enrol_and_send
from tests.stack.service_house import eventually
from tests.table_gateway.harness import frame, frames


def dead_letter(page: Page, words: str) -> Locator:
    """The newest dead letter with this text, once the archive has it."""
    found = page.locator(".dead-letters tbody tr").filter(has_text=words).first

    def is_there() -> bool:
        page.goto("/system")
        return found.count() > 0

    eventually(is_there)
    return found


def token_of(page: Page) -> str:
    return page.locator("input[name=form_token]").first.get_attribute("value") or ""


def test_every_service_has_a_status(visiting: Visiting) -> None:
    page = visiting(Role.AUDITOR)
    page.goto("/system")
    services = page.get_by_role("region", name="Services").locator("h2")
    assert services.all_inner_texts() == [
        "Settlement", "Round archive", "Alert desk", "Accounting",
    ]  # fmt: skip


def test_an_event_that_arrived_early_is_retried_until_accepted(
    console: Console, visiting: Visiting
) -> None:
    table = f"EARLY-{secrets.token_hex(3)}"
    good = frames(table, 3)
    rejected = enrol_and_send(console.stack, table, [good[0], good[2]]).rejected
    assert [rejection.seq for rejection in rejected] == [3]
    page = visiting(Role.SURVEILLANCE)
    row = dead_letter(page, table)
    row.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "Rejected again: event 3 received, 2 expected"
    )

    gap = frame(table, 4, GapDeclared(2, 3), good[0])
    after = frame(table, 5, RoundOpened("R-5"), gap)
    assert not enrol_and_send(console.stack, table, [gap, after]).rejected
    dead_letter(page, table).get_by_role("button", name="Retry").click()
    expect(page.locator(".done")).to_contain_text(f"Event 3 of {table} accepted")

    def is_accepted() -> bool:
        return "Accepted" in dead_letter(page, table).inner_text()

    eventually(is_accepted)
    expect(dead_letter(page, table)).to_contain_text(f"by {console.name_of(Role.SURVEILLANCE)}")
    auditor = visiting(Role.AUDITOR)
    auditor.goto("/users/audit-log")
    done = auditor.get_by_role("row").filter(has_text="Dead letter retried")
    expect(done.first).to_contain_text(console.name_of(Role.SURVEILLANCE))


def test_a_dead_letter_without_retry_has_a_reason(console: Console, visiting: Visiting) -> None:
    table = f"LARGE-{secrets.token_hex(3)}"
    enrol_and_send(console.stack, table, [b"\x00" * 70_000])
    row = dead_letter(visiting(Role.SURVEILLANCE), table)
    expect(row).to_contain_text("only its first bytes are kept")
    expect(row.get_by_role("button")).to_have_count(0)


def test_accounting_retries_entries_and_surveillance_retries_events(
    console: Console, visiting: Visiting
) -> None:
    table = f"NONE-{secrets.token_hex(3)}"
    enrol_and_send(console.stack, table, [b"nonsense"])
    page = visiting(Role.ACCOUNTING)
    serial = f"GONE-{secrets.token_hex(3)}-"
    page.goto("/promotions")
    form: dict[str, str | float | bool] = {
        "form_token": token_of(page),
        "event_id": secrets.token_hex(16),
        "promotion": "0" * 64,
        "serial": serial,
        "first": "1",
        "count": "1",
        "digits": "4",
    }
    sent = page.request.post("/promotions", form=form, headers={"origin": console.origin})
    assert sent.status == 409
    event = dead_letter(page, table)
    expect(event.get_by_role("button")).to_have_count(0)
    expect(event).to_contain_text("surveillance can retry")
    offset = (event.get_attribute("id") or "").removeprefix("dead-letter-")
    forced = page.request.post(
        f"/system/dead-letters/{offset}/retry",
        form={"form_token": token_of(page)},
        headers={"origin": console.origin},
    )
    assert forced.status == 409
    assert "is not surveillance" in forced.text()

    entry = dead_letter(page, "not found: define it first")
    entry.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("alert")).to_contain_text("Rejected again")
    watching = visiting(Role.SURVEILLANCE)
    expect(dead_letter(watching, "not found: define it first")).to_contain_text(
        "accounting can enter it again"
    )


def test_auditors_and_administrators_cannot_retry(console: Console, visiting: Visiting) -> None:
    for role in (Role.AUDITOR, Role.ADMINISTRATOR):
        page = visiting(role)
        page.goto("/system")
        expect(page.get_by_role("button", name="Retry")).to_have_count(0)
        sent = page.request.post(
            "/system/dead-letters/0/retry",
            form={"form_token": token_of(page)},
            headers={"origin": console.origin},
        )
        assert sent.status == 403
