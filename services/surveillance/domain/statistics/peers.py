"""What somebody does more often than peers, with nobody having to say how often is usual.

Rounds of one game, dealt in the same few minutes, are a *block*. If all who deal in it err alike,
then of the errors that the block has any are as likely anybody's as his payments are of all of
them: given the two totals, his number follows the hypergeometric law, whatever the rate may be
and however it changes from block to block. The likelihood ratio of one whose odds are so many
times as high against that law is a ticket that is worth exactly one on average.

Where too few others deal, there is no such law, and a rate that was set stands in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import exp, lgamma, log
from typing import Final, NamedTuple

from msgspec import Struct

from surveillance.domain.statistics.conduct import ALL_WAGERS
from surveillance.domain.statistics.evidence import StreamEvidence, StreamKind, Ticket

ODDS_RATIOS: Final = (1.5, 2.2, 3.5, 6.0, 12.0)
"""How many times as high the odds of one may be who is to be seen; the best is never far."""

_LOG_MIN: Final = -700.0


class Dealt(Struct, frozen=True, array_like=True, gc=False):
    """What a version of a round counts for those who are compared with each other."""

    opened_at: int
    table: str
    round: str
    version: int
    dealer: str
    payments: int
    wrong: int
    """Of the payments."""
    bets: int
    coupons: int
    """Of the bets on the base game."""


class Usual(NamedTuple):
    """What is taken where there are too few peers, and how many are enough."""

    errors: float
    coupons: float
    peers: int


class Compared(NamedTuple):
    """The evidence of a block about one of those who dealt in it."""

    stream: str
    """`errors/dealer:D`, `coupons/dealer:D` or `coupons/table:T`."""
    evidence: StreamEvidence
    last: Dealt
    """The last of the rounds in which it happened, or of all of them if it never did."""
    rounds: int


class _PeerCount:
    """How often it happened to one of them in a block, and the rounds that were counted."""

    __slots__ = ("happened", "last", "last_happened", "of", "rounds")

    def __init__(self) -> None:
        self.happened = self.of = self.rounds = 0
        self.last: Dealt | None = None
        self.last_happened: Dealt | None = None

    def add(self, dealt: Dealt, happened: int, of: int) -> None:
        self.happened += happened
        self.of += of
        self.rounds += 1
        self.last = dealt
        if happened:
            self.last_happened = dealt


_Counts = dict[str, _PeerCount]


def compared(block: Iterable[Dealt], usual: Usual) -> Iterator[Compared]:
    """The evidence of a block, by stream. Of several versions of a round the highest counts."""
    rounds: dict[tuple[str, str], Dealt] = {}
    for dealt in block:
        key = (dealt.table, dealt.round)
        known = rounds.get(key)
        if known is None or known.version < dealt.version:
            rounds[key] = dealt
    played = sorted(rounds.values(), key=lambda dealt: (dealt.opened_at, dealt.table, dealt.round))
    errors: _Counts = {}
    coupons: _Counts = {}
    tables: _Counts = {}
    for dealt in played:
        if dealt.payments:
            _count(errors, dealt.dealer, dealt, dealt.wrong, dealt.payments)
        if dealt.bets:
            _count(coupons, dealt.dealer, dealt, dealt.coupons, dealt.bets)
            _count(tables, dealt.table, dealt, dealt.coupons, dealt.bets)
    yield from _evidence_of(StreamKind.ERRORS, "dealer", errors, usual.errors, usual.peers)
    yield from _evidence_of(StreamKind.COUPONS, "dealer", coupons, usual.coupons, usual.peers)
    yield from _evidence_of(StreamKind.COUPONS, "table", tables, usual.coupons, usual.peers)


def _count(counts: _Counts, name: str, dealt: Dealt, happened: int, of: int) -> None:
    count = counts.get(name)
    if count is None:
        count = counts[name] = _PeerCount()
    count.add(dealt, happened, of)


def _evidence_of(
    kind: StreamKind, whose: str, counts: _Counts, baseline: float, peers_least: int
) -> Iterator[Compared]:
    happened = sum([count.happened for count in counts.values()])
    of = sum([count.of for count in counts.values()])
    has_peers = len(counts) - 1 - ("" in counts) >= peers_least
    for name in sorted(counts.keys() - {""}):
        own = counts[name]
        if has_peers:
            angles = _angles_against_peers(own.happened, own.of, happened, of)
            rate = (happened - own.happened) / (of - own.of)
        else:
            angles = _angles(against_rate(own.happened, own.of, baseline))
            rate = baseline
        last = own.last_happened or own.last
        if last is not None:
            evidence = StreamEvidence(kind, ALL_WAGERS, angles, own.happened, own.of * rate)
            yield Compared(f"{kind}/{whose}:{name}", evidence, last, own.rounds)


@lru_cache(maxsize=100_000)
def _angles_against_peers(
    own: int, own_of: int, all_: int, all_of: int
) -> tuple[tuple[Ticket, ...], ...]:
    """Kept, because a block is looked at several times and many in it have the same counts."""
    return _angles(against_peers(own, own_of, all_, all_of))


def _angles(logs: Iterable[float]) -> tuple[tuple[Ticket, ...], ...]:
    return tuple([(Ticket(exp(max(each, _LOG_MIN))),) for each in logs])


def against_peers(
    own: int, own_of: int, all_: int, all_of: int, ratios: Sequence[float] = ODDS_RATIOS
) -> tuple[float, ...]:
    """The logarithm of the likelihood ratio, by odds ratio, given how often it happened in all.

    >>> [round(each, 3) for each in against_peers(1, 10, 1, 40)]
    [0.288, 0.526, 0.767, 0.981, 1.163]
    """
    least, most = max(0, all_ - (all_of - own_of)), min(all_, own_of)
    numbers = range(least, most + 1)
    ways = [_ways(own_of, each) + _ways(all_of - own_of, all_ - each) for each in numbers]
    total = _sum_of_logs(ways)
    return tuple(
        own * log(ratio)
        + total
        - _sum_of_logs([way + each * log(ratio) for way, each in zip(ways, numbers, strict=True)])
        for ratio in ratios
    )


def against_rate(own: int, own_of: int, rate: float) -> tuple[float, ...]:
    """The same against something that happens so often at most."""
    return tuple(own * log(ratio) - own_of * log(1 - rate + rate * ratio) for ratio in ODDS_RATIOS)


def _ways(of: int, chosen: int) -> float:
    return lgamma(of + 1) - lgamma(chosen + 1) - lgamma(of - chosen + 1)


def _sum_of_logs(logs: list[float]) -> float:
    most = max(logs)
    return most + log(sum([exp(each - most) for each in logs]))
