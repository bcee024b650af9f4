"""Alerts told over HTTP: to whom, signed, at least once, and never what is old."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import time
from collections.abc import Callable

import psycopg
import pytest

from casino.settlement.v1.finding_pb2 import LEVEL_P1, LEVEL_P2, LEVEL_P3, Level
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.webhook_pb2 import Webhook, WebhookStatus
from casino.surveillance.v1.work_pb2 import DECISION_ERROR
from tests.alert_desk.house import MINUTE, House, an_alert, now
from tests.alert_desk.receiver import Received, Receiver, receiving
from tests.stack.ports import own_port
from tests.stack.service_house import eventually

SOON = 0.5
"""Seconds in which what is not to come would have come."""


@pytest.fixture(scope="module")
def quick(module_house: Callable[..., House]) -> House:
    """A desk that does not wait long, and gives up soon."""
    found = module_house(
        WEBHOOK_SECONDS_MAX="1", WEBHOOK_AGAIN_SECONDS="0.2", WEBHOOK_GIVE_UP_SECONDS="8"
    )
    found.start()
    return found


def hook(
    house: House, name: str, receiver: Receiver, level: Level.ValueType = LEVEL_P1, **how: object
) -> str:
    """Sets it; gives its secret."""
    webhook = Webhook(name=name, url=receiver.url, level=level, **how)  # type: ignore[arg-type]
    return str(house.call(pb.SetWebhookRequest(webhook=webhook)).secret)


def status(house: House, name: str) -> WebhookStatus:
    answer: pb.ListWebhooksResponse = house.call(pb.ListWebhooksRequest())
    return next(each for each in answer.webhooks if each.webhook.name == name)


def events(receiver: Receiver) -> list[tuple[str, str]]:
    return [(each.told["event"], each.told["alert"]["id"]) for each in receiver.received]


def is_signed(received: Received, secret: str) -> bool:
    """As a receiver checks it."""
    signed = received.timestamp.encode() + b"." + received.body
    wanted = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    is_recent = abs(time.time() - int(received.timestamp)) < 60
    return is_recent and hmac.compare_digest(received.signature, f"v1={wanted}")


def test_an_alert_is_told_at_once_and_signed(quick: House, name: str) -> None:
    with receiving() as receiver:
        secret = hook(quick, name, receiver)
        began = time.monotonic()
        quick.say(an_alert(name, level=LEVEL_P1, sentence="a bet rose"))
        eventually(lambda: bool(receiver.received))
        (told,) = receiver.received
        assert told.at - began < 5
        assert is_signed(told, secret)
        assert not is_signed(told, "another secret")
        assert told.told["event"] == "alert.raised"
        assert told.told["alert"]["sentence"] == "a bet rose"
        assert told.message == f"{name}.alert.raised.0.1"
        eventually(lambda: status(quick, name).delivered == 1)
        quick.call(pb.RemoveWebhookRequest(name=name))


def test_a_webhook_is_told_by_level_and_kind(quick: House, name: str) -> None:
    with receiving() as receiver:
        hook(quick, name, receiver, LEVEL_P2, kinds=["coupon.", "bet.pinch"])
        quick.say(
            an_alert(f"{name}-a", level=LEVEL_P2, kind="coupon.unknown"),
            an_alert(f"{name}-b", level=LEVEL_P3, kind="coupon.unknown"),
            an_alert(f"{name}-c", level=LEVEL_P1, kind="payout.mismatch"),
            an_alert(f"{name}-d", level=LEVEL_P1, kind="bet.pinch"),
        )
        eventually(lambda: len(receiver.received) >= 2)
        time.sleep(SOON)
        assert sorted(events(receiver)) == [
            ("alert.raised", f"{name}-a"),
            ("alert.raised", f"{name}-d"),
        ]
        quick.call(pb.RemoveWebhookRequest(name=name))


def test_growth_is_told_when_it_becomes_urgent_is_reopened_or_withdrawn(
    quick: House, name: str
) -> None:
    with receiving() as receiver:
        hook(quick, name, receiver, LEVEL_P2)
        quick.tell(an_alert(name, level=LEVEL_P2))
        quick.tell(an_alert(name, revision=2, evidence=2, level=LEVEL_P2))
        quick.tell(an_alert(name, revision=3, evidence=3, level=LEVEL_P1))
        quick.call(pb.DecideRequest(alert_id=name, decision=DECISION_ERROR, reason="x"))
        quick.tell(an_alert(name, revision=4, evidence=4, level=LEVEL_P1))
        quick.tell(an_alert(name, revision=5, withdrawn=True, level=LEVEL_P1))
        eventually(lambda: len(receiver.received) >= 4)
        time.sleep(SOON)
        assert sorted(each for each, _ in events(receiver)) == [
            "alert.escalated", "alert.raised", "alert.reopened", "alert.withdrawn",
        ]  # fmt: skip
        quick.call(pb.RemoveWebhookRequest(name=name))


def test_one_that_fails_is_told_again_with_the_same_id_until_it_takes_it(
    quick: House, name: str
) -> None:
    with receiving(500, 404, 302) as receiver:
        secret = hook(quick, name, receiver)
        quick.say(an_alert(name, level=LEVEL_P1))
        eventually(lambda: status(quick, name).delivered == 1)
        assert len(receiver.received) == 4
        assert len({(each.message, each.body) for each in receiver.received}) == 1
        assert all(is_signed(each, secret) for each in receiver.received)
        at = [each.at for each in receiver.received]
        pauses = [later - earlier for earlier, later in itertools.pairwise(at)]
        assert pauses[0] >= 0.2
        assert pauses[2] > 0.8  # 0.2, 0.4, 0.8
        quick.call(pb.RemoveWebhookRequest(name=name))


def test_one_that_hangs_is_told_again_and_delays_nobody_else(quick: House, name: str) -> None:
    with receiving(*[0] * 50) as hanging, receiving() as other:
        hook(quick, f"{name}-hangs", hanging)
        hook(quick, f"{name}-takes", other)
        began = time.monotonic()
        quick.say(*(an_alert(f"{name}-{each}", level=LEVEL_P1) for each in range(6)))
        eventually(lambda: len(other.received) == 6)
        assert time.monotonic() - began < 15
        eventually(lambda: len(hanging.received) > len({e.message for e in hanging.received}))
        assert status(quick, f"{name}-hangs").trouble == "no response within 1 s"
        eventually(lambda: status(quick, f"{name}-hangs").given_up == 6)
        for each in ("hangs", "takes"):
            quick.call(pb.RemoveWebhookRequest(name=f"{name}-{each}"))


def test_one_that_is_away_is_told_when_it_is_back(quick: House, name: str) -> None:
    with receiving() as receiver:
        away = Receiver(port=own_port())
        hook(quick, name, away)
        quick.say(an_alert(name, level=LEVEL_P1))
        eventually(lambda: status(quick, name).trouble != "")
        assert "Cannot connect" in status(quick, name).trouble
        again = hook(quick, name, receiver)
        assert again == "", "an old webhook keeps its secret unless a new one is asked for"
        eventually(lambda: bool(receiver.received))
        quick.call(pb.RemoveWebhookRequest(name=name))


def test_what_is_old_is_not_told(quick: House, name: str) -> None:
    with receiving() as receiver:
        hook(quick, name, receiver)
        said_long_ago = an_alert(f"{name}-said", level=LEVEL_P1)
        values = [(said_long_ago.id, said_long_ago.SerializeToString())]
        quick.say_bytes(values, at_ms=(now() - 10 * MINUTE) // 1_000)
        quick.say(an_alert(f"{name}-happened", level=LEVEL_P1, at=now() - 10 * MINUTE))
        quick.say(an_alert(f"{name}-new", level=LEVEL_P1))
        eventually(lambda: bool(receiver.received))
        time.sleep(SOON)
        assert events(receiver) == [("alert.raised", f"{name}-new")]
        quick.call(pb.RemoveWebhookRequest(name=name))


def test_a_rebuild_tells_nothing_again(quick: House, name: str) -> None:
    with receiving() as receiver:
        hook(quick, name, receiver)
        quick.tell(an_alert(name, level=LEVEL_P1))
        eventually(lambda: status(quick, name).delivered == 1)
        quick.rebuild()
        time.sleep(SOON)
        assert len(receiver.received) == 1
        quick.call(pb.RemoveWebhookRequest(name=name))


def test_what_tells_a_hole_card_is_masked_and_suppressed_alerts_are_not_told(
    quick: House, name: str
) -> None:
    secret = "he peeked at a ten"
    with receiving() as receiver:
        hook(quick, name, receiver)
        quick.say(
            an_alert(f"{name}-s", level=LEVEL_P1, suppressed_by="change-1"),
            an_alert(f"{name}-h", level=LEVEL_P1, sentence=secret, tells_hole_card=True),
        )
        eventually(lambda: bool(receiver.received))
        time.sleep(SOON)
        (told,) = receiver.received
        assert told.told["masked"]
        assert secret.encode() not in told.body
        quick.call(pb.RemoveWebhookRequest(name=name))


def test_a_killed_desk_tells_it_when_it_is_back(make_house: Callable[..., House]) -> None:
    house = make_house(WEBHOOK_SECONDS_MAX="1", WEBHOOK_AGAIN_SECONDS="0.2")
    house.start()
    with receiving(0) as receiver:
        hook(house, "pager", receiver)
        house.say(an_alert("kill-me", level=LEVEL_P1))
        eventually(lambda: bool(receiver.received))
        house.kill()
        house.start()
        eventually(lambda: len(receiver.received) >= 2)
        assert len({each.message for each in receiver.received}) == 1
        eventually(lambda: status(house, "pager").delivered == 1)


def test_a_webhook_is_tried_without_an_alert(quick: House, name: str) -> None:
    with receiving(200, 503) as receiver:
        secret = hook(quick, name, receiver)
        taken = quick.call(pb.TestWebhookRequest(name=name))
        assert (taken.delivered, taken.http_status, taken.trouble) == (True, 200, "")
        assert is_signed(receiver.received[0], secret)
        assert receiver.received[0].told["event"] == "test"
        failed = quick.call(pb.TestWebhookRequest(name=name))
        assert (failed.delivered, failed.http_status) == (False, 503)
        assert failed.trouble == "status 503"
        quick.call(pb.RemoveWebhookRequest(name=name))
        assert quick.refused(pb.TestWebhookRequest(name=name)).startswith("NOT_FOUND")


def test_a_paused_webhook_is_told_nothing(quick: House, name: str) -> None:
    with receiving() as receiver:
        hook(quick, name, receiver, paused=True)
        quick.tell(an_alert(name, level=LEVEL_P1))
        time.sleep(SOON)
        assert not receiver.received
        quick.call(pb.RemoveWebhookRequest(name=name))


@pytest.mark.parametrize(
    ("webhook", "reason"),
    [
        (Webhook(name="Bad Name", url="http://127.0.0.1/"), "webhook.name"),
        (Webhook(name="a", url="ftp://127.0.0.1/"), "webhook.url: expected a URL such as"),
        (Webhook(name="a", url="http://127.0.0.1:99999/"), "webhook.url: Port out of range"),
        (Webhook(name="a", url="http://me:pw@127.0.0.1/"), "webhook.url: must not have a user"),
        (
            Webhook(name="a", url="https://169.254.169.254/latest"),
            'webhook.url: host "169.254.169.254" is not allowed',
        ),
        (
            Webhook(name="a", url="http://127.0.0.1/", kinds=[""]),
            "webhook.kinds: has an empty kind",
        ),
        (Webhook(name="a", url="http://127.0.0.1/", level=9), "webhook.level: 9 is unknown"),  # type: ignore[arg-type]
    ],
)
def test_what_makes_no_sense_is_refused(quick: House, webhook: Webhook, reason: str) -> None:
    said = quick.refused(pb.SetWebhookRequest(webhook=webhook))
    assert said.startswith(f"INVALID_ARGUMENT: {reason}")


def test_over_the_network_only_https_is_spoken(make_house: Callable[..., House]) -> None:
    house = make_house(WEBHOOK_HOSTS="hooks.example.org, 127.0.0.1")
    house.start()
    plain = Webhook(name="a", url="http://hooks.example.org/")
    assert "must use https" in house.refused(pb.SetWebhookRequest(webhook=plain))
    safe = Webhook(name="a", url="https://hooks.example.org/", paused=True)
    answer = house.call(pb.SetWebhookRequest(webhook=safe))
    assert len(answer.secret) == 64
    with psycopg.connect(house.database.url) as connection:
        row = connection.execute("SELECT secret FROM alert_desk.webhooks").fetchone()
    assert row == (answer.secret,)
    assert answer.secret not in house.log
    assert answer.secret not in str(house.call(pb.ListWebhooksRequest()))
