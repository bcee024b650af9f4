"""A fact to whom it is about.

Sorting keeps nothing in mind: the same fact is always about the same subjects, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from alerting.office_facts import (
    CageRedemption,
    CouponRedeemed,
    CouponsEnded,
    CouponsIssued,
    DeadLetter,
    DropBoxCount,
    PaperSigned,
    PromotionLimited,
    SlipsExplained,
    SlipVoided,
)
from alerting.settings import ExclusionLifted, PatronExcluded
from blackjack.facts import Event
from blackjack.findings import Finding, Kind, Withdrawal
from blackjack.settlement.round_close import NOT_OF_THE_ROUND
from surveillance.domain import subjects
from surveillance.domain.event_routing import NOTE_MAX, route_event
from surveillance.domain.facts import JudgedRound, RoutableFact
from surveillance.domain.round_routing import route_round
from surveillance.domain.sightings import (
    BoxCounted,
    CashMovement,
    CouponInvalidation,
    CouponIssue,
    CouponUsage,
    FindingRaised,
    FindingWithdrawn,
    FloatShortage,
    FloatShortageWithdrawn,
    MessageRejected,
    PatronBar,
    PromotionLimit,
    SignedPaper,
    SlipNumbersExplained,
    SlipNumberVoided,
    SubjectSighting,
    UnnamedCash,
    UnusedCoupon,
)
from surveillance.domain.slip_numbers import series_of

DayOf = Callable[[int], str]
"""The gaming day of a moment, such as 2026-03-01, by the calendar of the property."""

NO_PART: Final = (Kind.COUPON_LATE, Kind.COUPON_NOT_PRESENTED)
"""A coupon was there and counts for nothing: whoever came for it came for it."""


OF_THE_FLOAT: Final = (Kind.TRAY_VARIANCE, Kind.TRAY_CHANGED)
"""The float differs from what facts account for: short, if the amount is positive."""


def sort(fact: RoutableFact, *, day_of: DayOf) -> tuple[SubjectSighting, ...]:
    """What is to be told to which subjects; nothing where surveillance has no use for it."""
    return tuple(_sorted(fact, day_of))


def _sorted(fact: RoutableFact, day_of: DayOf) -> Iterator[SubjectSighting]:
    match fact:
        case Finding():
            yield SubjectSighting(subjects.table(fact.table), _found(fact))
            if fact.patron and fact.kind in NO_PART:
                tried = UnusedCoupon(fact.table, fact.seq, fact.at)
                yield SubjectSighting(subjects.patron(fact.patron), tried)
            if fact.kind in OF_THE_FLOAT:
                yield from _both(fact, _shortage(fact))
        case Withdrawal():
            yield SubjectSighting(subjects.table(fact.table), FindingWithdrawn(fact.id))
            if fact.kind in OF_THE_FLOAT:
                yield from _both(fact, FloatShortageWithdrawn(fact.id))
        case JudgedRound():
            yield from route_round(fact, day_of)
        case Event():
            yield from route_event(fact, day_of)
        case PatronExcluded():
            barred = PatronBar(fact.id, fact.valid_from, fact.valid_until)
            yield SubjectSighting(subjects.patron(fact.patron), barred)
        case ExclusionLifted():
            lifted = PatronBar(fact.id, fact.valid_from, lifted=True)
            yield SubjectSighting(subjects.patron(fact.patron), lifted)
        case DeadLetter():
            subject = subjects.table(fact.table) if fact.table else subjects.OFFICES
            yield SubjectSighting(subject, _refused(fact))
        case PromotionLimited():
            for part in subjects.whole_promotion(fact.promotion):
                yield SubjectSighting(part, PromotionLimit(fact.patron_daily_limit, fact.name))
        case CouponsIssued():
            issued = CouponIssue(fact.at, fact.patron, fact.event_id)
            yield from (SubjectSighting(subjects.coupon(each), issued) for each in fact.serials)
        case CouponsEnded():
            words = f"declared {fact.end.value.replace('voided', 'void')}"
            reason = f": {fact.reason}" if fact.reason else ""
            ended = CouponInvalidation(fact.at, words + reason, fact.event_id)
            yield from (SubjectSighting(subjects.coupon(each), ended) for each in fact.serials)
        case CouponRedeemed():
            yield SubjectSighting(subjects.coupon(fact.serial), _redeemed(fact))
        case PaperSigned():
            yield SubjectSighting(subjects.slips(series_of(fact.slip)[0]), _paper(fact))
        case SlipVoided():
            series, number = series_of(fact.slip)
            if number is not None:
                yield SubjectSighting(subjects.slips(series), SlipNumberVoided(number))
        case SlipsExplained():
            yield SubjectSighting(
                subjects.slips(fact.series), SlipNumbersExplained(fact.first, fact.last)
            )
        case DropBoxCount():
            counted = BoxCounted(fact.box, fact.at, fact.currency_cents, fact.event_id, fact.again)
            yield SubjectSighting(subjects.box(fact.table), counted)
        case CageRedemption():
            if fact.patron:
                cash = CashMovement(fact.gaming_day, fact.at, -fact.cents, entry_id=fact.event_id)
                yield SubjectSighting(subjects.patron(fact.patron), cash)
            else:
                unnamed = UnnamedCash(
                    fact.gaming_day, fact.at, -fact.cents, fact.table, fact.seat,
                    fact.note[:NOTE_MAX], entry_id=fact.event_id,
                )  # fmt: skip
                yield SubjectSighting(subjects.unnamed_cash(fact.table, fact.seat), unnamed)


def _both(
    fact: Finding | Withdrawal, sighting: FloatShortage | FloatShortageWithdrawn
) -> Iterator[SubjectSighting]:
    """To the table and to the dealer who was at it."""
    yield SubjectSighting(subjects.table(fact.table), sighting)
    if fact.dealer:
        yield SubjectSighting(subjects.dealer(fact.dealer), sighting)


def _shortage(finding: Finding) -> FloatShortage:
    return FloatShortage(
        id=finding.id,
        at=finding.at,
        table=finding.table,
        seq=finding.seq,
        dealer=finding.dealer,
        cents=finding.cents,
        text=finding.text,
    )


def _found(finding: Finding) -> FindingRaised:
    """What rests on more than its round says nothing of a card, whichever event proves it."""
    return FindingRaised(
        id=finding.id,
        kind=finding.kind.value,
        level=finding.level.value,
        table=finding.table,
        seq=finding.seq,
        at=finding.at,
        text=finding.text,
        rule=finding.rule,
        round=finding.round,
        seat=finding.seat,
        hand=finding.hand,
        wager=finding.wager,
        patron=finding.patron,
        dealer=finding.dealer,
        cents=finding.cents,
        tells_hole_card=finding.tells_hole_card and finding.kind not in NOT_OF_THE_ROUND,
        detail=finding.detail,
    )


def _refused(letter: DeadLetter) -> MessageRejected:
    return MessageRejected(
        id=letter.id,
        at=letter.at,
        code=letter.code,
        reason=letter.reason,
        table=letter.table,
        sender=letter.author or letter.peer,
        by_hand=bool(letter.author),
        topic=letter.topic,
        origin=letter.origin,
    )


def _redeemed(fact: CouponRedeemed) -> CouponUsage:
    """At an office a coupon is always taken."""
    return CouponUsage(
        at=fact.at,
        until=fact.at,
        version=1,
        is_spent=True,
        patron=fact.patron,
        table=fact.table,
        cents=fact.paid_cents,
        entry_id=fact.event_id,
    )


def _paper(fact: PaperSigned) -> SignedPaper:
    return SignedPaper(
        kind=fact.kind.value,
        slip=fact.slip,
        at=fact.at,
        table=fact.table,
        signers=fact.signers,
        entry_id=fact.event_id,
    )
