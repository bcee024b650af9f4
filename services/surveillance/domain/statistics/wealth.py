"""How rich a gambler would be who bets on misconduct at fair odds: the e-process of a stream.

From one unit he stakes a fixed share of what he has on every ticket. With a share a, a ticket
of value v multiplies his wealth by 1 - a + a * v, which is 1 on average, or less, if nothing is
wrong. So his wealth is a test supermartingale, and by Ville's inequality it *ever* reaches 1 /
level with a probability of at most `level`, however long he plays and whenever one looks. He
does not know the best share or angle, and splits his unit evenly among all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, log1p
from operator import add
from typing import Final

from msgspec import Struct

from surveillance.domain.statistics.counting import COUNT_ANGLES, angles_between
from surveillance.domain.statistics.evidence import Bet, Entry, StreamEvidence, StreamKind, Ticket

SHARES: Final = (0.01, 0.025, 0.06, 0.15, 0.4)
"""Each about two and a half times the one before: the best share is never far."""

ALL_OF_IT: Final = (1.0,)
"""For tickets that are never worth nothing and have their share within."""

WHOLE: Final = frozenset({StreamKind.COUNT, StreamKind.ERRORS, StreamKind.COUPONS})
"""Kinds whose tickets have their share within."""

_COUNT, _ERRORS, _COUPONS = StreamKind.COUNT, StreamKind.ERRORS, StreamKind.COUPONS

MARKS_MAX: Final = 40
"""Powers of ten that are marked; nobody needs to be told of more."""

_TEN: Final = log(10.0)


class Mark(Struct, frozen=True, array_like=True, gc=False):
    """A stream at the round with which its peak first reached a further power of ten."""

    peak: float
    at: int
    table: str
    round: str
    rounds: int
    observed: float
    expected: float


class Tally(Struct, frozen=True, array_like=True):
    """A stream up to some round. Logarithms are natural."""

    rounds: int = 0
    logs: tuple[float, ...] = ()
    """The wealth by angle and share, each from one unit."""
    peak: float = 0.0
    """The most that all of them together ever were, divided by their number."""
    peak_at: int = 0
    peak_table: str = ""
    peak_round: str = ""
    observed: float = 0.0
    expected: float = 0.0
    bet: Bet | None = None
    """The last bet, for the next."""
    marks: tuple[Mark, ...] = ()
    """What is told of a stream: it changes seldom, while the peak may change with every round."""

    @property
    def now(self) -> float:
        """The wealth as it is, which is an e-value at any time one looks."""
        return _together(self.logs)


def advance(tally: Tally, entry: Entry, evidence: StreamEvidence, rounds: int = 1) -> Tally:
    """The stream after one more round, or after several that count as one step."""
    angles = evidence.angles
    if evidence.bet is not None:
        angles = angles_between(tally.bet, evidence.bet)
    shares = ALL_OF_IT if _is_whole(evidence.kind) else SHARES
    logs = tally.logs or (0.0,) * (len(shares) * (len(angles) or COUNT_ANGLES))
    if angles:
        gains: list[float] = []
        for tickets in angles:
            gains += _gains(shares, tickets)
        logs = tuple(map(add, logs, gains))
    rounds += tally.rounds
    observed = tally.observed + evidence.observed
    expected = tally.expected + evidence.expected
    # The average is never above the highest, and that is seldom above an earlier peak.
    if max(logs) > tally.peak and (now := _together(logs)) > tally.peak:
        return Tally(
            rounds,
            logs,
            now,
            entry.opened_at,
            entry.table,
            entry.round,
            observed,
            expected,
            evidence.bet,
            _marked(tally, now, entry, rounds, observed, expected),
        )
    return Tally(
        rounds,
        logs,
        tally.peak,
        tally.peak_at,
        tally.peak_table,
        tally.peak_round,
        observed,
        expected,
        evidence.bet,
        tally.marks,
    )


def _marked(
    before: Tally, peak: float, entry: Entry, rounds: int, observed: float, expected: float
) -> tuple[Mark, ...]:
    if int(peak / _TEN) <= int(before.peak / _TEN) or len(before.marks) >= MARKS_MAX:
        return before.marks
    mark = Mark(peak, entry.opened_at, entry.table, entry.round, rounds, observed, expected)
    return (*before.marks, mark)


def as_marked(tally: Tally) -> Tally:
    """A stream as it was at its last mark."""
    if not tally.marks:
        return Tally()
    mark = tally.marks[-1]
    return Tally(
        rounds=mark.rounds,
        peak=mark.peak,
        peak_at=mark.at,
        peak_table=mark.table,
        peak_round=mark.round,
        observed=mark.observed,
        expected=mark.expected,
        marks=tally.marks,
    )


def _is_whole(kind: StreamKind) -> bool:
    """By identity: hashing a member of an enum is a call of its own."""
    return kind is _COUNT or kind is _ERRORS or kind is _COUPONS


def _gains(shares: Sequence[float], tickets: Sequence[Ticket]) -> list[float]:
    """By share: the logarithm of what tickets make of one unit, one after the other."""
    if shares is ALL_OF_IT:
        return [sum([log(ticket.value) * ticket.times for ticket in tickets])]
    if len(tickets) == 1:
        ticket = tickets[0]
        excess, times = ticket.value - 1.0, ticket.times
        return [log1p(share * excess) * times for share in shares]
    return [
        sum([log1p(share * (ticket.value - 1.0)) * ticket.times for ticket in tickets])
        for share in shares
    ]


def _together(logs: Sequence[float]) -> float:
    """The logarithm of the average."""
    if not logs:
        return 0.0
    most = max(logs)
    return most + log(sum([exp(each - most) for each in logs]) / len(logs))
