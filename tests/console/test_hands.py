"""A disputed hand is found, replayed and shared."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from console.users.roles import Role
from tests.console.conftest import Visiting
from tests.console.console_environment import Console


@pytest.fixture
def hand(console: Console, visiting: Visiting) -> Page:
    page = visiting(Role.PIT)
    page.goto(console.hand)
    return page


def caption(page: Page) -> str:
    return page.locator("#caption").inner_text()


def described(page: Page) -> str:
    """The description of the visible felt for screen readers."""
    return page.locator(".felt:not([hidden])").get_attribute("aria-label") or ""


def test_a_hand_is_found_by_cards_and_bet(console: Console, visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    page.goto("/hands")
    page.get_by_label("Player's cards").fill("AS KS")
    page.get_by_label("Minimum bet").fill("50")
    page.get_by_role("textbox", name="Table").fill(console.table)
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name=console.round).click()
    summary = page.get_by_label("Summary")
    expect(summary).to_contain_text(
        "Patron underpaid $15.00: seat 2, Main bet, owed $75.00, paid $60.00"
    )
    expect(page.get_by_text("byte for byte")).to_be_visible()
    row = page.get_by_role("region", name="Owed and paid").get_by_role("row").nth(1)
    expect(row).to_contain_text("3 to 2 on $50.00 = $75.00")
    expect(row).to_contain_text("+$15.00")


def test_an_invalid_field_is_named_and_the_form_keeps_its_text(
    visiting: Visiting,
) -> None:
    page = visiting(Role.PIT)
    page.goto("/hands?cards=AX&seat=2")
    expect(page.get_by_role("alert")).to_contain_text("'AX' is not a card")
    expect(page.get_by_role("textbox", name="Seat")).to_have_value("2")


def test_a_time_without_a_day_is_its_most_recent_occurrence(visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    page.goto("/hands")
    around = page.get_by_role("textbox", name="Around")
    around.fill("10:40 pm")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", name="Matching hands")).to_contain_text("22:40:00")
    around.fill("25:99")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("alert")).to_contain_text('Invalid time "25:99": expected HH:MM')


def test_the_replay_opens_at_the_finding_and_steps_through_all_events(hand: Page) -> None:
    current = hand.locator("#facts > li[aria-current]")
    expect(current).to_contain_text("Underpaid")
    facts = hand.locator("#facts > li")
    hand.keyboard.press("Home")
    assert caption(hand).startswith(f"Step 1 of {facts.count()}")
    hand.keyboard.press("ArrowRight")
    assert caption(hand).startswith("Step 2 of")
    hand.keyboard.press("ArrowLeft")
    assert caption(hand).startswith("Step 1 of")
    hand.keyboard.press("End")
    assert caption(hand).startswith(f"Step {facts.count()} of")
    hand.keyboard.press("f")
    expect(current).to_have_class("found")


def test_the_hole_card_is_hidden_until_it_is_shown(hand: Page) -> None:
    facts = hand.locator("#facts > li").all()
    words = [fact.locator(".words").inner_text() for fact in facts]
    dealt = next(at for at, text in enumerate(words) if "face down" in text)
    shown = next(at for at, text in enumerate(words) if "shows the hole card" in text)
    assert words[dealt] == "a card to the dealer, face down"
    for at in range(dealt, shown):
        facts[at].locator("a").click()
        assert "face-down card" in described(hand)
        assert "nine of hearts" not in described(hand)
    facts[shown].locator("a").click()
    assert "nine of hearts" in described(hand)


def test_a_link_opens_the_same_step_for_another_user(visiting: Visiting, hand: Page) -> None:
    hand.keyboard.press("Home")
    for _ in range(6):
        hand.keyboard.press("ArrowRight")
    other = visiting(Role.SURVEILLANCE)
    other.goto(hand.url)
    assert caption(other) == caption(hand)
    assert described(other) == described(hand)


def test_the_replay_plays_to_the_end_at_the_chosen_speed(hand: Page) -> None:
    hand.keyboard.press("Home")
    hand.get_by_label("Speed").select_option("8")
    hand.get_by_role("button", name="Play").click()
    count = hand.locator("#facts > li").count()
    expect(hand.locator("#caption")).to_have_text(re.compile(f"^Step {count} of"))
    expect(hand.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


def test_side_bets_have_the_names_of_the_filing(hand: Page) -> None:
    felt = hand.locator(".felt:not([hidden])")
    assert felt.locator(".spot-title").filter(has_text="Match").count() >= 1
    expect(hand.get_by_role("region", name="Owed and paid")).to_contain_text("Match Madness")


def test_a_print_has_felt_events_and_wagers_but_no_buttons(hand: Page) -> None:
    hand.emulate_media(media="print")
    expect(hand.locator(".felt:not([hidden])")).to_be_visible()
    expect(hand.get_by_text("Owed and paid").first).to_be_visible()
    expect(hand.locator(".bar")).to_be_hidden()
    expect(hand.get_by_role("button", name="Print")).to_be_hidden()


def test_the_page_of_an_unknown_hand_offers_advice(visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    answer = page.goto("/hands/NOWHERE-1/R-0")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    expect(page.get_by_text("use the search")).to_be_visible()
