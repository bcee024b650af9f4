"""What the promotions desk entered, into the ledger, in the order of the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from psycopg import Connection

from accounting.domain import coupons
from accounting.domain.cash import checked
from accounting.domain.entry import LedgerEntry, LogPosition, entry_id
from accounting.grpc.errors import MessageRejected
from accounting.kafka.decoding import plain, read_day, read_time
from accounting.postgres.batch_writer import COLUMNS, BatchRows
from bookkeeping.transfers import Change, pair_off
from casino.accounting.v1.promotion_event_pb2 import CouponsIssued, PromotionEvent
from wire.errors import UnreadableMessage
from wire.promotions import read_terms, write_terms

VOIDED: Final = "voided"
EXPIRED: Final = "expired"
REDEEMED: Final = "redeemed"
_SEEN: Final = "SELECT 1 FROM desk WHERE event_id = %s"
_COPY: Final = "SELECT 1 FROM desk WHERE event_id = %s AND value = %s"
_ISSUED: Final = "SELECT serial FROM coupons WHERE serial = ANY(%s) LIMIT 1"
_LIVING: Final = """
SELECT c.serial, c.promotion, c.face, e.what FROM coupons c
LEFT JOIN coupon_ends e USING (serial) WHERE c.serial = ANY(%s)
"""


def post_promotion_event(
    connection: Connection[Any],
    rows: BatchRows,
    event: PromotionEvent,
    encoded: bytes,
    source: LogPosition,
) -> None:
    """Adds its rows in the caller's transaction, or raises `MessageRejected` or `NotBookable`.

    The same bytes again are a copy, and ignored."""
    if connection.execute(_COPY, [plain(event.event_id), encoded]).fetchone() is not None:
        return
    posting = _Posting(connection, event)
    made = pair_off(posting.changes())
    posting.write(encoded, source)
    entry = LedgerEntry(
        entry_id("desk", event.event_id),
        event.gaming_day,
        posting.kind,
        posting.at,
        source,
        tuple(made),
        author=plain(event.author),
        reason=posting.reason,
    )
    rows.add_entry(entry, posting.day)


def check_promotion_event(connection: Connection[Any], event: PromotionEvent) -> None:
    """Raises what posting it would raise, as the ledger is now; writes nothing."""
    pair_off(_Posting(connection, event).changes())


class _Posting:
    def __init__(self, connection: Connection[Any], event: PromotionEvent) -> None:
        self._connection = connection
        self._event = event
        self.kind = event.WhichOneof("fact") or ""
        self.day = read_day(event.gaming_day)
        self.at = read_time(event.at)
        self.reason = ""
        self._rows: list[tuple[str, tuple[Any, ...]]] = []
        if connection.execute(_SEEN, [plain(event.event_id)]).fetchone() is not None:
            raise self._rejected("duplicate", f"{event.event_id} was entered before")

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
        event = self._event
        row = (
            plain(event.event_id), self.kind, self.day, self.at, plain(event.author), encoded,
            source.offset,
        )  # fmt: skip
        self._insert("desk", [row])
        for table in ("promotions", "coupons", "coupon_ends"):
            self._insert(table, [row for name, row in self._rows if name == table])

    def _define(self) -> list[Change]:
        defined = self._event.promotion_defined
        try:
            terms = read_terms(defined.terms)
        except Unreadable as unreadable:
            raise self._rejected("unreadable", unreadable.reason) from None
        if terms.problem:
            raise self._rejected("terms", terms.problem)
        if defined.promotion != terms.hash:
            raise self._rejected("terms", "terms are published under their hash")
        value = write_terms(terms).SerializeToString(deterministic=True)
        self._rows.append(("promotions", (terms.hash, value)))
        return []

    def _issue(self, issued: CouponsIssued) -> list[Change]:
        count = max(issued.count, 1)
        face = checked(issued.face_cents, zero=True)
        if count > coupons.BATCH_MAX or issued.digits > coupons.DIGITS_MAX or issued.first > 2**40:
            raise self._rejected(
                "too_many", f"at most {coupons.BATCH_MAX} coupons are issued at once"
            )
        if not issued.serial or not issued.promotion:
            raise self._rejected("no_number", "it names no serial number, or no promotion")
        serials = [
            plain(serial)
            for serial in coupons.serials(
                issued.serial, count=issued.count, first=issued.first, digits=issued.digits
            )
        ]
        seen = self._connection.execute(_ISSUED, [serials]).fetchone()
        if seen is not None:
            raise self._rejected(
                "duplicate", f"coupon {seen[0]} was issued before: give it another serial number"
            )
        promotion, patron = plain(issued.promotion), plain(issued.patron)
        expires_at = read_time(issued.expires_at) if issued.HasField("expires_at") else 0
        event_id = plain(self._event.event_id)
        self._rows += [
            ("coupons", (serial, promotion, patron, face, self.at, self.day, expires_at, event_id))
            for serial in serials
        ]
        return coupons.issued(promotion, face * count)

    def _end(self, what: str, given: Iterable[str], *, paid: int = 0) -> list[Change]:
        serials = [plain(serial) for serial in given]
        found = {
            serial: (promotion, face, ended)
            for serial, promotion, face, ended in self._connection.execute(_LIVING, [serials])
        }
        if not all(serials) or not serials or len(set(serials)) != len(serials):
            raise self._rejected("no_number", "it names no coupon, or one twice")
        event_id, changed = plain(self._event.event_id), []
        redeemed = self._event.coupon_redeemed
        table, patron = plain(redeemed.table_id), plain(redeemed.patron)
        for serial in serials:
            if serial not in found:
                raise self._rejected("unknown", f"coupon {serial} was never issued")
            promotion, face, ended = found[serial]
            if ended is not None:
                raise self._rejected(
                    "duplicate", f"coupon {serial} is {ended} already: keep it, and look who had it"
                )
            row = (
                serial, what, promotion, face, self.at, self.day, table, patron, paid, self.reason,
                event_id,
            )  # fmt: skip
            self._rows.append(("coupon_ends", row))
            changed += coupons.ended(promotion, face)
        return changed

    def _insert(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if not rows:
            return
        columns = ", ".join(COLUMNS[table])
        places = ", ".join(["%s"] * len(rows[0]))
        again = " ON CONFLICT DO NOTHING" if table == "promotions" else ""
        query = f"INSERT INTO {table} ({columns}) VALUES ({places}){again}"
        with self._connection.cursor() as cursor:
            cursor.executemany(query.encode(), rows)

    def _rejected(self, code: str, reason: str) -> MessageRejected:
        return MessageRejected(code, reason, plain(self._event.author))
