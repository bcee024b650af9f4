"""Promotions: terms published, coupons issued, voided, redeemed and expired, each once."""

from __future__ import annotations

import time
from typing import Any

import grpc
import pytest

from blackjack.outcomes import Payment, Result
from blackjack.rulebook.promotions import PromotionKind, Terms
from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.promotion_event_pb2 import (
    CouponRedeemed,
    CouponsExpired,
    CouponsIssued,
    CouponsVoided,
    PromotionEvent,
)
from casino.settlement.v1.settled_round_pb2 import ROUND_STATUS_SETTLED, SettledRound, WagerOutcome
from casino.table.v1.facts_promotion_pb2 import PromotionDefined
from tests.accounting.facts import AT, HOUR, at, refusal, work
from tests.accounting.house import House
from wire import topics
from wire.catalogue import decode_terms, promotion_key
from wire.promotions import write_terms
from wire.vocabulary import PAYMENT_NUMBERS, RESULT_NUMBERS

EXISTS = grpc.StatusCode.ALREADY_EXISTS
PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
INVALID = grpc.StatusCode.INVALID_ARGUMENT


def terms_of(name: str, **said: Any) -> Terms:
    return Terms(name, PromotionKind.MATCH_PLAY, 25_00, **said)


def event(**said: Any) -> PromotionEvent:
    return PromotionEvent(**{"at": at(), **said})


def define(house: House, name: str, **said: Any) -> Terms:
    terms = terms_of(name, **said)
    house.promote(event(promotion_defined=PromotionDefined(terms=write_terms(terms))), "accounting")
    return terms


def issue(terms: Terms, serial: str, **said: Any) -> PromotionEvent:
    more = {key: said.pop(key) for key in ("at", "event_id") if key in said}
    return event(coupons_issued=CouponsIssued(promotion=terms.hash, serial=serial, **said), **more)


def redeem(serial: str, **said: Any) -> PromotionEvent:
    return event(coupon_redeemed=CouponRedeemed(serial=serial, **said), at=at(AT + HOUR))


def spend(house: House, table: str, serial: str, terms: Terms, *, round_: str = "R-1") -> None:
    """A table takes the coupon and pays on it."""
    house.say_round(
        SettledRound(
            table_id=table,
            round=round_,
            version=1,
            status=ROUND_STATUS_SETTLED,
            first_seq=50,
            opened_at=at(AT + HOUR),
            outcomes=[
                WagerOutcome(
                    seat=1,
                    hand=1,
                    wager="main",
                    result=RESULT_NUMBERS[Result.WON],
                    payment=PAYMENT_NUMBERS[Payment.EXACT],
                    stake_cents=25_00,
                    owed_cents=50_00,
                    paid_cents=50_00,
                    coupon=serial,
                    coupon_promotion=terms.hash,
                    coupon_cents=25_00,
                    coupon_owed_cents=25_00,
                    coupon_spent=True,
                )
            ],
        )
    )
    house.caught_up()


def test_terms_are_published_for_settlement_too(shared: House, table: str) -> None:
    terms = terms_of(f"match {table}")
    defined = event(promotion_defined=PromotionDefined(terms=write_terms(terms)))
    answer = shared.promote(defined, "accounting")
    assert answer.event.promotion_defined.promotion == terms.hash
    published = {
        message.key(): message.value()
        for message in shared.broker.read(shared.topic(topics.CATALOGUE))
    }
    key = promotion_key(terms.hash)
    assert decode_terms(key, published[key] or b"") == terms
    listed = shared.call("ListPromotions", pb.ListPromotionsRequest())
    found = next(promotion for promotion in listed.promotions if promotion.promotion == terms.hash)
    assert found.terms == write_terms(terms)
    assert found.published_at == at()
    assert found.outstanding == 0


def test_a_coupon_has_its_face_value_until_it_ends(shared: House, table: str) -> None:
    terms = define(shared, f"match {table}")
    answer = shared.promote(issue(terms, f"{table}-1", patron="p-1"))
    (moved,) = answer.entry.transfers
    assert (moved.debit, moved.cents) == (f"promotion_deferred/{terms.hash}", 25_00)
    assert answer.event.coupons_issued.face_cents == 25_00
    voided = CouponsVoided(serials=[f"{table}-1"], reason="misprint")
    answer = shared.promote(event(coupons_voided=voided))
    (moved,) = answer.entry.transfers
    assert (moved.credit, moved.cents) == (f"promotion_deferred/{terms.hash}", 25_00)


def test_a_range_is_issued_at_once_and_counted_as_outstanding(shared: House, table: str) -> None:
    terms = define(shared, f"match {table}")
    batch = issue(terms, f"{table}-", count=1_000, first=1, digits=4)
    answer = shared.promote(batch)
    assert answer.entry.transfers[0].cents == 25_000_00
    shared.promote(event(coupons_voided=CouponsVoided(serials=[f"{table}-0007"], reason="torn")))
    listed = shared.call("ListPromotions", pb.ListPromotionsRequest())
    found = next(promotion for promotion in listed.promotions if promotion.promotion == terms.hash)
    assert (found.outstanding, found.outstanding_cents) == (999, 24_975_00)
    with refusal("duplicate", status=EXISTS):
        shared.promote(issue(terms, f"{table}-0500"))
    with refusal("no_number", status=INVALID):
        shared.promote(issue(terms, f"{table}-", count=10, first=9_995, digits=4))
    with refusal("too_many", status=INVALID):
        shared.promote(issue(terms, f"{table}+", count=100_001, digits=7))


def test_the_same_issue_again_answers_as_the_first_time(shared: House, table: str) -> None:
    terms = define(shared, f"match {table}")
    issued = issue(terms, f"{table}-1", event_id=f"issue-{table}")
    first = shared.promote(issued)
    assert shared.promote(issued) == first
    with refusal("duplicate", status=EXISTS):
        shared.promote(issue(terms, f"{table}-2", event_id=f"issue-{table}"))


def test_a_coupon_is_redeemed_once(shared: House, table: str) -> None:
    work(shared, table)
    terms = define(shared, f"match {table}")
    shared.promote(issue(terms, f"{table}-1"))
    answer = shared.promote(redeem(f"{table}-1", table_id=table, paid_cents=25_00))
    assert ("cage_cash", 25_00) in {
        (transfer.credit, transfer.cents) for transfer in answer.entry.transfers
    }
    with refusal("duplicate", status=EXISTS) as words:
        shared.promote(redeem(f"{table}-1", paid_cents=25_00))
    assert "is already redeemed" in words()


def test_a_coupon_that_a_table_took_is_neither_redeemed_nor_voided_again(
    shared: House, table: str
) -> None:
    terms = define(shared, f"match {table}")
    shared.promote(issue(terms, f"{table}-1", patron="p-1"))
    spend(shared, table, f"{table}-1", terms)
    with refusal("duplicate", status=EXISTS) as words:
        shared.promote(redeem(f"{table}-1", paid_cents=25_00))
    assert f"was already redeemed: {table}, round R-1" in words()
    with refusal("duplicate", status=EXISTS):
        shared.promote(event(coupons_voided=CouponsVoided(serials=[f"{table}-1"], reason="x")))


def test_unknown_coupons_and_promotions_and_terms_that_ran_out_are_refused(
    shared: House, table: str
) -> None:
    with refusal("no_number", status=INVALID):
        shared.promote(redeem(""))
    with refusal("terms", status=INVALID):
        shared.promote(event(coupons_issued=CouponsIssued(serial=f"{table}-0")))
    with refusal("unknown", status=PRECONDITION):
        shared.promote(redeem("nobody's"))
    with refusal("unknown", status=PRECONDITION):
        shared.promote(issue(terms_of(f"never defined {table}"), f"{table}-1"))
    over = define(shared, f"over {table}", valid_until=AT - HOUR)
    with refusal("expired", status=PRECONDITION):
        shared.promote(issue(over, f"{table}-1"))
    soon = define(shared, f"soon {table}", valid_until=AT + HOUR // 2)
    shared.promote(issue(soon, f"{table}-2"))
    with refusal("expired", status=PRECONDITION):
        shared.promote(redeem(f"{table}-2"))
    bound = define(shared, f"bound {table}", patron_bound=True)
    with refusal("no_patron", status=INVALID):
        shared.promote(issue(bound, f"{table}-3"))
    shared.promote(issue(bound, f"{table}-3", patron="p-1"))
    with refusal("not_theirs", status=PRECONDITION):
        shared.promote(redeem(f"{table}-3", patron="p-2"))
    with refusal("unknown_table", status=PRECONDITION):
        shared.promote(redeem(f"{table}-3", patron="p-1", table_id="NO-1"))
    bad = write_terms(terms_of(f"bad {table}"))
    bad.face_cents = -5
    with refusal("terms", status=INVALID):
        shared.promote(event(promotion_defined=PromotionDefined(terms=bad)))
    with refusal("future", status=INVALID):
        shared.promote(issue(bound, f"{table}-4", at=at((int(time.time()) + 600) * 10**6)))
    with refusal("not_expired", status=PRECONDITION):
        shared.promote(event(coupons_expired=CouponsExpired(serials=[f"{table}-3"])))


def test_coupons_that_ran_out_are_declared_expired_once(shared: House, table: str) -> None:
    soon = define(shared, f"soon {table}", valid_until=AT + HOUR)
    ever = define(shared, f"ever {table}")
    shared.promote(issue(soon, f"{table}-a"))
    shared.promote(issue(ever, f"{table}-b", expires_at=at(AT + HOUR)))
    shared.promote(issue(ever, f"{table}-c"))
    shared.promote(issue(soon, f"{table}-d"))
    spend(shared, table, f"{table}-d", soon)
    shared.call("ExpireCoupons", pb.ExpireCouponsRequest(as_of=at(AT + HOUR // 2)))
    assert shared.ask("SELECT serial FROM coupon_ends WHERE serial ^@ %s", table) == []
    answer = shared.call("ExpireCoupons", pb.ExpireCouponsRequest(as_of=at(AT + 2 * HOUR)))
    assert answer.coupons >= 2
    found = shared.ask("SELECT serial, what FROM coupon_ends WHERE serial ^@ %s ORDER BY 1", table)
    assert found == [(f"{table}-a", "expired"), (f"{table}-b", "expired")]
    assert shared.call("ExpireCoupons", pb.ExpireCouponsRequest(as_of=at(AT + 2 * HOUR))) == (
        pb.ExpireCouponsResponse()
    )
    with pytest.raises(grpc.aio.AioRpcError, match="in the future"):
        shared.call(
            "ExpireCoupons",
            pb.ExpireCouponsRequest(as_of=at((int(time.time()) + 9_999) * 10**6)),
        )


def test_a_coupon_is_told_from_its_issue_to_its_end_with_what_is_wrong(
    shared: House, table: str
) -> None:
    terms = define(shared, f"match {table}")
    serial = f"{table}-1"
    shared.promote(issue(terms, serial, patron="p-1"), "accounting")
    spend(shared, table, serial, terms, round_="R-1")
    spend(shared, table, serial, terms, round_="R-2")
    told = shared.call("GetCoupon", pb.GetCouponRequest(serial=serial))
    assert (told.promotion_name, told.face_cents) == (f"match {table}", 25_00)
    assert [(step.what, step.round) for step in told.steps] == [
        ("issued", ""),
        ("redeemed", "R-1"),
        ("redeemed", "R-2"),
    ]
    assert told.steps[0].words == "by ada"
    assert told.steps[1].paid_cents == 25_00
    assert list(told.problems) == [
        "Redeemed 2 times",
        "Redeemed at a table, but not dropped",
    ]
    spend(shared, table, f"{table}-x", terms, round_="R-3")
    told = shared.call("GetCoupon", pb.GetCouponRequest(serial=f"{table}-x"))
    assert told.problems[0] == "Never issued"
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        shared.call("GetCoupon", pb.GetCouponRequest(serial="nobody's"))
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND
