"""The state of a subject: a function of the set of its rounds, not of how they arrived.

Entries of a window are kept in the order of play, and the tallies before and after them. One
that comes at the end is added; one that comes late, or another version of a round, is put where
it belongs, and the tallies are made anew from the window's beginning. What has left the window
is closed: a version of it that comes later still is counted, and not taken.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from surveillance.domain.statistics.evidence import Contribution, Entry
from surveillance.domain.statistics.wealth import Tally, advance

WINDOW_US: Final = 2 * 3_600_000_000
"""How late a round may come and still find its place, in microseconds of play."""


class Subject(Struct, frozen=True, array_like=True):
    """One table, dealer, patron, shoe, or dealer with patron, with all its streams."""

    subject: str = ""
    closed: dict[str, Tally] = field(default_factory=dict)
    """By stream: up to where the window begins."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """By stream: with all of the window."""
    entries: tuple[Entry, ...] = ()
    closed_until: int = 0
    """Rounds opened before this are closed."""
    too_late: int = 0


def fold(
    state: Subject | None, contribution: Contribution, *, window_us: int = WINDOW_US
) -> Subject:
    """The state with one more contribution; what it has already changes nothing."""
    now = state or Subject(subject=contribution.subject)
    entry = contribution.entry
    if entry.opened_at < now.closed_until:
        return replace(now, too_late=now.too_late + 1)
    known = _known(now.entries, entry)
    if known is None:
        return _closing(_with(now, entry), window_us)
    if known.version >= entry.version:
        return now
    others = tuple(each for each in now.entries if each is not known)
    return _closing(_with(_remade(now, others), entry), window_us)


def _known(entries: Sequence[Entry], entry: Entry) -> Entry | None:
    for each in reversed(entries):
        if each.round == entry.round and each.table == entry.table:
            return each
    return None


def _with(state: Subject, entry: Entry) -> Subject:
    """Put where it belongs; at the end that is no more than one step."""
    entries = state.entries
    if not entries or entry.place > entries[-1].place:
        tallies = dict(state.tallies)
        _follow(tallies, (entry,))
        return replace(state, entries=(*entries, entry), tallies=tallies)
    place = bisect_left(entries, entry.place, key=_place)
    return _remade(state, (*entries[:place], entry, *entries[place:]))


def _remade(state: Subject, entries: tuple[Entry, ...]) -> Subject:
    tallies = dict(state.closed)
    _follow(tallies, entries)
    return replace(state, entries=entries, tallies=tallies)


def _closing(state: Subject, window_us: int) -> Subject:
    """The state without what is older than the window."""
    until = max(state.closed_until, state.entries[-1].opened_at - window_us)
    if state.entries[0].opened_at >= until:
        return replace(state, closed_until=until)
    place = bisect_left(state.entries, (until, "", ""), key=_place)
    closed = dict(state.closed)
    _follow(closed, state.entries[:place])
    return replace(state, closed=closed, entries=state.entries[place:], closed_until=until)


def _follow(tallies: dict[str, Tally], entries: Iterable[Entry]) -> None:
    for entry in entries:
        for each in entry.evidence:
            tallies[each.stream] = advance(tallies.get(each.stream, _NEW), entry, each)


_NEW: Final = Tally()


def _place(entry: Entry) -> tuple[int, str, str]:
    return entry.place


def e_values(state: Subject) -> Mapping[str, float]:
    """The logarithm of every stream's wealth as it is: what a family is judged by."""
    return {name: tally.now for name, tally in state.tallies.items()}
