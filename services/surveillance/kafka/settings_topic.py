"""What people have set, as whoever judges must know it: the fold of `surveillance-settings`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from confluent_kafka import Message

from alerting.settings import (
    DEFAULTS,
    AlertsSuppressed,
    ExclusionLifted,
    LevelSet,
    PatronExcluded,
    Settings,
    SuppressionLifted,
    ThresholdSet,
)
from runtime import logs
from wire.errors import NotARecord
from wire.setting_changes import SettingEntered, SettingsRebuilt, decode_change

_log = logs.logger(__name__)


@dataclass(frozen=True, slots=True)
class Known:
    """All changes so far. Exclusions are facts about a patron, and sorted as such."""

    settings: Settings = DEFAULTS
    generation: int = 0
    """How often everything was made anew."""
    entered: frozenset[str] = frozenset()

    def with_(self, entered: SettingEntered) -> Known:
        if entered.id in self.entered:
            return self
        known = replace(self, entered=self.entered | {entered.id})
        match entered.setting:
            case ThresholdSet() | LevelSet() | AlertsSuppressed() | SuppressionLifted() as change:
                return replace(known, settings=known.settings.with_change(change))
            case SettingsRebuilt():
                return replace(known, generation=known.generation + 1)
            case PatronExcluded() | ExclusionLifted():
                return known
            case None:
                _log.warning("setting of a later version", change=entered.id)
                return known


def learn(known: Known, messages: Iterable[Message]) -> Known:
    for message in messages:
        try:
            known = known.with_(decode_change(message.value() or b""))
        except NotARecord as refused:
            # It is set aside by the agent that sorts exclusions.
            _log.error("setting skipped", offset=message.offset(), reason=str(refused))
        except Exception:
            _log.error("setting skipped", offset=message.offset(), exc_info=True)
    return known
