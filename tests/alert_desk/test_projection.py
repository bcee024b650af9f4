"""The set of alerts is the same whatever is killed, goes away, comes twice or cannot be read."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import grpc
import pytest

from casino.settlement.v1.finding_pb2 import LEVEL_P1, LEVEL_P2, LEVEL_P3
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.alert_pb2 import Alert
from casino.surveillance.v1.work_pb2 import DECISION_ERROR, WORK_STATE_ACKNOWLEDGED, WORK_STATE_NEW
from deploy.stack.process import send
from tests.alert_desk.house import DONE_BY_PEOPLE, MINUTE, House, an_alert, now, prepare
from tests.alert_desk.test_watching import count, watched
from tests.stack.broker import Broker
from tests.stack.databases import Database
from tests.stack.plugin import StackMaker
from tests.stack.service_house import eventually
from wire import topics


def a_day(seed: int, alerts: int = 300) -> list[Alert]:
    """Alerts that are raised, grow, shrink, are withdrawn, said twice and overtaken."""
    rng = Random(seed)
    said: list[Alert] = []
    began = now() - 600 * MINUTE
    for number in range(alerts):
        at = began + number * MINUTE
        level = rng.choice([LEVEL_P1, LEVEL_P2, LEVEL_P3])
        revisions = [
            an_alert(
                f"{seed}-{number:04}",
                revision=revision,
                evidence=rng.randrange(1, 5),
                at=at,
                level=level,
                withdrawn=revision > 1 and rng.random() < 0.2,
            )
            for revision in range(1, rng.randrange(2, 6))
        ]
        said += revisions
        if rng.random() < 0.3:
            said += revisions[rng.randrange(len(revisions)) :]
    return said


def final(said: list[Alert]) -> dict[str, Alert]:
    """What must be in the tables: the highest revision of each."""
    found: dict[str, Alert] = {}
    for each in said:
        if each.id not in found or each.revision > found[each.id].revision:
            found[each.id] = each
    return found


def kept(house: House) -> dict[str, Alert]:
    rows = house.rows_of("alerts")["alerts"]
    alerts = [Alert.FromString(row[-1]) for row in rows]
    return {each.id: each for each in alerts}


def test_the_highest_revision_counts_however_often_and_late_it_is_said(house: House) -> None:
    said = a_day(1)
    house.tell(*said)
    assert kept(house) == final(said)


def test_a_later_generation_counts_whatever_its_revision(shared: House, name: str) -> None:
    shared.tell(an_alert(name, revision=5), an_alert(name, revision=2, generation=1))
    found = shared.call(pb.GetAlertRequest(alert_id=name)).alert.alert
    assert (found.generation, found.revision) == (1, 2)


@pytest.mark.proof
def test_kill_9_in_mid_stream_changes_nothing(make_house: Callable[..., House]) -> None:
    """Small batches, killed again and again while it reads."""
    house = make_house(ALERT_BATCH_MESSAGES_MAX="20")
    said = a_day(2, alerts=1_500)
    house.say(*said)
    for kill in range(6):
        house.start(wait=False)
        eventually(lambda least=200 * (kill + 1): _taken(house) >= least or _is_done(house, said))  # type: ignore[misc]
        house.kill()
    house.start()
    asyncio.run(house.caught_up())
    assert kept(house) == final(said)


def _taken(house: House) -> int:
    return len(house.rows_of("alerts")["alerts"])


def _is_done(house: House, said: list[Alert]) -> bool:
    return _taken(house) == len(final(said))


@pytest.mark.proof
def test_postgresql_away_for_a_while_changes_nothing(own_stack: StackMaker, tmp_path: Path) -> None:
    own = own_stack()
    own.up(servers_only=True)
    database = Database("postgres", own.database_url)
    prepare(database)
    house = House(tmp_path, Broker(own.kafka_bootstrap), database)
    house.start()
    try:
        said = a_day(6)
        house.tell(*said[:200])
        house.call(pb.AcknowledgeRequest(alert_id=said[0].id))
        send(own.state.processes["postgres"], signal.SIGKILL)
        house.say(*said[200:])
        eventually(lambda: not house.is_ready())
        assert "the database does not answer" in house.refused(pb.ListAlertsRequest())
        # Whoever watches is told of alerts all the same.
        request = pb.WatchRequest(from_beginning=True, journal=True)
        told = watched(house, request, count(len(said) // 2))
        assert {each.alert.id for each in told if each.HasField("alert")} <= set(final(said))
        own.up(servers_only=True)
        eventually(house.is_ready)
        asyncio.run(house.caught_up())
        assert kept(house) == final(said)
        work = house.call(pb.GetAlertRequest(alert_id=said[0].id)).alert.work
        assert work.state == WORK_STATE_ACKNOWLEDGED
    finally:
        house.kill()


def test_a_rebuild_gives_the_same_and_keeps_what_people_did(house: House) -> None:
    said = a_day(3)
    house.tell(*said)
    standing = [each.id for each in final(said).values() if each.evidence_count][:20]
    for each in standing:
        house.call(pb.DecideRequest(alert_id=each, decision=DECISION_ERROR, reason="x"))
    grown = final(said)[standing[0]]
    house.tell(an_alert(grown.id, revision=99, evidence=9, at=now()))
    house.call(pb.OpenCaseRequest(title="kept", alert_ids=standing[1:3]))
    before, done = house.dump(), house.rows_of(*DONE_BY_PEOPLE)
    house.rebuild()
    assert house.dump() == before
    assert house.rows_of(*DONE_BY_PEOPLE) == done
    found = house.call(pb.GetAlertRequest(alert_id=grown.id)).alert.work
    assert (found.state, found.reopened) == (WORK_STATE_NEW, 1)
    with pytest.raises(grpc.aio.AioRpcError, match="ada is not administrator"):
        house.rebuild("surveillance")


def test_bytes_that_are_no_alert_are_counted_and_stop_nothing(shared: House, name: str) -> None:
    before = shared.call(pb.GetStatusRequest()).unreadable
    good = an_alert(name)
    nameless = an_alert("")
    unknown_level = an_alert(f"{name}-level", level=77)  # type: ignore[arg-type]
    timeless, endless = an_alert(f"{name}-time"), an_alert(f"{name}-end")
    timeless.ClearField("raised_at")
    endless.raised_at.seconds = 2**62
    shared.say_bytes(
        [
            ("a", b"\xff\xff"),
            ("b", b""),
            ("c", nameless.SerializeToString()),
            ("d", unknown_level.SerializeToString()),
            ("e", timeless.SerializeToString()),
            ("f", endless.SerializeToString()),
            (name, good.SerializeToString()),
        ]
    )
    shared.say_bytes([("x", b"\x00")], topics.SURVEILLANCE_SETTINGS)
    asyncio.run(shared.caught_up())
    assert shared.call(pb.GetAlertRequest(alert_id=name)).alert.alert == good
    assert shared.call(pb.GetStatusRequest()).unreadable == before + 7


def test_forged_names_and_amounts_stop_nothing(shared: House, name: str) -> None:
    forged = an_alert(
        name,
        sentence="zero \0 byte",
        dealer="D\0" * 200,
        patron="P" * 10_000,
        cents=-(2**63),
        table_id="T\x1b[2J",
    )
    forged.raised_at.seconds = 221_845_391_999
    forged.bookmarks[0].until.seconds = 2**62
    shared.tell(forged)
    found = shared.call(pb.GetAlertRequest(alert_id=name)).alert
    assert found.alert == forged


def test_alerts_are_paged_and_what_comes_meanwhile_moves_nothing(shared: House, name: str) -> None:
    at = now() - 100 * MINUTE
    names = [f"{name}-{each}" for each in range(7)]
    shared.tell(*(an_alert(n, table_id=name, at=at + i // 2 * MINUTE) for i, n in enumerate(names)))
    request = pb.ListAlertsRequest(table_id=name, page_size=2)
    found: list[str] = []
    while True:
        page = shared.call(request)
        found += [each.alert.id for each in page.alerts]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
        if len(found) == 4:
            shared.tell(an_alert(f"{name}-late", table_id=name))
            other = pb.ListAlertsRequest(table_id="other", page_token=page.next_page_token)
            assert "it belongs to another query" in shared.refused(other)
    assert found == names[::-1]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.ListAlertsRequest(page_size=501), "page_size: at most 500, not 501"),
        (pb.ListAlertsRequest(page_token="x"), "page_token: it is none of ours"),
        (pb.ListAlertsRequest(level=9), "level: 9 is unknown"),  # type: ignore[arg-type]
        (pb.ListAlertsRequest(states=[9]), "states: 9 is unknown"),  # type: ignore[list-item]
        (pb.ListAlertsRequest(text="a b c d e f g h i j k"), "text: at most 10 words, not 11"),
        (pb.ListAlertsRequest(kind="a\0"), "kind: a text has no zero byte"),
        (pb.GetAlertRequest(alert_id="abc"), 'alert_id: "abc" is too short'),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_field(
    shared: House, request_: pb.ListAlertsRequest | pb.GetAlertRequest, reason: str
) -> None:
    assert shared.refused(request_).startswith(f"INVALID_ARGUMENT: {reason}")


def test_the_status_counts_what_is_open_and_names_the_oldest(house: House) -> None:
    at = now() - MINUTE
    house.tell(
        an_alert("urgent-2", level=LEVEL_P1, at=at + 1),
        an_alert("urgent-1", level=LEVEL_P1, at=at),
        an_alert("other", level=LEVEL_P2),
        an_alert("gone", level=LEVEL_P1),
        an_alert("gone", level=LEVEL_P1, revision=2, withdrawn=True),
    )
    house.call(pb.DecideRequest(alert_id="other", decision=DECISION_ERROR, reason="x"))
    found = house.call(pb.GetStatusRequest())
    assert [(each.level, each.state, each.count) for each in found.alerts] == [
        (LEVEL_P1, WORK_STATE_NEW, 2),
        (LEVEL_P2, 4, 1),
    ]
    assert found.oldest_urgent.alert.id == "urgent-1"
    assert (found.lag, found.rebuilding, found.time_zone) == (0, False, "America/Los_Angeles")


def test_urgent_alerts_of_a_day_are_counted_until_they_are_decided(house: House) -> None:
    at = now() - 60 * MINUTE
    house.tell(
        an_alert("in-day", level=LEVEL_P1, at=at),
        an_alert("next-day", level=LEVEL_P1, at=at + MINUTE),
        an_alert("not-urgent", level=LEVEL_P2, at=at),
        an_alert("suppressed", level=LEVEL_P1, at=at, suppressed_by="s"),
    )
    asked = pb.CountUrgentAlertsRequest()
    getattr(asked, "from").FromMicroseconds(at)
    asked.until.FromMicroseconds(at + MINUTE)
    answer = house.call(asked, peer="service/accounting")
    assert (answer.open, list(answer.alert_ids)) == (1, ["in-day"])
    (named,) = answer.alerts
    told = house.call(pb.GetAlertRequest(alert_id="in-day")).alert.alert
    assert (named.id, named.kind, named.table_id) == ("in-day", told.kind, told.table_id)
    assert named.kind
    assert named.table_id
    assert named.raised_at == told.raised_at
    house.call(pb.AcknowledgeRequest(alert_id="in-day"))
    assert house.call(asked, peer="service/accounting").open == 1
    house.call(pb.DecideRequest(alert_id="in-day", decision=DECISION_ERROR, reason="x"))
    assert house.call(asked, peer="service/accounting").open == 0
    getattr(asked, "from").FromMicroseconds(at + 2 * MINUTE)
    assert "must be after from" in house.refused(asked)


def test_one_desk_of_two_reads_the_topics_and_both_answer(
    house: House,
) -> None:
    other = House(house.folder, house.broker, house.database)
    other.start()
    try:
        said = a_day(4, alerts=50)
        house.tell(*said)
        assert other.call(pb.GetAlertRequest(alert_id=said[0].id)).alert.alert.id == said[0].id
        house.kill()
        more = a_day(5, alerts=50)
        other.say(*more)
        deadline = time.monotonic() + 60
        while kept(other) != final(said + more):
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        other.kill()
