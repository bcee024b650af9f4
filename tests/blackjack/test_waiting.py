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


def after_an_outage(events: list[Event], *, minutes: int, told: bool) -> list[Event]:
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
        sent.append(replace(event, ingested_at=came_at, waited_us=late if told else 0))
    return sent


def folded(events: list[Event]) -> dict[str, list[Step]]:
    tables = sorted({event.table for event in events})
    return {
        table: fold(Table.new(table), [each for each in events if each.table == table])[1]
        for table in tables
    }


def skews(steps: dict[str, list[Step]]) -> int:
    return sum(
        found.kind is Kind.CLOCK_SKEW
        for each in steps.values()
        for step in each
        for found in step.findings
    )


def test_a_day_with_ten_minutes_without_a_network_settles_as_if_there_had_been_none() -> None:
    late = after_an_outage(DAY, minutes=10, told=True)
    assert max(each.waited_us for each in late) > 9 * MINUTE_US
    assert folded(late) == folded(DAY)


def test_where_nobody_says_that_events_waited_their_clocks_are_found_to_be_behind() -> None:
    assert skews(folded(after_an_outage(DAY, minutes=10, told=False))) >= 2


@pytest.mark.parametrize("minutes", [-5, 5])
def test_a_clock_that_is_five_minutes_off_is_found_whether_or_not_its_events_waited(
    minutes: int,
) -> None:
    late = after_an_outage(DAY, minutes=10, told=True)
    off = [replace(each, at=each.at + minutes * MINUTE_US) for each in late]
    assert skews(folded(off)) >= 2


def test_of_an_event_that_waited_with_a_wrong_clock_the_gateway_says_when_it_happened() -> None:
    wrong = Event("T1", 1, AT, HeartbeatSent(), ingested_at=AT + MINUTE_US, waited_us=20_000_000)
    assert skew_us(wrong) == -40_000_000
    assert moment(wrong) == AT + 40_000_000
    right = replace(wrong, waited_us=MINUTE_US)
    assert (skew_us(right), moment(right)) == (0, AT)
    assert moment(replace(wrong, ingested_at=0, waited_us=0)) == AT
