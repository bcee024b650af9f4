"""Entries of the cage and the promotions desk of a simulated day, in accounting's messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from google.protobuf.timestamp_pb2 import Timestamp

from blackjack.facts import (
    ChipsRedeemed,
    CouponIssued,
    CouponVoided,
    CreditAccepted,
    DropCounted,
    FillIssued,
    PromotionDefined,
)
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.table.v1 import facts_money_pb2, facts_table_pb2
from table_simulator.domain.back_office import OfficeEntry
from wire.promotions import write_terms
from wire.vocabulary import write_time

AUTHOR = "simulator"


def cage_events(notes: Iterable[OfficeEntry], *, floor: str) -> Iterator[CageEvent]:
    """Gaming days are left to the service."""
    for number, note in enumerate(notes, 1):
        event = CageEvent(
            event_id=f"{floor}cage-{number}",
            at=_time(note.at),
            recorded_at=_time(note.at),
            author=AUTHOR,
            table_id=note.table,
        )
        fact = note.fact
        match fact:
            case FillIssued() | CreditAccepted():
                filled = isinstance(fact, FillIssued)
                slip = event.fill_issued if filled else event.credit_accepted
                slip.slip = fact.slip
                slip.signers.extend(fact.signers)
                slip.inventory.extend(
                    facts_table_pb2.ChipCount(
                        denomination_cents=chips.denomination_cents, count=chips.count
                    )
                    for chips in fact.inventory
                )
            case DropCounted():
                event.drop_counted.box = fact.box
                event.drop_counted.team.extend(fact.team)
                event.drop_counted.counts.extend(
                    facts_money_pb2.DropCount(
                        kind=count.kind,
                        denomination_cents=count.denomination_cents,
                        count=count.count,
                    )
                    for count in fact.counts
                )
            case ChipsRedeemed():
                event.chips_redeemed.cents = fact.cents
                event.chips_redeemed.patron = fact.patron
                event.chips_redeemed.seat = fact.seat
                event.chips_redeemed.note = fact.note
            case _:
                continue
        yield event


def promotion_events(notes: Iterable[OfficeEntry], *, floor: str) -> Iterator[PromotionEvent]:
    """Enter terms before the coupons that name them."""
    faces: dict[str, int] = {}
    for number, note in enumerate(notes, 1):
        event = PromotionEvent(
            event_id=f"{floor}desk-{number}",
            at=_time(note.at),
            recorded_at=_time(note.at),
            author=AUTHOR,
        )
        fact = note.fact
        match fact:
            case PromotionDefined():
                faces[fact.promotion] = fact.terms.face_cents
                event.promotion_defined.promotion = fact.promotion
                event.promotion_defined.terms.CopyFrom(write_terms(fact.terms))
            case CouponIssued():
                issued = event.coupons_issued
                issued.serial, issued.promotion = fact.serial, fact.promotion
                issued.patron, issued.count = fact.patron, 1
                issued.face_cents = faces.get(fact.promotion, 0)
                if fact.expires_at:
                    issued.expires_at.CopyFrom(_time(fact.expires_at))
            case CouponVoided():
                event.coupons_voided.serials.append(fact.serial)
                event.coupons_voided.reason = fact.reason
            case _:
                continue
        yield event


def _time(at: int) -> Timestamp:
    time = write_time(at)
    return time if time is not None else Timestamp()
