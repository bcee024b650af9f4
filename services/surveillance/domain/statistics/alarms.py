"""Alarms: streams on which a gambler against misconduct has grown too rich for luck."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from surveillance.domain.statistics.evidence import StreamKind
from surveillance.domain.statistics.subject_state import Subject
from surveillance.domain.statistics.wealth import Tally

LOG_MAX: Final = 700.0
"""Beyond, an e-value is more than a float can say."""

LEVELS: Final[Mapping[StreamKind, float]] = MappingProxyType(
    {
        StreamKind.LUCK: 1e-4,
        StreamKind.COUNT: 1e-3,
        StreamKind.HOLE_CARD: 1e-3,
        StreamKind.ERRORS: 1e-2,
        StreamKind.COUPONS: 1e-3,
        StreamKind.TRANSFERS: 1e-3,
    }
)
"""How likely a stream may ever alarm for nothing. Of n streams at most n times as many are expected
to, in all the time there is; so kinds that are asked of more people have smaller ones."""

ADVANTAGE: Final = "advantage"
"""What is legal, and said so."""


class Alarm(Struct, frozen=True):
    """A stream that has reached its threshold, as it stands after the last round."""

    subject: str
    kind: StreamKind
    wager: str
    label: str
    """"advantage" for what is legal, otherwise empty."""
    e_value: float
    """The most that one unit ever became."""
    e_value_now: float
    level: float
    """How likely at most a stream like this ever alarms, if nothing is wrong."""
    false_alarm_bound: float
    """How likely at most it ever comes to this e-value, if nothing is wrong."""
    rounds: int
    observed: float
    expected: float
    table: str
    """Where the e-value was highest, with round and time."""
    round: str
    at: int


def alarms(state: Subject, levels: Mapping[StreamKind, float] = LEVELS) -> tuple[Alarm, ...]:
    """Every stream of a subject that ever reached one by its level, in the order of play."""
    return tuple(
        _alarm(state.subject, StreamKind(kind), wager, tally, levels[StreamKind(kind)])
        for name, tally in sorted(state.tallies.items())
        for kind, _, wager in (name.partition("/"),)
        if tally.peak >= -log(levels[StreamKind(kind)])
    )


def _alarm(subject: str, kind: StreamKind, wager: str, tally: Tally, level: float) -> Alarm:
    bound = exp(-tally.peak)
    return Alarm(
        subject=subject,
        kind=kind,
        wager=wager,
        label=ADVANTAGE if kind in (StreamKind.COUNT, StreamKind.HOLE_CARD) else "",
        e_value=exp(min(tally.peak, LOG_MAX)),
        e_value_now=exp(min(tally.now, LOG_MAX)),
        level=level,
        false_alarm_bound=bound,
        rounds=tally.rounds,
        observed=tally.observed,
        expected=tally.expected,
        table=tally.peak_table,
        round=tally.peak_round,
        at=tally.peak_at,
    )
