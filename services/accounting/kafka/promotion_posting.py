"""Posts the entries of the promotions desk, in the order of the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from psycopg import Connection

from accounting.domain import coupons
from accounting.domain.cash import checked
from accounting.domain.entry import LogPosition
from accounting.kafka.decoder import plain, read_time
from accounting.kafka.event_posting import EventPosting
from bookkeeping.transfers import Change
from casino.accounting.v1.promotion_event_pb2 import CouponsIssued, PromotionEvent
from wire.errors import UnreadableMessage
from wire.promotions import read_terms, write_terms

VOIDED: Final = "voided"
EXPIRED: Final = "expired"
REDEEMED: Final = "redeemed"
_ISSUED: Final = "SELECT serial FROM coupons WHERE serial = ANY(%s) LIMIT 1"
_LIVING: Final = """
SELECT c.serial, c.promotion, c.face, e.what FROM coupons c
LEFT JOIN coupon_ends e USING (serial) WHERE c.serial = ANY(%s)
"""


class PromotionPosting(EventPosting):
    """One event against the earlier events of `promotion-events`."""

    home = "desk"

    def __init__(self, connection: Connection[Any], event: PromotionEvent) -> None:
        super().__init__(connection, event)
        self._event = event
        self._rows: list[tuple[str, tuple[Any, ...]]] = []

    def changes(self) -> list[Change]:
        event = self._event
        match self.kind:
            case "promotion_defined":
                return self._define()
            case "coupons_issued":
                return self._issue(event.coupons_issued)
            case "coupons_voided":
                self.reason = plain(event.coupons_voided.reason)
                return self._end(VOIDED, event.coupons_voided.serials)
            case "coupons_expired":
                return self._end(EXPIRED, event.coupons_expired.serials)
            case _:
                redeemed = event.coupon_redeemed
                paid = checked(redeemed.paid_cents, zero=True)
                changed = self._end(REDEEMED, [redeemed.serial], paid=paid)
                promotion = str(self._rows[-1][1][2])
                table = plain(redeemed.table_id)
                return [*changed, *coupons.redeemed_by_hand(promotion, table, paid)]

    def write(self, encoded: bytes, source: LogPosition) -> None:
        row = (
            self.event_id, self.kind, self.day, self.at, self.author, encoded, source.offset,
        )  # fmt: skip
        self.insert("desk", [row])
        for table in ("promotions", "coupons", "coupon_ends"):
            again = " ON CONFLICT DO NOTHING" if table == "promotions" else ""
            self.insert(table, [row for name, row in self._rows if name == table], again=again)

    def _define(self) -> list[Change]:
        defined = self._event.promotion_defined
        try:
            terms = read_terms(defined.terms)
        except UnreadableMessage as unreadable:
            raise self.rejection("unreadable", unreadable.reason) from None
        if terms.problem:
            raise self.rejection("terms", terms.problem)
        if defined.promotion != terms.hash:
            raise self.rejection("terms", "Invalid promotion: expected the hash of the terms.")
        value = write_terms(terms).SerializeToString(deterministic=True)
        self._rows.append(("promotions", (terms.hash, value)))
        return []

    def _issue(self, issued: CouponsIssued) -> list[Change]:
        count = max(issued.count, 1)
        face = checked(issued.face_cents, zero=True)
        if count > coupons.BATCH_MAX or issued.digits > coupons.DIGITS_MAX or issued.first > 2**40:
            raise self.rejection(
                "too_many",
                f"Invalid range: at most {coupons.BATCH_MAX} coupons are issued at once.",
            )
        if not issued.serial or not issued.promotion:
            raise self.rejection("no_number", "Missing serial number or promotion.")
        serials = [
            plain(serial)
            for serial in coupons.serials(
                issued.serial, count=issued.count, first=issued.first, digits=issued.digits
            )
        ]
        seen = self.connection.execute(_ISSUED, [serials]).fetchone()
        if seen is not None:
            raise self.rejection(
                "duplicate", f"Coupon {seen[0]} was issued before: use another serial number."
            )
        promotion, patron = plain(issued.promotion), plain(issued.patron)
        expires_at = read_time(issued.expires_at) if issued.HasField("expires_at") else 0
        self._rows += [
            (
                "coupons",
                (serial, promotion, patron, face, self.at, self.day, expires_at, self.event_id),
            )
            for serial in serials
        ]
        return coupons.issued(promotion, face * count)

    def _end(self, what: str, given: Iterable[str], *, paid: int = 0) -> list[Change]:
        serials = [plain(serial) for serial in given]
        found = {
            serial: (promotion, face, ended)
            for serial, promotion, face, ended in self.connection.execute(_LIVING, [serials])
        }
        if not all(serials) or not serials or len(set(serials)) != len(serials):
            raise self.rejection("no_number", "Invalid serial numbers: none, or one twice.")
        changed: list[Change] = []
        redeemed = self._event.coupon_redeemed
        table, patron = plain(redeemed.table_id), plain(redeemed.patron)
        for serial in serials:
            if serial not in found:
                raise self.rejection("unknown", f"Coupon {serial} was never issued.")
            promotion, face, ended = found[serial]
            if ended is not None:
                raise self.rejection(
                    "duplicate",
                    f"Coupon {serial} is already {ended}: keep it, and find its holder.",
                )
            row = (
                serial, what, promotion, face, self.at, self.day, table, patron, paid, self.reason,
                self.event_id,
            )  # fmt: skip
            self._rows.append(("coupon_ends", row))
            changed += coupons.ended(promotion, face)
        return changed
