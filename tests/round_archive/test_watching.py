"""Watching: nothing is left out and nothing comes twice, whoever is killed in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from casino.settlement.v1 import service_pb2 as pb
from casino.settlement.v1.finding_pb2 import LEVEL_P2, LEVEL_P3, Withdrawal
from round_archive.grpc.masking import MaskedFindings
from tests.round_archive.house import House
from tests.round_archive.said import a_finding, a_round, frames
from wire import topics

SECONDS_MAX = 30


async def take(call: Any, count: int) -> list[pb.WatchResponse]:
    """So many answers that hold something."""
    found: list[pb.WatchResponse] = []
    async with asyncio.timeout(SECONDS_MAX):
        while len(found) < count:
            answer = await call.read()
            assert isinstance(answer, pb.WatchResponse), answer
            if answer.WhichOneof("what"):
                found.append(answer)
    return found


async def until_caught_up(call: Any) -> list[pb.WatchResponse]:
    found: list[pb.WatchResponse] = []
    while True:
        (answer,) = await take(call, 1)
        if answer.HasField("caught_up"):
            return found
        found.append(answer)


def watch(house: House, work: Callable[[Any], Any]) -> Any:
    async def watched() -> Any:
        async with house.stub() as stub:
            return await work(stub)

    return asyncio.run(watched())


def test_from_the_beginning_each_comes_once_then_what_is_live(shared: House, table: str) -> None:
    shared.settle(frames(1, tables=3, rounds=4))
    said = shared.broker.read(shared.topic(topics.SETTLED_ROUNDS))
    rounds = [each.value() or b"" for each in said if each.value() not in (None, b"\xff\xff")]

    async def work(stub: Any) -> None:
        call = stub.Watch(pb.WatchRequest(rounds=True, findings=True, from_beginning=True))
        before = await until_caught_up(call)
        came = [each.round for each in before if each.HasField("round")]
        assert sorted(each.SerializeToString(deterministic=True) for each in came) == sorted(rounds)
        await asyncio.to_thread(shared.say_round, a_round("live", table=table))
        (live,) = await take(call, 1)
        assert live.round.round == "live"
        call.cancel()

    watch(shared, work)


def test_from_now_on_only_what_is_asked_for_comes(shared: House, table: str) -> None:
    shared.say_round(a_round("before", table=table))

    async def work(stub: Any) -> None:
        request = pb.WatchRequest(findings=True, tables=[table], level=LEVEL_P2)
        call = stub.Watch(request)
        assert await until_caught_up(call) == []
        gone = Withdrawal(id="F-0", table_id=table, seq=3)
        for said in (
            a_finding("F-1", table=table, level=LEVEL_P3),
            a_finding("F-2", table=table, level=LEVEL_P2),
            a_finding("F-3", table=table, level=LEVEL_P2, tells_hole_card=True),
            gone,
        ):
            await asyncio.to_thread(shared.say_finding, said)
        first, secret, withdrawn = await take(call, 3)
        assert (first.finding.id, first.masked) == ("F-2", False)
        assert (secret.finding.id, secret.masked, secret.finding.cents) == ("F-3", True, 0)
        assert "18 was paid" not in secret.finding.text
        assert secret.finding.detail == ""
        assert withdrawn.withdrawal == gone
        call.cancel()

    watch(shared, work)


def test_what_was_masked_is_told_when_its_round_is_over(shared: House, table: str) -> None:
    secret = a_finding("F-1", table=table, tells_hole_card=True)
    gone = a_finding("F-2", table=table, tells_hole_card=True)
    other = a_finding("F-3", table=table, round="R-2", tells_hole_card=True)
    late = a_finding("F-4", table=table, tells_hole_card=True)

    async def work(stub: Any) -> None:
        call = stub.Watch(pb.WatchRequest(findings=True, tables=[table]))
        assert await until_caught_up(call) == []
        for said in (secret, gone, other, Withdrawal(id="F-2", table_id=table, seq=8)):
            await asyncio.to_thread(shared.say_finding, said)
        assert [each.masked for each in await take(call, 4)] == [True, True, True, False]
        await asyncio.to_thread(shared.say_round, a_round("R-1", table=table))
        (told,) = await take(call, 1)
        assert (told.finding, told.masked) == (secret, False)
        await asyncio.to_thread(shared.say_finding, late)
        (told,) = await take(call, 1)
        assert (told.finding, told.masked) == (late, False)
        call.cancel()

    watch(shared, work)


def test_what_was_hidden_in_a_round_long_over_is_not_masked(shared: House, table: str) -> None:
    secret = a_finding("F-1", table=table, tells_hole_card=True)
    again = a_finding("F-2", table=table, seq=40, tells_hole_card=True)
    for said in (secret, again):
        shared.say_finding(said)
    shared.say_round(a_round("R-1", table=table))

    async def work(stub: Any) -> None:
        await shared.indexed()
        request = pb.WatchRequest(findings=True, tables=[table], from_beginning=True)
        call = stub.Watch(request)
        told, masked = await until_caught_up(call)
        assert (told.finding, told.masked) == (secret, False)
        assert (masked.finding.id, masked.masked) == ("F-2", True), "the id is in play again"
        call.cancel()

    watch(shared, work)


def test_a_watch_remembers_no_more_than_it_may() -> None:
    hidden = MaskedFindings(remembered_max=2)
    for number in range(3):
        hidden.add(a_finding(f"F-{number}", round=f"R-{number}"))
    told = [hidden.release(a_round(f"R-{number}")) for number in range(3)]
    assert [[each.id for each in some] for some in told] == [[], ["F-1"], ["F-2"]]
    over = [hidden.is_over(a_finding("F", round=f"R-{number}")) for number in range(3)]
    assert over == [False, True, True]
    assert not hidden.is_over(a_finding("F", round="R-2", seq=15)), "after its end: another one"


@pytest.mark.proof
def test_resumed_after_kills_there_is_no_gap_and_no_double(house: House) -> None:
    house.settle(frames(4, tables=3, rounds=5))
    said = len(house.broker.read(house.topic(topics.SETTLED_ROUNDS)))
    seen: list[bytes] = []
    token = ""
    for piece in (4, 3, 5):

        async def work(stub: Any, piece: int = piece, token: str = token) -> str:
            request = pb.WatchRequest(
                rounds=True, resume_token=token, from_beginning=not token, findings=False
            )
            call = stub.Watch(request)
            for answer in await take(call, piece):
                seen.append(answer.round.SerializeToString(deterministic=True))
                token = answer.resume_token
            await asyncio.to_thread(house.kill)
            return token

        token = watch(house, work)
        house.start()

    async def rest(stub: Any) -> None:
        call = stub.Watch(pb.WatchRequest(rounds=True, resume_token=token))
        seen.extend(
            answer.round.SerializeToString(deterministic=True)
            for answer in await until_caught_up(call)
        )
        call.cancel()

    watch(house, rest)
    messages = house.broker.read(house.topic(topics.SETTLED_ROUNDS))
    assert len(seen) == said
    assert sorted(seen) == sorted(each.value() or b"" for each in messages)


def test_while_nothing_comes_the_watch_says_where_it_is(shared: House) -> None:
    async def work(stub: Any) -> None:
        call = stub.Watch(pb.WatchRequest(rounds=True))
        await until_caught_up(call)
        async with asyncio.timeout(SECONDS_MAX):
            quiet = await call.read()
        assert quiet.WhichOneof("what") is None
        assert quiet.resume_token
        call.cancel()

    watch(shared, work)


def test_at_a_stop_watches_are_told_to_go_on_elsewhere(house: House) -> None:
    async def work(stub: Any) -> None:
        call = stub.Watch(pb.WatchRequest(rounds=True))
        await until_caught_up(call)
        assert await asyncio.to_thread(house.stop) == 0
        with pytest.raises(grpc.aio.AioRpcError, match="resume_token") as ended:
            await take(call, 1)
        assert ended.value.code() is grpc.StatusCode.UNAVAILABLE

    watch(house, work)


def test_more_watches_than_there_is_room_for_are_refused_and_others_answered(
    archive: House,
) -> None:
    async def work(stub: Any) -> None:
        calls = [stub.Watch(pb.WatchRequest(rounds=True, from_beginning=True)) for _ in range(3)]
        for call in calls:
            await take(call, 1)
        with pytest.raises(grpc.aio.AioRpcError, match="limit") as refused:
            await take(stub.Watch(pb.WatchRequest(rounds=True)), 1)
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await stub.FindRounds(pb.FindRoundsRequest())).rounds
        for call in calls:
            call.cancel()
        for _ in range(100):  # places are free again soon after
            again = stub.Watch(pb.WatchRequest(rounds=True, from_beginning=True))
            try:
                await take(again, 1)
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.1)
            else:
                again.cancel()
                return
        raise AssertionError("no place became free")

    watch(archive, work)


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (pb.WatchRequest(), "rounds"),
        (pb.WatchRequest(findings=True, level=99), "level: 99"),  # type: ignore[arg-type]
        (pb.WatchRequest(rounds=True, resume_token="?"), "resume_token"),
        (pb.WatchRequest(rounds=True, resume_token="kpEBkQE"), "resume_token"),
        (
            pb.WatchRequest(rounds=True, resume_token="kpEBkQE", from_beginning=True),
            "from_beginning",
        ),
    ],
)
def test_a_watch_that_makes_no_sense_is_refused(
    archive: House, request_: pb.WatchRequest, named: str
) -> None:
    async def work(stub: Any) -> None:
        with pytest.raises(grpc.aio.AioRpcError, match=named) as refused:
            await take(stub.Watch(request_), 1)
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT

    watch(archive, work)
