"""The floor, live: a table's card changes when it has settled a round."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from console.users.roles import Role
from tests.console.conftest import Visiting
from tests.console.console_environment import DISPUTE, Console
from tests.pitctl.command import events_of
from tests.stack.reporting import enrol_and_report


def test_a_settled_round_updates_the_card_of_its_table(
    console: Console, visiting: Visiting, tmp_path: Path
) -> None:
    page = visiting(Role.PIT)
    page.goto("/floor")
    expect(page.locator("#link-state")).to_have_text("live")
    card = page.locator(f"#table-{console.table}")
    expect(card).to_contain_text("Double Action Blackjack III")
    expect(card).to_contain_text("D-1042")

    table = f"LIVE-{console.suffix}"
    history = DISPUTE.read_text("utf-8").replace("table BJ-11", f"table {table}")
    enrol_and_report(console.stack, table, tmp_path / "journal", events_of(history))
    opened = page.locator(f"#table-{table}")
    expect(opened).to_be_visible()
    opened.get_by_role("link", name="Hand of").click()
    expect(page.get_by_role("heading", name="R-204")).to_be_visible()


def test_concurrent_visitors_see_the_whole_floor(console: Console, visiting: Visiting) -> None:
    """Also while another page starts its first watch and reloads the floor."""
    pages = [visiting(Role.PIT), visiting(Role.SURVEILLANCE)]
    for _ in range(3):
        for page in pages:
            page.goto("/floor", wait_until="commit")
            card = page.locator(f"#table-{console.table}")
            expect(card.locator(".win .money")).to_have_count(2)
            expect(card.locator("dd").nth(1)).not_to_have_text("–")
