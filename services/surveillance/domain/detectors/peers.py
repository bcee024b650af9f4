"""Statistics of those who deal one game: wrong payments and coupons against their peers.

Rounds are compared in blocks of a few minutes. A block is looked at when enough time has passed
for its rounds to be told, and for two hours it is looked at again when one comes late or is judged
anew; so what is told is a function of the set of rounds, as it is of the other streams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import field

from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.detectors.streams import draft_of, marks_of
from surveillance.domain.sightings import PeerCounts, Sighting
from surveillance.domain.statistics import WINDOW_US, Entry, Kind, Subject, Tally, alarms
from surveillance.domain.statistics.peers import Dealt, Usual, compared
from surveillance.domain.statistics.wealth import advance, as_marked

BLOCK_US: Final = 5 * 60_000_000
GRACE_US: Final = 10 * 60_000_000
"""How long after its end a block is looked at first: a round opens minutes before it is settled."""
_KINDS: Final = {Kind.ERRORS: "dealer.error_rate", Kind.COUPONS: "coupon.substitution"}
_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODE: Final = msgspec.msgpack.Decoder(Dealt).decode
_NEW: Final = Tally()


class PeersMemory(Memory):
    blocks: dict[int, list[bytes]] = field(default_factory=dict)
    """Of the window: every version of every round, as bytes, since few are ever looked at."""
    closed: dict[str, Tally] = field(default_factory=dict)
    """By stream: up to where the window begins."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """By stream: with all blocks that were looked at."""
    closed_until: int = 0
    """Blocks before this one have left the window."""
    looked_until: int = 0
    too_late: int = 0


class Peers(Detector[PeersMemory]):
    """About all who deal a game; an alert for each dealer or table that differs."""

    name = "peers"
    kinds = frozenset(_KINDS.values())
    sees = frozenset({PeerCounts})
    memory = PeersMemory

    def fold(self, memory: PeersMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, PeerCounts):
            return ()
        at = sighting.dealt.opened_at
        block = at // BLOCK_US
        if block < memory.closed_until:
            memory.too_late += 1
            return ()
        memory.blocks.setdefault(block, []).append(_ENCODE(sighting.dealt))
        before = marks_of(memory.tallies)
        if block < memory.looked_until:
            memory.tallies = dict(memory.closed)
            _look(memory, memory.tallies, memory.closed_until, memory.looked_until, settings)
        else:
            ended = (at - GRACE_US) // BLOCK_US
            _look(memory, memory.tallies, memory.looked_until, ended, settings)
            memory.looked_until = max(memory.looked_until, ended)
            _close(memory, (at - WINDOW_US) // BLOCK_US, settings)
        after = marks_of(memory.tallies)
        return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))

    def judge(self, memory: PeersMemory, key: str, settings: Settings) -> Iterator[Draft]:
        tally = memory.tallies.get(key)
        if tally is None:
            return
        kind, _, who = key.partition("/")
        for alarm in alarms(Subject(who, tallies={f"{kind}/{memory.about}": as_marked(tally)})):
            yield draft_of(alarm, tally.marks, _KINDS[alarm.kind], key)


def _close(memory: PeersMemory, until: int, settings: Settings) -> None:
    if until > memory.closed_until:
        _look(memory, memory.closed, memory.closed_until, until, settings)
        memory.blocks = {each: kept for each, kept in memory.blocks.items() if each >= until}
        memory.closed_until = until


def _look(
    memory: PeersMemory, tallies: dict[str, Tally], since: int, until: int, settings: Settings
) -> None:
    for number in sorted(each for each in memory.blocks if since <= each < until):
        usual = _usual(settings, number * BLOCK_US)
        for stream, evidence, last, rounds in compared(map(_DECODE, memory.blocks[number]), usual):
            entry = Entry(last.opened_at, last.table, last.round, last.version, ())
            tallies[stream] = advance(tallies.get(stream, _NEW), entry, evidence, rounds)


def _usual(settings: Settings, at: int) -> Usual:
    return Usual(
        errors=settings.threshold("wrong_payments_per_million", at) / 1e6,
        coupons=settings.threshold("coupon_bets_per_million", at) / 1e6,
        peers=settings.threshold("peers_count", at),
    )
