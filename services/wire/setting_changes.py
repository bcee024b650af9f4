"""What people set for surveillance, from the wire."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from alerting.settings import (
    AlertsSuppressed,
    Change,
    ExclusionLifted,
    LevelSet,
    PatronExcluded,
    SuppressionLifted,
    ThresholdSet,
)
from casino.surveillance.v1.settings_pb2 import SettingChange
from wire.codec import parse
from wire.errors import NotARecord, UnreadableMessage
from wire.vocabulary import LEVELS, read_time


class SettingsRebuilt(NamedTuple):
    """Everything that surveillance knew was forgotten, and made anew from the topics."""


Setting: TypeAlias = Change | PatronExcluded | ExclusionLifted | SettingsRebuilt


class SettingEntered(NamedTuple):
    """A change under its id: the same id again is the same change."""

    id: str
    setting: Setting | None
    """None: one of a later contract, which only a later version can follow."""


def decode_change(data: bytes) -> SettingEntered:
    """What a message of the topic surveillance-settings says."""
    try:
        change = parse(SettingChange, data)
        if not change.change_id:
            raise NotARecord("a change without its id")
        return SettingEntered(change.change_id, _read(change))
    except UnreadableMessage as error:
        raise NotARecord(error.reason) from None


def _read(change: SettingChange) -> Setting | None:
    """It counts from when it was entered, unless it says from when on."""
    name = change.change_id
    since = read_time(change.valid_from) or read_time(change.recorded_at)
    match change.WhichOneof("what"):
        case "threshold_set":
            number = change.threshold_set
            return ThresholdSet(number.name, None if number.is_default else number.value, since)
        case "level_set":
            level = change.level_set.level
            return LevelSet(change.level_set.kind, LEVELS[level] if level else None, since)
        case "alerts_suppressed":
            what = change.alerts_suppressed
            until = read_time(what.until)
            return AlertsSuppressed(
                name, what.kind, since, until, what.table_id, what.dealer, what.patron
            )
        case "suppression_lifted":
            return SuppressionLifted(change.suppression_lifted.suppression, since)
        case "patron_excluded":
            excluded = change.patron_excluded
            return PatronExcluded(name, excluded.patron, since, read_time(excluded.until))
        case "exclusion_lifted":
            return ExclusionLifted(name, change.exclusion_lifted.patron, since)
        case "made_anew":
            return SettingsRebuilt()
        case _:
            return None
