"""Entries of the cage, the count team and the promotions desk for the same day.

Everything follows from what the tables report: a fill that was received was issued before,
a box that was removed is counted after, a coupon that was presented was issued to a patron.
So a correct day ties to the cent, and a fault planted at a table shows in the books.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from blackjack.facts import (
    ChipsRedeemed,
    ChipsSold,
    CouponDropped,
    CouponIssued,
    CouponPresented,
    CreditAccepted,
    CreditSent,
    DropBoxRemoved,
    DropCount,
    DropCounted,
    Event,
    Fact,
    FillIssued,
    FillReceived,
    PatronLeft,
    PatronSeated,
    PromotionDefined,
    Tender,
    TicketIssued,
    WagerCollected,
    WagerPaid,
)
from blackjack.rulebook.promotions import PromotionKind, Terms
from table_simulator.domain.faults.draft import StreamEntry
from table_simulator.domain.play.staff import staff_of

CAGE = "CAGE"
PROMOTIONS = "PROMOTIONS"
BACK_OFFICE = (CAGE, PROMOTIONS)
"""Streams that are no table's, with numbers and chains of their own."""

MINUTE = 60_000_000
BILLS_CENTS = (100_00, 20_00, 5_00, 1_00, 1)


class OfficeEntry(NamedTuple):
    """A fact with its time and the table it was seen at; no table if it is about none."""

    at: int
    fact: Fact
    table: str = ""


def cage_entries(events: Iterable[Event]) -> Iterator[OfficeEntry]:
    """Fills, credits, redeemed chips and the count of one table's box."""
    sold: dict[Tender, Counter[int]] = {tender: Counter() for tender in Tender}
    faces: dict[str, int] = {}
    terms: dict[str, Terms] = {}
    dropped: Counter[int] = Counter()
    chips: Counter[str] = Counter()
    seated: dict[int, str] = {}
    for event in events:
        fact, at, table = event.fact, event.at, event.table
        match fact:
            case FillReceived():
                issued = FillIssued(fact.slip, fact.inventory, fact.signers)
                yield OfficeEntry(at - 4 * MINUTE, issued, table)
            case CreditSent():
                accepted = CreditAccepted(fact.slip, fact.inventory, fact.signers)
                yield OfficeEntry(at + 4 * MINUTE, accepted, table)
            case ChipsSold():
                sold[fact.tender][fact.cents] += 1
                chips[fact.patron] += fact.cents
            case TicketIssued():
                chips[fact.patron] -= fact.cents
            case PatronSeated():
                seated[fact.seat] = fact.patron
            case WagerPaid(tip=False):
                chips[seated.get(fact.seat, "")] += fact.cents
            case WagerCollected(tip=False):
                chips[seated.get(fact.seat, "")] -= fact.cents
            case PatronLeft():
                seated.pop(fact.seat, None)
                rest = chips.pop(fact.patron, 0)
                if rest > 0 and fact.patron:
                    yield OfficeEntry(at + 6 * MINUTE, ChipsRedeemed(rest, fact.patron))
            case PromotionDefined():
                terms[fact.promotion] = fact.terms
            case CouponPresented():
                known = terms.get(fact.promotion)
                faces[fact.serial] = known.face_cents if known else 0
            case CouponDropped():
                dropped[faces.get(fact.serial, 0)] += 1
            case DropBoxRemoved():
                counts = (
                    *_bills(_total(sold[Tender.CASH])),
                    *_pieces("coupons", dropped),
                    *_pieces("debit", {_total(sold[Tender.DEBIT]): 1}),
                    *_pieces("tickets", sold[Tender.TICKET]),
                    *_pieces("checks", sold[Tender.CHECK]),
                )
                counted = DropCounted(fact.box, counts, staff_of(0).counters)
                yield OfficeEntry(at + 45 * MINUTE, counted, table)
            case _:
                pass


def _total(pieces: Counter[int]) -> int:
    return sum(cents * count for cents, count in pieces.items())


def _bills(cents: int) -> Iterator[DropCount]:
    for bill in BILLS_CENTS:
        count, cents = divmod(cents, bill)
        if count:
            yield DropCount("currency", bill, count)


def _pieces(kind: str, pieces: Counter[int] | dict[int, int]) -> Iterator[DropCount]:
    for cents, count in sorted(pieces.items()):
        if cents:
            yield DropCount(kind, cents, count)


def promotion_entries(events: Iterable[Event]) -> Iterator[OfficeEntry]:
    """Promotions as they are published, and every coupon as it was issued."""
    issued: set[str] = set()
    points: list[str] = []
    for event in events:
        fact = event.fact
        match fact:
            case PromotionDefined():
                yield OfficeEntry(event.at - 60 * MINUTE, fact)
                if fact.terms.kind is PromotionKind.POINT_MULTIPLIER:
                    points.append(fact.promotion)
            case PatronSeated() if points and fact.seat % 3 == 0:
                serial = f"{fact.patron}-points"
                yield OfficeEntry(
                    event.at - 20 * MINUTE, CouponIssued(serial, points[0], fact.patron)
                )
            case CouponPresented() if fact.serial not in issued:
                issued.add(fact.serial)
                coupon = CouponIssued(fact.serial, fact.promotion, fact.patron, fact.expires_at)
                yield OfficeEntry(event.at - 30 * MINUTE, coupon)
            case _:
                pass


def entries_in_order(notes: Iterable[OfficeEntry]) -> Iterator[OfficeEntry]:
    """By time; a promotion or a coupon that several tables report is entered once."""
    entered: set[str] = set()
    for note in sorted(notes, key=lambda note: (note.at, repr(note.fact))):
        match note.fact:
            case PromotionDefined(promotion=name):
                key = name
            case CouponIssued():
                key = repr(note.fact)
            case _:
                key = ""
        if key and key in entered:
            continue
        entered.add(key)
        yield note


def office_stream(name: str, notes: Iterable[OfficeEntry]) -> list[StreamEntry]:
    """Notes as a stream of their own."""
    return [
        StreamEntry(Event(name, number, note.at, note.fact, ingested_at=note.at + 20_000))
        for number, note in enumerate(entries_in_order(notes), 1)
    ]
