"""Facts of the cage: entered once, posted before they are answered, refused with the reason."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import grpc
import pytest

from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.cage_event_pb2 import (
    CageEvent,
    DayReconciled,
    ErrorSlipWritten,
    SlipsExplained,
    SlipVoided,
)
from casino.table.v1.facts_money_pb2 import ChipsRedeemed, CreditAccepted
from runtime.kafka.records import header
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
    chips,
    pieces,
    refusal,
    work,
)
from tests.accounting.house import House
from tests.stack.service_house import eventually
from wire import headers, topics

INVALID = grpc.StatusCode.INVALID_ARGUMENT
EXISTS = grpc.StatusCode.ALREADY_EXISTS
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION


def moved(answer: pb.RecordResponse) -> set[tuple[str, str, int]]:
    return {
        (transfer.debit, transfer.credit, transfer.cents) for transfer in answer.entry.transfers
    }


# Every fact -----------------------------------------------------------------------------


def test_a_fill_is_in_the_log_and_posted_when_it_is_answered(shared: House, table: str) -> None:
    work(shared, table)
    answer = shared.record(a_fill(table, f"F-{table}-1", cents=500_00), "cage")
    assert answer.event.author == "ada"
    assert answer.event.gaming_day == DAY.isoformat()
    assert answer.event.event_id
    assert answer.event.recorded_at.seconds > AT // 1_000_000
    assert moved(answer) == {(f"transit/{table}", "cage_chips", 500_00)}
    assert (answer.entry.kind, answer.entry.author) == ("fill_issued", "ada")
    assert not answer.entry.adjusting
    assert answer.remarks == []
    values = [message.value() for message in shared.broker.read(shared.topic(topics.CAGE_EVENTS))]
    assert answer.event.SerializeToString(deterministic=True) in values


def test_a_credit_goes_into_the_cage(shared: House, table: str) -> None:
    work(shared, table)
    credit = CreditAccepted(slip=f"K-{table}-1", inventory=chips(300_00), signers=SIGNERS)
    answer = shared.record(cage_event(table, credit_accepted=credit), "accounting")
    assert moved(answer) == {("cage_chips", f"transit/{table}", 300_00)}


def test_chips_are_redeemed_for_cash(shared: House) -> None:
    redeemed = ChipsRedeemed(cents=250_00, patron="p-1")
    answer = shared.record(cage_event(chips_redeemed=redeemed), "cage")
    assert ("cage_chips", "cage_cash", 250_00) in moved(answer)
    assert answer.event.author == "ada"


def test_an_operator_enters_in_its_own_name(shared: House) -> None:
    redeemed = ChipsRedeemed(cents=100, patron="p-1")
    assert shared.record(cage_event(chips_redeemed=redeemed)).event.author == "operator/test"


def test_a_count_belongs_to_the_day_on_which_the_box_left_the_table(
    shared: House, table: str
) -> None:
    work(shared, table)
    answer = shared.record(a_count(table, f"B-{table}", at=at(AT + 20 * HOUR)), "cage")
    assert answer.event.gaming_day == DAY.isoformat()
    assert moved(answer) == {("cage_cash", f"box/{table}", 1_200_00)}


def test_a_recount_stands_in_the_place_of_the_count(shared: House, table: str) -> None:
    work(shared, table)
    shared.record(a_count(table, f"B-{table}", hundreds=12))
    answer = shared.record(a_recount(table, f"B-{table}", hundreds=11))
    assert answer.event.gaming_day == DAY.isoformat()
    assert moved(answer) == {(f"box/{table}", "cage_cash", 100_00)}
    assert answer.remarks == ["Recount differs by -$100.00: counted $1,200.00, recounted $1,100.00"]


def test_trays_that_a_table_does_not_report_are_entered_by_hand(shared: House, table: str) -> None:
    opened = shared.record(an_inventory(table, opens=True, cents=5_000_00))
    assert moved(opened) == {(f"tray/{table}", f"overnight/{table}", 5_000_00)}
    closed = shared.record(an_inventory(table, opens=False, cents=4_000_00, at=at(AT + HOUR)))
    assert moved(closed) == {(f"overnight/{table}", f"tray/{table}", 4_000_00)}


def test_slips_are_declared_void_and_gaps_explained(shared: House, table: str) -> None:
    work(shared, table)
    voided = SlipVoided(slip=f"F-{table}-9", reason="torn", signers=["C-1"])
    answer = shared.record(cage_event(table, slip_voided=voided), "cage")
    assert not answer.HasField("entry")
    explained = SlipsExplained(series=f"F-{table}-", first=3, last=4, reason="misprinted")
    assert shared.record(cage_event(slips_explained=explained), "accounting").event.event_id


def test_an_entry_by_hand_has_an_author_and_a_reason(shared: House, table: str) -> None:
    work(shared, table)
    entry = by_hand((f"over_short/{table}", 7_00), (f"tray/{table}", -7_00), reason="found a chip")
    answer = shared.record(entry, "accounting", subject="grace")
    assert moved(answer) == {(f"over_short/{table}", f"tray/{table}", 7_00)}
    assert (answer.entry.author, answer.entry.reason) == ("grace", "found a chip")
    assert not answer.remarks
    entry.entry_posted.round = f"R-{table}"
    assert shared.record(entry, "accounting").remarks == [
        f"Round R-{table} not found in the ledger"
    ]


def test_a_note_moves_no_money(shared: House) -> None:
    reconciled = DayReconciled(note="looked through")
    answer = shared.record(cage_event(day_reconciled=reconciled), "accounting")
    assert not answer.HasField("entry")


# Remarks --------------------------------------------------------------------------------


def test_missing_and_repeated_signers_are_remarks_and_not_refusals(
    shared: House, table: str
) -> None:
    work(shared, table)
    answer = shared.record(a_fill(table, f"F-{table}-2", signers=["C-1", "C-1", "D-1"]))
    assert answer.remarks == ["2 of 4 signatures", "C-1 signed more than once"]
    count = a_count(table, f"B-{table}")
    del count.drop_counted.team[1:]
    assert shared.record(count).remarks == [
        "Count team of 1: at least 3 must count (WAC 230-15-610)"
    ]
    answer = shared.record(a_recount(table, f"B-{table}", verifier="T-1"))
    assert answer.remarks == ["Verifier T-1 belongs to the count team"]


def test_an_opener_that_is_not_the_last_closer_asks_for_an_error_slip(
    shared: House, table: str
) -> None:
    work(shared, table, closer=10_000_00)
    next_day = AT + 24 * HOUR
    opener = an_inventory(table, opens=True, cents=9_700_00, at=at(next_day))
    assert shared.record(opener).remarks == [
        "Opener differs by -$300.00 from the last closer:"
        " opened with $9,700.00, closed with $10,000.00",
        "Error slip required",
        "Report $300.00 to the commission within 24 hours",
    ]
    slip = ErrorSlipWritten(
        slip=f"E-{table}",
        difference_cents=-300_00,
        reason="not known",
        signers=["D-1", "P-1", "G-1"],
    )
    answer = shared.record(cage_event(table, error_slip_written=slip, at=at(next_day)))
    assert answer.remarks == ["Report $300.00 to the commission within 24 hours"]


# The same again -------------------------------------------------------------------------


def test_the_same_event_again_answers_as_the_first_time(shared: House, table: str) -> None:
    work(shared, table)
    fill = a_fill(table, f"F-{table}-1", event_id=f"fill-{table}", signers=["C-1"])
    first = shared.record(fill)
    ends = len(shared.broker.read(shared.topic(topics.CAGE_EVENTS)))
    assert shared.record(fill) == first
    assert len(shared.broker.read(shared.topic(topics.CAGE_EVENTS))) == ends


def test_the_same_id_with_other_content_is_refused(shared: House, table: str) -> None:
    work(shared, table)
    shared.record(a_fill(table, f"F-{table}-1", event_id=f"fill-{table}"))
    with refusal("duplicate", status=EXISTS) as words:
        shared.record(a_fill(table, f"F-{table}-1", event_id=f"fill-{table}", cents=1_00))
    assert "with different content" in words()


def test_of_two_that_contradict_each_other_one_is_entered(shared: House, table: str) -> None:
    work(shared, table)
    events = [a_fill(table, f"F-{table}-1", cents=cents * 100) for cents in range(1, 7)]

    async def enter(stub: Any, event: CageEvent) -> str:
        try:
            await stub.Record(pb.RecordRequest(event=event))
        except grpc.aio.AioRpcError as refused:
            return refused.code().name
        return "entered"

    async def run() -> list[str]:
        async with shared.stub() as stub:
            return await asyncio.gather(*(enter(stub, event) for event in events))

    answers = asyncio.run(run())
    assert sorted(answers) == ["ALREADY_EXISTS"] * 5 + ["entered"]
    values = [
        message.value() or b"" for message in shared.broker.read(shared.topic(topics.CAGE_EVENTS))
    ]
    fills = [CageEvent.FromString(value).fill_issued.slip for value in values]
    assert fills.count(f"F-{table}-1") == 1


def test_two_instances_enter_one_after_the_other(shared: House, table: str) -> None:
    work(shared, table)
    other = House(shared.folder, shared.broker, shared.database)
    other.start()
    try:

        async def enter(house: House, cents: int) -> str:
            async with house.stub() as stub:
                event = a_fill(table, f"F-{table}-1", cents=cents)
                try:
                    await stub.Record(pb.RecordRequest(event=event))
                except grpc.aio.AioRpcError as refused:
                    return refused.code().name
            return "entered"

        async def run() -> list[str]:
            return await asyncio.gather(
                *(enter(house, cents) for house in (shared, other) for cents in (100, 200))
            )

        assert sorted(asyncio.run(run())) == ["ALREADY_EXISTS"] * 3 + ["entered"]
    finally:
        other.kill()


# Bad input ------------------------------------------------------------------------------


def tomorrow() -> str:
    return (date.today() + timedelta(days=3)).isoformat()


LARGE = 10**15 + 100
BAD: list[tuple[str, grpc.StatusCode, Callable[[str], CageEvent]]] = [
    ("unbalanced", INVALID, lambda t: by_hand((f"tray/{t}", 100), ("cage_cash", -99))),
    ("unbalanced", INVALID, lambda t: by_hand((f"tray/{t}", 100))),
    ("no_account", INVALID, lambda _: by_hand(("petty cash", 100), ("cage_cash", -100))),
    ("unknown_table", PRECONDITION, lambda _: by_hand(("tray/NO", 100), ("cage_cash", -100))),
    ("unknown", PRECONDITION, lambda t: by_hand(
        (f"win/{t}/skweezit/mian", 100), ("cage_cash", -100)
    )),
    ("unknown", PRECONDITION, lambda t: by_hand(
        (f"promotion_expense/nobody's/{t}", 100), ("cage_cash", -100)
    )),
    ("overflow", INVALID, lambda t: by_hand((f"tray/{t}", LARGE), ("cage_cash", -LARGE))),
    ("no_reason", INVALID, lambda t: by_hand((f"tray/{t}", 1), ("cage_cash", -1), reason=" ")),
    ("currency", INVALID, lambda t: by_hand((f"tray/{t}", 1), ("cage_cash", -1), currency="EUR")),
    ("day_open", PRECONDITION, lambda t: by_hand(
        (f"tray/{t}", 1), ("cage_cash", -1), adjusting=True
    )),
    ("future", INVALID, lambda t: a_fill(t, "F-1", gaming_day=tomorrow())),
    ("future", INVALID, lambda t: a_fill(t, "F-1", at=at((int(time.time()) + 600) * 10**6))),
    ("back_dated", PRECONDITION, lambda t: by_hand(
        (f"tray/{t}", 1), ("cage_cash", -1), gaming_day="1970-01-01"
    )),
    ("back_dated", PRECONDITION, lambda t: a_fill(t, "F-1", gaming_day="1970-01-01")),
    ("back_dated", PRECONDITION, lambda t: a_count(t, f"B-{t}", gaming_day="1999-12-31")),
    ("no_day", INVALID, lambda t: a_fill(t, "F-1", gaming_day="1 March")),
    ("no_day", INVALID, lambda t: a_fill(t, "F-1", gaming_day="0001-01-01")),
    ("no_day", INVALID, lambda t: a_fill(t, "F-1", at=at(10**6))),
    ("amount", INVALID, lambda t: by_hand((f"tray/{t}", 0), ("cage_cash", 0))),
    ("amount", INVALID, lambda t: cage_event(t, error_slip_written=ErrorSlipWritten(
        slip="E-1", difference_cents=-(2**63), reason="x"
    ))),
    ("amount", INVALID, lambda t: a_fill(t, "F-1", cents=0)),
    ("amount", INVALID, lambda t: a_fill(t, "F-1", cents=LARGE)),
    ("no_number", INVALID, lambda t: a_fill(t, "")),
    ("no_table", INVALID, lambda _: a_fill("", "F-1")),
    ("unknown_table", PRECONDITION, lambda _: a_fill("NO-1", "F-1")),
    ("unknown_table", PRECONDITION, lambda _: a_count("NO-1", "B-1")),
    ("not_counted", PRECONDITION, lambda t: a_recount(t, "B-unseen")),
    ("duplicate", EXISTS, lambda t: an_inventory(t, opens=False, cents=100_00)),
    ("unreadable", INVALID, lambda _: cage_event()),
    ("unreadable", INVALID, lambda t: a_fill(t, "F-\0")),
    ("unreadable", INVALID, lambda t: a_fill(t, "F" * 301)),
    ("not_here", INVALID, lambda _: cage_event(day_closed={})),
    ("no_number", INVALID, lambda _: cage_event(
        slips_explained=SlipsExplained(series="F-", first=4, last=3, reason="x")
    )),
    ("no_reason", INVALID, lambda t: cage_event(t, slip_voided=SlipVoided(slip="F-77"))),
]  # fmt: skip


@pytest.mark.parametrize(("code", "status", "make"), BAD)
def test_bad_input_is_refused_with_a_reason_recorded_and_not_appended(
    shared: House, table: str, code: str, status: grpc.StatusCode, make: Callable[[str], CageEvent]
) -> None:
    work(shared, table)
    before = len(shared.broker.read(shared.topic(topics.CAGE_EVENTS)))
    event = make(table)
    with refusal(code, status=status) as words:
        shared.record(event, "accounting", subject=f"by-{table}")
    assert len(shared.broker.read(shared.topic(topics.CAGE_EVENTS))) == before
    letter = shared.broker.read(shared.topic(topics.DEAD_LETTERS))[-1]
    assert header(letter, headers.CODE) == code.encode()
    assert (header(letter, headers.REASON) or b"").decode() in words()
    assert header(letter, headers.PEER) == b"service/console"
    assert letter.value() == event.SerializeToString(deterministic=True)

    def listed() -> bool:
        found = shared.call("FindRefusals", pb.FindRefusalsRequest(code=code))
        return any(
            rejection.author == f"by-{table}" and rejection.reason in words()
            for rejection in found.refusals
        )

    eventually(listed)


def test_a_slip_a_box_and_a_closer_are_entered_once(shared: House, table: str) -> None:
    work(shared, table)
    shared.record(a_fill(table, "F-1"))
    with refusal("duplicate", status=EXISTS):
        shared.record(a_fill(table, "F-1"))
    shared.record(a_count(table, f"B-{table}"))
    with refusal("duplicate", status=EXISTS):
        shared.record(a_count(table, f"B-{table}", hundreds=3))
    shared.record(an_inventory(f"{table}-x", opens=True, cents=100_00))
    shared.record(an_inventory(f"{table}-x", opens=False, cents=100_00))
    with refusal("duplicate", status=EXISTS):
        shared.record(an_inventory(f"{table}-x", opens=False, cents=200_00))


def test_a_count_holds_only_what_a_box_can_hold(shared: House, table: str) -> None:
    work(shared, table)
    for bad in (("jewels", 100, 1), ("currency", -100, 1), ("currency", 100, -1)):
        count = a_count(table, f"B-{table}")
        count.drop_counted.counts.extend(pieces(bad))
        with refusal("amount", status=INVALID):
            shared.record(count)


def test_what_posting_refuses_is_told_with_its_code(shared: House, table: str) -> None:
    """Somebody else wrote to the topic, past the lock: the ledger's verdict is the one told."""
    work(shared, table)
    foreign = a_fill(table, f"F-{table}-1", event_id=f"f-{table}", gaming_day=DAY.isoformat())
    foreign.recorded_at.CopyFrom(foreign.at)
    data = foreign.SerializeToString()
    foreign.author = "somebody else"
    other = foreign.SerializeToString()
    # The same bytes again are a copy, which is ignored; others under the same id are refused.
    shared.broker.write(shared.topic(topics.CAGE_EVENTS), [data, data, other])
    shared.caught_up()
    found = shared.call("FindRefusals", pb.FindRefusalsRequest(code="duplicate"))
    told = [
        rejection
        for rejection in found.refusals
        if f"f-{table} was entered before" in rejection.reason
    ]
    assert len(told) == 1
    with refusal("duplicate", status=EXISTS):
        shared.record(a_fill(table, f"F-{table}-1"))


def test_refusals_are_shown_page_by_page_the_newest_first(shared: House) -> None:
    for number in range(3):
        with refusal("no_table"):
            shared.record(a_fill("", f"F-{number}"))
    shared.caught_up()
    request = pb.FindRefusalsRequest(code="no_table", page_size=2)
    first = shared.call("FindRefusals", request)
    assert len(first.refusals) == 2
    assert first.refusals[0].at.ToMicroseconds() >= first.refusals[1].at.ToMicroseconds()
    request.page_token = first.next_page_token
    second = shared.call("FindRefusals", request)
    offsets = [rejection.source.offset for rejection in (*first.refusals, *second.refusals)]
    assert offsets == sorted(offsets, reverse=True)
    request.code = "another"
    with pytest.raises(grpc.aio.AioRpcError, match="belongs to another query"):
        shared.call("FindRefusals", request)
