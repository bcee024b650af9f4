"""Silent table: an open table says nothing for a long time while others speak.

Heartbeats count as speech. Time in which other tables were open and all of them were silent too
is nobody's in particular: that is one alert, of the floor. A silence is judged when it has ended,
or when all that a table has said was read and there is nothing more.
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
from surveillance.domain.sightings import Sighting, TableActivity, TableCaughtUp, TableStatus
from surveillance.domain.spans import Span, duration, overlap, union, without
from surveillance.domain.table_activity import PAUSE_US
from surveillance.domain.table_stays import Stretch, joined

OF_TABLE: Final = "table.silent"
OF_FLOOR: Final = "floor.silent"
RULE: Final = "convention: an open table speaks, or its controller says that it has nothing to say"
KEPT_US: Final = 3 * 86_400_000_000
"""A table whose log is read later than that behind others' is not judged any more."""

EVER: Final = 1 << 62


class Voice(Struct, array_like=True):
    """What is known of a table: when it spoke, when it was opened and closed."""

    stretches: list[Stretch] = field(default_factory=list)
    turns: list[TableStatus] = field(default_factory=list)
    listened_at: int = 0


class Gap(Struct, frozen=True):
    """A table said nothing from one moment to another; `next_seq` 0 where it still does."""

    span: Span
    last_seq: int
    next_seq: int


class FloorMemory(Memory):
    tables: dict[str, Voice] = field(default_factory=dict)
    latest_at: int = 0


class Silence(Detector[FloorMemory]):
    """About the floor; an alert for each silence of a table, and of all of them."""

    name = "silence"
    kinds = frozenset({OF_TABLE, OF_FLOOR})
    sees = frozenset({TableActivity, TableStatus, TableCaughtUp})
    memory = FloorMemory

    def fold(self, memory: FloorMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, TableActivity | TableStatus | TableCaughtUp):
            return ()
        voice = memory.tables.setdefault(sighting.table, Voice())
        open_since = _first_heard(voice)
        touched = (0, EVER)
        match sighting:
            case TableActivity(since=since, until=until, first_seq=first, last_seq=last):
                said = Stretch(since, until, first, last)
                voice.stretches = joined(voice.stretches, said, apart_us=PAUSE_US)
                memory.latest_at = max(memory.latest_at, until)
                if _first_heard(voice) == open_since:  # or else it was open for longer than known
                    touched = (since - PAUSE_US, until + PAUSE_US)
            case TableStatus(at=at, seq=seq):
                said = Stretch(at, at, seq, seq)
                voice.stretches = joined(voice.stretches, said, apart_us=PAUSE_US)
                turns = (*voice.turns, sighting)
                voice.turns = sorted(turns, key=lambda each: (each.seq, each.is_open))
                memory.latest_at = max(memory.latest_at, at)
            case TableCaughtUp(at=at):
                voice.listened_at = max(voice.listened_at, at)
                memory.latest_at = max(memory.latest_at, at)
        _forget(memory)
        silent = [
            name
            for name, each in memory.tables.items()
            if any(overlap([gap.span], [touched]) for gap in _gaps(each, settings))
        ]
        return sorted({*silent, sighting.table, ""})

    def judge(self, memory: FloorMemory, key: str, settings: Settings) -> Iterator[Draft]:
        if not key:
            yield from _silences_of_all(memory, settings)
            return
        voice = memory.tables.get(key)
        for gap in _gaps(voice, settings) if voice is not None else ():
            others = [each for name, each in memory.tables.items() if name != key]
            excused = without(
                overlap([gap.span], union(_open(others, memory.latest_at))),
                union(_spoken(others)),
            )
            counts = duration([gap.span]) - duration(excused)
            if counts >= settings.microseconds("silence_seconds", gap.span[0]):
                yield _draft(key, gap)


def _gaps(voice: Voice, settings: Settings) -> Iterator[Gap]:
    """Silences of an open table that are long enough to be judged."""
    ends = [(each.since, each.first_seq) for each in voice.stretches[1:]]
    ends += [(voice.listened_at, 0)]
    for said, (until, seq) in zip(voice.stretches, ends, strict=False):
        limit = settings.microseconds("silence_seconds", said.until)
        if until - said.until >= limit and _is_open(voice, said.last_seq):
            yield Gap((said.until, until), said.last_seq, seq)


def _is_open(voice: Voice, seq: int) -> bool:
    """As it was told last; a table of which nothing was told speaks, and so is open."""
    told = [each.is_open for each in voice.turns if each.seq <= seq]
    return told[-1] if told else True


def _first_heard(voice: Voice) -> int | None:
    return voice.stretches[0].since if voice.stretches else None


def _open(voices: Iterable[Voice], latest_at: int) -> Iterator[Span]:
    for voice in voices:
        heard = _first_heard(voice)
        since = latest_at if heard is None else heard
        for turn in voice.turns:
            if turn.is_open:
                since = turn.at
            else:
                yield since, turn.at
                since = latest_at
        yield since, latest_at


def _spoken(voices: Iterable[Voice]) -> Iterator[Span]:
    for voice in voices:
        for each in voice.stretches:
            yield each.since, each.until


def _silences_of_all(memory: FloorMemory, settings: Settings) -> Iterator[Draft]:
    """Times in which two tables or more were open and none of them spoke."""
    voices = list(memory.tables.values())
    spoken = union((since, until + 1) for since, until in _spoken(voices))
    for (_, since), (until, _) in pairwise((*spoken, (_heard_until(voices, spoken), 0))):
        if until - since < settings.microseconds("silence_seconds", since):
            continue
        open_then = [
            name
            for name, voice in sorted(memory.tables.items())
            if overlap([(since, until)], _open([voice], memory.latest_at)) == [(since, until)]
        ]
        if len(open_then) > 1:
            yield _draft_of_all(since, until, open_then)


def _heard_until(voices: Iterable[Voice], spoken: Sequence[Span]) -> int:
    """Until when all open tables were listened to."""
    last = spoken[-1][1] if spoken else 0
    ends = [
        max(voice.listened_at, voice.stretches[-1].until)
        for voice in voices
        if voice.stretches and _is_open(voice, voice.stretches[-1].last_seq)
    ]
    return max(last, min(ends, default=0))


def _forget(memory: FloorMemory) -> None:
    memory.since = max(memory.since, memory.latest_at - KEPT_US)
    for name, voice in list(memory.tables.items()):
        if voice.stretches and voice.stretches[0].until < memory.since:
            kept = [each for each in voice.stretches if each.until >= memory.since]
            last_seq = voice.stretches[-1].last_seq
            voice.stretches = kept
            old = [each for each in voice.turns if each.at < memory.since]
            voice.turns = [*old[-1:], *(each for each in voice.turns if each.at >= memory.since)]
            if not kept and not _is_open(voice, last_seq):
                del memory.tables[name]


def _draft(table: str, gap: Gap) -> Draft:
    since, until = gap.span
    minutes = (until - since) // 60_000_000
    ended = "" if gap.next_seq else " and still does"
    last = Evidence(
        at=since,
        words="the last that was heard",
        kind="silence",
        table=table,
        first_seq=gap.last_seq,
        last_seq=gap.last_seq,
    )
    again = Evidence(
        at=until,
        words="the first that was heard again" if gap.next_seq else "nothing was heard by then",
        kind="silence",
        table=table,
        first_seq=gap.next_seq,
        last_seq=gap.next_seq,
    )
    return Draft(
        kind=OF_TABLE,
        identity=f"{table}/{gap.last_seq}",
        level=KINDS[OF_TABLE].level,
        sentence=f"Table {table} is open and said nothing for {minutes} minutes{ended}, while "
        "others spoke: look at it on video, and call the pit.",
        rule=RULE,
        evidence=(last, again),
        table=table,
    )


def _draft_of_all(since: int, until: int, tables: list[str]) -> Draft:
    minutes = (until - since) // 60_000_000
    return Draft(
        kind=OF_FLOOR,
        identity=str(since),
        level=KINDS[OF_FLOOR].level,
        sentence=f"Nothing was heard of any of {len(tables)} open tables for {minutes} minutes: "
        "the line, the gateway or the power has failed.",
        rule=RULE,
        evidence=tuple(
            Evidence(at=at, words=words, kind="silence")
            for at, words in ((since, "the last that was heard"), (until, "nothing by then"))
        ),
    )
