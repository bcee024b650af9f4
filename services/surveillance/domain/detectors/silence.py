"""Silent tables: an open table that sends no event for a long time while others do.

Heartbeats count as events. Time in which other tables were open and all of them were silent too
is one alert of the floor, not of each table. A silence is judged when it has ended, or when the
table's events have been read to the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct, field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.phrases import counted
from surveillance.domain.sightings import Sighting, TableActivity, TableCaughtUp, TableStatus
from surveillance.domain.spans import Span, duration, overlap, union, without
from surveillance.domain.table_activity import PAUSE_US
from surveillance.domain.table_stays import Stretch, joined

OF_TABLE: Final = "table.silent"
OF_FLOOR: Final = "floor.silent"
RULE: Final = "Convention: an open table sends events or heartbeats"
KEPT_US: Final = 3 * 86_400_000_000
"""A table whose log is read later than that, compared with others, is no longer judged."""

EVER: Final = 1 << 62


class TableTimeline(Struct, array_like=True):
    """When a table sent events, and when it was opened and closed."""

    stretches: list[Stretch] = field(default_factory=list)
    turns: list[TableStatus] = field(default_factory=list)
    listened_at: int = 0


class SilentSpan(Struct, frozen=True):
    """A table sent nothing between two moments; `next_seq` is 0 while it is still silent."""

    span: Span
    last_seq: int
    next_seq: int


class FloorMemory(Memory, dict=True):
    tables: dict[str, TableTimeline] = field(default_factory=dict)
    latest_at: int = 0

    def __post_init__(self) -> None:
        self.derived = FloorSilences()


class FloorSilences:
    """What follows from all tables together: kept, so that one that speaks does not make the
    worker look at all others again, and never stored."""

    def __init__(self) -> None:
        self._settings: Settings | None = None
        self._gaps: dict[str, list[SilentSpan]] = {}
        self._spoken: list[Span] | None = None
        self._open: dict[Span, list[str]] = {}

    def change(self, name: str, timeline: TableTimeline, *, opens: bool) -> None:
        """A table has spoken; `opens`: and when it was open has changed."""
        self._gaps.pop(name, None)
        if opens:
            self._open.clear()
        if self._spoken is not None:
            self._spoken = union([*self._spoken, *_moments([timeline])])

    def forget(self) -> None:
        self._gaps.clear()
        self._spoken = None
        self._open.clear()

    def gaps(self, memory: FloorMemory, name: str, settings: Settings) -> list[SilentSpan]:
        """Silences of a table."""
        if settings is not self._settings:
            self._gaps.clear()
            self._settings = settings
        found = self._gaps.get(name)
        if found is None:
            timeline = memory.tables.get(name)
            found = self._gaps[name] = [] if timeline is None else list(_gaps(timeline, settings))
        return found

    def spoken(self, memory: FloorMemory) -> list[Span]:
        """When any table spoke."""
        if self._spoken is None:
            self._spoken = union(_moments(memory.tables.values()))
        return self._spoken

    def open_in(self, memory: FloorMemory, span: Span) -> list[str]:
        """The tables that were open all the time."""
        found = self._open.get(span)
        if found is None:
            found = self._open[span] = [
                name
                for name, timeline in sorted(memory.tables.items())
                if overlap([span], _open([timeline], memory.latest_at)) == [span]
            ]
        return found


class Silence(Detector[FloorMemory]):
    """About the floor; an alert for each silence of a table, and of all of them."""

    name = "silence"
    kinds = frozenset({OF_TABLE, OF_FLOOR})
    sees = frozenset({TableActivity, TableStatus, TableCaughtUp})
    memory = FloorMemory

    def fold(self, memory: FloorMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, TableActivity | TableStatus | TableCaughtUp):
            return ()
        timeline = memory.tables.setdefault(sighting.table, TableTimeline())
        open_since = _first_event_at(timeline)
        touched = (0, EVER)
        match sighting:
            case TableActivity(since=since, until=until, first_seq=first, last_seq=last):
                stretch = Stretch(since, until, first, last)
                timeline.stretches = joined(timeline.stretches, stretch, apart_us=PAUSE_US)
                memory.latest_at = max(memory.latest_at, until)
                if (
                    _first_event_at(timeline) == open_since
                ):  # otherwise it was open for longer than known
                    touched = (since - PAUSE_US, until + PAUSE_US)
            case TableStatus(at=at, seq=seq):
                stretch = Stretch(at, at, seq, seq)
                timeline.stretches = joined(timeline.stretches, stretch, apart_us=PAUSE_US)
                turns = (*timeline.turns, sighting)
                timeline.turns = sorted(turns, key=lambda turn: (turn.seq, turn.is_open))
                memory.latest_at = max(memory.latest_at, at)
            case TableCaughtUp(at=at):
                timeline.listened_at = max(timeline.listened_at, at)
                memory.latest_at = max(memory.latest_at, at)
        opens = not isinstance(sighting, TableActivity) or _first_event_at(timeline) != open_since
        memory.derived.change(sighting.table, timeline, opens=opens)
        if _forget(memory):
            memory.derived.forget()
        silent = [
            name
            for name in memory.tables
            if any(
                overlap([gap.span], [touched])
                for gap in memory.derived.gaps(memory, name, settings)
            )
        ]
        return sorted({*silent, sighting.table, ""})

    def judge(self, memory: FloorMemory, key: str, settings: Settings) -> Iterator[Draft]:
        if not key:
            yield from _silences_of_all(memory, settings)
            return
        for gap in memory.derived.gaps(memory, key, settings):
            others = [other for name, other in memory.tables.items() if name != key]
            excused = without(
                overlap([gap.span], union(_open(others, memory.latest_at))),
                union(_active(others)),
            )
            counts = duration([gap.span]) - duration(excused)
            if counts >= settings.microseconds("silence_seconds", gap.span[0]):
                yield _draft(key, gap)


def _gaps(timeline: TableTimeline, settings: Settings) -> Iterator[SilentSpan]:
    """Silences of an open table that are long enough to be judged."""
    ends = [(stretch.since, stretch.first_seq) for stretch in timeline.stretches[1:]]
    ends += [(timeline.listened_at, 0)]
    for stretch, (until, seq) in zip(timeline.stretches, ends, strict=False):
        limit = settings.microseconds("silence_seconds", stretch.until)
        if until - stretch.until >= limit and _is_open(timeline, stretch.last_seq):
            yield SilentSpan((stretch.until, until), stretch.last_seq, seq)


def _is_open(timeline: TableTimeline, seq: int) -> bool:
    """By the last change of status before an event; a table with no status sends events: open."""
    states = [turn.is_open for turn in timeline.turns if turn.seq <= seq]
    return states[-1] if states else True


def _first_event_at(timeline: TableTimeline) -> int | None:
    return timeline.stretches[0].since if timeline.stretches else None


def _open(timelines: Iterable[TableTimeline], latest_at: int) -> Iterator[Span]:
    for timeline in timelines:
        first_at = _first_event_at(timeline)
        since = latest_at if first_at is None else first_at
        for turn in timeline.turns:
            if turn.is_open:
                since = turn.at
            else:
                yield since, turn.at
                since = latest_at
        yield since, latest_at


def _active(timelines: Iterable[TableTimeline]) -> Iterator[Span]:
    for timeline in timelines:
        for stretch in timeline.stretches:
            yield stretch.since, stretch.until


def _silences_of_all(memory: FloorMemory, settings: Settings) -> Iterator[Draft]:
    """Times in which two tables or more were open and none of them sent an event."""
    spoken = memory.derived.spoken(memory)
    for (_, since), (until, _) in pairwise((*spoken, (_read_until(memory, spoken, settings), 0))):
        if until - since < settings.microseconds("silence_seconds", since):
            continue
        open_then = memory.derived.open_in(memory, (since, until))
        if len(open_then) > 1:
            yield _draft_of_all(since, until, open_then)


def _moments(timelines: Iterable[TableTimeline]) -> Iterator[Span]:
    return ((since, until + 1) for since, until in _active(timelines))


def _read_until(memory: FloorMemory, spoken: Sequence[Span], settings: Settings) -> int:
    """The time up to which all open tables were read; exact where that makes a silence."""
    last = spoken[-1][1] if spoken else 0
    if memory.latest_at - last < settings.microseconds("silence_seconds", last):
        return last
    ends = [
        max(timeline.listened_at, timeline.stretches[-1].until)
        for timeline in memory.tables.values()
        if timeline.stretches and _is_open(timeline, timeline.stretches[-1].last_seq)
    ]
    return max(last, min(ends, default=0))


def _forget(memory: FloorMemory) -> bool:
    """Whether anything was forgotten."""
    has_forgotten = False
    memory.since = max(memory.since, memory.latest_at - KEPT_US)
    for name, timeline in list(memory.tables.items()):
        if timeline.stretches and timeline.stretches[0].until < memory.since:
            has_forgotten = True
            kept = [each for each in timeline.stretches if each.until >= memory.since]
            last_seq = timeline.stretches[-1].last_seq
            timeline.stretches = kept
            old = [each for each in timeline.turns if each.at < memory.since]
            timeline.turns = [
                *old[-1:],
                *(each for each in timeline.turns if each.at >= memory.since),
            ]
            if not kept and not _is_open(timeline, last_seq):
                del memory.tables[name]
    return has_forgotten


def _draft(table: str, gap: SilentSpan) -> Draft:
    since, until = gap.span
    minutes = (until - since) // 60_000_000
    length = counted(minutes, "minute")
    state = f"was silent for {length}" if gap.next_seq else f"still silent after {length}"
    last = Evidence(
        at=since,
        words="Last event before the silence",
        kind="silence",
        table=table,
        first_seq=gap.last_seq,
        last_seq=gap.last_seq,
    )
    again = Evidence(
        at=until,
        words="First event after the silence" if gap.next_seq else "Still silent",
        kind="silence",
        table=table,
        first_seq=gap.next_seq,
        last_seq=gap.next_seq,
    )
    return Draft(
        kind=OF_TABLE,
        identity=f"{table}/{gap.last_seq}",
        level=KINDS[OF_TABLE].level,
        sentence=f"Open table {table} {state}: check the video and call the pit",
        rule=RULE,
        evidence=(last, again),
        table=table,
        detail="Other open tables sent events in that time.",
    )


def _draft_of_all(since: int, until: int, tables: list[str]) -> Draft:
    minutes = (until - since) // 60_000_000
    return Draft(
        kind=OF_FLOOR,
        identity=str(since),
        level=KINDS[OF_FLOOR].level,
        sentence=f"All {len(tables)} open tables silent for {counted(minutes, 'minute')}: check "
        "network, gateway and power",
        rule=RULE,
        evidence=tuple(
            Evidence(at=at, words=words, kind="silence")
            for at, words in (
                (since, "Last event before the silence"),
                (until, "Silent until then"),
            )
        ),
        detail=f"Tables: {', '.join(tables)}.",
    )
