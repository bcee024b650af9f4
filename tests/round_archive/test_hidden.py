"""Who runs the game is not told what a hole card would tell before it is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from casino.settlement.v1 import service_pb2 as pb
from runtime.identity.tokens import PUBLIC_KEY
from runtime.kafka.records import Output
from tests.round_archive.house import House
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
    known = [(headers.CODE, b"malformed"), (headers.REASON, b"no such fact")]
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
