"""Wagers by day, table, rule set and wager: results, and the inputs of theory."""

from __future__ import annotations

from typing import Any, Final

from accounting.domain.reports.inputs import (
    PayoutError,
    RuleSetRounds,
    UnobservedRound,
    WagerTotals,
)
from accounting.postgres.report_inputs.measures import (
    BLIND_GAIN,
    BLIND_LOSE,
    DAYS,
    IS_BLIND_UNJUDGED,
    IS_JUDGED,
    JUDGED_WIN,
    MAY_GAIN,
    MAY_LOSE,
    MEASURES,
    PLAYED,
    TAKEN_BACK,
    WAGERS,
    of_source,
)
from accounting.postgres.report_inputs.scope import OF_TABLE, ReportScope
from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot
from accounting.postgres.report_inputs.tables import fetch_rounds_by_hand

_LEAVES: Final = of_source(PLAYED)
_INNER: Final = ",\n        ".join(
    f"sum({MEASURES[leaf].cents})::bigint AS {leaf.value}" for leaf in _LEAVES
)
_OUTER: Final = ",\n    ".join(f"sum({leaf.value})::bigint AS {leaf.value}" for leaf in _LEAVES)
# Each version of a round is summed first: its seats share the dealer's cards, so that the variance
# of a round needs the total placed in it. The join follows, when there are fewer rows.
_PLAY: Final = f"""
WITH of_round AS (
    SELECT f.gaming_day, f.table_id, f.round, f.opening_seq, f.version, f.sign, f.wager,
        coalesce(sum(f.placed) FILTER (WHERE {IS_JUDGED}), 0)::float8 AS placed,
        coalesce(sum(f.placed::float8 * f.placed) FILTER (WHERE {IS_JUDGED}), 0) AS squares,
        coalesce(sum(f.sign * ({JUDGED_WIN})) FILTER (WHERE {IS_JUDGED}), 0)::bigint AS judged_win,
        {_INNER}
    FROM wagers f WHERE {DAYS.format("f")} AND {OF_TABLE.format("f")}
    GROUP BY 1, 2, 3, 4, 5, 6, 7
), of_rules AS (
    SELECT w.*, r.game, r.rule_set
    FROM of_round w JOIN rounds r USING (table_id, round, opening_seq, version)
    WHERE w.sign = 1 AND {DAYS.format("r")}
    UNION ALL
    SELECT w.*, o.game, o.rule_set
    FROM of_round w CROSS JOIN LATERAL {TAKEN_BACK} o WHERE w.sign = -1
)
SELECT gaming_day::text AS day, table_id, game, rule_set, wager, sum(sign)::bigint AS rounds,
    sum(sign * placed)::bigint AS placed, sum(judged_win)::bigint AS judged_win,
    sum(sign * squares) AS squares, sum(sign * (placed * placed - squares)) AS crosses,
    {_OUTER}
FROM of_rules GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
"""

_NAMED: Final = f"""
SELECT w.gaming_day, w.table_id, w.round, w.opening_seq, w.seat, w.hand, w.wager, w.tip
FROM wagers w
WHERE w.difference <> 0 AND w.sign = 1 AND w.payment <> 'unobserved'
    AND {DAYS.format("w")} AND {OF_TABLE.format("w")}
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
"""
_ERRORS: Final = f"""
SELECT w.gaming_day::text AS day, w.table_id, w.round, w.opening_seq, w.seat, w.hand, w.wager,
    w.tip, max(w.patron) AS patron, max(w.version) AS version,
    sum(w.sign * w.owed)::bigint AS owed, sum(w.sign * w.paid)::bigint AS paid,
    coalesce(sum(w.sign * w.difference) FILTER (WHERE w.payment <> 'unobserved'), 0)::bigint
        AS difference,
    (array_agg(w.difference ORDER BY w.version) FILTER (WHERE w.sign = 1 AND w.difference <> 0))[1]
        AS first
FROM ({_NAMED}) e JOIN wagers w
    USING (gaming_day, table_id, round, opening_seq, seat, hand, wager, tip)
WHERE {DAYS.format("w")}
GROUP BY w.gaming_day, w.table_id, w.round, w.opening_seq, w.seat, w.hand, w.wager, w.tip
"""
_WITH_STAFF: Final = f"""
SELECT e.*, r.opened_at AS at, r.dealer, r.supervisor FROM ({_ERRORS}) e
JOIN rounds r USING (table_id, round, opening_seq, version)
ORDER BY e.day, e.table_id, r.opened_at, e.round, e.opening_seq, e.seat, e.hand, e.wager, e.tip
"""
_ROOM: Final = {
    "blind_gain": BLIND_GAIN, "blind_lose": BLIND_LOSE, "may_gain": MAY_GAIN, "may_lose": MAY_LOSE,
}  # fmt: skip
_UNSEEN: Final = f"""
SELECT f.gaming_day::text AS day, f.table_id AS table, f.round, f.opening_seq,
    max(f.at) AS at, max(f.status) AS status,
    {", ".join(f"sum(f.sign * ({cents}))::bigint AS {name}" for name, cents in _ROOM.items())}
FROM {WAGERS} f
WHERE {OF_TABLE.format("f")}
    AND (f.payment = 'unobserved' OR f.status = 'incomplete' OR {IS_BLIND_UNJUDGED})
GROUP BY 1, 2, 3, 4
HAVING {" OR ".join(f"sum(f.sign * ({cents})) <> 0" for cents in _ROOM.values())}
ORDER BY 1, 2, 3, 4
"""
_PLAYED: Final = f"""
SELECT r.rule_set, r.game, count(*) AS rounds FROM rounds r
WHERE {DAYS.format("r")} GROUP BY 1, 2 ORDER BY 3 DESC, 1
"""


async def fetch_played(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[RuleSetRounds]:
    """Rule sets with their rounds, the most played first."""
    return [RuleSetRounds(**row) for row in await snapshot.fetch(_PLAYED, scope.values)]


async def fetch_play(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[WagerTotals]:
    return [_play(row) for row in await snapshot.fetch(_PLAY, scope.values)]


async def fetch_errors(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[PayoutError]:
    """Wagers that were mispaid in some version, with their difference now."""
    by_hand = await fetch_rounds_by_hand(snapshot, scope)
    return [
        PayoutError(
            day=row["day"],
            table=row["table_id"],
            round=row["round"],
            opening_seq=row["opening_seq"],
            at=row["at"],
            version=row["version"],
            seat=row["seat"],
            hand=row["hand"],
            wager=row["wager"],
            tip=row["tip"],
            patron=row["patron"],
            owed=row["owed"],
            paid=row["paid"],
            difference=row["difference"],
            first=row["first"],
            dealer=row["dealer"],
            supervisor=row["supervisor"],
            by_hand=bool({(row["table_id"], row["round"]), ("", row["round"])} & by_hand),
        )
        for row in await snapshot.fetch(_WITH_STAFF, scope.values)
    ]


async def fetch_unseen(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[UnobservedRound]:
    return [UnobservedRound(**row) for row in await snapshot.fetch(_UNSEEN, scope.values)]


def _play(row: dict[str, Any]) -> WagerTotals:
    return WagerTotals(
        day=row["day"],
        table=row["table_id"],
        game=row["game"],
        rule_set=row["rule_set"],
        wager=row["wager"],
        rounds=row["rounds"],
        sums={leaf: row[leaf.value] for leaf in _LEAVES},
        placed=row["placed"],
        judged_win=row["judged_win"],
        squares=row["squares"],
        crosses=row["crosses"],
    )
