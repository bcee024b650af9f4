"""Statistics of those who deal one game: wrong payments and coupons against their peers.

Rounds are compared in blocks of a few minutes. A block is looked at when enough time has passed
for its rounds to arrive, and for two hours it is looked at again when one comes late or is judged
anew; so the evidence is a function of the set of rounds, as it is of the other streams. However
many rounds come late together, a block is looked at once for all of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct, field

from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.detectors.streams import draft_of, marks_of
from surveillance.domain.sightings import PeerCounts, Sighting
from surveillance.domain.statistics import WINDOW_US, Entry, StreamKind, Subject, Tally, alarms
from surveillance.domain.statistics.peers import Compared, Dealt, Usual, compared
from surveillance.domain.statistics.wealth import advance, as_marked

BLOCK_US: Final = 5 * 60_000_000
GRACE_US: Final = 10 * 60_000_000
"""How long after its end a block is looked at first: a round opens minutes before it is settled."""
_KINDS: Final = {StreamKind.ERRORS: "dealer.error_rate", StreamKind.COUPONS: "coupon.substitution"}
_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODE: Final = msgspec.msgpack.Decoder(list[Dealt]).decode
_COMPRESSION: Final = 1
_NEW: Final = Tally()

Tallies = dict[str, Tally]
"""By stream."""


class PeerBlock(Struct, array_like=True):
    """Every version of every round of a few minutes."""

    packed: bytes = b""
    """Those that were compared already, as bytes: few are ever looked at again."""
    rounds: list[Dealt] = field(default_factory=list)
    """Those that were not."""


class PeersMemory(Memory, dict=True):
    blocks: dict[int, PeerBlock] = field(default_factory=dict)
    """Of the window."""
    closed: Tallies = field(default_factory=dict)
    """Up to where the window begins."""
    tallies: Tallies = field(default_factory=dict)
    """With all blocks that were looked at."""
    closed_until: int = 0
    """Blocks before this one have left the window."""
    looked_until: int = 0
    changed_from: int | None = None
    """The first block that was looked at and has changed since."""
    latest_at: int = 0
    too_late: int = 0

    def __post_init__(self) -> None:
        # Not stored: all of it is worked out again from the blocks when it is missing.
        self.is_traced = not self.looked_until
        self.before: dict[int, Tallies] = {}
        """By block that was looked at: the tallies as they were before it."""
        self.evidence: dict[int, list[Compared]] = {}


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
        number = at // BLOCK_US
        if number < max(memory.closed_until, _closed_until(memory)):
            memory.too_late += 1
            return ()
        block = memory.blocks.get(number)
        if block is None:
            block = memory.blocks[number] = PeerBlock()
        block.rounds.append(sighting.dealt)
        memory.latest_at = max(memory.latest_at, at)
        if number < memory.looked_until:
            first = memory.changed_from
            memory.changed_from = number if first is None else min(first, number)
        return ()

    def settle(self, memory: PeersMemory, settings: Settings) -> Iterable[str]:
        ended = max(memory.looked_until, (memory.latest_at - GRACE_US) // BLOCK_US)
        if memory.changed_from is None and ended == memory.looked_until:
            return ()
        before = marks_of(memory.tallies)
        since = memory.looked_until
        if not memory.is_traced:
            since, memory.tallies, memory.is_traced = 0, dict(memory.closed), True
        elif memory.changed_from is not None:
            since = memory.changed_from
            memory.tallies = dict(_tallies_before(memory, since))
        _look(memory, since, ended, settings)
        memory.looked_until, memory.changed_from = ended, None
        _close(memory, _closed_until(memory))
        after = marks_of(memory.tallies)
        return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))

    def judge(self, memory: PeersMemory, key: str, settings: Settings) -> Iterator[Draft]:
        tally = memory.tallies.get(key)
        if tally is None:
            return
        kind, _, who = key.partition("/")
        for alarm in alarms(Subject(who, tallies={f"{kind}/{memory.about}": as_marked(tally)})):
            yield draft_of(alarm, tally.marks, _KINDS[alarm.kind], key)


def _closed_until(memory: PeersMemory) -> int:
    return max(0, (memory.latest_at - WINDOW_US) // BLOCK_US)


def _close(memory: PeersMemory, until: int) -> None:
    """Drop the blocks before a number; what they said is in the tallies before the next."""
    if until <= memory.closed_until:
        return
    memory.closed = dict(_tallies_before(memory, until))
    for numbers in (memory.blocks, memory.before, memory.evidence):
        for number in [each for each in numbers if each < until]:
            del numbers[number]
    memory.closed_until = until


def _tallies_before(memory: PeersMemory, number: int) -> Tallies:
    following = min((each for each in memory.before if each >= number), default=None)
    return memory.tallies if following is None else memory.before[following]


def _look(memory: PeersMemory, since: int, until: int, settings: Settings) -> None:
    """Continue the tallies with the blocks from one number to before another."""
    tallies = memory.tallies
    for number in sorted(each for each in memory.blocks if since <= each < until):
        memory.before[number] = dict(tallies)
        for stream, evidence, last, rounds in _evidence(memory, number, settings):
            entry = Entry(last.opened_at, last.table, last.round, last.version, ())
            tallies[stream] = advance(tallies.get(stream, _NEW), entry, evidence, rounds)


def _evidence(memory: PeersMemory, number: int, settings: Settings) -> list[Compared]:
    block = memory.blocks[number]
    found = memory.evidence.get(number)
    if found is None or block.rounds:
        rounds = [*(_DECODE(zlib.decompress(block.packed)) if block.packed else ()), *block.rounds]
        found = list(compared(rounds, _usual(settings, number * BLOCK_US)))
        memory.evidence[number] = found
        if block.rounds:
            block.packed, block.rounds = zlib.compress(_ENCODE(rounds), _COMPRESSION), []
    return found


def _usual(settings: Settings, at: int) -> Usual:
    return Usual(
        errors=settings.threshold("wrong_payments_per_million", at) / 1e6,
        coupons=settings.threshold("coupon_bets_per_million", at) / 1e6,
        peers=settings.threshold("peers_count", at),
    )
