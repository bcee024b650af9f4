"""A surveillance operator at work: alerts come by themselves, are opened, decided, made a case."""

from __future__ import annotations

import os
import secrets
import signal

import pytest
from playwright.sync_api import Page, expect

from casino.settlement.v1.finding_pb2 import LEVEL_P3
from console.users.roles import Role
from tests.console.alert_publisher import say, some_alerts
from tests.console.conftest import Visiting
from tests.console.console_environment import Console

BURST = 100
INK = "rgb(27, 35, 38)"
"""On paper, though surveillance looks at a dark screen."""
FRAME_MS_MAX = 1_000.0
"""A page that stands still for longer is noticed; a busy machine is given ten times a good one."""


def live(page: Page, query: str = "") -> Page:
    page.goto(f"/alerts{query}")
    expect(page.locator("#link-state")).to_have_text("live")
    return page


def test_an_alert_comes_by_itself_and_is_worked_to_a_case(
    console: Console, visiting: Visiting
) -> None:
    page = live(visiting(Role.SURVEILLANCE))
    (alert,) = some_alerts(console, 1)
    say(console, [alert])
    row = page.locator(f"#alert-{alert.id}")
    expect(row).to_contain_text("seat 2 was paid $15.00 too little")
    row.get_by_role("button", name="Acknowledge").click()
    expect(row).to_contain_text("acknowledged")

    row.locator(".sentence").click()
    page.get_by_label("What it came to").select_option(label="confirmed")
    page.get_by_label("Why").fill("seen on the video")
    page.get_by_role("button", name="Decide").click()
    expect(page.get_by_text("decided: seen on the video")).to_be_visible()
    page.get_by_label("Title").fill(f"paid short at {console.table}")
    page.get_by_role("button", name="Open a case").click()
    expect(page.get_by_role("heading", name=f"paid short at {console.table}")).to_be_visible()
    page.get_by_label("What is due").fill("report to the commission")
    page.get_by_role("button", name="Set it").click()
    expect(page.locator(".deadline")).to_contain_text("report to the commission")
    page.get_by_role("link", name="the hand").click()
    expect(page.get_by_label("The short answer")).to_contain_text("too little")

    auditor = visiting(Role.AUDITOR)
    auditor.goto("/people/changes")
    done = auditor.get_by_role("row").filter(has_text=alert.id)
    expect(done.filter(has_text="alert decided")).to_contain_text(
        console.name_of(Role.SURVEILLANCE)
    )
    expect(done.filter(has_text="case opened")).to_have_count(1)


def test_a_list_is_worked_with_keys_alone(console: Console, visiting: Visiting) -> None:
    alerts = some_alerts(console, 2)
    page = live(visiting(Role.SURVEILLANCE), f"?table={console.table}")
    say(console, alerts)
    expect(page.locator(f"#alert-{alerts[1].id}")).to_be_visible()
    page.keyboard.press("ArrowDown")
    first = page.locator("#alerts > li").first
    expect(first).to_have_class("alert alert-p1 fresh selected")
    page.keyboard.press("a")
    expect(first).to_contain_text("acknowledged")
    page.keyboard.press("h")
    expect(page.get_by_role("heading", name=console.round)).to_be_visible()


def test_a_burst_of_a_hundred_is_shown_whole_and_the_page_goes_on(
    console: Console, visiting: Visiting
) -> None:
    page = live(visiting(Role.SURVEILLANCE), "?text=burst")
    page.evaluate(
        """() => {
            window.longest = 0;
            let before = performance.now();
            const frame = (now) => {
                window.longest = Math.max(window.longest, now - before);
                before = now;
                requestAnimationFrame(frame);
            };
            requestAnimationFrame(frame);
        }"""
    )
    alerts = some_alerts(console, BURST, of="burst.of_many")
    say(console, alerts)
    expect(page.locator("#alerts > li")).to_have_count(BURST)
    shown = {row.get_attribute("data-id") for row in page.locator("#alerts > li").all()}
    assert shown == {each.id for each in alerts}
    assert page.evaluate("window.longest") < FRAME_MS_MAX


def test_only_what_the_filter_asks_for_is_put_into_the_list(
    console: Console, visiting: Visiting
) -> None:
    page = live(visiting(Role.SURVEILLANCE), f"?level=P2&table={console.table}")
    quiet, loud = some_alerts(console, 1, LEVEL_P3), some_alerts(console, 1)
    say(console, [*quiet, *loud])
    expect(page.locator(f"#alert-{loud[0].id}")).to_be_visible()
    expect(page.locator(f"#alert-{quiet[0].id}")).to_have_count(0)


def test_sound_is_for_who_wants_it_and_rings_once_for_many(
    console: Console, visiting: Visiting
) -> None:
    page = live(visiting(Role.SURVEILLANCE))
    page.get_by_role("button", name="Sound is off").click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    page.wait_for_timeout(1_100)
    before = int(page.locator("#alerts").get_attribute("data-rung") or 0)
    alerts = some_alerts(console, 5)
    say(console, alerts)
    expect(page.locator(f"#alert-{alerts[-1].id}")).to_be_visible()
    rung = int(page.locator("#alerts").get_attribute("data-rung") or 0)
    assert 1 <= rung - before < len(alerts)


def test_an_alert_is_taken_into_review_given_to_another_and_opened_again(
    console: Console, visiting: Visiting
) -> None:
    (alert,) = some_alerts(console, 1)
    say(console, [alert])
    page, me = visiting(Role.SURVEILLANCE), console.name_of(Role.SURVEILLANCE)
    live(page, f"?table={console.table}").locator(f"#alert-{alert.id} .sentence").click()
    page.get_by_role("button", name="Take it into review").click()
    expect(page.get_by_text(f"{me} has it")).to_be_visible()
    expect(page.locator(".under strong")).to_have_text("in review")
    page.get_by_label("Give it to").select_option(label="nobody")
    page.get_by_role("button", name="Give it to").click()
    expect(page.get_by_text("Nobody has taken it yet")).to_be_visible()
    page.get_by_label("What it came to").select_option(label="false alarm")
    page.get_by_label("Why").fill("the camera was off")
    page.get_by_role("button", name="Decide").click()
    page.get_by_label("Why it must be looked at again").fill("the camera was on")
    page.get_by_role("button", name="Open it again").click()
    expect(page.get_by_role("button", name="Decide")).to_be_visible()
    expect(page.locator(".journal")).to_contain_text("the camera was on")


def test_a_case_takes_more_alerts_and_video_that_no_alert_has_marked(
    console: Console, visiting: Visiting
) -> None:
    first, second, third = some_alerts(console, 3)
    say(console, [first, second, third])
    page = live(visiting(Role.SURVEILLANCE), f"?table={console.table}")
    title = f"belongs together {secrets.token_hex(3)}"
    page.locator(f"#alert-{first.id} .sentence").click()
    page.get_by_label("Title").fill(title)
    page.get_by_role("button", name="Open a case").click()
    number = page.url.rpartition("/")[2]

    page.goto(f"/alerts/{second.id}")
    page.get_by_label("Or one that is open").select_option(label=f"{number}: {title}")
    page.get_by_role("button", name="Add it to this case").click()
    page.get_by_role("link", name=f"case {number}").click()
    expect(page.locator(".case-alerts > li")).to_have_count(2)
    page.get_by_text("Add alerts of the same tables").click()
    page.locator(f"input[value='{third.id}']").check()
    page.get_by_role("button", name="Add what is ticked").click()
    expect(page.locator(".case-alerts > li")).to_have_count(3)

    held = page.get_by_role("region", name="Video that is held").locator("tbody tr")
    before = held.count()
    page.get_by_text("Hold other video").click()
    page.get_by_label("From", exact=True).fill("2026-03-01T22:40:00")
    page.get_by_label("Until", exact=True).first.fill("2026-03-01T22:30:00")
    page.locator("[name=reason]").last.fill("the walk to the cage")
    page.get_by_role("button", name="Hold it").click()
    expect(page.get_by_role("alert")).to_contain_text("must be after from")
    page.get_by_text("Hold other video").click()
    page.get_by_label("From", exact=True).fill("2026-03-01T22:40:00")
    page.get_by_label("Until", exact=True).first.fill("2026-03-01T22:50:00")
    page.locator("[name=reason]").last.fill("the walk to the cage")
    page.get_by_role("button", name="Hold it").click()
    expect(held).to_have_count(before + 1)
    walk = held.filter(has_text="the walk to the cage")
    walk.get_by_text("Release").first.click()
    walk.get_by_label("Why it is needed no more").fill("nothing on it")
    walk.get_by_role("button", name="Release it").click()
    expect(walk).to_contain_text("released by")


def test_a_case_is_printed_with_its_evidence_and_without_its_forms(
    console: Console, visiting: Visiting
) -> None:
    (alert,) = some_alerts(console, 1)
    say(console, [alert])
    page = live(visiting(Role.SURVEILLANCE), f"?table={console.table}")
    page.locator(f"#alert-{alert.id} .sentence").click()
    page.get_by_role("button", name="Open a case").click()
    page.get_by_label("What is due").fill("report to the commission")
    page.get_by_role("button", name="Set it").click()
    page.emulate_media(media="print")
    expect(page.locator(".case-alerts")).to_contain_text("too little")
    expect(page.locator(".deadline")).to_contain_text("report to the commission")
    expect(page.locator(".journal")).to_be_visible()
    expect(page.locator("html")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.get_by_role("heading").first).to_have_css("color", INK)
    for each in page.locator("main").get_by_role("button").all():
        expect(each).to_be_hidden()
    for each in page.locator("main input:not([type=hidden]), main textarea, main select").all():
        expect(each).to_be_hidden()


@pytest.mark.proof  # others look at pages of the same console meanwhile
def test_a_lost_connection_is_said_and_caught_up_with(console: Console, visiting: Visiting) -> None:
    """The console is stopped and started: what was raised meanwhile is shown when it is back."""
    page = live(visiting(Role.SURVEILLANCE))
    pid = console.stack.state.processes["console"].pid
    alerts = some_alerts(console, 3)
    os.kill(pid, signal.SIGTERM)
    try:
        expect(page.locator("#lost")).to_be_visible()
        say(console, alerts)
    finally:
        console.stack.up()
    expect(page.locator("#link-state")).to_have_text("live")
    for each in alerts:
        expect(page.locator(f"#alert-{each.id}")).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden()


def test_who_may_not_decide_is_offered_nothing_to_decide_with(
    console: Console, visiting: Visiting
) -> None:
    (alert,) = some_alerts(console, 1)
    for role in (Role.PIT, Role.ACCOUNTING, Role.AUDITOR):
        page = live(visiting(role))
        if role is Role.PIT:
            say(console, [alert])
        row = page.locator(f"#alert-{alert.id}")
        expect(row).to_be_visible()
        expect(row.get_by_role("button", name="Acknowledge")).to_have_count(0)
        row.locator(".sentence").click()
        expect(page.get_by_text("Surveillance decides it")).to_be_visible()
        token = page.locator("input[name=form_token]").first.get_attribute("value") or ""
        sent = page.request.post(
            f"/alerts/{alert.id}/acknowledge",
            form={"form_token": token},
            headers={"origin": console.origin},
        )
        assert sent.status == 403
