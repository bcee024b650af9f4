"""The SQL measure of each leaf.

A source is a list of facts; a measure selects the facts that count for a leaf, and their amounts.
The sum in a report and its drill-down use the same SQL, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from accounting.domain.checks import LOG_CENTS
from accounting.domain.reports.composition import ValueKind
from accounting.domain.reports.leaves import Leaf
from blackjack.facts import Tender

DAYS: Final = "{0}.gaming_day BETWEEN %(from_day)s AND %(until_day)s"
"""Days are filtered by their bounds, so that partitions of other days are not read."""

# A later version of a round reverses the rows of the one before, by the rules of the reversed
# version. `LIMIT 1` keeps this a lookup for each of the few reversed rows.
TAKEN_BACK: Final = """(
    SELECT b.game, b.rule_set, b.status, b.dealer, b.supervisor, r.opened_at AS at,
        r.source_partition, r.source_offset
    FROM rounds r JOIN rounds b ON b.table_id = r.table_id AND b.round = r.round
        AND b.opening_seq = r.opening_seq AND b.version = r.takes_back
    WHERE r.table_id = w.table_id AND r.round = w.round AND r.opening_seq = w.opening_seq
        AND r.version = w.version
    LIMIT 1
)"""
WAGERS: Final = f"""(
    SELECT w.*, r.game, r.rule_set, r.status, r.dealer, r.supervisor, r.opened_at AS at,
        r.source_partition, r.source_offset
    FROM wagers w JOIN rounds r USING (table_id, round, opening_seq, version)
    WHERE w.sign = 1 AND {DAYS.format("w")} AND {DAYS.format("r")}
    UNION ALL
    SELECT w.*, o.game, o.rule_set, o.status, o.dealer, o.supervisor, o.at,
        o.source_partition, o.source_offset
    FROM wagers w CROSS JOIN LATERAL {TAKEN_BACK} o
    WHERE w.sign = -1 AND {DAYS.format("w")}
)"""
ROUNDS: Final = f"""(
    SELECT DISTINCT f.gaming_day, f.table_id, f.round, f.opening_seq, f.version, f.sign, f.wager,
        f.game, f.rule_set, f.at, f.source_partition, f.source_offset
    FROM {WAGERS} f
)"""
"""One row for all wagers of one kind in a round."""
DROPPED: Final = f"""(
    SELECT d.*, coalesce(c.promotion, p.promotion, '') AS promotion
    FROM cash d LEFT JOIN coupons c ON c.serial = d.name LEFT JOIN LATERAL (
        SELECT w.promotion FROM wagers w
        WHERE w.coupon = d.name AND w.coupon <> '' AND {DAYS.format("w")} LIMIT 1
    ) p ON true
    WHERE d.kind = 'coupon_dropped'
)"""
_COUPON_SPENT: Final = """(
    SELECT coupon FROM wagers
    WHERE coupon <> '' AND coupon_spent AND gaming_day <= %(until_day)s
    GROUP BY coupon HAVING sum(sign) > 0
)"""
OUTSTANDING: Final = f"""(
    SELECT c.*, %(until_day)s::date - c.gaming_day AS age FROM coupons c
    WHERE c.gaming_day <= %(until_day)s
        AND NOT EXISTS (
            SELECT FROM coupon_ends e
            WHERE e.serial = c.serial AND e.gaming_day <= %(until_day)s
        )
        AND c.serial NOT IN {_COUPON_SPENT}
)"""
TRANSFERS: Final = """(
    SELECT t.gaming_day, t.entry_id, t.line, t.cents, a.code, a.id = t.debit AS is_debit
    FROM transfers t JOIN accounts a ON a.id IN (t.debit, t.credit)
)"""


class FactSource(Struct, frozen=True):
    """A list of facts. `scope` are the columns that filter it."""

    name: str
    rows: str
    scope: Mapping[str, str]
    is_dated: bool = True
    """Whether the days are added as a filter; otherwise the rows filter by day themselves."""


class Measure(Struct, frozen=True):
    source: FactSource
    cents: str
    """The amount; a number, for a measure that counts."""
    where: str = "true"
    title: str = ""
    kind: ValueKind = ValueKind.CENTS
    is_detail: bool = False
    """Whether it is used only in drill-downs: the amount itself is computed otherwise."""


PLAYED: Final = FactSource(
    "wagers",
    WAGERS,
    {
        "table": "table_id", "game": "game", "rule_set": "rule_set", "wager": "wager",
        "round": "round", "opening_seq": "opening_seq", "seat": "seat", "hand": "hand",
        "promotion": "promotion",
    },
    is_dated=False,
)  # fmt: skip
ROUNDS_OF: Final = FactSource(
    "rounds",
    ROUNDS,
    {"table": "table_id", "game": "game", "rule_set": "rule_set", "wager": "wager"},
    is_dated=False,
)
COUPONS_DROPPED: Final = FactSource(
    "coupons_dropped", DROPPED, {"table": "table_id", "promotion": "promotion"}
)
# A large item without a patron has a row of its own, identified by `item`.
_UNNAMED: Final = f"t.patron = '' AND t.cents >= {LOG_CENTS}"
_CASH_ITEMS: Final = f"""(
    SELECT t.*, CASE WHEN t.kind = 'sale' AND t.tender = 'cash' AND {_UNNAMED}
        THEN t.table_id || '/' || t.seq ELSE '' END AS item
    FROM cash t
)"""
_CAGE_ITEMS: Final = f"""(
    SELECT t.*, CASE WHEN t.kind = 'chips_redeemed' AND {_UNNAMED}
        THEN t.event_id ELSE '' END AS item
    FROM cage t
)"""
CASH: Final = FactSource(
    "cash", _CASH_ITEMS, {"table": "table_id", "patron": "patron", "item": "item"}
)
CAGE: Final = FactSource(
    "cage", _CAGE_ITEMS, {"table": "table_id", "patron": "patron", "item": "item"}
)
COUNTED: Final = FactSource("drop_counts", "drop_counts", {"table": "table_id"})
COUPONS: Final = FactSource("coupons", "coupons", {"promotion": "promotion"})
ENDS: Final = FactSource("coupon_ends", "coupon_ends", {"promotion": "promotion"})
OUT: Final = FactSource(
    "outstanding",
    OUTSTANDING,
    {"promotion": "promotion", "age_min": "age", "age_max": "age"},
    is_dated=False,
)
LEDGER: Final = FactSource("transfers", TRANSFERS, {"account": "code"})


def _wagers(
    cents: str, title: str, kind: ValueKind = ValueKind.CENTS, *, is_detail: bool = False
) -> Measure:
    return Measure(PLAYED, f"f.sign * ({cents})", title=title, kind=kind, is_detail=is_detail)


def _kind(source: FactSource, kind: str, title: str, more: str = "") -> Measure:
    return Measure(source, "f.cents", f"f.kind = '{kind}'{more}", title)


def _drop(kind: str, title: str) -> Measure:
    return Measure(COUNTED, "f.sign * f.denomination * f.count", f"f.kind = '{kind}'", title)


def _end(what: str, cents: str, title: str, kind: ValueKind = ValueKind.CENTS) -> Measure:
    return Measure(ENDS, cents, f"f.what = '{what}'", title, kind)


def _large(of: Measure) -> Measure:
    where = f"{of.where} AND f.cents >= {LOG_CENTS}"
    return Measure(of.source, "1", where, of.title, ValueKind.COUNT, is_detail=True)


_AS_OWED: Final = "f.taken - f.owed"
_AS_SEEN: Final = "f.collected - f.paid"
IS_JUDGED: Final = "f.result NOT IN ('undetermined', 'not_settled', 'void')"
JUDGED_WIN: Final = "f.taken - f.owed + f.coupon_owed"
_IS_OPEN: Final = "f.status = 'incomplete' AND f.result = 'undetermined'"
MAY_GAIN: Final = f"CASE WHEN {_IS_OPEN} THEN greatest(f.stake - f.collected, 0) ELSE 0 END"
MAY_LOSE: Final = f"CASE WHEN {_IS_OPEN} THEN greatest(f.most - f.paid, 0) ELSE 0 END"
_IS_BLIND: Final = "f.payment = 'unobserved'"
IS_BLIND_UNJUDGED: Final = """(f.result IN ('not_settled', 'undetermined') AND EXISTS (
    SELECT FROM wagers b WHERE b.gaming_day = f.gaming_day AND b.table_id = f.table_id
        AND b.round = f.round AND b.opening_seq = f.opening_seq AND b.version = f.version
        AND b.payment = 'unobserved'
))"""
"""Not judged, in a round with unobserved payments: its chips moved unobserved."""
BLIND_GAIN: Final = (
    f"CASE WHEN {_IS_BLIND} THEN greatest(-f.difference, 0)"
    f" WHEN {IS_BLIND_UNJUDGED} THEN greatest(f.stake - f.collected, 0) ELSE 0 END"
)
BLIND_LOSE: Final = (
    f"CASE WHEN {_IS_BLIND} THEN greatest(f.difference, 0)"
    f" WHEN {IS_BLIND_UNJUDGED} THEN greatest(f.most - f.paid, 0) ELSE 0 END"
)


def _sold(tender: Tender, title: str) -> Measure:
    return _kind(CASH, "sale", title, f" AND f.tender = '{tender}'")


_SOLD_CASH: Final = _sold(Tender.CASH, "chips sold for cash")
_CHIPS_REDEEMED: Final = _kind(CAGE, "chips_redeemed", "chips redeemed")

MEASURES: Final[Mapping[Leaf, Measure]] = {
    Leaf.OWED_WIN: _wagers(
        f"CASE f.result WHEN 'undetermined' THEN 0 WHEN 'not_settled' THEN {_AS_SEEN}"
        f" ELSE {_AS_OWED} END",
        "won as owed",
    ),
    Leaf.PAID_WIN: _wagers(
        f"CASE WHEN f.result = 'undetermined' THEN 0 WHEN f.result = 'not_settled' THEN {_AS_SEEN}"
        f" WHEN f.payment = 'unobserved' THEN {_AS_OWED} ELSE {_AS_SEEN} END",
        "won as paid",
    ),
    Leaf.UNDETERMINED_MOVED: _wagers(
        f"CASE WHEN f.result = 'undetermined' THEN {_AS_SEEN} ELSE 0 END", "undetermined"
    ),
    Leaf.UNDETERMINED_LEAST: _wagers(
        "CASE WHEN f.result = 'undetermined' THEN f.least ELSE 0 END", "owed at least"
    ),
    Leaf.UNDETERMINED_MOST: _wagers(
        "CASE WHEN f.result = 'undetermined' THEN f.most ELSE 0 END", "owed at most"
    ),
    Leaf.OVERPAID: _wagers(
        "CASE WHEN f.payment <> 'unobserved' THEN greatest(f.difference, 0) ELSE 0 END", "overpaid"
    ),
    Leaf.UNDERPAID: _wagers(
        "CASE WHEN f.payment <> 'unobserved' THEN least(f.difference, 0) ELSE 0 END", "underpaid"
    ),
    Leaf.UNOBSERVED: _wagers(
        "CASE WHEN f.payment = 'unobserved' THEN f.difference ELSE 0 END", "payment not observed"
    ),
    Leaf.PROMOTION_COST: _wagers("f.coupon_owed", "won on a coupon"),
    Leaf.HANDLE: _wagers("f.stake", "staked"),
    Leaf.PLACED: _wagers(
        f"CASE WHEN {IS_JUDGED} THEN f.placed ELSE 0 END", "placed", is_detail=True
    ),
    Leaf.JUDGED_WIN: _wagers(
        f"CASE WHEN {IS_JUDGED} THEN {JUDGED_WIN} ELSE 0 END",
        "won as owed, without its coupon",
        is_detail=True,
    ),
    Leaf.OWED: _wagers("f.owed", "owed", is_detail=True),
    Leaf.PAID: _wagers("f.paid", "paid", is_detail=True),
    Leaf.WINNINGS_OWED: _wagers(
        "CASE f.result WHEN 'undetermined' THEN 0 WHEN 'not_settled' THEN f.paid ELSE f.owed END",
        "winnings as owed",
    ),
    Leaf.WINNINGS_PAID: _wagers(
        "CASE WHEN f.result = 'undetermined' THEN 0 WHEN f.result <> 'not_settled'"
        " AND f.payment = 'unobserved' THEN f.owed ELSE f.paid END",
        "winnings as paid",
    ),
    Leaf.REDEEMED: _wagers(
        "CASE WHEN f.coupon_spent THEN 1 ELSE 0 END",
        "coupon redeemed at a table",
        ValueKind.COUNT,
        is_detail=True,
    ),
    Leaf.REDEEMED_FACE: _wagers(
        "CASE WHEN f.coupon_spent THEN f.coupon_face ELSE 0 END", "coupon redeemed at a table"
    ),
    Leaf.ROUNDS: Measure(ROUNDS_OF, "f.sign", title="round", kind=ValueKind.COUNT),
    Leaf.OPENER: _kind(CASH, "opener", "opener"),
    Leaf.CLOSER: _kind(CASH, "closer", "closer"),
    Leaf.FILLS: _kind(CASH, "fill_received", "fill"),
    Leaf.CREDITS: _kind(CASH, "credit_sent", "credit"),
    Leaf.SOLD_CASH: _SOLD_CASH,
    Leaf.SOLD_DEBIT: _sold(Tender.DEBIT, "chips sold on debit"),
    Leaf.SOLD_TICKETS: _sold(Tender.TICKET, "chips sold for a ticket"),
    Leaf.SOLD_CHECKS: _sold(Tender.CHECK, "chips sold for a check"),
    Leaf.TICKETS_ISSUED: _kind(CASH, "ticket_issued", "ticket issued"),
    Leaf.SOLD_LARGE: _large(_SOLD_CASH),
    Leaf.DROPPED: Measure(COUPONS_DROPPED, "1", title="coupon dropped", kind=ValueKind.COUNT),
    Leaf.OPENER_BY_HAND: _kind(CAGE, "opener", "opener, counted by hand"),
    Leaf.CLOSER_BY_HAND: _kind(CAGE, "closer", "closer, counted by hand"),
    Leaf.CHIPS_REDEEMED: _CHIPS_REDEEMED,
    Leaf.REDEEMED_LARGE: _large(_CHIPS_REDEEMED),
    Leaf.DROP_CURRENCY: _drop("currency", "currency in the box"),
    Leaf.DROP_DEBIT: _drop("debit", "debit slips in the box"),
    Leaf.DROP_TICKETS: _drop("tickets", "tickets in the box"),
    Leaf.DROP_CHECKS: _drop("checks", "checks in the box"),
    Leaf.DROP_CHIPS: _drop("chips", "chips in the box"),
    Leaf.COUPONS_COUNTED: _drop("coupons", "coupons in the box"),
    Leaf.ISSUED: Measure(COUPONS, "1", title="coupon issued", kind=ValueKind.COUNT),
    Leaf.VOIDED: _end("voided", "1", "coupon voided", ValueKind.COUNT),
    Leaf.EXPIRED: _end("expired", "1", "coupon expired", ValueKind.COUNT),
    Leaf.DESK_REDEEMED: _end(
        "redeemed", "1", "coupon redeemed at promotions desk", ValueKind.COUNT
    ),
    Leaf.OUTSTANDING: Measure(OUT, "1", title="coupon outstanding", kind=ValueKind.COUNT),
    Leaf.ISSUED_FACE: Measure(COUPONS, "f.face", title="coupon issued"),
    Leaf.VOIDED_FACE: _end("voided", "f.face", "coupon voided"),
    Leaf.EXPIRED_FACE: _end("expired", "f.face", "coupon expired"),
    Leaf.DESK_REDEEMED_FACE: _end("redeemed", "f.face", "coupon redeemed at promotions desk"),
    Leaf.DESK_PAID: _end("redeemed", "f.paid", "paid on a coupon at promotions desk"),
    Leaf.OUTSTANDING_FACE: Measure(OUT, "f.face", title="coupon outstanding"),
    Leaf.DEBIT: Measure(LEDGER, "f.cents", "f.is_debit", "debit"),
    Leaf.CREDIT: Measure(LEDGER, "f.cents", "NOT f.is_debit", "credit"),
}


def of_source(*sources: FactSource) -> list[Leaf]:
    """The leaves of these sources that reports sum."""
    return [
        leaf
        for leaf, measure in MEASURES.items()
        if measure.source in sources and not measure.is_detail
    ]


def sums(source: FactSource) -> str:
    """SQL columns, one for each leaf of a source."""
    return ",\n    ".join(
        f"coalesce(sum({MEASURES[leaf].cents}) FILTER (WHERE {MEASURES[leaf].where}), 0)::bigint"
        f" AS {leaf.value}"
        for leaf in of_source(source)
    )
