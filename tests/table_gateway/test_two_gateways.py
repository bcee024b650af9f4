"""One table at two gateways: the old stream is still open while the controller is elsewhere.

Neither gateway knows of the other. Both write what they are sent, so the log may have an event
twice; it never lacks one, and whoever takes each number once reads what the controller told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

import pytest

from blackjack.facts import RoundOpened
from blackjack.play.table import Table, fold
from tests.table_gateway.harness import GatewayProcess, ReportStream, frame, frames
from wire import decode_event
from wire.chain import digest, verify

TABLE = "BJ-07"
GatewayPair = tuple[GatewayProcess, GatewayProcess]


@pytest.fixture
def gateways(make_gateway: Callable[..., GatewayProcess]) -> GatewayPair:
    return make_gateway(TABLE_HEADS_SECONDS="0.3"), make_gateway(
        name="other", TABLE_HEADS_SECONDS="0.3"
    )


def said(log: list[bytes]) -> list[object]:
    """Every round and finding, in order."""
    _, steps = fold(Table.new(TABLE), [decode_event(each) for each in log])
    return [each for step in steps for each in (*step.rounds, *step.findings)]


def check(gateway: GatewayProcess, sent: list[bytes]) -> int:
    """The log has each event, in order, and nothing else but repeats: how many."""
    log = gateway.logged(TABLE)
    assert list(dict.fromkeys(log)) == sent
    assert verify(log) == ()
    assert said(log) == said(sent) != []
    assert gateway.dead_letters() == []
    return len(log) - len(sent)


def test_what_an_old_stream_still_sends_is_in_the_log_twice_and_counts_once(
    gateways: GatewayPair,
) -> None:
    sent = frames(TABLE, 30)
    old, new = gateways

    async def scenario() -> None:
        async with old.open_session(TABLE) as before:
            assert await before.report(sent[:10]) == (10, [])
            async with new.open_session(TABLE) as stream:
                assert (stream.welcome.resume_after, stream.welcome.hash) == (10, digest(sent[9]))
                assert await stream.report(sent[10:20]) == (20, [])
                # Stuck in the old connection until now: the same bytes, once more.
                assert await before.report(sent[10:15]) == (15, [])
                assert await stream.report(sent[20:25]) == (25, [])
        async with old.open_session(TABLE) as again:
            assert (again.welcome.resume_after, again.welcome.hash) == (25, digest(sent[24]))
            assert await again.report(sent[25:]) == (30, [])

    asyncio.run(scenario())
    assert check(old, sent) == 5


@pytest.mark.proof
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_controller_that_changes_back_and_forth_loses_nothing(
    gateways: GatewayPair, seed: int
) -> None:
    """At any moment it sends through either, from where that one was told to go on."""
    random = Random(seed)
    sent = frames(TABLE, 400)

    async def one(stream: ReportStream) -> int:
        acknowledged = stream.welcome.resume_after
        for _ in range(random.randint(1, 12)):
            batch = sent[acknowledged : acknowledged + random.randint(1, 15)]
            acknowledged, refused = await stream.report(batch)
            assert refused == []
            await asyncio.sleep(random.uniform(0, 0.01))
        return acknowledged

    async def scenario() -> None:
        furthest = 0
        while furthest < len(sent):
            async with (
                gateways[0].open_session(TABLE) as left,
                gateways[1].open_session(TABLE) as right,
            ):
                assert left.welcome.resume_after >= furthest
                furthest = max(await asyncio.gather(one(left), one(right)))

    asyncio.run(scenario())
    assert check(gateways[0], sent) > 0  # both did write


def test_another_event_of_the_same_number_is_refused_by_whoever_has_read_the_log(
    gateways: GatewayPair,
) -> None:
    sent = frames(TABLE, 5)
    forged = frame(TABLE, 5, RoundOpened("forged"), sent[3])

    async def scenario() -> None:
        async with gateways[0].open_session(TABLE) as stream:
            assert await stream.report(sent) == (5, [])
        async with gateways[1].open_session(TABLE) as stream:
            assert await stream.report([forged]) == (5, ["REJECTION_CODE_CONFLICT"])

    asyncio.run(scenario())
    assert gateways[0].logged(TABLE) == sent
