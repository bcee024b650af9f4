"""How rich a gambler would be who bets on misconduct at fair odds: the e-process of a stream.

From one unit he stakes a fixed share of what he has on every ticket. With a share a, a ticket
of value v multiplies his wealth by 1 - a + a * v, which is 1 on average, or less, if nothing is
wrong. So his wealth is a test supermartingale, and by Ville's inequality it *ever* reaches 1 /
level with a probability of at most `level`, however long he plays and whenever one looks. He
does not know the best share or angle, and splits his unit evenly among all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, log1p
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from surveillance.domain.statistics.counting import COUNT_ANGLES, angles_between
from surveillance.domain.statistics.evidence import Bet, Entry, Evidence, Kind, Ticket

SHARES: Final = (0.01, 0.025, 0.06, 0.15, 0.4)
"""Each about two and a half times the one before: the best share is never far."""

ALL_OF_IT: Final = (1.0,)
"""For tickets that are never worth nothing and have their share within."""

WHOLE: Final = frozenset({Kind.COUNT, Kind.ERRORS, Kind.COUPONS})

_SHARES: Final[Mapping[Kind, Sequence[float]]] = MappingProxyType(
    {kind: ALL_OF_IT if kind in WHOLE else SHARES for kind in Kind}
)


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


def advance(tally: Tally, entry: Entry, evidence: Evidence, rounds: int = 1) -> Tally:
    """The stream after one more round, or after so many that are looked at together."""
    angles = evidence.angles
    if evidence.bet is not None:
        angles = angles_between(tally.bet, evidence.bet)
    shares = _SHARES[evidence.kind]
    logs = tally.logs or (0.0,) * (len(shares) * (len(angles) or COUNT_ANGLES))
    if angles:
        gains = [_gain(share, tickets) for tickets in angles for share in shares]
        logs = tuple([had + gain for had, gain in zip(logs, gains, strict=True)])
    after = replace(
        tally,
        rounds=tally.rounds + rounds,
        logs=logs,
        observed=tally.observed + evidence.observed,
        expected=tally.expected + evidence.expected,
        bet=evidence.bet,
    )
    now = after.now
    if now <= tally.peak:
        return after
    return replace(
        after,
        peak=now,
        peak_at=entry.opened_at,
        peak_table=entry.table,
        peak_round=entry.round,
        marks=_marked(tally, after, now, entry),
    )


def _marked(before: Tally, after: Tally, peak: float, entry: Entry) -> tuple[Mark, ...]:
    if int(peak / _TEN) <= int(before.peak / _TEN) or len(before.marks) >= MARKS_MAX:
        return before.marks
    mark = Mark(
        peak, entry.opened_at, entry.table, entry.round, after.rounds, after.observed,
        after.expected,
    )  # fmt: skip
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


def _gain(share: float, tickets: tuple[Ticket, ...]) -> float:
    return sum([_logarithm(share, each.value) * each.times for each in tickets])


def _logarithm(share: float, value: float) -> float:
    """Of 1 - share + share * value."""
    return log(value) if share == 1.0 else log1p(share * (value - 1.0))


def _together(logs: Sequence[float]) -> float:
    """The logarithm of the average."""
    if not logs:
        return 0.0
    most = max(logs)
    return most + log(sum([exp(each - most) for each in logs]) / len(logs))
