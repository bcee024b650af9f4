"""The facts of an amount, one by one, in order of time."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from accounting.domain.reports.composition import DrillQuery, ValueKind
from accounting.domain.reports.leaves import Leaf
from accounting.postgres.report_inputs.measures import DAYS, MEASURES, FactSource
from accounting.postgres.report_inputs.scope import ReportScope
from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot, Row
from blackjack.display_names import wager_name
from runtime.query_errors import InvalidPageToken
from wire import topics

_INTEGERS: Final = frozenset({"opening_seq", "seat", "hand", "age"})
TERMS_MAX: Final = 40
VALUES_MAX: Final = 10_000

_NO_ROUND: Final = "'' AS round, '' AS wager, 0::bigint AS opening_seq, 0 AS version, 1 AS sign"
_FACTS: Final = {
    "wagers": (
        f"f.at, 'round' AS origin, f.table_id, f.round, f.wager, f.opening_seq,"
        f" f.version, f.sign::integer AS sign, f.opening_seq AS seq, '' AS event_id,"
        f" '{topics.SETTLED_ROUNDS}' AS topic, f.source_partition AS partition,"
        f" f.source_offset AS at_offset, ROW(f.table_id, f.round, f.opening_seq, f.version, f.sign,"
        f" f.seat, f.hand, f.wager, f.tip)::text AS name,"
        f" concat('seat ', f.seat, ', hand ', f.hand,"
        f" CASE WHEN f.tip THEN ' for the dealer' END, ', ', replace(f.result, '_', ' '),"
        f" CASE WHEN f.sign < 0 THEN ', reversed' END) AS detail",
        "",
    ),
    "rounds": (
        f"f.at, 'round' AS origin, f.table_id, f.round, f.wager, f.opening_seq,"
        f" f.version, f.sign::integer AS sign, f.opening_seq AS seq, '' AS event_id,"
        f" '{topics.SETTLED_ROUNDS}' AS topic, f.source_partition AS partition,"
        f" f.source_offset AS at_offset, ROW(f.table_id, f.round, f.opening_seq, f.version, f.sign,"
        f" f.wager)::text AS name,"
        f" CASE WHEN f.sign < 0 THEN 'reversed' ELSE '' END AS detail",
        "",
    ),
    **dict.fromkeys(
        ("cash", "coupons_dropped"),
        (
            f"f.at, 'cash' AS origin, f.table_id, {_NO_ROUND}, f.seq, '' AS event_id,"
            f" '{topics.TABLE_EVENTS}' AS topic, f.source_partition AS partition,"
            f" f.source_offset AS at_offset, ROW(f.table_id, f.seq)::text AS name,"
            f" concat_ws(', ', nullif(f.name, ''), nullif(f.patron, '')) AS detail",
            "",
        ),
    ),
    "cage": (
        f"f.at, 'cage' AS origin, f.table_id, {_NO_ROUND}, 0::bigint AS seq, f.event_id,"
        f" '{topics.CAGE_EVENTS}' AS topic, 0 AS partition, f.source_offset AS at_offset,"
        f" f.event_id AS name, concat_ws(', ', nullif(f.name, ''), nullif(f.patron, '')) AS detail",
        "",
    ),
    "drop_counts": (
        f"c.at, 'cage' AS origin, f.table_id, {_NO_ROUND}, 0::bigint AS seq, f.event_id,"
        f" '{topics.CAGE_EVENTS}' AS topic, 0 AS partition, c.source_offset AS at_offset,"
        f" f.event_id AS name, f.box AS detail",
        "JOIN cage c ON c.event_id = f.event_id",
    ),
    "transfers": (
        "e.at, 'entry' AS origin, e.table_id, e.round, '' AS wager, e.seq AS opening_seq,"
        " e.version, 1 AS sign, e.seq, replace(e.id::text, '-', '') AS event_id,"
        " e.source_topic AS topic,"
        " e.source_partition AS partition, e.source_offset AS at_offset,"
        " ROW(f.entry_id, f.line)::text AS name, replace(e.kind, '_', ' ') AS detail",
        "JOIN entries e ON e.gaming_day = f.gaming_day AND e.id = f.entry_id",
    ),
    **dict.fromkeys(
        ("coupons", "coupon_ends", "outstanding"),
        (
            f"d.at, 'desk' AS origin, '' AS table_id, {_NO_ROUND}, 0::bigint AS seq, f.event_id,"
            f" '{topics.PROMOTION_EVENTS}' AS topic, 0 AS partition,"
            f" d.source_offset AS at_offset, f.serial AS name, f.serial AS detail",
            "JOIN desk d ON d.event_id = f.event_id",
        ),
    ),
}
"""The columns and the join of a fact, by source."""
_ONE_BOX: Final = frozenset({"drop_counts"})
"""Sources in which several rows are one fact: the pieces in a box."""


class FigureFact(Struct, frozen=True):
    day: str
    at: int
    leaf: Leaf
    weight: int
    cents: int
    origin: str
    table: str
    round: str
    wager: str
    opening_seq: int
    version: int
    sign: int
    seq: int
    event_id: str
    topic: str
    partition: int
    offset: int
    detail: str
    key: str

    @property
    def words(self) -> str:
        title = MEASURES[self.leaf].title
        label = title if self.weight > 0 else f"minus {title}"
        wager = wager_name(self.wager) if self.wager else ""
        detail = ", ".join(filter(None, (wager, self.detail)))
        return f"{label}: {detail}" if detail else label


class FactQuery:
    """Queries the facts of one drill-down."""

    def __init__(self, drill: DrillQuery, scope: ReportScope) -> None:
        if not 0 < len(drill.terms) <= TERMS_MAX:
            raise InvalidPageToken("drill", "invalid or damaged token")
        self._values: dict[str, Any] = scope.values
        selects = [
            self._select(place, _leaf(name), weight, drill)
            for place, (name, weight) in enumerate(drill.terms)
        ]
        self._all = "\nUNION ALL\n".join(selects)
        self.kind: ValueKind = MEASURES[_leaf(drill.terms[0][0])].kind

    async def total(self, snapshot: DatabaseSnapshot) -> int:
        query = f"SELECT coalesce(sum(p.cents), 0)::bigint AS total FROM ({self._all}) p"
        (row,) = await snapshot.fetch(query, self._values)
        return int(row["total"])

    async def page(
        self, snapshot: DatabaseSnapshot, *, after: tuple[int, str] | None, limit: int
    ) -> list[FigureFact]:
        values = self._values | {"limit": limit}
        where = ""
        if after is not None:
            where = 'WHERE (p.at, p.key COLLATE "C") > (%(after_at)s, %(after_key)s)'
            values |= {"after_at": after[0], "after_key": after[1]}
        query = f"""
            SELECT * FROM ({self._all}) p {where}
            ORDER BY p.at, p.key COLLATE "C" LIMIT %(limit)s
        """
        return [_part(row) for row in await snapshot.fetch(query, values)]

    def _select(self, place: int, leaf: Leaf, weight: int, drill: DrillQuery) -> str:
        if weight not in (-1, 1):
            raise InvalidPageToken("drill", "invalid or damaged token")
        measure = MEASURES[leaf]
        source = measure.source
        columns, joined = _FACTS[source.name]
        where = [measure.where, *self._scope(place, source, drill)]
        if source.is_dated:
            where.append(DAYS.format("f"))
        cents = f"{weight} * ({measure.cents})"
        rows = f"""
            SELECT f.gaming_day::text AS day, '{leaf.value}' AS leaf, {weight} AS weight,
                ({cents})::bigint AS cents, {columns}
            FROM {source.rows} f {joined} WHERE {" AND ".join(where)}
        """
        if source.name in _ONE_BOX:
            rows = _together(rows)
        return f"SELECT *, leaf || ' ' || name AS key FROM ({rows}) q{place} WHERE cents <> 0"

    def _scope(self, place: int, source: FactSource, drill: DrillQuery) -> list[str]:
        where: list[str] = []
        for name, values in drill.scope:
            column = source.scope.get(name)
            if column is None:
                raise InvalidPageToken("drill", f"invalid filter {name!r}")
            kind = int if column in _INTEGERS else str
            if not 0 < len(values) <= VALUES_MAX or any(
                type(value) is not kind for value in values
            ):
                raise InvalidPageToken("drill", f"{name!r} is damaged")
            if kind is str and any("\0" in str(value) for value in values):
                raise InvalidPageToken("drill", f"{name!r} is damaged")
            if kind is int and any(not 0 <= int(value) < 2**63 for value in values):
                raise InvalidPageToken("drill", f"{name!r} is damaged")
            key = f"t{place}_{name}"
            if name in ("age_min", "age_max"):
                self._values[key] = values[0]
                where.append(f"f.{column} {'>=' if name == 'age_min' else '<='} %({key})s")
            else:
                self._values[key] = list(values)
                cast = "bigint[]" if kind is int else "text[]"
                where.append(f"f.{column} = ANY(%({key})s::{cast})")
        return where


def _together(rows: str) -> str:
    leading = "day, leaf, weight"
    others = (
        "at, origin, table_id, round, wager, opening_seq, version, sign, seq, event_id, topic,"
        " partition, at_offset, name, detail"
    )
    return (
        f"SELECT {leading}, sum(cents)::bigint AS cents, {others}"
        f" FROM ({rows}) g GROUP BY {leading}, {others}"
    )


def _leaf(name: str) -> Leaf:
    try:
        return Leaf(name)
    except ValueError:
        raise InvalidPageToken("drill", f"unknown leaf {name!r}") from None


def _part(row: Row) -> FigureFact:
    return FigureFact(
        day=row["day"],
        at=row["at"],
        leaf=Leaf(row["leaf"]),
        weight=row["weight"],
        cents=row["cents"],
        origin=row["origin"],
        table=row["table_id"],
        round=row["round"],
        wager=row["wager"],
        opening_seq=row["opening_seq"],
        version=row["version"],
        sign=row["sign"],
        seq=row["seq"],
        event_id=row["event_id"],
        topic=row["topic"],
        partition=row["partition"],
        offset=row["at_offset"],
        detail=row["detail"],
        key=row["key"],
    )
