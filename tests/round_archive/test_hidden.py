"""Who runs the game is not told what a hole card would tell before it is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from casino.settlement.v1 import service_pb2 as pb
from runtime.identity.tokens import PUBLIC_KEY
from runtime.kafka.records import Headers, Output
from tests.round_archive.house import House
from tests.round_archive.said import a_finding, a_round
from wire import headers, topics

CONSOLE = ("service", "console")


@pytest.fixture
def house(make_house: Callable[..., House], tmp_path: Path) -> House:
    """One that knows people."""
    found = make_house(PEOPLE_KEY=str(tmp_path / "authority" / PUBLIC_KEY))
    found.token("pit")  # makes the key
    found.start()
    return found


def ask(house: House, method: str, request: Any, *roles: str) -> Any:
    async def asked() -> Any:
        await house.indexed()
        async with house.stub(*CONSOLE) as stub:
            return await getattr(stub, method)(request, metadata=[house.token(*roles)])

    return asyncio.run(asked())


def test_the_bytes_of_what_was_refused_are_for_those_who_watch_the_game(house: House) -> None:
    known: Headers = [(headers.CODE, b"malformed"), (headers.REASON, b"no such fact")]
    house.say([Output(house.topic(topics.DEAD_LETTERS), b"king of clubs", b"BJ-01", headers=known)])
    request = pb.FindDeadLettersRequest()
    for role in ("surveillance", "auditor", "administrator"):
        (letter,) = ask(house, "FindDeadLetters", request, role).dead_letters
        assert letter.value == b"king of clubs"
    for role in ("pit", "accounting"):
        (letter,) = ask(house, "FindDeadLetters", request, role).dead_letters
        assert (letter.value, letter.reason) == (b"", "no such fact")
    (letter,) = ask(house, "FindDeadLetters", request, "pit", "auditor").dead_letters
    assert letter.value == b"king of clubs"


def test_the_pit_learns_of_a_masked_finding_when_its_round_is_over(house: House) -> None:
    kind = "procedure.peek_wrong"
    house.say_finding(a_finding("F-1", round="R-1", seq=7, kind=kind, tells_hole_card=True))
    house.say_finding(a_finding("F-2", round="R-1", seq=8))

    def found(*roles: str) -> list[tuple[str, bool]]:
        answer = ask(house, "FindFindings", pb.FindFindingsRequest(), *roles)
        return sorted((each.finding.id, each.masked) for each in answer.findings)

    def counted(*roles: str) -> bool:
        since = pb.GetStatusRequest(since=Timestamp(seconds=1))
        status = ask(house, "GetStatus", since, *roles)
        return kind in {each.kind for each in status.findings}

    assert found("surveillance") == [("F-1", True), ("F-2", False)]
    assert found("pit") == [("F-2", False)]
    assert (counted("surveillance"), counted("pit")) == (True, False)
    house.say_round(a_round("R-1", first_seq=5))
    assert found("pit") == [("F-1", False), ("F-2", False)]
    assert counted("pit")


def test_a_watch_of_the_pit_says_nothing_of_a_masked_finding(house: House) -> None:
    house.say_finding(a_finding("F-1", round="R-1", seq=7, tells_hole_card=True))
    house.say_finding(a_finding("F-2", round="R-1", seq=8))

    async def watched(*roles: str) -> list[tuple[str, bool]]:
        async with house.stub(*CONSOLE) as stub:
            request = pb.WatchRequest(findings=True, from_beginning=True)
            call = stub.Watch(request, metadata=[house.token(*roles)])
            said = []
            async for answer in call:
                if answer.WhichOneof("what") == "caught_up":
                    break
                if answer.HasField("finding"):
                    said.append((answer.finding.id, answer.masked))
            call.cancel()
            return said

    assert asyncio.run(watched("surveillance")) == [("F-1", True), ("F-2", False)]
    assert asyncio.run(watched("pit")) == [("F-2", False)]
