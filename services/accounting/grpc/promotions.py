"""Promotions and coupons: lists, the history of a coupon, expiry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from accounting.domain.coupons import BATCH_MAX
from accounting.grpc.command_handler import AHEAD_MAX
from accounting.grpc.commands import CommandLock, Commands, Submitter
from accounting.grpc.errors import CommandRejected, NotFound, PostingRejected
from accounting.grpc.promotion_commands import PromotionCommands, end_of
from accounting.kafka.decoder import read_time
from blackjack.rulebook.promotions import Terms
from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.table.v1.facts_promotion_pb2 import PromotionTerms
from runtime.database.query import Database, Row
from runtime.query_errors import InvalidQuery
from wire import topics
from wire.catalogue import encode_terms, promotion_key
from wire.promotions import read_terms
from wire.vocabulary import write_time

EXPIRE_BYTES_MAX: Final = 400_000
"""The most bytes of serial numbers in one event."""
_COUPON: Final = """
SELECT c.promotion, c.patron, c.face, c.issued_at, c.expires_at, d.author
FROM coupons c JOIN desk d USING (event_id) WHERE serial = %(serial)s
"""
_END: Final = """
SELECT e.what, e.at, e.table_id, e.patron, e.paid, e.reason, d.author
FROM coupon_ends e JOIN desk d USING (event_id) WHERE serial = %(serial)s
"""
_PLAYED: Final = """
SELECT w.table_id, w.round, w.opening_seq, max(w.patron) AS patron, max(w.promotion) AS promotion,
    sum(w.sign * w.coupon_owed)::bigint AS paid, max(r.opened_at) AS at
FROM wagers w JOIN rounds r USING (table_id, round, opening_seq, version)
WHERE w.coupon = %(serial)s AND w.coupon_spent
GROUP BY w.table_id, w.round, w.opening_seq HAVING sum(w.sign) > 0
"""
_DROPPED: Final = """
SELECT table_id, at FROM cash WHERE name = %(serial)s AND kind = 'coupon_dropped'
"""
_TERMS: Final = "SELECT promotion, terms FROM promotions"
_PUBLISHED: Final = "SELECT at, value FROM desk WHERE kind = 'promotion_defined' ORDER BY at DESC"
_OUT: Final = """
FROM coupons c WHERE NOT EXISTS (SELECT 1 FROM coupon_ends e WHERE e.serial = c.serial)
    AND coalesce((SELECT sum(w.sign) FROM wagers w
        WHERE w.coupon = c.serial AND w.coupon <> '' AND w.coupon_spent), 0) <= 0
"""
_OUTSTANDING: Final = f"""
SELECT promotion, count(*) AS coupons, sum(face)::bigint AS cents {_OUT} GROUP BY promotion
"""
_RUN_OUT: Final = f"""
SELECT c.serial, c.promotion, c.face, c.expires_at {_OUT}
    AND (c.promotion = ANY(%(promotions)s) OR c.expires_at BETWEEN 1 AND %(as_of)s)
ORDER BY c.serial
"""


async def record_promotion(
    commands: Commands, handler: PromotionCommands, submitted: PromotionEvent, by: Submitter
) -> pb.RecordPromotionResponse:
    """Enter a promotion's fact; publish its terms in the catalog, by which settlement pays."""
    posted = await commands.enter(handler, submitted, by)
    event: PromotionEvent = posted.event
    if event.WhichOneof("fact") == "promotion_defined":
        terms = read_terms(event.promotion_defined.terms)
        key, value = promotion_key(terms.hash), encode_terms(terms)
        await commands.publish(topics.CATALOGUE, key, value, event.event_id)
    return pb.RecordPromotionResponse(event=event, entry=posted.entry)


async def get_coupon(database: Database, serial: str) -> pb.GetCouponResponse:
    if not serial:
        raise InvalidQuery("serial", "missing serial number")
    values = {"serial": serial}
    async with database.snapshot() as ledger:
        issued = await ledger.fetch(_COUPON, values)
        ends = await ledger.fetch(_END, values)
        played = await ledger.fetch(_PLAYED, values)
        dropped = await ledger.fetch(_DROPPED, values)
        terms = {row["promotion"]: _terms(row) for row in await ledger.fetch(_TERMS)}
    if not (issued or played or dropped):
        raise NotFound("coupon", serial)
    promotion = issued[0]["promotion"] if issued else played[0]["promotion"] if played else ""
    of = terms.get(promotion)
    until = end_of(of, issued[0]["expires_at"]) if issued and of is not None else 0
    steps = sorted(_steps(issued, ends, played, dropped), key=lambda step: step.at.ToMicroseconds())
    return pb.GetCouponResponse(
        serial=serial,
        promotion=promotion,
        promotion_name=of.name if of is not None else "",
        face_cents=issued[0]["face"] if issued else 0,
        expires_at=write_time(until),
        steps=steps,
        problems=_problems(issued, ends, played, dropped, of, until),
    )


def _steps(
    issued: list[Row], ends: list[Row], played: list[Row], dropped: list[Row]
) -> Iterator[pb.CouponStep]:
    for row in issued:
        yield pb.CouponStep(
            what="issued", at=write_time(row["issued_at"]), patron=row["patron"],
            words=f"by {row['author']}",
        )  # fmt: skip
    for row in ends:
        why = f": {row['reason']}" if row["reason"] else ""
        yield pb.CouponStep(
            what=row["what"], at=write_time(row["at"]), patron=row["patron"],
            table_id=row["table_id"], paid_cents=row["paid"], words=f"by {row['author']}{why}",
        )  # fmt: skip
    for row in played:
        yield pb.CouponStep(
            what="redeemed", at=write_time(row["at"]), patron=row["patron"],
            table_id=row["table_id"], round=row["round"], paid_cents=row["paid"],
        )  # fmt: skip
    for row in dropped:
        yield pb.CouponStep(what="dropped", at=write_time(row["at"]), table_id=row["table_id"])


def _problems(
    issued: list[Row],
    ends: list[Row],
    played: list[Row],
    dropped: list[Row],
    terms: Terms | None,
    until: int,
) -> list[str]:
    found: list[str] = []
    if not issued:
        found.append("Never issued")
    elif terms is None:
        found.append("Terms unknown")
    redeemed = len(played) + sum(row["what"] == "redeemed" for row in ends)
    if redeemed > 1:
        found.append(f"Redeemed {redeemed} times")
    found += [
        f"{row['what'].capitalize()}, and redeemed at a table" for row in ends
        if played and row["what"] != "redeemed"
    ]  # fmt: skip
    if len(dropped) > 1:
        found.append(f"Dropped {len(dropped)} times")
    if dropped and not played:
        found.append("Dropped, but not redeemed at a table")
    if played and not dropped:
        found.append("Redeemed at a table, but not dropped")
    if until and any(row["at"] >= until for row in played):
        found.append("Redeemed after its expiry")
    if issued and terms is not None and terms.patron_bound:
        patrons = {row["patron"] for row in played if row["patron"]}
        if patrons - {issued[0]["patron"]}:
            found.append("Redeemed by another patron than it was issued to")
    return found


async def list_promotions(database: Database) -> pb.ListPromotionsResponse:
    async with database.snapshot() as ledger:
        known = await ledger.fetch(_TERMS)
        published: dict[str, int] = {}
        for row in await ledger.fetch(_PUBLISHED):
            name = PromotionEvent.FromString(row["value"]).promotion_defined.promotion
            published[name] = row["at"]  # the newest first: the last that is read is the first
        out = {row["promotion"]: row for row in await ledger.fetch(_OUTSTANDING)}
    none: Row = {"coupons": 0, "cents": 0}
    known.sort(key=lambda row: (-published.get(row["promotion"], 0), row["promotion"]))
    return pb.ListPromotionsResponse(
        promotions=[
            pb.Promotion(
                promotion=row["promotion"],
                terms=PromotionTerms.FromString(row["terms"]),
                published_at=write_time(published.get(row["promotion"], 0)),
                outstanding=out.get(row["promotion"], none)["coupons"],
                outstanding_cents=out.get(row["promotion"], none)["cents"],
            )
            for row in known
        ]
    )


async def expire_coupons(
    database: Database, commands: Commands, handler: PromotionCommands,
    request: pb.ExpireCouponsRequest, by: Submitter,
) -> pb.ExpireCouponsResponse:  # fmt: skip
    as_of = commands.clock()
    if request.HasField("as_of"):
        try:
            as_of = read_time(request.as_of)
        except PostingRejected as wrong:
            raise InvalidQuery("as_of", wrong.reason) from None
        if as_of > commands.clock() + AHEAD_MAX:
            raise InvalidQuery("as_of", "the time is in the future")

    async def run() -> pb.ExpireCouponsResponse:
        async with commands.lock() as locked:
            return await _expire(database, locked, handler, as_of, by)

    return await commands.finish(run())


async def _expire(
    database: Database, locked: CommandLock, handler: PromotionCommands, as_of: int, by: Submitter
) -> pb.ExpireCouponsResponse:
    terms = {row["promotion"]: _terms(row) for row in await database.fetch(_TERMS)}
    over = [name for name, known in terms.items() if 0 < known.valid_until <= as_of]
    rows = await database.fetch(_RUN_OUT, {"promotions": over, "as_of": as_of})
    expired = pb.ExpireCouponsResponse()
    for some in _chunks(rows):
        event = PromotionEvent(at=write_time(as_of))
        event.coupons_expired.serials.extend(row["serial"] for row in some)
        (answer,) = await locked.enter(handler, [event], by)
        if isinstance(answer, CommandRejected):
            raise answer
        expired.coupons += len(some)
        expired.face_cents += sum(row["face"] for row in some)
    return expired


def _chunks(rows: list[Row]) -> Iterator[list[Row]]:
    some: list[Row] = []
    size = 0
    for row in rows:
        some.append(row)
        size += len(row["serial"].encode()) + 4
        if size > EXPIRE_BYTES_MAX or len(some) == BATCH_MAX:
            yield some
            some, size = [], 0
    if some:
        yield some


def _terms(row: dict[str, Any]) -> Terms:
    return read_terms(PromotionTerms.FromString(row["terms"]))
