"""Times that no clock in order says, in the log and in headers: what counts instead of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import Event, RoundOpened
from blackjack.findings import Kind
from blackjack.play.clock import (
    VALID_SINCE,
    VALID_UNTIL,
    is_valid_time,
    moment,
    nearest_valid,
    skew_us,
)
from blackjack.play.table import Table, fold
from tests.strategies import TIME_MAX
from wire.events import decode_event, encode_event
from wire.headers import read_ingested_at

AT = 1_772_416_800_000_000
invalid = st.integers(1_000_000, VALID_SINCE - 1) | st.integers(VALID_UNTIL, TIME_MAX)
valid = st.integers(VALID_SINCE, VALID_UNTIL - 1)


def event(at: int) -> bytes:
    return encode_event(Event("T-1", 1, at, RoundOpened("R-1")))


@given(invalid, valid, st.integers(0, 2**63))
def test_an_event_at_no_valid_time_counts_at_its_ingest(at: int, came: int, waited: int) -> None:
    decoded = decode_event(event(at), ingested_at=came, waited_us=waited)
    assert decoded.claimed_at == at
    assert is_valid_time(decoded.at)
    assert is_valid_time(moment(decoded))
    assert decoded.at == came - decoded.waited_us
    assert skew_us(decoded) == at - decoded.at
    assert encode_event(decoded) == event(at)


@given(invalid)
def test_without_an_ingest_the_nearest_valid_time_counts(at: int) -> None:
    decoded = decode_event(event(at))
    assert (decoded.at, decoded.claimed_at) == (nearest_valid(at), at)


@given(valid, valid, st.integers(0, 2**63))
def test_a_valid_time_stays_and_every_moment_is_valid(at: int, came: int, waited: int) -> None:
    decoded = decode_event(event(at), ingested_at=came, waited_us=waited)
    assert (decoded.at, decoded.claimed_at) == (at, 0)
    assert is_valid_time(moment(decoded))


def test_the_clock_is_reported_and_the_finding_is_dated_by_the_gateway() -> None:
    decoded = decode_event(event(TIME_MAX), ingested_at=AT)
    _, steps = fold(Table.new("T-1"), [decoded])
    skews = [
        finding for step in steps for finding in step.findings if finding.kind is Kind.CLOCK_SKEW
    ]
    assert [skew.at for skew in skews] == [AT]


@given(st.integers(0, 10**18 - 1))
def test_a_header_that_tells_no_valid_time_tells_none(at: int) -> None:
    assert read_ingested_at(b"%d" % at) == (at if is_valid_time(at) else 0)
