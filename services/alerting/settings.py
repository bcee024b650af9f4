"""What people have set, from when on: thresholds, levels, suppressions; and whom they excluded.

What happened is judged by what was in force when it happened. Of two changes of one thing the
one that holds from later on wins; of two from the same moment, the one that was entered last.
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


class Suppressed(Struct, frozen=True, tag=True):
    """Alerts of a kind that first happen in this time call nobody; an empty field is anybody."""

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
    """From `valid_from` on the alerts of a suppression are wanted again."""

    suppression: str
    valid_from: int


class Excluded(Struct, frozen=True, tag=True):
    """A patron may not play, from when to when; `valid_until` 0 is without end."""

    id: str
    patron: str
    valid_from: int
    valid_until: int = 0


class ExclusionLifted(Struct, frozen=True, tag=True):
    """The patron may play again."""

    id: str
    patron: str
    valid_from: int


Change = ThresholdSet | LevelSet | Suppressed | SuppressionLifted
"""What `Settings` are made of. Exclusions are facts about a patron instead."""


class Settings:
    """All changes so far, in the order in which they were entered."""

    def __init__(self, changes: tuple[Change, ...] = ()) -> None:
        self.changes = changes
        self._thresholds: dict[str, list[tuple[int, int | None]]] = {}
        self._levels: dict[str, list[tuple[int, Level | None]]] = {}
        self._suppressed: dict[str, Suppressed] = {}
        for change in changes:
            match change:
                case ThresholdSet():
                    kept = self._thresholds.setdefault(change.name, [])
                    kept.append((change.valid_from, change.value))
                    kept.sort(key=lambda each: each[0])
                case LevelSet():
                    levels = self._levels.setdefault(change.kind, [])
                    levels.append((change.valid_from, change.level))
                    levels.sort(key=lambda each: each[0])
                case Suppressed():
                    self._suppressed[change.id] = change
                case SuppressionLifted(suppression=name, valid_from=until):
                    lifted = self._suppressed.get(name)
                    if lifted is not None and not 0 < lifted.valid_until < until:
                        self._suppressed[name] = replace(lifted, valid_until=until)

    def with_change(self, change: Change) -> Settings:
        return Settings((*self.changes, change))

    def threshold(self, name: str, at: int) -> int:
        """What was in force at a moment."""
        kept = self._thresholds.get(name)
        if kept:
            place = bisect_right(kept, at, key=lambda each: each[0])
            value = kept[place - 1][1] if place else None
            if value is not None:
                return value
        return THRESHOLDS[name].default

    def microseconds(self, name: str, at: int) -> int:
        """The same for one in seconds."""
        return self.threshold(name, at) * 1_000_000

    def level(self, kind: str, own: Level, at: int) -> Level:
        kept = self._levels.get(kind)
        if kept:
            place = bisect_right(kept, at, key=lambda each: each[0])
            value = kept[place - 1][1] if place else None
            if value is not None:
                return value
        return own

    def suppressed_by(self, kind: str, at: int, *, table: str, dealer: str, patron: str) -> str:
        """The id of the first setting that suppresses such an alert; empty where none does."""
        for each in self._suppressed.values():
            if each.covers(kind, at, table=table, dealer=dealer, patron=patron):
                return each.id
        return ""


DEFAULTS = Settings()
"""Nobody has set anything."""
