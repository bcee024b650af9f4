"""An event that the gateway refuses is set aside, and the table goes on without it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from blackjack.facts import GapDeclared, RoundOpened
from blackjack.play.clock import VALID_SINCE, VALID_UNTIL
from blackjack.play.table import JUMP_MAX
from runtime.rpc.links import Links
from table_client.backoff import Backoff
from table_client.errors import Rejected
from table_client.outbox import Outbox
from table_client.records import record
from table_client.rejected_events import RejectedEvent
from table_client.reporter import Reporter
from tests.table_gateway.harness import AT, GatewayProcess, frame
from wire import Unwritable, decode_event
from wire.chain import ChainProblem, digest, verify

TABLE = "BJ-07"


def append_events(outbox: Outbox, count: int) -> None:
    for _ in range(count):
        number = outbox.last_seq + 1
        outbox.append(RoundOpened(f"R-{number}"), at=AT + number)


async def report(gateway: GatewayProcess, outbox: Outbox, *, more: int = 0) -> list[RejectedEvent]:
    """Reports everything, and then some more; gives what was told to the operator."""
    reported: list[RejectedEvent] = []
    async with Links(gateway.credentials(TABLE)) as links:
        reporter = Reporter(
            outbox,
            lambda: links.to("table_gateway", gateway.address),
            backoff=Backoff(Random(1), seconds_max=0.5),
            on_rejected=reported.append,
        )
        running = asyncio.create_task(reporter.run())
        try:
            async with asyncio.timeout(30):
                while not outbox.is_empty:
                    await asyncio.sleep(0.01)
            for _ in range(more):
                last = reporter.report(RoundOpened("R-more"), at=AT + 1_000)
                await asyncio.wait_for(reporter.acknowledged(last), 30)
            for each in reported:
                with pytest.raises(Rejected, match=f"event {each.seq} was rejected: {each.code}"):
                    await reporter.acknowledged(each.seq)
        finally:
            running.cancel()
            await asyncio.wait({running})
    return reported


async def run(gateway: GatewayProcess, outbox: Outbox) -> None:
    """Until it raises what only people can mend."""
    async with Links(gateway.credentials(TABLE)) as links:
        reporter = Reporter(
            outbox,
            lambda: links.to("table_gateway", gateway.address),
            backoff=Backoff(Random(1), seconds_max=0.5),
        )
        await asyncio.wait_for(reporter.run(), 30)


def seqs(log: list[bytes]) -> list[int]:
    return [decode_event(each).seq for each in log]


def test_an_event_whose_chain_is_broken_is_set_aside_and_what_follows_arrives(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    """The disk is an old one: somebody else has spoken for the table since."""
    gateway = make_gateway()
    gateway.start()
    other = frame(TABLE, 1, RoundOpened("of another controller"))

    async def scenario(outbox: Outbox) -> list[RejectedEvent]:
        async with gateway.open_session(TABLE) as stream:
            assert await stream.report([other]) == (1, [])
        return await report(gateway, outbox, more=2)

    with Outbox(tmp_path / "journal", TABLE) as outbox:
        append_events(outbox, 5)
        refused = outbox.event(2)
        reported = asyncio.run(scenario(outbox))
        assert outbox.is_empty
        assert outbox.last_seq == 8
    assert [(each.seq, each.code, each.event) for each in reported] == [
        (2, "chain_broken", refused)
    ]
    log = gateway.logged(TABLE)
    assert seqs(log) == [1, 6, 3, 4, 5, 7, 8]
    gap = decode_event(log[1]).fact
    assert gap == GapDeclared(2, 5, "event 2 was rejected: chain_broken")
    # The chain shows the place of what is missing, and nothing else is wrong with it.
    assert verify(log) == (ChainProblem(3, digest(other), digest(refused)),)
    assert [each["code"] for each in gateway.dead_letters()] == ["chain_broken"] + 3 * [
        "out_of_order"
    ]


def test_whatever_the_gateway_cannot_read_is_set_aside_alone(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    """Two of six were written by a controller that knows more, or less, than the gateway."""
    gateway = make_gateway()
    gateway.start()
    path = tmp_path / "journal"
    for _ in range(2):
        with Outbox(path, TABLE) as outbox:
            append_events(outbox, 2)
        with path.open("ab") as file:
            file.write(record(b"E", b"\xff\xff"))
    with Outbox(path, TABLE) as outbox:
        reported = asyncio.run(report(gateway, outbox, more=1))
        assert [(each.seq, each.code) for each in reported] == [(3, "malformed"), (6, "malformed")]
        assert outbox.rejected_events() == reported
    assert seqs(gateway.logged(TABLE)) == [1, 2, 7, 4, 5, 8]


YEAR_9999 = 253_402_300_799_000_000


@pytest.mark.parametrize("wrong", [1_000_000, VALID_SINCE - 1, VALID_UNTIL, YEAR_9999])
def test_events_of_a_clock_that_says_no_valid_time_are_set_aside_and_the_table_goes_on(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path, wrong: int
) -> None:
    gateway = make_gateway()
    gateway.start()
    with Outbox(tmp_path / "journal", TABLE) as outbox:
        append_events(outbox, 2)
        for _ in range(2):
            outbox.append(RoundOpened("dated wrongly"), at=wrong)
        append_events(outbox, 1)
        reported = asyncio.run(report(gateway, outbox, more=1))
    assert [(each.seq, each.code) for each in reported] == [
        (3, "invalid_time"),
        (4, "invalid_time"),
    ]
    log = gateway.logged(TABLE)
    assert seqs(log) == [1, 2, 6, 5, 7]
    assert not any(decode_event(each).claimed_at for each in log)
    refused = [each for each in gateway.dead_letters() if each["code"] == "invalid_time"]
    assert len(refused) == 2


def test_a_controller_whose_clock_never_was_right_declares_what_is_missing(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    gateway = make_gateway()
    gateway.start()
    with Outbox(tmp_path / "journal", TABLE) as outbox:
        outbox.append(RoundOpened("dated wrongly"), at=YEAR_9999)
        reported = asyncio.run(report(gateway, outbox, more=1))
    assert [(each.seq, each.code) for each in reported] == [(1, "invalid_time")]
    assert seqs(gateway.logged(TABLE)) == [2, 3]


def test_a_journal_that_begins_with_what_nobody_can_read_goes_on_after_it(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    """No event says a time then, and the gap is declared all the same."""
    gateway = make_gateway()
    gateway.start()
    with Outbox(tmp_path / "journal", TABLE) as outbox:
        outbox.append_frame(1, b"garbage")
        reported = asyncio.run(report(gateway, outbox, more=2))
        assert [(each.seq, each.code) for each in reported] == [(1, "malformed")]
        assert decode_event(outbox.event(2)).claimed_at == 0
    log = gateway.logged(TABLE)
    assert seqs(log) == [2, 3, 4]
    assert decode_event(log[0]).fact == GapDeclared(1, 1, "event 1 was rejected: malformed")


def test_a_gap_that_nobody_believes_is_for_people_and_is_not_declared_again(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    gateway = make_gateway()
    gateway.start()
    far = JUMP_MAX + 3
    with Outbox(tmp_path / "journal", TABLE) as outbox:
        append_events(outbox, 1)
        outbox.append_frame(far, frame(TABLE, far, GapDeclared(2, far - 1), outbox.event(1)))
        with pytest.raises(Rejected, match=f"event {far} was rejected: gap_too_large"):
            asyncio.run(run(gateway, outbox))
        assert outbox.last_seq == far
        assert outbox.rejected_events() == []
    assert seqs(gateway.logged(TABLE)) == [1]


def test_what_was_set_aside_and_what_is_late_survive_a_crash_at_any_byte(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Outbox(path, TABLE) as outbox:
        append_events(outbox, 6)
        outbox.acknowledge(2)
        outbox.sync()
        before = path.stat().st_size
        outbox.reject(3, code="malformed", reason="no event")
        append_events(outbox, 1)
        outbox.acknowledge(7)
        outbox.acknowledge_late(4)
        outbox.reject(5, code="malformed", reason="no event")
        events = outbox.after(0, weight_max=1 << 30, overhead=0)
    whole = path.read_bytes()
    seen = set()
    for size in range(before, len(whole) + 1):
        path.write_bytes(whole[:size])
        with Outbox(path, TABLE) as outbox:
            assert outbox.after(0, weight_max=1 << 30, overhead=0) == events[: outbox.last_seq]
            assert outbox.first_after(2) == (3 if outbox.last_seq == 6 else 7)
            seen.add((outbox.last_seq, outbox.acknowledged_seq, tuple(outbox.late)))
    assert seen == {
        (6, 2, ()),
        (7, 2, (4, 5, 6)),
        (8, 2, (4, 5, 6)),
        (8, 7, (4, 5, 6)),
        (8, 7, (5, 6)),
        (8, 7, (6,)),
    }


def test_an_event_that_is_too_large_is_refused_to_whoever_tells_it(tmp_path: Path) -> None:
    with Outbox(tmp_path / "journal", TABLE) as outbox:
        append_events(outbox, 1)
        with pytest.raises(Unwritable):
            outbox.append(RoundOpened("R" * 70_000), at=AT)
        append_events(outbox, 1)
    with Outbox(tmp_path / "journal", TABLE) as outbox:
        assert seqs(outbox.after(0, weight_max=1 << 30, overhead=0)) == [1, 2]
