"""Commands of the promotions desk: validation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from psycopg import Connection

from accounting.domain.coupons import DIGITS_MAX
from accounting.grpc.command_handler import (
    check_dates,
    check_table,
    read_fact,
    reject_back_dated,
    reject_closed_day,
    stamp,
    with_first_values,
)
from accounting.grpc.errors import AlreadyEntered, CommandConflict, InvalidCommand
from accounting.kafka.decoder import read_time
from accounting.kafka.promotion_posting import PromotionPosting
from blackjack.rulebook.promotions import Terms
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.table.v1.facts_promotion_pb2 import PromotionTerms
from property_calendar.gaming_day import Calendar, moment
from wire import topics
from wire.errors import UnreadableMessage
from wire.promotions import read_terms

_FIND: Final = "SELECT value FROM desk WHERE event_id = %s"
_TERMS: Final = "SELECT terms FROM promotions WHERE promotion = %s"
_COUPON: Final = "SELECT promotion, patron, expires_at FROM coupons WHERE serial = %s"
_COUPONS: Final = "SELECT serial, promotion, expires_at FROM coupons WHERE serial = ANY(%s)"
SPENT: Final = """
SELECT coupon, min(table_id), min(round) FROM wagers WHERE coupon = ANY(%s) AND coupon_spent
GROUP BY coupon HAVING sum(sign) > 0 ORDER BY coupon LIMIT 1
"""


class PromotionCommands:
    """Validates facts of the promotions desk; a `CommandHandler`."""

    topic: str = topics.PROMOTION_EVENTS
    entries: str = "desk"

    def __init__(self, calendar: Calendar, *, begin_on: date | None) -> None:
        self._calendar = calendar
        self._begin_on = begin_on

    def read(self, submitted: PromotionEvent) -> None:
        read_fact(submitted)

    def table_of(self, submitted: PromotionEvent) -> str:
        return submitted.coupon_redeemed.table_id

    def find(self, connection: Connection[Any], event_id: str) -> PromotionEvent | None:
        found = connection.execute(_FIND, [event_id]).fetchone()
        return None if found is None else PromotionEvent.FromString(found[0])

    def is_same(
        self, connection: Connection[Any], submitted: PromotionEvent, before: PromotionEvent
    ) -> bool:
        again = with_first_values(submitted, before)
        self._fill_in(connection, again)
        return again == before

    def complete(
        self, connection: Connection[Any], submitted: PromotionEvent, author: str, now: int
    ) -> PromotionEvent:
        event = PromotionEvent()
        event.CopyFrom(submitted)
        stamp(event, author, now)
        if not event.gaming_day:
            event.gaming_day = self._calendar.day_of(read_time(event.at)).isoformat()
        self._fill_in(connection, event)
        return event

    def _fill_in(self, connection: Connection[Any], event: PromotionEvent) -> None:
        """Fill in the name of terms, which is their hash, and the face value of coupons."""
        match event.WhichOneof("fact"):
            case "promotion_defined":
                defined = event.promotion_defined
                if not defined.promotion:
                    defined.promotion = terms_of(defined.terms).hash
            case "coupons_issued":
                issued = event.coupons_issued
                terms = find_terms(connection, issued.promotion)
                if terms is not None and not issued.face_cents:
                    issued.face_cents = terms.face_cents
            case _:
                pass

    def check(self, connection: Connection[Any], event: PromotionEvent, now: int) -> None:
        day = check_dates(event, self._calendar, now)
        reject_closed_day(connection, day)
        reject_back_dated(connection, day, begin_on=self._begin_on)
        fact = event.WhichOneof("fact")
        if fact == "coupons_issued":
            self._check_issue(connection, event)
        PromotionPosting(connection, event).check()
        match fact:
            case "coupons_voided":
                if not event.coupons_voided.reason.strip():
                    raise InvalidCommand("no_reason", "Missing reason.")
                reject_spent(connection, event.coupons_voided.serials)
            case "coupons_expired":
                serials = event.coupons_expired.serials
                reject_spent(connection, serials)
                _check_expired(connection, serials, read_time(event.at))
            case "coupon_redeemed":
                self._check_redeemed(connection, event)
            case _:
                pass

    def _check_issue(self, connection: Connection[Any], event: PromotionEvent) -> None:
        issued, at = event.coupons_issued, read_time(event.at)
        if not issued.promotion:
            raise InvalidCommand("terms", "Missing promotion.")
        terms = known_terms(connection, issued.promotion)
        if issued.face_cents != terms.face_cents:
            raise InvalidCommand(
                "terms", f"Invalid face value: the terms state {terms.face_cents} cents."
            )
        until = end_of(terms, read_time(issued.expires_at) if issued.HasField("expires_at") else 0)
        if until and until <= at:
            raise CommandConflict(
                "expired", f"{terms.name!r} expired on {moment(until):%Y-%m-%d %H:%M} UTC."
            )
        if terms.patron_bound and not issued.patron:
            raise InvalidCommand(
                "no_patron", f"Missing patron: {terms.name!r} is bound to a patron."
            )
        if issued.count > 1 and 0 < issued.digits <= DIGITS_MAX:
            last = issued.first + issued.count - 1
            if len(str(last)) > issued.digits:
                raise InvalidCommand(
                    "no_number", f"Invalid range: {last} has more than {issued.digits} digits."
                )

    def _check_redeemed(self, connection: Connection[Any], event: PromotionEvent) -> None:
        redeemed, at = event.coupon_redeemed, read_time(event.at)
        reject_spent(connection, [redeemed.serial])
        if redeemed.table_id:
            check_table(connection, redeemed.table_id)
        promotion, patron, expires_at = _coupon(connection, redeemed.serial)
        terms = known_terms(connection, promotion)
        until = end_of(terms, expires_at)
        if (until and until <= at) or at < terms.valid_from:
            raise CommandConflict(
                "expired", f"Coupon {redeemed.serial} ({terms.name}) is not valid at that time."
            )
        if terms.patron_bound and patron != redeemed.patron:
            raise CommandConflict(
                "not_theirs", f"Coupon {redeemed.serial} was issued to another patron."
            )

    def remarks(self, connection: Connection[Any], event: PromotionEvent) -> list[str]:
        del connection, event
        return []


def terms_of(message: PromotionTerms) -> Terms:
    try:
        return read_terms(message)
    except UnreadableMessage as unreadable:
        raise InvalidCommand("terms", unreadable.reason) from None


def find_terms(connection: Connection[Any], promotion: str) -> Terms | None:
    found = connection.execute(_TERMS, [promotion]).fetchone()
    return None if found is None else read_terms(PromotionTerms.FromString(found[0]))


def known_terms(connection: Connection[Any], promotion: str) -> Terms:
    terms = find_terms(connection, promotion)
    if terms is None:
        raise CommandConflict("unknown", f"Promotion {promotion!r} not found: define it first.")
    return terms


def end_of(terms: Terms, expires_at: int) -> int:
    """When a coupon expires, by itself or by its terms, whichever is first; 0 for never."""
    return min((end for end in (expires_at, terms.valid_until) if end), default=0)


def reject_spent(connection: Connection[Any], serials: Sequence[str]) -> None:
    """Raises `AlreadyEntered` for a coupon that was redeemed at a table."""
    spent = connection.execute(SPENT, [list(serials)]).fetchone()
    if spent is not None:
        raise AlreadyEntered(
            "duplicate", f"Coupon {spent[0]} was already redeemed: {spent[1]}, round {spent[2]}."
        )


def _check_expired(connection: Connection[Any], serials: Sequence[str], at: int) -> None:
    terms: dict[str, Terms | None] = {}
    for serial, promotion, expires_at in connection.execute(_COUPONS, [list(serials)]).fetchall():
        if promotion not in terms:
            terms[promotion] = find_terms(connection, promotion)
        of = terms[promotion]
        until = expires_at if of is None else end_of(of, expires_at)
        if not until or until > at:
            raise CommandConflict("not_expired", f"Coupon {serial} has not expired.")


def _coupon(connection: Connection[Any], serial: str) -> tuple[str, str, int]:
    found = connection.execute(_COUPON, [serial]).fetchone()
    if found is None:
        raise CommandConflict("unknown", f"Coupon {serial} was never issued.")
    return found[0], found[1], found[2]
