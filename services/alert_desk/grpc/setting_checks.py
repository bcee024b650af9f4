"""Validation of a change of a setting, alone and with the settings in force."""

from __future__ import annotations

from typing import Final

from alert_desk.grpc.alert_commands import require_text
from alert_desk.grpc.errors import ActionRejected, RecordNotFound
from alert_desk.kafka.decoder import about
from alert_desk.postgres.alert_filters import time_of
from alert_desk.postgres.audit_log import AuditTransaction
from alerting.kinds import KINDS
from alerting.thresholds import THRESHOLDS
from casino.settlement.v1.finding_pb2 import Level
from casino.surveillance.v1.settings_pb2 import ExclusionBasis, SettingChange
from runtime.database.column_values import micros
from runtime.query_errors import InvalidQuery, member

SUPPRESSED_SECONDS_MAX: Final = 30 * 24 * 3600
"""A suppression must not be forgotten: one that is needed for longer is set again."""
_SECOND: Final = 1_000_000
_LATEST: Final = """
SELECT what, valid_until FROM setting_changes
WHERE what IN ('patron_excluded', 'exclusion_lifted') AND about = %s
ORDER BY valid_from DESC, "offset" DESC LIMIT 1
"""
_SUPPRESSION: Final = """
SELECT valid_until, EXISTS (
    SELECT FROM setting_changes l WHERE l.what = 'suppression_lifted' AND l.about = s.change_id
) AS is_lifted
FROM setting_changes s WHERE what = 'alerts_suppressed' AND change_id = %s
"""


def check_by_itself(change: SettingChange) -> None:
    """Check the fields of a change that has its `valid_from`; or raise `InvalidQuery`."""
    require_text("change.reason", change.reason)
    valid_from = time_of("change.valid_from", change.valid_from)
    match change.WhichOneof("what"):
        case "patron_excluded":
            excluded = change.patron_excluded
            require_text("change.patron_excluded.patron", excluded.patron)
            member("change.patron_excluded.basis", excluded.basis, ExclusionBasis.values())
            if excluded.HasField("until") and time_of("until", excluded.until) <= valid_from:
                raise InvalidQuery("change.patron_excluded.until", "must be after valid_from")
        case "exclusion_lifted":
            require_text("change.exclusion_lifted.patron", change.exclusion_lifted.patron)
        case "threshold_set":
            _check_threshold(change)
        case "level_set":
            _check_kind("change.level_set.kind", change.level_set.kind)
            if change.level_set.level:
                member("change.level_set.level", change.level_set.level, Level.values())
        case "alerts_suppressed":
            _check_suppression(change, valid_from)
        case "suppression_lifted":
            lifted = change.suppression_lifted.suppression
            require_text("change.suppression_lifted.suppression", lifted)
        case _:
            raise InvalidQuery("change", "set one of its kinds of change")


async def check_with_others(desk: AuditTransaction, change: SettingChange) -> None:
    """Check that a lifted exclusion or suppression is in force; or raise `ActionRejected`."""
    match change.WhichOneof("what"):
        case "exclusion_lifted":
            patron = about(change)
            rows = await desk.fetch(_LATEST, [patron])
            is_lifted = not rows or rows[0]["what"] == "exclusion_lifted"
            if is_lifted or _is_over(rows[0]["valid_until"], change):
                raise ActionRejected(f"patron {patron}", "not excluded at that time")
        case "suppression_lifted":
            rows = await desk.fetch(_SUPPRESSION, [about(change)])
            if not rows:
                raise RecordNotFound("suppression", about(change))
            if rows[0]["is_lifted"] or _is_over(rows[0]["valid_until"], change):
                raise ActionRejected(f"suppression {about(change)}", "already ended")
        case _:
            return


def _check_threshold(change: SettingChange) -> None:
    setting = change.threshold_set
    known = THRESHOLDS.get(setting.name)
    if known is None:
        raise InvalidQuery(
            "change.threshold_set.name",
            f'"{setting.name}" not found; thresholds are {", ".join(sorted(THRESHOLDS))}',
        )
    if not setting.is_default and not known.least <= setting.value <= known.most:
        raise InvalidQuery(
            "change.threshold_set.value",
            f"{setting.value}: {setting.name} must be from {known.least} to {known.most}",
        )
    if setting.is_default and setting.value:
        raise InvalidQuery("change.threshold_set.value", "leave it out with is_default")


def _check_suppression(change: SettingChange, valid_from: int) -> None:
    setting = change.alerts_suppressed
    _check_kind("change.alerts_suppressed.kind", setting.kind)
    if not setting.HasField("until"):
        raise InvalidQuery(
            "change.alerts_suppressed.until", "must be set: a suppression has an end"
        )
    until = time_of("change.alerts_suppressed.until", setting.until)
    if not valid_from < until <= valid_from + SUPPRESSED_SECONDS_MAX * _SECOND:
        raise InvalidQuery(
            "change.alerts_suppressed.until", "must be after valid_from, and within 30 days of it"
        )


def _check_kind(field: str, kind: str) -> None:
    if kind not in KINDS:
        raise InvalidQuery(field, f'"{kind}" not found: ListSettings lists the kinds')


def _is_over(until: int | None, change: SettingChange) -> bool:
    return until is not None and until <= micros(change.valid_from)
