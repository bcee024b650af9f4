"""What is typed in the surveillance room, against a running desk and a running archive."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from casino.settlement.v1.finding_pb2 import LEVEL_P1
from casino.settlement.v1.settled_round_pb2 import SettledRound
from casino.surveillance.v1 import service_pb2 as pb
from deploy.stack.stack import Stack
from tests.alert_desk.house import House, an_alert
from tests.alert_desk.receiver import receiving
from tests.pitctl.command import pitctl
from tests.round_archive.house import House as Archive
from tests.stack.broker import Broker
from tests.stack.databases import Databases
from tests.stack.houses import template_of
from tests.stack.service_house import eventually
from tests.table_simulator.days import a_day
from wire import topics


def typed(house: House, *arguments: str) -> Result:
    return pitctl(*arguments, *reached(house), columns=110)


def reached(house: House) -> tuple[str, ...]:
    house.credentials()
    return ("--address", str(house.address), "--identity", str(house.folder / "operator-test"))


def shown(result: Result, status: int = 0) -> str:
    assert (result.exit_code, result.stderr) == (status, ""), result.stdout
    return result.stdout


def fields(result: Result) -> Any:
    return json.loads(shown(result))


# Alerts -------------------------------------------------------------------------------


def test_alerts_are_listed_with_the_sentence_and_how_far_they_are(shared: House, name: str) -> None:
    shared.tell(
        an_alert(
            name, level=LEVEL_P1, kind="bet.past_post", round="BJ-07-00012", seat=3, cents=50_00,
            dealer="D-17", sentence=f"{name}: the bet at seat 3 rose by $50 after bets were closed",
        )
    )  # fmt: skip
    page = shown(typed(shared, "alerts", "--text", name))
    heading, row, sentence, *_ = page.splitlines()
    assert heading.split() == ["raised", "(UTC)", "id", "kind", "where", "amount", "status"]
    for part in ("P1", name[:8], "Past post", "BJ-07-00012 seat 3  ", "$50.00", "new"):
        assert part in row
    assert sentence.strip().endswith("rose by $50 after bets were closed")
    assert page.splitlines()[-1].endswith(f"alerts show {name[:8]}")
    listed = fields(typed(shared, "alerts", "--text", name, "--json"))
    assert (listed["alert"]["id"], listed["work"]["state"]) == (name, "WORK_STATE_NEW")


def test_filters_find_what_they_name_and_nothing_ends_with_one(shared: House, name: str) -> None:
    shared.tell(an_alert(name, table_id=name, dealer="D-9", patron="P-9"))
    for found in (
        ("--table", name), ("--table", name, "--dealer", "D-9"), ("--table", name, "--level", "P2"),
        ("--table", name, "--kind", "payout"), ("--table", name, "--since", "2020-01-01"),
        ("--table", name, "--status", "new"), ("--table", name, "--patron", "P-9"),
    ):  # fmt: skip
        assert name[:8] in shown(typed(shared, "alerts", *found))
    for missed in (
        ("--level", "P1"), ("--dealer", "D-8"), ("--kind", "coupon"), ("--until", "2020-01-01"),
        ("--status", "closed"), ("--assignee", "bob"),
    ):  # fmt: skip
        page = shown(typed(shared, "alerts", "--table", name, *missed), status=1)
        assert page == "No matching alerts.\n"


def test_an_alert_is_worked_from_a_terminal(shared: House, name: str) -> None:
    shared.tell(an_alert(name))
    assert "acknowledged, by operator/test" in shown(typed(shared, "alerts", "acknowledge", name))
    again = typed(shared, "alerts", "acknowledge", name)
    assert again.exit_code == 1
    assert "already acknowledged, by operator/test" in again.stderr
    assert "assigned to operator/test" in shown(typed(shared, "alerts", "review", name))
    assert "assigned to bob" in shown(typed(shared, "alerts", "assign", name, "bob"))
    assert (
        shown(typed(shared, "alerts", "note", name, "see 14:02")) == "note added by operator/test\n"
    )
    refused = typed(shared, "alerts", "decide", name, "error", "--json")
    assert json.loads(refused.stdout)["rejected"]["reason"] == "reason: must not be empty"
    decided = typed(shared, "alerts", "decide", name, "false-alarm", "--reason", "read wrongly")
    assert "false alarm, by operator/test" in shown(decided)
    reopened = typed(shared, "alerts", "reopen", name, "--reason", "the tape")
    assert "reopened" in shown(reopened)
    page = shown(typed(shared, "alerts", "show", name, "--no-replay"))
    for part in ("see 14:02", "decided: read wrongly", "reopened: the tape", "assigned: bob"):
        assert part in page


def test_the_tables_are_rebuilt_from_a_terminal(shared: House, name: str) -> None:
    shared.tell(an_alert(name))
    assert " rebuilt from " in shown(typed(shared, "alerts", "rebuild"))
    assert name[:8] in shown(typed(shared, "alerts", "--text", name))


def test_nonsense_ends_with_two_and_says_what_makes_sense(shared: House) -> None:
    for arguments, said in (
        (("alerts", "--level", "P7"), 'Invalid level "P7": expected P1, P2, P3 or P4.'),
        (("alerts", "--since", "soon"), "soon"),
        (("case", "open", "x", "--person", "bob"), "expected ROLE:NAME"),
    ):
        result = typed(shared, *arguments)
        assert result.exit_code == 2
        assert said in result.stderr


@pytest.fixture(scope="module")
def replayed(
    stack: Stack, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[House, SettledRound]]:
    """A desk and an archive over one log, and a round in which something was found."""
    folder: Path = tmp_path_factory.mktemp("both")
    broker = Broker(stack.kafka_bootstrap)
    kept = databases.make(template_of(databases, "round_archive"))
    archive = Archive(folder, broker, kept)
    frames = a_day(5, tables=4, rounds=6, every=2).frames
    archive.settle([(each.stream, each.data, each.ingested_at) for each in frames])
    archive.start()
    own = databases.make(template_of(databases, "alert_desk"))
    desk = House(folder, broker, own, ROUND_ARCHIVE_ADDRESS=str(archive.address))
    desk.start()
    said = [
        SettledRound.FromString(message.value() or b"")
        for message in broker.read(archive.topic(topics.SETTLED_ROUNDS))
    ]
    yield desk, next(each for each in said if each.hands)
    for each in (desk, archive):
        each.kill()
        databases.drop(each.database)
    broker.clear()


def test_an_alert_is_shown_with_the_hand_replayed_from_the_log(
    replayed: tuple[House, SettledRound], name: str
) -> None:
    desk, one = replayed
    desk.tell(an_alert(name, table_id=one.table_id, round=one.round))
    page = shown(typed(desk, "alerts", "show", name))
    assert f"{name}  revision 1" in page
    assert "1 piece of evidence" in page
    assert one.round in page
    assert "byte for byte" in page
    answer = desk.call(pb.GetAlertRequest(alert_id=name, with_replay=True))
    assert answer.replay.same
    assert answer.replay.emitted == one
    missing = desk.call(pb.GetAlertRequest(alert_id=name, with_replay=True, round="nobody"))
    assert "round 'nobody' is not evidence of this alert" in missing.without_replay


def test_an_alert_is_shown_without_the_hand_where_the_archive_has_none(
    replayed: tuple[House, SettledRound], shared: House, name: str
) -> None:
    desk, _ = replayed
    desk.tell(an_alert(name, round="never-played"))
    page = shown(typed(desk, "alerts", "show", name))
    assert "No replay: round archive: round" in page
    shared.tell(an_alert(name))
    answer = shared.call(pb.GetAlertRequest(alert_id=name, with_replay=True))
    assert answer.without_replay.endswith("set ROUND_ARCHIVE_ADDRESS")


def test_a_watch_tells_alerts_and_what_people_do_until_it_is_ended(
    shared: House, name: str
) -> None:
    command = [sys.executable, "-m", "pitctl", "alerts", "--watch", *reached(shared)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as watch:
        try:
            assert watch.stdout is not None
            assert watch.stderr is not None
            assert "live from here on" in watch.stderr.readline()
            shared.say(an_alert(name, level=LEVEL_P1, cents=25_00, sentence="overpaid"))
            line = watch.stdout.readline()
            for part in (" P1 ", name[:8], "Mispay", "-$25.00"):
                assert part in line
            eventually(lambda: _is_known(shared, name))
            shared.call(pb.AcknowledgeRequest(alert_id=name), by="bob")
            assert "bob acknowledged" in watch.stdout.readline()
        finally:
            watch.send_signal(signal.SIGINT)
        assert watch.wait(20) == 0


def _is_known(house: House, name: str) -> bool:
    return bool(house.call(pb.ListAlertsRequest(text=name)).alerts)


# Cases and exclusions -----------------------------------------------------------------


def test_a_case_goes_from_its_opening_to_a_signed_report(
    shared: House, name: str, tmp_path: Path
) -> None:
    shared.tell(an_alert(name))
    opened = fields(
        typed(
            shared, "case", "open", f"about {name}", "--alert", name, "--person", "dealer:D-17",
            "--note", "from the eye", "--json",
        )
    )  # fmt: skip
    number = str(opened["case"]["summary"]["number"])
    page = shown(typed(shared, "case", "deadline", number, "tell the commission", "--rule", "24h"))
    assert "tell the commission, due" in page
    assert "23 h 59 min left" in page
    listed = shown(typed(shared, "case", "--text", name))
    assert "23 h 59 min left" in listed
    assert f"about {name}" in listed
    assert "held" in shown(
        typed(shared, "case", "hold", number, "BJ-07", "--since", "2026-03-01 10:00", "--until",
              "2026-03-01 10:10", "--reason", "the patron came back")
    )  # fmt: skip
    early = typed(shared, "case", "close", number, "confirmed", "--conclusion", "dismissed")
    assert "opened it: another person must close or countersign it" in early.stderr
    shown(typed(shared, "alerts", "decide", name, "confirmed", "--reason", "on tape"))
    (deadline,) = fields(typed(shared, "case", "show", number, "--json"))["case"]["deadlines"]
    met = shown(typed(shared, "case", "met", number, str(deadline["number"]), "report 77"))
    assert "met by operator/test" in met
    closed = shown(
        typed(shared, "case", "close", number, "confirmed", "--conclusion", "dismissed",
              "--countersigned-by", "bob")
    )  # fmt: skip
    assert "closed as confirmed" in closed
    assert "countersigned by bob" in closed
    assert shown(typed(shared, "case", "--text", name), status=1) == "No matching cases.\n"
    file = tmp_path / "case.pdf"
    printed = typed(shared, "case", "report", number, "--output", str(file))
    assert printed.exit_code == 0
    assert file.read_bytes().startswith(b"%PDF")


def test_a_patron_is_excluded_listed_and_let_in_again(shared: House, name: str) -> None:
    said = shown(typed(shared, "exclude", name, "--basis", "self", "--reason", "asked for it"))
    assert said.startswith(f"{name} excluded, from ")
    listed = shown(typed(shared, "exclude", "list", "--patron", name))
    for part in (name, "self", "operator/test", "asked for it"):
        assert part in listed
    assert name in shown(typed(shared, "exclude"))
    assert f"exclusion of {name} lifted" in shown(
        typed(shared, "exclude", "lift", name, "--reason", "over")
    )
    none = typed(shared, "exclude", "list", "--patron", name)
    assert shown(none, status=1) == "No exclusions.\n"
    assert name in shown(typed(shared, "exclude", "list", "--patron", name, "--ended"))
    twice = typed(shared, "exclude", "lift", name, "--reason", "over")
    assert (twice.exit_code, "not excluded at that time" in twice.stderr) == (1, True)


# Settings and webhooks ----------------------------------------------------------------


def test_thresholds_levels_and_suppressions_are_set_from_a_terminal(
    shared: House, name: str
) -> None:
    limit = "washing_days"
    made = typed(shared, "setting", "threshold", limit, "14", "--reason", f"campaign {name}")
    assert shown(made).startswith(f"{limit} is 14, from ")
    assert "14" in next(e for e in shown(typed(shared, "setting")).splitlines() if limit in e)
    assert "is its default" in shown(
        typed(shared, "setting", "threshold", limit, "default", "--reason", "over")
    )
    told = typed(shared, "setting", "level", "win.big", "P3", "--reason", "slow night")
    assert shown(told).startswith("priority of Big win is P3, from ")
    shown(typed(shared, "setting", "level", "win.big", "default", "--reason", "over"))
    quiet = fields(
        typed(shared, "setting", "suppress", "win.big", "--table", name, "--until",
              _tomorrow(), "--reason", "x", "--json")
    )  # fmt: skip
    listed = shown(typed(shared, "setting"))
    assert f"Big win {name} suppressed until" in listed
    lifted = typed(shared, "setting", "lift", quiet["change"]["change_id"], "--reason", "done")
    assert "lifted" in shown(lifted)
    history = shown(typed(shared, "setting", "history", "--about", limit))
    assert f"campaign {name}" in history
    for wrong in (("threshold", limit, "many"), ("level", "win.big", "P9")):
        assert typed(shared, "setting", *wrong, "--reason", "x").exit_code == 2
    assert typed(shared, "setting", "threshold", limit, "0", "--reason", "x").exit_code == 1


def _tomorrow() -> str:
    return (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%d %H:%M")


def test_a_webhook_is_set_tested_and_removed_from_a_terminal(shared: House, name: str) -> None:
    with receiving(200, 500) as receiver:
        page = shown(typed(shared, "webhook", "set", name, receiver.url, "--kind", "coupon."))
        assert "It is not shown again" in page
        assert shown(typed(shared, "webhook", "test", name)).startswith("delivered in ")
        failed = shown(typed(shared, "webhook", "test", name), status=1)
        assert failed == "not delivered: status 500\n"
        listed = shown(typed(shared, "webhook"))
        assert name in listed
        assert "coupon." in listed
    assert shown(typed(shared, "webhook", "remove", name)) == "webhook removed\n"
    assert typed(shared, "webhook", "remove", name).exit_code == 1
