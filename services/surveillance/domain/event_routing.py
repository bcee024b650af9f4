"""An event of a table to whom it is about.

Cards and wagers come as settled rounds instead, but for a coupon that a wager names: one that was
never presented has no part in the round, and the round does not tell of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from alerting.office_facts import PaperKind
from blackjack.facts import (
    ChipsSold,
    CouponDropped,
    CouponPresented,
    CreditSent,
    DropBoxRemoved,
    Event,
    FillReceived,
    PatronLeft,
    PatronSeated,
    PromotionDefined,
    TableClosed,
    TableOpened,
    Tender,
    TicketIssued,
    WagerPlaced,
)
from blackjack.play.clock import moment
from blackjack.play.coupons import is_sound
from surveillance.domain import subjects
from surveillance.domain.moments import heard_at
from surveillance.domain.sightings import (
    BoxRemoved,
    CashMovement,
    CashSale,
    CouponAppearance,
    PatronArrival,
    PatronDeparture,
    PatronPresence,
    PromotionLimit,
    SignedPaper,
    SubjectSighting,
    TableStatus,
    UnnamedCash,
    UnusedCoupon,
)
from surveillance.domain.slip_numbers import series_of

NOTE_MAX: Final = 200
"""Characters of a note that alerts and states carry; the event itself has all of them."""

TAKEN = (
    ChipsSold,
    CouponDropped,
    CouponPresented,
    CreditSent,
    DropBoxRemoved,
    FillReceived,
    PatronLeft,
    PatronSeated,
    PromotionDefined,
    TableClosed,
    TableOpened,
    TicketIssued,
    WagerPlaced,
)
"""The facts that sorting makes anything of: a sieve may drop all others."""


def route_event(event: Event, day_of: Callable[[int], str]) -> Iterator[SubjectSighting]:
    table, seq, at = event.table, event.seq, moment(event)
    match event.fact:
        case PatronSeated(patron=patron) if patron:
            yield _present(event, patron, day_of(at), "sat down")
            yield SubjectSighting(subjects.patron(patron), PatronArrival(table, seq, at))
        case PatronLeft(patron=patron) if patron:
            yield SubjectSighting(subjects.patron(patron), PatronDeparture(table, seq, at))
        case ChipsSold(cents=cents, tender=tender, patron=patron, seat=seat, note=note):
            if tender is Tender.CASH:
                yield SubjectSighting(subjects.box(table), CashSale(seq, at, cents))
                if not patron and cents > 0:
                    noted = note[:NOTE_MAX]
                    unnamed = UnnamedCash(day_of(at), at, cents, table, seat, noted, seq)
                    yield SubjectSighting(subjects.unnamed_cash(table, seat), unnamed)
            if patron:
                yield _present(event, patron, day_of(at), "bought chips")
            if patron and tender in (Tender.CASH, Tender.DEBIT):
                sold = CashMovement(
                    day_of(at), at, cents, table, seq, is_debit=tender is Tender.DEBIT
                )
                yield SubjectSighting(subjects.patron(patron), sold)
        case TicketIssued(patron=patron) if patron:
            yield _present(event, patron, day_of(at), "was issued a ticket")
        case CouponPresented(serial=serial, seat=seat, patron=patron) if serial:
            yield SubjectSighting(
                subjects.coupon(serial), CouponAppearance(table, seq, at, seat, patron)
            )
        case WagerPlaced(coupon=coupon, patron=patron) if coupon and patron:
            yield SubjectSighting(subjects.patron(patron), UnusedCoupon(table, seq, at))
        case CouponDropped(serial=serial, seat=seat) if serial:
            dropped = CouponAppearance(table, seq, at, seat, is_dropped=True)
            yield SubjectSighting(subjects.coupon(serial), dropped)
        case PromotionDefined(promotion=name, terms=terms) if terms.patron_daily_limit and is_sound(
            event.fact
        ):
            for part in subjects.whole_promotion(name):
                yield SubjectSighting(part, PromotionLimit(terms.patron_daily_limit, terms.name))
        case FillReceived(slip=slip, signers=signers):
            yield _paper(event, PaperKind.FILL, slip, signers)
        case CreditSent(slip=slip, signers=signers):
            yield _paper(event, PaperKind.CREDIT, slip, signers)
        case DropBoxRemoved(box=box, signers=signers):
            yield SubjectSighting(subjects.box(table), BoxRemoved(box, seq, at))
            yield _paper(event, PaperKind.BOX, box, signers)
        case TableOpened(slip=slip, signers=signers):
            yield SubjectSighting(
                subjects.FLOOR, TableStatus(table, seq, heard_at(event), is_open=True)
            )
            yield _paper(event, PaperKind.OPENER, slip, signers)
        case TableClosed(slip=slip, signers=signers):
            yield SubjectSighting(
                subjects.FLOOR, TableStatus(table, seq, heard_at(event), is_open=False)
            )
            yield _paper(event, PaperKind.CLOSER, slip, signers)
        case _:
            return


def _present(event: Event, patron: str, day: str, words: str) -> SubjectSighting:
    at = moment(event)
    proof = PatronPresence(day, event.table, at, at, event.seq, event.seq, words)
    return SubjectSighting(subjects.patron(patron), proof)


def _paper(event: Event, kind: PaperKind, slip: str, signers: tuple[str, ...]) -> SubjectSighting:
    """A paper without a number is told by its table."""
    name = slip or f"{kind.value} of {event.table}"
    paper = SignedPaper(kind.value, slip, moment(event), event.table, signers, seq=event.seq)
    return SubjectSighting(subjects.slips(series_of(name)[0]), paper)
