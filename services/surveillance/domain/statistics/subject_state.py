"""The state of a subject: a function of the set of its rounds, not of how they arrived.

Rounds of a window are kept in the order of play, in segments of a fixed length of time. A segment
that is over is bytes, with the tallies as they were before it, so that neither reading nor writing
a state depends on how many rounds the window has. A round that comes at the end is one step. One
that comes late, or another version of a round, waits for `settle`, which puts all that wait in
their places and folds again from the first segment that they change. Segments that have left the
window are dropped: what they said is in the tallies before the next. A round that comes later than
that is counted, and not folded.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

import msgspec
from msgspec import Struct, field

from surveillance.domain.statistics.evidence import Contribution, Entry
from surveillance.domain.statistics.wealth import Tally, advance

WINDOW_US: Final = 2 * 3_600_000_000
"""How late a round may come and still find its place, in microseconds of play; up to a segment
more, because segments leave the window whole."""

SEGMENTS: Final = 6
"""Of a window."""

_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODE: Final = msgspec.msgpack.Decoder(tuple[Entry, ...]).decode
_COMPRESSION: Final = 1
_NEW: Final = Tally()

Tallies = dict[str, Tally]
"""By stream."""


class Segment(Struct, frozen=True, array_like=True):
    """A stretch of the window that is over."""

    number: int
    before: Tallies
    """As they were before its first round."""
    packed: bytes
    """Its entries in the order of play."""
    revised: tuple[tuple[str, str], ...]
    """Tables and rounds of which it has a later version than the first."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return _DECODE(zlib.decompress(self.packed))


class Subject(Struct, array_like=True):
    """One table, dealer, patron, shoe, or dealer with patron, with all its streams."""

    subject: str = ""
    tallies: Tallies = field(default_factory=dict)
    """With all rounds but those that are pending."""
    segments: tuple[Segment, ...] = ()
    """Those of the window that are over."""
    before: Tallies = field(default_factory=dict)
    """As they were before the first of the recent rounds."""
    recent: tuple[Entry, ...] = ()
    """Of the segment that is not over, in the order of play."""
    pending: tuple[Entry, ...] = ()
    """Not in their places yet, in the order of arrival."""
    closed_until: int = 0
    """Rounds opened before this are closed: a multiple of a segment's length."""
    too_late: int = 0

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All of the window in the order of play, but for those that are pending."""
        return (*(entry for each in self.segments for entry in each.entries), *self.recent)


def fold(
    state: Subject | None, contribution: Contribution, *, window_us: int = WINDOW_US
) -> Subject:
    """The state, changed by one more contribution; one that it has already changes nothing."""
    state = state or Subject(subject=contribution.subject)
    add(state, contribution.entry, window_us=window_us)
    settle(state, window_us=window_us)
    return state


def add(state: Subject, entry: Entry, *, window_us: int = WINDOW_US) -> bool:
    """Fold an entry, or keep it for `settle`; whether it was folded."""
    opened_at = entry.opened_at
    if opened_at < state.closed_until:
        state.too_late += 1
        return False
    length = _length(window_us)
    until = (opened_at - window_us) // length * length
    is_last = not state.recent or entry.place > state.recent[-1].place
    if not is_last or entry.version > 1 or state.pending or _is_revised(state, entry):
        state.pending = (*state.pending, entry)
        state.closed_until = max(state.closed_until, until)
        return False
    if state.recent and state.recent[0].opened_at // length != opened_at // length:
        state.segments = (*state.segments, _packed(state.recent, state.before, length))
        state.before = dict(state.tallies)
        state.recent = (entry,)
    else:
        state.recent = (*state.recent, entry)
    _follow(state.tallies, (entry,))
    if until > state.closed_until:
        state.closed_until = until
        _drop_closed(state, length)
    return True


def settle(state: Subject, *, window_us: int = WINDOW_US) -> None:
    """Put everything that is pending in its place, and fold again from there on."""
    if not state.pending:
        return
    length = _length(window_us)
    window = {(entry.table, entry.round): entry for entry in state.entries}
    first_changed = None
    for entry in state.pending:
        key = (entry.table, entry.round)
        known = window.get(key)
        if known is None or known.version < entry.version:
            window[key] = entry
            changed = min(each.opened_at for each in (known, entry) if each is not None)
            first_changed = changed if first_changed is None else min(first_changed, changed)
    state.pending = ()
    if first_changed is not None:
        _fold_again(state, window.values(), first_changed // length, length)
    _drop_closed(state, length)


def _fold_again(state: Subject, entries: Iterable[Entry], since: int, length: int) -> None:
    """Make all segments from a number on of these entries."""
    kept = tuple(each for each in state.segments if each.number < since)
    made = [each for each in state.segments if each.number >= since]
    before = made[0].before if made else state.before
    is_recent_kept = bool(state.recent) and state.recent[0].opened_at // length < since
    if is_recent_kept:
        kept = (*kept, _packed(state.recent, state.before, length))
        before = state.tallies
    changed = sorted(
        (entry for entry in entries if entry.opened_at // length >= since), key=lambda e: e.place
    )
    tallies = dict(before)
    groups = [tuple(group) for _, group in groupby(changed, lambda e: e.opened_at // length)]
    for group in groups:
        if state.recent and group is not groups[0]:
            kept = (*kept, _packed(state.recent, state.before, length))
        state.before = dict(tallies)
        state.recent = group
        _follow(tallies, group)
    state.segments, state.tallies = kept, tallies


def _drop_closed(state: Subject, length: int) -> None:
    first = state.closed_until // length
    if state.segments and state.segments[0].number < first:
        state.segments = tuple(each for each in state.segments if each.number >= first)


def _packed(entries: tuple[Entry, ...], before: Tallies, length: int) -> Segment:
    return Segment(
        entries[0].opened_at // length,
        before,
        zlib.compress(_ENCODE(entries), _COMPRESSION),
        tuple([(entry.table, entry.round) for entry in entries if entry.version > 1]),
    )


def _is_revised(state: Subject, entry: Entry) -> bool:
    """Whether the window has a later version of the round."""
    key = (entry.table, entry.round)
    if any(key in each.revised for each in state.segments):
        return True
    return any(each.version > 1 and (each.table, each.round) == key for each in state.recent)


def _follow(tallies: Tallies, entries: Iterable[Entry]) -> None:
    for entry in entries:
        for evidence in entry.evidence:
            stream = evidence.stream
            tallies[stream] = advance(tallies.get(stream, _NEW), entry, evidence)


def _length(window_us: int) -> int:
    return max(1, window_us // SEGMENTS)


def e_values(state: Subject) -> Mapping[str, float]:
    """The logarithm of every stream's wealth as it is: what a family is judged by."""
    return {name: tally.now for name, tally in state.tallies.items()}
