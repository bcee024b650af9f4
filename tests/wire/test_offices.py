"""What the offices entered, as surveillance reads it."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from alerting import office_facts
from alerting.office_facts import CouponEnd, PaperKind
from casino.accounting.v1 import cage_event_pb2 as cage
from casino.accounting.v1 import promotion_event_pb2 as desk
from casino.table.v1 import facts_money_pb2 as money
from casino.table.v1 import facts_promotion_pb2 as promotion
from wire.errors import NotARecord
from wire.office_facts import decode_cage_fact, decode_desk_fact

AT = Timestamp(seconds=1_772_416_800)
AT_US = 1_772_416_800_000_000


def of_desk(**fact: Any) -> office_facts.DeskFact | None:
    event = desk.PromotionEvent(event_id="e1", at=AT, gaming_day="2026-03-01", **fact)
    return decode_desk_fact(event.SerializeToString())


def of_cage(**fact: Any) -> office_facts.CageFact | None:
    event = cage.CageEvent(event_id="e1", at=AT, table_id="T-1", gaming_day="2026-03-01", **fact)
    return decode_cage_fact(event.SerializeToString())


def terms(limit: int) -> promotion.PromotionDefined:
    said = promotion.PromotionTerms(name="Match", patron_daily_limit=limit)
    return promotion.PromotionDefined(promotion="h", terms=said)


def test_one_coupon_or_a_range_of_them() -> None:
    one = desk.CouponsIssued(promotion="h", serial="A-7", patron="P-1")
    many = desk.CouponsIssued(promotion="h", serial="A-", count=3, first=9, digits=3)
    assert of_desk(coupons_issued=one) == office_facts.CouponsIssued(
        ("A-7",), "h", AT_US, "e1", "P-1"
    )
    issued = office_facts.CouponsIssued(("A-009", "A-010", "A-011"), "h", AT_US, "e1")
    assert of_desk(coupons_issued=many) == issued


def test_coupons_that_end() -> None:
    voided = desk.CouponsVoided(serials=["A", "B"], reason="lost")
    expired = desk.CouponsExpired(serials=["A"])
    redeemed = desk.CouponRedeemed(serial="A", patron="P-1", paid_cents=10_00)
    ended = office_facts.CouponsEnded(("A", "B"), CouponEnd.VOIDED, AT_US, "e1", "lost")
    assert of_desk(coupons_voided=voided) == ended
    ended = office_facts.CouponsEnded(("A",), CouponEnd.EXPIRED, AT_US, "e1")
    assert of_desk(coupons_expired=expired) == ended
    by_hand = office_facts.CouponRedeemed("A", AT_US, "e1", "", "P-1", 10_00)
    assert of_desk(coupon_redeemed=redeemed) == by_hand


def test_terms_are_told_for_their_limit_alone() -> None:
    assert of_desk(promotion_defined=terms(4)) == office_facts.PromotionLimited("h", 4, "Match")
    assert of_desk(promotion_defined=terms(0)) is None


def test_papers_of_the_cage() -> None:
    fill = money.FillIssued(slip="F-1", signers=["a", "b"])
    credit = money.CreditAccepted(slip="K-1", signers=["a"])
    closer = cage.InventoryCounted(kind=cage.INVENTORY_KIND_CLOSER, slip="C-1", signers=["a"])
    for kind, slip, signers, fact in (
        (PaperKind.FILL, "F-1", ("a", "b"), {"fill_issued": fill}),
        (PaperKind.CREDIT, "K-1", ("a",), {"credit_accepted": credit}),
        (PaperKind.CLOSER, "C-1", ("a",), {"inventory_counted": closer}),
    ):
        assert of_cage(**fact) == office_facts.PaperSigned(kind, slip, signers, AT_US, "e1", "T-1")
    voided = cage.SlipVoided(slip="F-2")
    explained = cage.SlipsExplained(series="F-", first=3, last=4)
    assert of_cage(slip_voided=voided) == office_facts.SlipVoided("F-2", AT_US, "e1")
    assert of_cage(slips_explained=explained) == office_facts.SlipsExplained(
        "F-", 3, 4, AT_US, "e1"
    )


def test_of_a_count_the_currency_is_what_was_sold_for() -> None:
    counts = [
        money.DropCount(kind="currency", denomination_cents=100_00, count=3),
        money.DropCount(kind="coupons", denomination_cents=10_00, count=9),
    ]
    counted = money.DropCounted(box="B-1", counts=counts)
    again = cage.DropRecounted(box="B-1", counts=counts[:1])
    first = office_facts.DropBoxCount("B-1", "T-1", 300_00, AT_US, "e1")
    assert of_cage(drop_counted=counted) == first
    second = office_facts.DropBoxCount("B-1", "T-1", 300_00, AT_US, "e1", again=True)
    assert of_cage(drop_recounted=again) == second


def test_chips_for_cash_and_what_is_of_no_use() -> None:
    redeemed = money.ChipsRedeemed(cents=50_00, patron="P-1")
    cash = office_facts.CageRedemption("P-1", 50_00, AT_US, "2026-03-01", "e1", "T-1")
    assert of_cage(chips_redeemed=redeemed) == cash
    unnamed = money.ChipsRedeemed(cents=50_00, seat=3, note="gray coat")
    cash = office_facts.CageRedemption("", 50_00, AT_US, "2026-03-01", "e1", "T-1", 3, "gray coat")
    assert of_cage(chips_redeemed=unnamed) == cash
    assert of_cage(day_opened=cage.DayOpened()) is None


@pytest.mark.parametrize("decode", [decode_cage_fact, decode_desk_fact])
@pytest.mark.parametrize("data", [b"\xff", b""])
def test_what_is_no_entry_is_refused(decode: Any, data: bytes) -> None:
    with pytest.raises(NotARecord):
        decode(data)


def test_more_coupons_than_are_issued_at_once_are_refused() -> None:
    with pytest.raises(NotARecord):
        of_desk(coupons_issued=desk.CouponsIssued(serial="A-", count=100_001, digits=6))
