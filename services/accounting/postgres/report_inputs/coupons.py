"""Coupons from issue to end, by promotion; and exceptions of redeemed coupons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.message import DecodeError

from accounting.domain.reports.inputs import (
    CouponProblem,
    CouponSums,
    OutstandingCoupons,
    PromotionSummary,
    Redemption,
)
from accounting.domain.reports.leaves import Leaf
from accounting.postgres.report_inputs.measures import (
    COUPONS,
    COUPONS_DROPPED,
    DAYS,
    DROPPED,
    ENDS,
    OUT,
    OUTSTANDING,
    WAGERS,
    sums,
)
from accounting.postgres.report_inputs.scope import OF_TABLE, ReportScope
from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot, Row
from casino.table.v1.facts_promotion_pb2 import PromotionTerms
from wire.errors import UnreadableMessage
from wire.promotions import read_terms

BANDS: Final = ((0, 7), (8, 30), (31, 90), (91, 100_000))
"""Age bands of outstanding coupons, in days."""

_TERMS: Final = "SELECT promotion, terms FROM promotions"
_ISSUED: Final = f"""
SELECT f.promotion, {sums(COUPONS)}
FROM coupons f WHERE {DAYS.format("f")} GROUP BY 1
"""
_ENDED: Final = f"""
SELECT f.promotion, {sums(ENDS)}
FROM coupon_ends f WHERE {DAYS.format("f")} GROUP BY 1
"""
_PLAYED: Final = f"""
SELECT w.promotion, coalesce(sum(w.sign) FILTER (WHERE w.coupon_spent), 0)::bigint AS redeemed,
    coalesce(sum(w.sign * w.coupon_face) FILTER (WHERE w.coupon_spent), 0)::bigint
        AS redeemed_face,
    sum(w.sign * w.coupon_owed)::bigint AS promotion_cost
FROM wagers w WHERE w.coupon <> '' AND {DAYS.format("w")} AND {OF_TABLE.format("w")} GROUP BY 1
"""
_OUT: Final = f"SELECT f.promotion, {sums(OUT)} FROM {OUTSTANDING} f GROUP BY 1"
_DROPPED: Final = f"""
SELECT f.promotion, {sums(COUPONS_DROPPED)} FROM {DROPPED} f
WHERE {DAYS.format("f")} AND {OF_TABLE.format("f")} GROUP BY 1
"""
_REDEEMED: Final = f"""
SELECT w.gaming_day::text AS day, w.coupon AS serial, w.table_id, w.round, w.opening_seq,
    max(w.promotion) AS promotion, max(w.patron) AS patron, max(r.opened_at) AS at
FROM wagers w JOIN rounds r USING (table_id, round, opening_seq, version)
WHERE w.coupon <> '' AND w.coupon_spent AND {DAYS.format("w")}
GROUP BY w.gaming_day, w.coupon, w.table_id, w.round, w.opening_seq HAVING sum(w.sign) > 0
UNION ALL
SELECT e.gaming_day::text, e.serial, e.table_id, '', 0, e.promotion, e.patron, e.at
FROM coupon_ends e WHERE e.what = 'redeemed' AND {DAYS.format("e")}
ORDER BY 8, 2
"""
_EVER: Final = """
SELECT serial, count(*) AS times FROM (
    SELECT coupon AS serial FROM wagers
    WHERE coupon <> '' AND coupon = ANY(%(serials)s) AND coupon_spent
        AND gaming_day <= %(until_day)s
    GROUP BY coupon, table_id, round, opening_seq HAVING sum(sign) > 0
    UNION ALL
    SELECT serial FROM coupon_ends
    WHERE serial = ANY(%(serials)s) AND what = 'redeemed' AND gaming_day <= %(until_day)s
) every GROUP BY 1
"""
_KNOWN: Final = """
SELECT c.serial, c.patron, c.expires_at, e.what, e.at AS ended_at
FROM coupons c LEFT JOIN coupon_ends e USING (serial) WHERE c.serial = ANY(%(serials)s)
"""
_ALIKE: Final = f"""
SELECT f.promotion, f.rule_set, f.wager, f.placed, sum(f.sign)::bigint AS coupons
FROM {WAGERS} f WHERE f.coupon <> '' AND f.coupon_spent AND {OF_TABLE.format("f")}
GROUP BY 1, 2, 3, 4 HAVING sum(f.sign) <> 0 ORDER BY 1, 2, 3, 4
"""
_BY_AGE: Final = f"""
SELECT o.promotion, b.age_min, b.age_max, count(*) AS coupons, sum(o.face)::bigint AS face
FROM {OUTSTANDING} o JOIN (
    VALUES {", ".join(f"({low}, {high})" for low, high in BANDS)}
) b (age_min, age_max) ON o.age BETWEEN b.age_min AND b.age_max
GROUP BY 1, 2, 3 ORDER BY 1, 2
"""


async def fetch_promotions(
    snapshot: DatabaseSnapshot, _: ReportScope
) -> dict[str, PromotionSummary]:
    found: dict[str, PromotionSummary] = {}
    for row in await snapshot.fetch(_TERMS):
        try:
            terms = read_terms(PromotionTerms.FromString(bytes(row["terms"])))
        except (DecodeError, UnreadableMessage):
            terms = None
        found[row["promotion"]] = PromotionSummary(row["promotion"], terms)
    return found


async def fetch_coupons(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[CouponSums]:
    promotions = await fetch_promotions(snapshot, scope)
    found: dict[str, Counter[str]] = {}
    for query in (_ISSUED, _ENDED, _PLAYED, _OUT, _DROPPED):
        for row in await snapshot.fetch(query, scope.values):
            promotion = row.pop("promotion")
            found.setdefault(promotion, Counter()).update(row)
    leaves = (
        Leaf.ISSUED, Leaf.VOIDED, Leaf.EXPIRED, Leaf.DESK_REDEEMED, Leaf.OUTSTANDING,
        Leaf.REDEEMED, Leaf.DROPPED, Leaf.ISSUED_FACE, Leaf.VOIDED_FACE, Leaf.EXPIRED_FACE,
        Leaf.DESK_REDEEMED_FACE, Leaf.DESK_PAID, Leaf.REDEEMED_FACE, Leaf.PROMOTION_COST,
        Leaf.OUTSTANDING_FACE,
    )  # fmt: skip
    return [
        CouponSums(
            promotions.get(name, PromotionSummary(name, None)),
            {leaf: row[leaf.value] for leaf in leaves},
        )
        for name, row in sorted(found.items())
    ]


async def fetch_problems(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[CouponProblem]:
    """Exceptions of coupons that were redeemed on these days."""
    redeemed = await snapshot.fetch(_REDEEMED, scope.values)
    promotions = await fetch_promotions(snapshot, scope)
    values = {**scope.values, "serials": sorted({row["serial"] for row in redeemed})}
    times = {row["serial"]: row["times"] for row in await snapshot.fetch(_EVER, values)}
    known = {row["serial"]: row for row in await snapshot.fetch(_KNOWN, values)}
    by_patron: Counter[tuple[str, str, str]] = Counter()
    found: list[CouponProblem] = []
    for row in redeemed:
        promotion = promotions.get(row["promotion"], PromotionSummary(row["promotion"], None))
        words = list(_problems(row, known.get(row["serial"]), promotion))
        if times.get(row["serial"], 0) > 1:
            words.append("redeemed twice")
        limit = promotion.terms.patron_daily_limit if promotion.terms is not None else 0
        key = (row["day"], row["promotion"], row["patron"])
        by_patron[key] += 1
        if limit and row["patron"] and by_patron[key] > limit:
            words.append(f"coupon {by_patron[key]} of a patron on a day, limit {limit}")
        found += [
            CouponProblem(
                day=row["day"],
                at=row["at"],
                promotion=row["promotion"],
                serial=row["serial"],
                table=row["table_id"],
                round=row["round"],
                opening_seq=row["opening_seq"],
                words=problem,
            )
            for problem in words
        ]
    return [item for item in found if scope.table in ("", item.table)]


def _problems(row: Row, issued: Mapping[str, Any] | None, promotion: PromotionSummary) -> list[str]:
    if issued is None:
        return ["never issued"]
    words: list[str] = []
    if issued["what"] in ("voided", "expired") and issued["ended_at"] < row["at"]:
        words.append(f"redeemed after it was {issued['what']}")
    terms = promotion.terms
    expires_at = issued["expires_at"] or (terms.valid_until if terms is not None else 0)
    if expires_at and expires_at < row["at"] and issued["what"] != "expired":
        words.append("redeemed after its expiry")
    if issued["patron"] and row["patron"] and issued["patron"] != row["patron"]:
        words.append(f"issued to {issued['patron']}, redeemed by {row['patron']}")
    return words


async def fetch_redemptions(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[Redemption]:
    return [Redemption(**row) for row in await snapshot.fetch(_ALIKE, scope.values)]


async def fetch_outstanding(
    snapshot: DatabaseSnapshot, scope: ReportScope
) -> list[OutstandingCoupons]:
    promotions = await fetch_promotions(snapshot, scope)
    return [
        OutstandingCoupons(
            promotion=promotions.get(row["promotion"], PromotionSummary(row["promotion"], None)),
            band=_band(row["age_min"], row["age_max"]),
            age_min=row["age_min"],
            age_max=row["age_max"],
            coupons=row["coupons"],
            face=row["face"],
        )
        for row in await snapshot.fetch(_BY_AGE, scope.values)
    ]


def _band(low: int, high: int) -> str:
    return f"over {low - 1} days" if high == BANDS[-1][1] else f"{low}-{high} days"
