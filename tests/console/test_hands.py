"""A shift manager with a patron in front of them: the hand is found, shown, and handed on."""

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


def pictured(page: Page) -> str:
    """What the felt that is shown says to who does not see it."""
    return page.locator(".felt:not([hidden])").get_attribute("aria-label") or ""


def test_a_hand_is_found_by_the_cards_and_the_bet_that_a_patron_remembers(
    console: Console, visiting: Visiting
) -> None:
    page = visiting(Role.PIT)
    page.goto("/hands")
    page.get_by_label("Player's cards").fill("AS KS")
    page.get_by_label("Bet from").fill("50")
    page.get_by_label("Table").fill(console.table)
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name=console.round).click()
    verdict = page.get_by_label("The short answer")
    expect(verdict).to_contain_text("Seat 2 Main: owed $75.00, got $60.00: $15.00 too little")
    expect(page.get_by_text("byte for byte")).to_be_visible()
    row = page.get_by_role("region", name="Owed against paid").get_by_role("row").nth(1)
    expect(row).to_contain_text("3 to 2 on $50.00 = $75.00")
    expect(row).to_contain_text("+$15.00")


def test_what_cannot_be_read_is_told_by_its_field_and_what_was_typed_stays(
    visiting: Visiting,
) -> None:
    page = visiting(Role.PIT)
    page.goto("/hands?cards=AX&seat=2")
    expect(page.get_by_role("alert")).to_contain_text("'AX' is not a card")
    expect(page.get_by_label("Seat")).to_have_value("2")


def test_a_time_without_a_day_is_the_last_time_that_it_was_so_late(visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    page.goto("/hands")
    around = page.get_by_role("textbox", name="Around")
    around.fill("10:40 pm")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("heading", name="Hands that fit")).to_contain_text("22:40:00")
    around.fill("25:99")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("alert")).to_contain_text("'25:99' is no time such as 22:40")


def test_the_page_opens_at_the_finding_and_every_fact_is_a_step(hand: Page) -> None:
    current = hand.locator("#facts > li[aria-current]")
    expect(current).to_contain_text("payout: underpaid")
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
    words = [each.locator(".words").inner_text() for each in facts]
    dealt = next(at for at, each in enumerate(words) if "face down" in each)
    shown = next(at for at, each in enumerate(words) if "shows the hole card" in each)
    assert words[dealt] == "a card to the dealer, face down"
    for at in range(dealt, shown):
        facts[at].locator("a").click()
        assert "a card face down" in pictured(hand)
        assert "nine of hearts" not in pictured(hand)
    facts[shown].locator("a").click()
    assert "nine of hearts" in pictured(hand)


def test_a_link_opens_the_same_step_for_somebody_else(visiting: Visiting, hand: Page) -> None:
    hand.keyboard.press("Home")
    for _ in range(6):
        hand.keyboard.press("ArrowRight")
    other = visiting(Role.SURVEILLANCE)
    other.goto(hand.url)
    assert caption(other) == caption(hand)
    assert pictured(other) == pictured(hand)


def test_it_plays_to_the_end_at_the_speed_that_is_chosen(hand: Page) -> None:
    hand.keyboard.press("Home")
    hand.get_by_label("Speed").select_option("8")
    hand.get_by_role("button", name="Play").click()
    count = hand.locator("#facts > li").count()
    expect(hand.locator("#caption")).to_have_text(re.compile(f"^Step {count} of"))
    expect(hand.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


def test_side_bets_are_named_as_on_the_filed_layout(hand: Page) -> None:
    felt = hand.locator(".felt:not([hidden])")
    assert felt.locator(".spot-title").filter(has_text="Match").count() >= 1
    expect(hand.get_by_role("region", name="Owed against paid")).to_contain_text("Match Madness")


def test_a_print_has_the_felt_the_facts_and_the_reckoning_and_no_buttons(hand: Page) -> None:
    hand.emulate_media(media="print")
    expect(hand.locator(".felt:not([hidden])")).to_be_visible()
    expect(hand.get_by_text("Owed against paid").first).to_be_visible()
    expect(hand.locator(".bar")).to_be_hidden()
    expect(hand.get_by_role("button", name="Print")).to_be_hidden()


def test_a_hand_that_is_not_there_says_what_to_do(visiting: Visiting) -> None:
    page = visiting(Role.PIT)
    answer = page.goto("/hands/NOWHERE-1/R-0")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    expect(page.get_by_text("look for it by what you remember")).to_be_visible()
