"""How long events waited at the client: kept on disk, and said anew with each sending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from blackjack.facts import HeartbeatSent, RoundOpened
from runtime.kafka.records import header
from table_client.outbox import Outbox
from tests.table_client.client import TABLE, running_reporter
from tests.table_gateway.harness import GatewayProcess
from wire.headers import INGESTED_AT, WAITED_US, read_ingested_at, read_waited_us

MINUTE_US = 60_000_000
AT = 1_772_416_800_000_000


class Clock:
    """A controller's clock, which a test sets."""

    def __init__(self, at: int = AT) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at


def test_each_sending_says_anew_how_long_events_have_been_here_by_then(tmp_path: Path) -> None:
    clock = Clock()
    with Outbox(tmp_path / "journal", TABLE, now=clock) as outbox:
        outbox.append(HeartbeatSent(), at=AT)
        clock.at += MINUTE_US
        outbox.append(HeartbeatSent(), at=AT)
        assert outbox.waits_us(1, 2) == [MINUTE_US, 0]
    with Outbox(tmp_path / "journal", TABLE, now=clock) as outbox:
        clock.at += MINUTE_US
        assert outbox.waits_us(1, 2) == [2 * MINUTE_US, MINUTE_US]
        assert outbox.waits_us(2, 1) == [MINUTE_US]
        clock.at = AT - MINUTE_US  # set back meanwhile: nothing waits for less than no time
        assert outbox.waits_us(1, 2) == [0, 0]


def test_of_events_that_an_earlier_client_wrote_nothing_is_claimed(tmp_path: Path) -> None:
    """Its journal has no times. A number that was lost is passed over, as in a batch."""
    clock = Clock(0)
    with Outbox(tmp_path / "journal", TABLE, now=clock) as outbox:
        outbox.append(HeartbeatSent(), at=AT)
        frame = outbox.event(1)
        clock.at = AT
        outbox.append_frame(4, frame)
        clock.at += MINUTE_US
        assert outbox.after(0, weight_max=1 << 30, overhead=0) == [frame, frame]
        assert outbox.waits_us(1, 2) == [0, MINUTE_US]


def test_after_ten_minutes_without_a_network_the_log_has_how_long_each_event_waited(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    gateway = make_gateway()
    clock = Clock()

    path = tmp_path / "journal"
    with Outbox(path, TABLE, now=clock) as outbox:
        for number in range(10):
            outbox.append(RoundOpened(f"R-{number}"), at=clock.at)
            clock.at += MINUTE_US
    gateway.start()

    async def scenario() -> None:
        async with running_reporter(
            gateway, path, open_outbox=partial(Outbox, now=clock)
        ) as reporter:
            await asyncio.wait_for(reporter.acknowledged(10), 30)
            last = reporter.report(RoundOpened("R-10"), at=clock.at)
            await asyncio.wait_for(reporter.acknowledged(last), 30)

    asyncio.run(scenario())
    messages = gateway.messages()
    waited = [read_waited_us(header(each, WAITED_US)) for each in messages]
    assert waited == [*(minutes * MINUTE_US for minutes in range(10, 0, -1)), 0]
    came = {read_ingested_at(header(each, INGESTED_AT)) for each in messages[:10]}
    assert len(came) == 1, "they came together: it is the wait alone that tells them apart"
