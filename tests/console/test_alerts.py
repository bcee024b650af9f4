"""Surveillance at work: alerts arrive live, are acknowledged, closed and collected in cases."""

from __future__ import annotations

import os
import secrets
import signal

import pytest
from playwright.sync_api import Page, expect

from casino.settlement.v1.finding_pb2 import LEVEL_P3
from console.users.roles import Role
from tests.console.alert_publisher import make_alerts, publish_alerts
from tests.console.conftest import Visiting
from tests.console.console_environment import Console

BURST = 100
INK = "rgb(27, 35, 38)"
"""The text color on paper, though the screen theme is dark."""
FRAME_MS_MAX = 1_000.0
"""The longest frame that goes unnoticed, times ten for a busy machine."""


def open_live_list(page: Page, query: str = "") -> Page:
    page.goto(f"/alerts{query}")
    expect(page.locator("#link-state")).to_have_text("live")
    return page


def test_an_alert_appears_live_and_becomes_a_case(console: Console, visiting: Visiting) -> None:
    page = open_live_list(visiting(Role.SURVEILLANCE))
    (alert,) = make_alerts(console, 1)
    publish_alerts(console, [alert])
    row = page.locator(f"#alert-{alert.id}")
    expect(row).to_contain_text("underpaid $15.00 on seat 2")
    row.get_by_role("button", name="Acknowledge").click()
    expect(row).to_contain_text("acknowledged")

    row.locator(".sentence").click()
    page.get_by_label("Outcome").select_option(label="confirmed")
    page.get_by_label("Reason").fill("seen on the video")
    page.get_by_role("button", name="Close alert").click()
    expect(page.get_by_text("decided: seen on the video")).to_be_visible()
    page.get_by_label("Title").fill(f"paid short at {console.table}")
    page.get_by_role("button", name="Open case").click()
    expect(page.get_by_role("heading", name=f"paid short at {console.table}")).to_be_visible()
    page.get_by_label("Task").fill("report to the commission")
    page.get_by_role("button", name="Add deadline").click()
    expect(page.locator(".deadline")).to_contain_text("report to the commission")
    page.get_by_role("link", name="Replay hand").click()
    expect(page.get_by_label("Summary")).to_contain_text("underpaid")

    auditor = visiting(Role.AUDITOR)
    auditor.goto("/users/audit-log")
    done = auditor.get_by_role("row").filter(has_text=alert.id)
    expect(done.filter(has_text="Alert closed")).to_contain_text(console.name_of(Role.SURVEILLANCE))
    expect(done.filter(has_text="Case opened")).to_have_count(1)


def test_the_list_is_usable_with_the_keyboard_alone(console: Console, visiting: Visiting) -> None:
    alerts = make_alerts(console, 2)
    page = open_live_list(visiting(Role.SURVEILLANCE), f"?table={console.table}")
    publish_alerts(console, alerts)
    expect(page.locator(f"#alert-{alerts[1].id}")).to_be_visible()
    page.keyboard.press("ArrowDown")
    first = page.locator("#alerts > li").first
    expect(first).to_have_class("alert alert-p1 fresh selected")
    page.keyboard.press("a")
    expect(first).to_contain_text("acknowledged")
    page.keyboard.press("h")
    expect(page.get_by_role("heading", name=console.round)).to_be_visible()


def test_a_burst_of_a_hundred_alerts_is_complete_and_does_not_block_the_page(
    console: Console, visiting: Visiting
) -> None:
    page = open_live_list(visiting(Role.SURVEILLANCE), "?text=burst")
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
    alerts = make_alerts(console, BURST, kind="burst")
    publish_alerts(console, alerts)
    expect(page.locator("#alerts > li")).to_have_count(BURST)
    shown = {row.get_attribute("data-id") for row in page.locator("#alerts > li").all()}
    assert shown == {alert.id for alert in alerts}
    assert page.evaluate("window.longest") < FRAME_MS_MAX


def test_a_live_list_obeys_its_filter(console: Console, visiting: Visiting) -> None:
    page = open_live_list(visiting(Role.SURVEILLANCE), f"?level=P2&table={console.table}")
    quiet, loud = make_alerts(console, 1, LEVEL_P3), make_alerts(console, 1)
    publish_alerts(console, [*quiet, *loud])
    expect(page.locator(f"#alert-{loud[0].id}")).to_be_visible()
    expect(page.locator(f"#alert-{quiet[0].id}")).to_have_count(0)


def test_sound_is_opt_in_and_rings_once_for_a_burst(console: Console, visiting: Visiting) -> None:
    page = open_live_list(visiting(Role.SURVEILLANCE))
    page.get_by_role("button", name="Sound off").click()
    expect(page.get_by_role("button", name="Sound on")).to_be_visible()
    page.wait_for_timeout(1_100)
    before = int(page.locator("#alerts").get_attribute("data-rung") or 0)
    alerts = make_alerts(console, 5)
    publish_alerts(console, alerts)
    expect(page.locator(f"#alert-{alerts[-1].id}")).to_be_visible()
    rung = int(page.locator("#alerts").get_attribute("data-rung") or 0)
    assert 1 <= rung - before < len(alerts)


def test_an_alert_is_reviewed_reassigned_closed_and_reopened(
    console: Console, visiting: Visiting
) -> None:
    (alert,) = make_alerts(console, 1)
    publish_alerts(console, [alert])
    page, me = visiting(Role.SURVEILLANCE), console.name_of(Role.SURVEILLANCE)
    open_live_list(page, f"?table={console.table}").locator(f"#alert-{alert.id} .sentence").click()
    page.get_by_role("button", name="Start review").click()
    expect(page.get_by_text(f"Assigned to {me}")).to_be_visible()
    expect(page.locator(".under strong")).to_have_text("in review")
    page.get_by_label("Assignee").select_option(label="Unassigned")
    page.get_by_role("button", name="Assign").click()
    expect(page.get_by_text("Unassigned.")).to_be_visible()
    page.get_by_label("Outcome").select_option(label="false alarm")
    page.get_by_label("Reason").fill("the camera was off")
    page.get_by_role("button", name="Close alert").click()
    page.get_by_label("Reason to reopen").fill("the camera was on")
    page.get_by_role("button", name="Reopen").click()
    expect(page.get_by_role("button", name="Close alert")).to_be_visible()
    expect(page.locator(".activity")).to_contain_text("the camera was on")


def test_a_case_takes_more_alerts_and_video_without_a_bookmark(
    console: Console, visiting: Visiting
) -> None:
    first, second, third = make_alerts(console, 3)
    publish_alerts(console, [first, second, third])
    page = open_live_list(visiting(Role.SURVEILLANCE), f"?table={console.table}")
    title = f"belongs together {secrets.token_hex(3)}"
    page.locator(f"#alert-{first.id} .sentence").click()
    page.get_by_label("Title").fill(title)
    page.get_by_role("button", name="Open case").click()
    number = page.url.rpartition("/")[2]

    page.goto(f"/alerts/{second.id}")
    page.get_by_label("Existing case").select_option(label=f"{number}: {title}")
    page.get_by_role("button", name="Add to case").click()
    page.get_by_role("link", name=f"case {number}").click()
    expect(page.locator(".case-alerts > li")).to_have_count(2)
    page.get_by_text("Add alerts of these tables").click()
    page.locator(f"input[value='{third.id}']").check()
    page.get_by_role("button", name="Add selected").click()
    expect(page.locator(".case-alerts > li")).to_have_count(3)

    held = page.get_by_role("region", name="Held video").locator("tbody tr")
    before = held.count()
    page.get_by_text("Hold more video").click()
    page.get_by_label("From", exact=True).fill("2026-03-01T22:40:00")
    page.get_by_label("Until", exact=True).first.fill("2026-03-01T22:30:00")
    page.locator("[name=reason]").last.fill("the walk to the cage")
    page.get_by_role("button", name="Hold video").click()
    expect(page.get_by_role("alert")).to_contain_text("must be after from")
    page.get_by_text("Hold more video").click()
    page.get_by_label("From", exact=True).fill("2026-03-01T22:40:00")
    page.get_by_label("Until", exact=True).first.fill("2026-03-01T22:50:00")
    page.locator("[name=reason]").last.fill("the walk to the cage")
    page.get_by_role("button", name="Hold video").click()
    expect(held).to_have_count(before + 1)
    walk = held.filter(has_text="the walk to the cage")
    walk.get_by_text("Release").first.click()
    walk.get_by_label("Reason for release").fill("nothing on it")
    walk.get_by_role("button", name="Release").click()
    expect(walk).to_contain_text("released by")


def test_a_case_is_printed_with_its_evidence_and_without_its_forms(
    console: Console, visiting: Visiting
) -> None:
    (alert,) = make_alerts(console, 1)
    publish_alerts(console, [alert])
    page = open_live_list(visiting(Role.SURVEILLANCE), f"?table={console.table}")
    page.locator(f"#alert-{alert.id} .sentence").click()
    page.get_by_role("button", name="Open case").click()
    page.get_by_label("Task").fill("report to the commission")
    page.get_by_role("button", name="Add deadline").click()
    page.emulate_media(media="print")
    expect(page.locator(".case-alerts")).to_contain_text("underpaid")
    expect(page.locator(".deadline")).to_contain_text("report to the commission")
    expect(page.locator(".activity")).to_be_visible()
    expect(page.locator("html")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.get_by_role("heading").first).to_have_css("color", INK)
    for button in page.locator("main").get_by_role("button").all():
        expect(button).to_be_hidden()
    for field in page.locator("main input:not([type=hidden]), main textarea, main select").all():
        expect(field).to_be_hidden()


@pytest.mark.proof  # other tests use the same console meanwhile
def test_a_page_shows_a_lost_connection_and_catches_up(
    console: Console, visiting: Visiting
) -> None:
    """The console restarts: alerts raised meanwhile appear afterwards."""
    page = open_live_list(visiting(Role.SURVEILLANCE))
    pid = console.stack.state.processes["console"].pid
    alerts = make_alerts(console, 3)
    os.kill(pid, signal.SIGTERM)
    try:
        expect(page.locator("#lost")).to_be_visible()
        publish_alerts(console, alerts)
    finally:
        console.stack.up()
    expect(page.locator("#link-state")).to_have_text("live")
    for alert in alerts:
        expect(page.locator(f"#alert-{alert.id}")).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden()


def test_roles_without_the_right_get_no_controls_for_alerts(
    console: Console, visiting: Visiting
) -> None:
    (alert,) = make_alerts(console, 1)
    for role in (Role.PIT, Role.ACCOUNTING, Role.AUDITOR):
        page = open_live_list(visiting(role))
        if role is Role.PIT:
            publish_alerts(console, [alert])
        row = page.locator(f"#alert-{alert.id}")
        expect(row).to_be_visible()
        expect(row.get_by_role("button", name="Acknowledge")).to_have_count(0)
        row.locator(".sentence").click()
        expect(page.get_by_text("Surveillance works alerts")).to_be_visible()
        token = page.locator("input[name=form_token]").first.get_attribute("value") or ""
        sent = page.request.post(
            f"/alerts/{alert.id}/acknowledge",
            form={"form_token": token},
            headers={"origin": console.origin},
        )
        assert sent.status == 403
