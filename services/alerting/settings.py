"""Settings with a start in time: thresholds, levels, suppressions; and exclusions of patrons.

Events are judged by the settings in force when they happened. Of two changes of one setting the
one with the later start wins; of two with the same start, the one that was entered last.
"""

from __future__ import annotations

from bisect import bisect_right

from msgspec import Struct
from msgspec.structs import replace

from alerting.thresholds import THRESHOLDS
from blackjack.findings import Level


class ThresholdSet(Struct, frozen=True, tag=True):
    """From `valid_from` on a threshold has this value; None is the default again."""

    name: str
    value: int | None
    valid_from: int


class LevelSet(Struct, frozen=True, tag=True):
    """From `valid_from` on alerts of a kind have this level; None is their own again."""

    kind: str
    level: Level | None
    valid_from: int


class AlertsSuppressed(Struct, frozen=True, tag="Suppressed"):
    """Alerts of a kind raised in this time notify no one; an empty field matches any value."""

    id: str
    kind: str
    valid_from: int
    valid_until: int = 0
    table: str = ""
    dealer: str = ""
    patron: str = ""

    def covers(self, kind: str, at: int, *, table: str, dealer: str, patron: str) -> bool:
        return (
            self.kind == kind
            and self.valid_from <= at
            and (not self.valid_until or at < self.valid_until)
            and self.table in ("", table)
            and self.dealer in ("", dealer)
            and self.patron in ("", patron)
        )


class SuppressionLifted(Struct, frozen=True, tag=True):
    """From `valid_from` on a suppression no longer applies."""

    suppression: str
    valid_from: int


class PatronExcluded(Struct, frozen=True, tag="Excluded"):
    """A patron may not play in a period; `valid_until` 0 is without end."""

    id: str
    patron: str
    valid_from: int
    valid_until: int = 0


class ExclusionLifted(Struct, frozen=True, tag=True):
    """The patron may play again."""

    id: str
    patron: str
    valid_from: int


Change = ThresholdSet | LevelSet | AlertsSuppressed | SuppressionLifted
"""A change of `Settings`. Exclusions are facts about a patron instead."""


class Settings:
    """All changes so far, in the order in which they were entered."""

    def __init__(self, changes: tuple[Change, ...] = ()) -> None:
        self.changes = changes
        self._thresholds: dict[str, list[tuple[int, int | None]]] = {}
        self._levels: dict[str, list[tuple[int, Level | None]]] = {}
        self._suppressed: dict[str, AlertsSuppressed] = {}
        for change in changes:
            match change:
                case ThresholdSet():
                    kept = self._thresholds.setdefault(change.name, [])
                    kept.append((change.valid_from, change.value))
                    kept.sort(key=lambda entry: entry[0])
                case LevelSet():
                    levels = self._levels.setdefault(change.kind, [])
                    levels.append((change.valid_from, change.level))
                    levels.sort(key=lambda entry: entry[0])
                case AlertsSuppressed():
                    self._suppressed[change.id] = change
                case SuppressionLifted(suppression=name, valid_from=until):
                    lifted = self._suppressed.get(name)
                    if lifted is not None and not 0 < lifted.valid_until < until:
                        self._suppressed[name] = replace(lifted, valid_until=until)

    def with_change(self, change: Change) -> Settings:
        return Settings((*self.changes, change))

    def threshold(self, name: str, at: int) -> int:
        """The value in force at a moment."""
        kept = self._thresholds.get(name)
        if kept:
            place = bisect_right(kept, at, key=lambda entry: entry[0])
            value = kept[place - 1][1] if place else None
            if value is not None:
                return value
        return THRESHOLDS[name].default

    def microseconds(self, name: str, at: int) -> int:
        """The value in force of a threshold in seconds, in microseconds."""
        return self.threshold(name, at) * 1_000_000

    def level(self, kind: str, own: Level, at: int) -> Level:
        kept = self._levels.get(kind)
        if kept:
            place = bisect_right(kept, at, key=lambda entry: entry[0])
            value = kept[place - 1][1] if place else None
            if value is not None:
                return value
        return own

    def suppressed_by(self, kind: str, at: int, *, table: str, dealer: str, patron: str) -> str:
        """The id of the first setting that suppresses such an alert; empty where none does."""
        for suppression in self._suppressed.values():
            if suppression.covers(kind, at, table=table, dealer=dealer, patron=patron):
                return suppression.id
        return ""


DEFAULTS = Settings()
"""The settings before any change."""
