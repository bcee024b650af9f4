"""What is typed of a round becomes the question that was meant, or is refused with the way out."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from casino.settlement.v1.finding_pb2 import Level
from casino.settlement.v1.service_pb2 import FindRoundsRequest
from casino.settlement.v1.settled_round_pb2 import RoundStatus
from casino.table.v1.cards_pb2 import Card
from pitctl.archive.client import find_archive
from pitctl.archive.round_query import round_query
from pitctl.errors import InvalidArgument, ServiceUnavailable
from tests.pitctl.command import pitctl

NOW = datetime(2026, 3, 2, 23, 0, tzinfo=UTC)
NOTHING = dict.fromkeys(
    "round table around within since until patron dealer cards dealer_cards wager bet finding "
    "level game status".split(),
    "",
)


def asked(**said: Any) -> FindRoundsRequest:
    given: dict[str, Any] = {**NOTHING, "seat": 0, **said}
    return round_query(now=NOW, **given)


def test_nothing_said_asks_for_everything() -> None:
    assert asked() == FindRoundsRequest()


def test_everything_that_is_said_is_asked() -> None:
    request = asked(
        round="T012-0003",
        table="T012",
        around="22:40",
        within="20m",
        since="2026-03-01 00:00",
        until="2026-03-03T00:00:00+01:00",
        patron="P-7",
        dealer="D-1",
        seat=3,
        cards="A♠ 10♥",
        dealer_cards="KC",
        wager="main",
        bet="25..100",
        finding="payout",
        level="p2",
        game="skweezit",
        status="void",
    )
    set_fields = {field.name for field, _ in request.ListFields()}
    known = {field.name for field in FindRoundsRequest.DESCRIPTOR.fields}
    assert set_fields == known - {"page_size", "page_token"}
    assert request.around.ToJsonString() == "2026-03-02T22:40:00Z"
    assert request.within.seconds == 1200
    assert getattr(request, "from").ToJsonString() == "2026-03-01T00:00:00Z"
    assert request.until.ToJsonString() == "2026-03-02T23:00:00Z"
    assert list(request.cards) == [Card.CARD_ACE_OF_SPADES, Card.CARD_TEN_OF_HEARTS]
    assert (request.stake_cents_min, request.stake_cents_max) == (2500, 10000)
    assert request.level == Level.LEVEL_P2
    assert request.status == RoundStatus.ROUND_STATUS_VOID


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"cards": "A♠ XX"}, "expected cards"),
        ({"bet": "much"}, '--bet: Invalid amount "much"'),
        ({"bet": "100..25"}, "below the smallest"),
        ({"bet": ".."}, "expected an amount"),
        ({"around": "tea time"}, "expected HH:MM"),
        ({"around": "22:40", "within": "soon"}, "expected 90s"),
        ({"within": "20m"}, "needs --around"),
        ({"level": "P9"}, "expected P1"),
        ({"game": "skweezitt"}, "Did you mean 'skweezit'"),
        ({"finding": "bet.pinsh"}, "Did you mean 'bet.pinch'"),
        ({"finding": "payments"}, "kinds begin with .*payout"),
        ({"wager": "insuranse"}, "Did you mean 'insurance'"),
        ({"status": "lost"}, "expected settled, void"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused_with_what_does(said: dict[str, str], reason: str) -> None:
    with pytest.raises(InvalidArgument, match=reason):
        asked(**said)


# Where the archive is ------------------------------------------------------------------


def a_stack(folder: Path) -> Path:
    (folder / "identity" / "operator" / "local").mkdir(parents=True)
    state = {"processes": {}, "ports": {"kafka": 19092, "round_archive.rpc": 20123}}
    (folder / "state.json").write_text(json.dumps(state))
    return folder


def test_the_archive_of_the_stack_that_is_up_is_found(tmp_path: Path) -> None:
    stack = a_stack(tmp_path / "stack")
    place = find_archive(stack=str(stack))
    assert str(place.address) == "127.0.0.1:20123"
    assert place.identity == stack / "identity" / "operator" / "local"


def test_what_is_said_goes_before_the_stack(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    stack = a_stack(tmp_path / "stack")
    place = find_archive("[::1]:7", str(own), str(stack))
    assert (str(place.address), place.identity) == ("[::1]:7", own)


def test_without_a_stack_a_person_is_told_what_to_do(tmp_path: Path) -> None:
    for command in ("rounds", "tail", "rebuild", "dead-letters"):
        result = pitctl(command, "--stack", tmp_path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "is not up: make up" in result.stderr
    result = pitctl("status", "--stack", tmp_path)
    assert result.exit_code == 3
    (archive,) = (line for line in result.stdout.splitlines() if line.startswith("round_archive"))
    assert archive.split(maxsplit=2) == ["round_archive", "unavailable", "it is not started"]
    with pytest.raises(ServiceUnavailable, match="must be host:port"):
        find_archive("nowhere")
    (tmp_path / "state.json").write_text("{}")
    assert "is not up: make up" in pitctl("rounds", "--stack", tmp_path).stderr
    with pytest.raises(ServiceUnavailable, match="no client certificate"):
        find_archive("127.0.0.1:1", stack=str(tmp_path))


def test_a_folder_without_a_certificate_is_said_to_have_none(tmp_path: Path) -> None:
    stack = a_stack(tmp_path / "stack")
    result = pitctl("rounds", "--stack", stack)
    assert result.exit_code == 2
    assert "the client certificate cannot be used" in result.stderr
