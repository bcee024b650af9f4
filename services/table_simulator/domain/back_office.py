"""What the cage, the count room and the promotions desk report of the same day.

Everything follows from what the tables report: a fill that was received was issued before,
a box that was removed is counted after, a coupon that was presented was issued to somebody.
So a correct day ties to the cent, and what was planted at a table shows in the books.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

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
    WagerCollected,
    WagerPaid,
)
from blackjack.promotions import PromotionKind, Terms
from table_simulator.domain.faults.draft import Entry
from table_simulator.domain.play.staff import staff_of

CAGE = "CAGE"
PROMOTIONS = "PROMOTIONS"
BACK_OFFICE = (CAGE, PROMOTIONS)
"""Streams that are no table's, with numbers and chains of their own."""

MINUTE = 60_000_000
BILLS_CENTS = (100_00, 20_00, 5_00, 1_00, 1)

Note = tuple[int, Fact]
"""When, and what."""


def cage_notes(events: Iterable[Event]) -> Iterator[Note]:
    """Fills, credits, redeemed chips and the count of one table's box."""
    cash = debit = 0
    faces: dict[str, int] = {}
    terms: dict[str, Terms] = {}
    dropped: Counter[int] = Counter()
    chips: Counter[str] = Counter()
    seated: dict[int, str] = {}
    for event in events:
        fact, at = event.fact, event.at
        match fact:
            case FillReceived():
                yield at - 4 * MINUTE, FillIssued(fact.slip, fact.inventory, fact.signers)
            case CreditSent():
                yield at + 4 * MINUTE, CreditAccepted(fact.slip, fact.inventory, fact.signers)
            case ChipsSold():
                cash += fact.cents if fact.tender is Tender.CASH else 0
                debit += fact.cents if fact.tender is Tender.DEBIT else 0
                chips[fact.patron] += fact.cents
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
                    yield at + 6 * MINUTE, ChipsRedeemed(rest, fact.patron)
            case PromotionDefined():
                terms[fact.promotion] = fact.terms
            case CouponPresented():
                known = terms.get(fact.promotion)
                faces[fact.serial] = known.face_cents if known else 0
            case CouponDropped():
                dropped[faces.get(fact.serial, 0)] += 1
            case DropBoxRemoved():
                counts = (
                    *_bills(cash),
                    *_pieces("coupons", dropped),
                    *_pieces("debit", {debit: 1}),
                )
                yield at + 45 * MINUTE, DropCounted(fact.box, counts, staff_of(0).counters)
            case _:
                pass


def _bills(cents: int) -> Iterator[DropCount]:
    for bill in BILLS_CENTS:
        count, cents = divmod(cents, bill)
        if count:
            yield DropCount("currency", bill, count)


def _pieces(kind: str, pieces: Counter[int] | dict[int, int]) -> Iterator[DropCount]:
    for cents, count in sorted(pieces.items()):
        if cents:
            yield DropCount(kind, cents, count)


def desk_notes(events: Iterable[Event]) -> Iterator[Note]:
    """Promotions as they are published, and every coupon as it was issued."""
    issued: set[str] = set()
    points: list[str] = []
    for event in events:
        fact = event.fact
        match fact:
            case PromotionDefined():
                yield event.at - 60 * MINUTE, fact
                if fact.terms.kind is PromotionKind.POINT_MULTIPLIER:
                    points.append(fact.promotion)
            case PatronSeated() if points and fact.seat % 3 == 0:
                serial = f"{fact.patron}-points"
                yield event.at - 20 * MINUTE, CouponIssued(serial, points[0], fact.patron)
            case CouponPresented() if fact.serial not in issued:
                issued.add(fact.serial)
                coupon = CouponIssued(fact.serial, fact.promotion, fact.patron, fact.expires_at)
                yield event.at - 30 * MINUTE, coupon
            case _:
                pass


def office(name: str, notes: Iterable[Note]) -> list[Entry]:
    """Notes as a stream of their own, by time; what is said twice is said once."""
    entries: list[Entry] = []
    said: set[str] = set()
    for at, fact in sorted(notes, key=lambda note: (note[0], repr(note[1]))):
        if isinstance(fact, PromotionDefined):
            if fact.promotion in said:
                continue
            said.add(fact.promotion)
        event = Event(name, len(entries) + 1, at, fact, ingested_at=at + 20_000)
        entries.append(Entry(replace(event)))
    return entries
