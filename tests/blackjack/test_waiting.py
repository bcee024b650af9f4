"""A network that was down is no clock that is wrong, and does not hide one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from blackjack.facts import Event, HeartbeatSent
from blackjack.findings import Kind
from blackjack.outcomes import Step
from blackjack.play.clock import moment, skew_us
from blackjack.play.table import Table, fold
from table_simulator.days.randomness import play_day

MINUTE_US = 60_000_000
AT = 1_772_416_800_000_000
DAY = play_day(seed=11, tables=5, rounds=12)


def after_an_outage(events: list[Event], *, minutes: int, reported: bool) -> list[Event]:
    """The same events, those in the middle of the day sent only once the network is there again."""
    begin = events[len(events) // 3].at
    end = begin + minutes * MINUTE_US
    sent = []
    for event in events:
        if not event.ingested_at:  # some tables of a simulated day pass no gateway
            sent.append(event)
            continue
        late = max(end - event.at, 0) if event.at >= begin else 0
        came_at = event.ingested_at + late
        sent.append(replace(event, ingested_at=came_at, waited_us=late if reported else 0))
    return sent


def folded(events: list[Event]) -> dict[str, list[Step]]:
    tables = sorted({event.table for event in events})
    return {
        table: fold(Table.new(table), [event for event in events if event.table == table])[1]
        for table in tables
    }


def skews(steps: dict[str, list[Step]]) -> int:
    return sum(
        found.kind is Kind.CLOCK_SKEW
        for table_steps in steps.values()
        for step in table_steps
        for found in step.findings
    )


def test_a_day_with_ten_minutes_without_a_network_settles_as_if_there_had_been_none() -> None:
    late = after_an_outage(DAY, minutes=10, reported=True)
    assert max(finding.waited_us for finding in late) > 9 * MINUTE_US
    assert folded(late) == folded(DAY)


def test_clocks_of_waiting_events_are_behind_where_no_wait_is_reported() -> None:
    assert skews(folded(after_an_outage(DAY, minutes=10, reported=False))) >= 2


@pytest.mark.parametrize("minutes", [-5, 5])
def test_a_clock_that_is_five_minutes_off_is_found_whether_or_not_its_events_waited(
    minutes: int,
) -> None:
    late = after_an_outage(DAY, minutes=10, reported=True)
    off = [replace(finding, at=finding.at + minutes * MINUTE_US) for finding in late]
    assert skews(folded(off)) >= 2


def test_the_gateway_dates_an_event_that_waited_with_a_wrong_clock() -> None:
    wrong = Event("T1", 1, AT, HeartbeatSent(), ingested_at=AT + MINUTE_US, waited_us=20_000_000)
    assert skew_us(wrong) == -40_000_000
    assert moment(wrong) == AT + 40_000_000
    right = replace(wrong, waited_us=MINUTE_US)
    assert (skew_us(right), moment(right)) == (0, AT)
    assert moment(replace(wrong, ingested_at=0, waited_us=0)) == AT
