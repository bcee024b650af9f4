"""The settings in force, and the history of changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from alert_desk.postgres.alert_filters import PAGES, time_of
from alerting.kinds import KINDS
from alerting.thresholds import THRESHOLDS
from casino.settlement.v1.finding_pb2 import Level
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.settings_pb2 import SettingChange
from runtime.database.column_values import column_text
from runtime.database.query import Database, Row
from runtime.rpc.page_tokens import Paging
from wire.vocabulary import write_time

_IN_FORCE: Final = """
SELECT DISTINCT ON (about) about, change FROM setting_changes
WHERE what = %(what)s AND valid_from <= %(at)s ORDER BY about, valid_from DESC, "offset" DESC
"""
_SUPPRESSIONS: Final = """
SELECT s.change FROM setting_changes s
WHERE s.what = 'alerts_suppressed' AND s.valid_until > %(at)s AND NOT EXISTS (
    SELECT FROM setting_changes l
    WHERE l.what = 'suppression_lifted' AND l.about = s.change_id AND l.valid_from <= %(at)s
)
ORDER BY s.valid_until, s."offset"
"""
_CHANGES: Final = 'SELECT * FROM setting_changes {where} ORDER BY "offset" DESC LIMIT {limit}'
_EXCLUSIONS: Final = """
SELECT * FROM (
    SELECT s."offset", s.about, s.what, s.change, s.valid_until,
        lead(s.change) OVER w AS next_change, lead(s.valid_from) OVER w AS next_from
    FROM setting_changes s WHERE s.what IN ('patron_excluded', 'exclusion_lifted') {of_patron}
    WINDOW w AS (PARTITION BY s.about ORDER BY s.valid_from, s."offset")
) e
{where}
ORDER BY "offset" DESC LIMIT {limit}
"""
_KEYS: Final = {"offset": int}


class SettingQueries:
    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock

    async def in_force(self, request: pb.ListSettingsRequest) -> pb.ListSettingsResponse:
        at = time_of("at", request.at) if request.HasField("at") else self._clock()
        async with self._database.snapshot() as snapshot:
            values = {"at": at}
            thresholds = await snapshot.fetch(_IN_FORCE, {**values, "what": "threshold_set"})
            levels = await snapshot.fetch(_IN_FORCE, {**values, "what": "level_set"})
            suppressions = await snapshot.fetch(_SUPPRESSIONS, values)
        return pb.ListSettingsResponse(
            thresholds=_thresholds(_by_subject(thresholds)),
            kinds=_kinds(_by_subject(levels)),
            suppressions=[SettingChange.FromString(row["change"]) for row in suppressions],
        )

    async def changes(self, request: pb.ListSettingChangesRequest) -> pb.ListSettingChangesResponse:
        paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS)
        where: list[str] = []
        values: dict[str, Any] = {}
        if request.about:
            where.append("%(about)s IN (about, change_id)")
            values["about"] = column_text(request.about)
        query = _CHANGES.format(where=paging.where(where, values), limit=paging.limit)
        page, token = paging.cut(await self._database.fetch(query, values))
        return pb.ListSettingChangesResponse(
            changes=[SettingChange.FromString(row["change"]) for row in page],
            next_page_token=token,
        )

    async def exclusions(self, request: pb.ListExclusionsRequest) -> pb.ListExclusionsResponse:
        paging = Paging(request, PAGES.of(request.page_size), request.page_token, _KEYS)
        where = ["what = 'patron_excluded'"]
        values: dict[str, Any] = {"now": self._clock()}
        of_patron = ""
        if request.patron:
            of_patron = "AND s.about = %(patron)s"
            values["patron"] = column_text(request.patron)
        if not request.with_ended:
            where.append("coalesce(least(valid_until, next_from), %(now)s + 1) > %(now)s")
        query = _EXCLUSIONS.format(
            of_patron=of_patron, where=paging.where(where, values), limit=paging.limit
        )
        page, token = paging.cut(await self._database.fetch(query, values))
        return pb.ListExclusionsResponse(
            exclusions=[_exclusion(row) for row in page], next_page_token=token
        )


def _by_subject(rows: list[Row]) -> dict[str, SettingChange]:
    return {row["about"]: SettingChange.FromString(row["change"]) for row in rows}


def _thresholds(changes: dict[str, SettingChange]) -> list[pb.Threshold]:
    found = []
    for name, known in sorted(THRESHOLDS.items()):
        change = changes.get(name)
        is_set = change is not None and not change.threshold_set.is_default
        found.append(
            pb.Threshold(
                name=name,
                words=known.words,
                value=change.threshold_set.value if change and is_set else known.default,
                default_value=known.default,
                least=known.least,
                most=known.most,
                change=change if is_set else None,
            )
        )
    return found


def _kinds(changes: dict[str, SettingChange]) -> list[pb.AlertKind]:
    found = []
    for code, known in sorted(KINDS.items()):
        own = Level.ValueType(known.level)
        change = changes.get(code)
        is_set = change is not None and bool(change.level_set.level)
        found.append(
            pb.AlertKind(
                kind=code,
                words=known.words,
                level=change.level_set.level if change and is_set else own,
                default_level=own,
                change=change if is_set else None,
            )
        )
    return found


def _exclusion(row: Row) -> pb.Exclusion:
    ends = [end for end in (row["valid_until"], row["next_from"]) if end is not None]
    by = row["next_change"]
    return pb.Exclusion(
        change=SettingChange.FromString(row["change"]),
        ends_at=write_time(min(ends)) if ends else None,
        ended_by=None if by is None else SettingChange.FromString(by),
    )
