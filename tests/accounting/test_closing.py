"""The gaming day: what must be so before it is closed, and what it takes afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import grpc
import pytest

from blackjack.facts import ChipsSold, DropBoxRemoved, FillReceived, TableClosed, TableOpened
from blackjack.facts.vocabulary import ChipCount
from blackjack.outcomes import Payment, Result
from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.cage_event_pb2 import (
    CageEvent,
    CloseOverride,
    DayReconciled,
    RoomProfileSet,
)
from casino.accounting.v1.promotion_event_pb2 import CouponsIssued, PromotionEvent
from casino.settlement.v1.settled_round_pb2 import (
    ROUND_STATUS_INCOMPLETE,
    ROUND_STATUS_SETTLED,
    SettledRound,
    WagerOutcome,
)
from casino.surveillance.v1.service_pb2 import UrgentAlert
from property_calendar.gaming_day import moment
from report_forms.open_items import describe_all
from tests.accounting.books import CALENDAR
from tests.accounting.facts import (
    AT,
    DAY,
    HOUR,
    SIGNERS,
    a_count,
    a_fill,
    a_recount,
    an_inventory,
    at,
    by_hand,
    cage_event,
    refusal,
)
from tests.accounting.house import House
from tests.accounting.surveillance import Surveillance, answering
from tests.stack.ports import own_port
from wire import topics
from wire.vocabulary import PAYMENT_NUMBERS, RESULT_NUMBERS

ZONE = ZoneInfo("America/Los_Angeles")
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
TABLE = "BJ-01"
NAMES = [
    "caught_up", "tables_closed", "tables_counted", "count_teams", "slips", "rounds", "alerts",
    "reconciled", "earlier_days",
]  # fmt: skip


@pytest.fixture
def watched(make_house: Callable[..., House]) -> Iterator[tuple[House, Surveillance]]:
    """A house whose surveillance answers."""
    port = own_port()
    house = make_house(ALERT_DESK_ADDRESS=f"127.0.0.1:{port}")
    house.start()
    with answering(house.folder, port) as surveillance:
        yield house, surveillance


def play(house: House, *, closes: bool = True) -> None:
    """A table that sold chips for $300, got a fill of $500 and is $20 short at the end."""
    chips = (ChipCount(100, 10_000),)
    facts: list[Any] = [
        TableOpened(chips, "O-1", ("D-1", "P-1")),
        ChipsSold(300_00),
        FillReceived("F-1", (ChipCount(100, 500),), SIGNERS),
        DropBoxRemoved("B-1", ("T-1", "P-1")),
    ]
    if closes:
        facts.append(TableClosed((ChipCount(100, 10_180),), "C-1", ("D-1", "P-1")))
    house.report(TABLE, AT, *facts)
    house.say_round(a_round("R-1"))
    house.caught_up()


def a_round(name: str, **said: Any) -> SettledRound:
    return SettledRound(
        round=name,
        **{
            "table_id": TABLE,
            "version": 1,
            "status": ROUND_STATUS_SETTLED,
            "opened_at": at(),
            "first_seq": 10,
            **said,
        },
    )


def count(house: House) -> None:
    house.record(a_fill(TABLE, "F-1", cents=500_00))
    house.record(a_count(TABLE, "B-1", hundreds=3))


def reconcile(house: House) -> None:
    said = cage_event(day_reconciled=DayReconciled(note="done"), gaming_day=DAY.isoformat())
    house.record(said, "accounting")


def look(house: House) -> pb.Day:
    answer: pb.GetDayResponse = house.call("GetDay", pb.GetDayRequest(gaming_day=DAY.isoformat()))
    return answer.day


def open_items(day: pb.Day) -> dict[str, list[str]]:
    """What keeps each check from being met, by the house's clock."""
    return {check.name: describe_all(check, ZONE) for check in day.checks if not check.met}


def close(house: House, override: CloseOverride | None = None, subject: str = "ada") -> pb.Day:
    request = pb.CloseDayRequest(gaming_day=DAY.isoformat(), override=override)
    answer: pb.CloseDayResponse = house.call("CloseDay", request, "accounting", subject=subject)
    return answer.day


def test_a_day_is_opened_counted_reconciled_and_closed(
    watched: tuple[House, Surveillance],
) -> None:
    house, surveillance = watched
    play(house, closes=False)
    day = look(house)
    assert day.state == pb.DAY_STATE_OPEN
    assert [check.name for check in day.checks] == NAMES
    assert open_items(day) == {
        "tables_closed": ["BJ-01: no closer"],
        "tables_counted": ["BJ-01: box B-1 not counted"],
        "slips": ["BJ-01: fill F-1 not entered by the cage"],
        "reconciled": ["not reconciled yet"],
    }
    begins_at, ends_at = CALENDAR.bounds(DAY)
    assert (day.begins_at, day.ends_at) == (at(begins_at), at(ends_at))
    (asked,) = surveillance.asked
    assert (getattr(asked, "from"), asked.until) == (at(begins_at), at(ends_at))

    house.record(an_inventory(TABLE, opens=False, cents=10_180_00, at=at(AT + HOUR)))
    count(house)
    assert look(house).state == pb.DAY_STATE_COUNTED
    with pytest.raises(grpc.aio.AioRpcError, match="reconciled") as refused:
        close(house)
    assert refused.value.code() is PRECONDITION
    reconcile(house)
    assert look(house).state == pb.DAY_STATE_RECONCILED
    day = close(house)
    assert (day.state, day.closed_by) == (pb.DAY_STATE_CLOSED, "ada")
    assert not day.HasField("override")


def test_a_count_team_that_breaks_the_rule_is_an_open_item(
    watched: tuple[House, Surveillance],
) -> None:
    house, _ = watched
    play(house)
    house.record(a_fill(TABLE, "F-1", cents=500_00))
    two = a_count(TABLE, "B-1", hundreds=3)
    del two.drop_counted.team[2:]
    short = "Count team of 2: at least 3 must count (WAC 230-15-610)"
    assert house.record(two).remarks == [short]
    reconcile(house)
    assert open_items(look(house)) == {"count_teams": [f"BJ-01: box B-1: {short}"]}
    with pytest.raises(grpc.aio.AioRpcError, match="count_teams"):
        close(house)

    def profile(from_day: str, *surveillance: str) -> CageEvent:
        said = RoomProfileSet(
            from_day=from_day, annual_receipts_cents=4_999_999_99, surveillance=surveillance
        )
        return cage_event(room_profile_set=said)

    with refusal("no_day", status=grpc.StatusCode.INVALID_ARGUMENT):
        house.record(profile("2026-13-01"), "accounting")
    house.record(profile((DAY + timedelta(days=1)).isoformat()), "accounting")
    assert "count_teams" in open_items(look(house)), "it holds from the next day on"
    house.record(profile(DAY.isoformat(), "T-2"), "accounting")
    spied = "T-2 is surveillance staff and may not count (WAC 230-15-610)"
    assert open_items(look(house)) == {"count_teams": [f"BJ-01: box B-1: {spied}"]}
    house.record(profile(DAY.isoformat()), "accounting")
    assert open_items(look(house)) == {}
    assert close(house).state == pb.DAY_STATE_CLOSED


def test_closing_writes_off_what_is_left_and_says_how_far_the_topics_were_read(
    watched: tuple[House, Surveillance],
) -> None:
    house, _ = watched
    play(house)
    count(house)
    reconcile(house)
    close(house)
    events = [
        CageEvent.FromString(message.value() or b"")
        for message in house.broker.read(house.topic(topics.CAGE_EVENTS))
    ]
    closed = events[-1].day_closed
    assert [(variance.account, variance.cents) for variance in closed.variances] == [
        ("tray/BJ-01", 20_00)
    ]
    positions = {
        (position.topic, position.partition): position.offset for position in closed.positions
    }
    assert positions[topics.CAGE_EVENTS, 0] == len(events)
    read = house.broker.read(house.topic(topics.TABLE_EVENTS))
    tables = [offset for (topic, _), offset in positions.items() if topic == topics.TABLE_EVENTS]
    assert sum(tables) == len(read)
    left = house.ask(
        "SELECT a.code, sum(CASE WHEN t.debit = a.id THEN t.cents ELSE -t.cents END)::bigint"
        " FROM transfers t JOIN accounts a ON a.id IN (t.debit, t.credit)"
        " WHERE a.kind IN ('tray', 'box', 'over_short') GROUP BY a.code ORDER BY a.code"
    )
    assert left == [("box/BJ-01", 0), ("over_short/BJ-01", 20_00), ("tray/BJ-01", 0)]
    assert look(house).adjustments == 0


def test_a_closed_day_takes_adjusting_entries_only(watched: tuple[House, Surveillance]) -> None:
    house, _ = watched
    play(house)
    count(house)
    reconcile(house)
    close(house)
    with refusal("day_closed", status=PRECONDITION):
        house.record(a_fill(TABLE, "F-2"))
    lines = (("over_short/BJ-01", -20_00), ("receivable/BJ-01", 20_00))
    with refusal("day_closed", status=PRECONDITION):
        house.record(by_hand(*lines))
    answer = house.record(by_hand(*lines, adjusting=True, reason="the dealer found it"))
    assert answer.entry.adjusting
    assert answer.entry.gaming_day == DAY.isoformat()
    late = PromotionEvent(coupons_issued=CouponsIssued(promotion="x", serial="y"), at=at())
    with refusal("day_closed", status=PRECONDITION):
        house.promote(late)
    # A round that comes late is posted all the same, as an adjustment.
    lost = WagerOutcome(
        seat=1,
        hand=1,
        wager="main",
        result=RESULT_NUMBERS[Result.LOST],
        payment=PAYMENT_NUMBERS[Payment.EXACT],
        stake_cents=10_00,
        taken_cents=10_00,
        collected_cents=10_00,
    )
    house.say_round(a_round("R-2", first_seq=20, outcomes=[lost]))
    house.caught_up()
    assert look(house).adjustments == 2
    # Also of tables from which nothing had come when the day was closed.
    for other in range(2, 8):
        house.say_round(a_round("R-1", table_id=f"BJ-0{other}", outcomes=[lost]))
    house.caught_up()
    assert look(house).adjustments == 8
    journal = pb.FindEntriesRequest(from_day=DAY.isoformat(), adjusting=True)
    assert len(house.call("FindEntries", journal).entries) == 8
    won = (("win/BJ-01/-/main", 10_00), ("payable/BJ-01", -10_00))
    answer = house.record(by_hand(*won, adjusting=True, reason="decided for the player"))
    assert [transfer.cents for transfer in answer.entry.transfers] == [10_00]
    with pytest.raises(grpc.aio.AioRpcError, match="already closed, by ada"):
        close(house, subject="grace")


def test_a_day_that_the_books_have_passed_takes_nothing(
    watched: tuple[House, Surveillance],
) -> None:
    house, _ = watched
    lines = (("cage_cash", 5_00), ("adjustment", -5_00))
    early = (DAY - timedelta(days=3)).isoformat()
    house.record(by_hand(*lines, gaming_day=early, reason="before any day was closed"))
    play(house)
    count(house)
    reconcile(house)
    close(house)
    passed = (DAY - timedelta(days=2)).isoformat()
    for adjusting in (False, True):
        with refusal("back_dated", status=PRECONDITION):
            house.record(by_hand(*lines, gaming_day=passed, adjusting=adjusting))
    late = PromotionEvent(coupons_issued=CouponsIssued(promotion="x", serial="y"), at=at())
    late.gaming_day = passed
    with refusal("back_dated", status=PRECONDITION):
        house.promote(late)
    # Of this one something is known; and after the closed day the books go on.
    house.record(by_hand(*lines, gaming_day=early))
    house.record(by_hand(*lines, gaming_day=(DAY + timedelta(days=1)).isoformat()))


@pytest.mark.parametrize("set_to", ["", DAY.isoformat()])
def test_nothing_is_entered_for_a_day_before_the_books_begin(
    make_house: Callable[..., House], set_to: str
) -> None:
    house = make_house(**({"BOOKS_BEGIN_ON": set_to} if set_to else {}))
    house.start()
    if not set_to:
        play(house)
    early = (DAY - timedelta(days=1)).isoformat()
    lines = (("cage_cash", 5_00), ("adjustment", -5_00))
    before = house.call("GetBalances", pb.GetBalancesRequest())
    issued = PromotionEvent(coupons_issued=CouponsIssued(promotion="x", serial="y"), at=at())
    issued.gaming_day = early
    for enter in (
        lambda: house.record(by_hand(*lines, gaming_day=early)),
        lambda: house.record(an_inventory("BJ-09", opens=True, cents=100_00, gaming_day=early)),
        lambda: house.promote(issued),
    ):
        with refusal("back_dated", status=PRECONDITION) as words:
            enter()
        assert f"the books begin on {DAY}" in words()
    closing = pb.CloseDayRequest(gaming_day=early)
    with pytest.raises(grpc.aio.AioRpcError, match=f"the books begin on {DAY}"):
        house.call("CloseDay", closing, "accounting")
    assert house.call("GetBalances", pb.GetBalancesRequest()) == before
    house.record(by_hand(*lines, gaming_day=DAY.isoformat()))


def test_books_with_nothing_in_them_begin_with_the_first_fact(
    make_house: Callable[..., House],
) -> None:
    house = make_house()
    house.start()
    lines = (("cage_cash", 5_00), ("adjustment", -5_00))
    house.record(by_hand(*lines, gaming_day=DAY.isoformat()))
    with refusal("back_dated", status=PRECONDITION):
        house.record(by_hand(*lines, gaming_day=(DAY - timedelta(days=1)).isoformat()))


def test_an_override_names_another_person_a_reason_and_exactly_the_unmet_checks(
    watched: tuple[House, Surveillance],
) -> None:
    house, surveillance = watched
    standing = UrgentAlert(id="A-17", kind="wager.pinch", table_id=TABLE, raised_at=at())
    elsewhere = UrgentAlert(id="A-18", kind="patron.excluded", raised_at=at())
    surveillance.open = [standing, elsewhere]
    play(house)
    count(house)
    reconcile(house)
    when = f"{moment(AT).astimezone(ZONE):%Y-%m-%d %H:%M:%S %Z}"
    assert open_items(look(house)) == {
        "alerts": [
            f"Pinch at BJ-01, {when}: open P1 alert A-17",
            f"Excluded patron, {when}: open P1 alert A-18",
        ]
    }
    good = CloseOverride(by="grace", reason="false alarm, seen on camera 4", checks=["alerts"])
    for wrong, words in (
        (None, "alerts"),
        (CloseOverride(by="ada", reason="x", checks=["alerts"]), "second approver"),
        (CloseOverride(by="", reason="x", checks=["alerts"]), "second approver"),
        (CloseOverride(by="grace", reason=" ", checks=["alerts"]), "needs a reason"),
        (CloseOverride(by="grace", reason="x", checks=[]), "exactly the checks"),
        (CloseOverride(by="grace", reason="x", checks=["alerts", "slips"]), "exactly the checks"),
    ):
        with pytest.raises(grpc.aio.AioRpcError, match=words) as refused:
            close(house, wrong)
        assert refused.value.code() is PRECONDITION
    surveillance.open = []
    with pytest.raises(grpc.aio.AioRpcError, match="not met: none"):
        close(house, good)
    surveillance.open = [standing]
    day = close(house, good)
    assert (day.closed_by, day.override) == ("ada", good)


def test_while_surveillance_does_not_answer_an_override_is_needed(
    make_house: Callable[..., House],
) -> None:
    house = make_house(ALERT_DESK_ADDRESS=f"127.0.0.1:{own_port()}")
    house.start()
    play(house)
    count(house)
    reconcile(house)
    (words,) = open_items(look(house))["alerts"]
    assert words.startswith("alert desk unavailable: ")
    override = CloseOverride(by="grace", reason="surveillance is away", checks=["alerts"])
    assert close(house, override).state == pb.DAY_STATE_CLOSED


def test_gaps_unresolved_rounds_recounts_and_earlier_days_hold_a_day_open(
    make_house: Callable[..., House],
) -> None:
    house = make_house(RECOUNT_REQUIRED="true")
    house.start()
    play(house)
    count(house)
    house.record(a_fill(TABLE, "F-4"))
    house.say_round(a_round("R-1", version=2, status=ROUND_STATUS_INCOMPLETE))
    house.say_round(a_round("R-0", opened_at=at(AT - 24 * HOUR), first_seq=3))
    house.caught_up()
    reconcile(house)
    assert open_items(look(house)) == {
        "tables_counted": ["BJ-01: box B-1 not recounted by a verifier"],
        "slips": [
            "slips F-2 to F-3 missing",
            "BJ-01: fill F-4 not reported by the table",
        ],
        "rounds": ["BJ-01, round R-1: incomplete"],
        "alerts": ["alert desk unavailable: ALERT_DESK_ADDRESS is not set"],
        "earlier_days": ["2026-02-28 is not closed"],
    }
    explained = CageEvent(at=at())
    explained.slips_explained.series = "F-"
    explained.slips_explained.first = 2
    explained.slips_explained.last = 3
    explained.slips_explained.reason = "torn out"
    house.record(explained, "accounting")
    house.report(TABLE, AT, FillReceived("F-4", (ChipCount(100, 500),), SIGNERS))
    house.say_round(a_round("R-1", version=3))
    house.caught_up()
    house.record(a_recount(TABLE, "B-1", hundreds=3))
    found = open_items(look(house))
    assert sorted(found) == ["alerts", "earlier_days", "reconciled"]
    assert found["reconciled"] == ["drop box counted after the reconciliation"]


def test_a_day_that_is_not_over_is_not_closed(shared: House) -> None:
    today = shared.call("GetStatus", pb.GetStatusRequest()).gaming_day
    assert shared.call("GetDay", pb.GetDayRequest()).day.gaming_day == today
    with pytest.raises(grpc.aio.AioRpcError, match="it is not over") as refused:
        shared.call("CloseDay", pb.CloseDayRequest(gaming_day=today))
    assert refused.value.code() is PRECONDITION
    for text in ("yesterday", "0001-01-01", "1969-12-31", "9999-12-31"):
        with pytest.raises(grpc.aio.AioRpcError, match="expected YYYY-MM-DD") as refused:
            shared.call("CloseDay", pb.CloseDayRequest(gaming_day=text))
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        with pytest.raises(grpc.aio.AioRpcError, match="expected YYYY-MM-DD") as refused:
            shared.call("GetDay", pb.GetDayRequest(gaming_day=text))
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_of_two_who_close_a_day_at_once_one_does(watched: tuple[House, Surveillance]) -> None:
    house, _ = watched
    play(house)
    count(house)
    reconcile(house)

    async def run() -> list[str]:
        async with house.stub() as stub:

            async def one() -> str:
                try:
                    await stub.CloseDay(pb.CloseDayRequest(gaming_day=DAY.isoformat()))
                except grpc.aio.AioRpcError as refused:
                    return refused.code().name
                return "closed"

            return list(await asyncio.gather(one(), one(), one()))

    assert sorted(asyncio.run(run())) == ["FAILED_PRECONDITION"] * 2 + ["closed"]
