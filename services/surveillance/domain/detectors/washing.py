"""Coupon washing: repeated visits of a patron who plays only coupons.

A visit lasts from sitting down to leaving. One for coupons alone has a few rounds, each with a
coupon; a round that pushed decided nothing and does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from msgspec import Struct, field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from blackjack.rulebook.state_rules import COUPON_RULE
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.phrases import counted
from surveillance.domain.sessions import sessions
from surveillance.domain.sightings import (
    PatronArrival,
    PatronDeparture,
    PatronRound,
    Sighting,
    UnusedCoupon,
)

KIND: Final = "coupon.washing"
DAY_US: Final = 86_400_000_000
RECENT_US: Final = 3 * DAY_US // 2
"""Late events of a disconnected table have arrived by then; older visits no longer change."""

KEPT_US: Final = 90 * DAY_US
"""The longest time that a property may let visits count."""


class CouponHands(Struct, array_like=True):
    """A round with a coupon, or consecutive rounds without one."""

    first_seq: int
    last_seq: int
    at: int
    round: str
    has_coupon: bool
    is_decided: bool


class CouponVisit(Struct, frozen=True, array_like=True):
    """A visit for coupons alone."""

    since: int
    table: str
    first_seq: int
    last_seq: int
    rounds: int


class TableHistory(Struct, array_like=True):
    sat: list[tuple[int, int]] = field(default_factory=list)
    rose: list[tuple[int, int]] = field(default_factory=list)
    """Event numbers and times of arrivals and departures."""
    hands: list[CouponHands] = field(default_factory=list)
    tried: list[tuple[int, int]] = field(default_factory=list)
    """The same of coupons that had no effect in their round."""


class WashingMemory(Memory):
    tables: dict[str, TableHistory] = field(default_factory=dict)
    washed: list[CouponVisit] = field(default_factory=list)
    """Visits that are not recent."""
    latest_at: int = 0


class Washing(Detector[WashingMemory]):
    """About a patron; visits with no pause of days between them are one alert."""

    name = "washing"
    kinds = frozenset({KIND})
    sees = frozenset({PatronArrival, PatronDeparture, PatronRound, UnusedCoupon})
    memory = WashingMemory

    def fold(self, memory: WashingMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        match sighting:
            case PatronArrival(table=table, seq=seq, at=at):
                history = memory.tables.setdefault(table, TableHistory())
                history.sat = sorted((*history.sat, (seq, at)))
            case PatronDeparture(table=table, seq=seq, at=at):
                history = memory.tables.setdefault(table, TableHistory())
                history.rose = sorted((*history.rose, (seq, at)))
            case UnusedCoupon(table=table, seq=seq, at=at):
                history = memory.tables.setdefault(table, TableHistory())
                history.tried = sorted({*history.tried, (seq, at)})
            case PatronRound(table=table, at=at):
                _play(memory.tables.setdefault(table, TableHistory()), sighting)
            case _:
                return ()
        memory.latest_at = max(memory.latest_at, at)
        _settle(memory, settings)
        return ("",)

    def judge(self, memory: WashingMemory, key: str, settings: Settings) -> Iterator[Draft]:
        recent = (_washed(table, history, settings) for table, history in memory.tables.items())
        visits = sorted({*memory.washed, *chain.from_iterable(recent)}, key=_order)
        for story in sessions(
            visits,
            at=lambda visit: visit.since,
            gap=lambda at: settings.threshold("washing_days", at) * DAY_US,
        ):
            if len(story) >= settings.threshold("washing_visit_count", story[-1].since):
                yield _draft(memory.about, story)


def _order(visit: CouponVisit) -> tuple[int, str, int]:
    return (visit.since, visit.table, visit.first_seq)


def _play(history: TableHistory, played: PatronRound) -> None:
    """Join consecutive rounds without a coupon: a table's rounds arrive in order."""
    hands = [kept for kept in history.hands if kept.round != played.round]
    new = CouponHands(
        played.first_seq, played.last_seq, played.at, played.round, played.has_coupon,
        played.is_decided,
    )  # fmt: skip
    place = sum(1 for kept in hands if kept.first_seq <= new.first_seq)
    before = hands[place - 1] if place else None
    if before is not None and not before.has_coupon and not new.has_coupon:
        before.last_seq, before.at = max(before.last_seq, new.last_seq), max(before.at, new.at)
    else:
        hands.insert(place, new)
    history.hands = hands


def _visits(history: TableHistory) -> Iterator[tuple[int, int, int]]:
    """Event number and time of arrival, event number of departure; of finished visits only."""
    for place, (seq, at) in enumerate(history.sat):
        ends = [rose_seq for rose_seq, _ in history.rose if rose_seq > seq][:1]
        ends += [sat_seq for sat_seq, _ in history.sat[place + 1 : place + 2]]
        if ends:
            yield seq, at, min(ends)


def _washed(table: str, history: TableHistory, settings: Settings) -> Iterator[CouponVisit]:
    for first, at, last in _visits(history):
        own = [
            hands for hands in history.hands if hands.last_seq > first and hands.first_seq < last
        ]
        decided = sum(1 for hands in own if hands.is_decided)
        most = settings.threshold("washing_round_count", at)
        if own and all(_has_coupon(history, hands) for hands in own) and decided <= most:
            yield CouponVisit(at, table, first, last, len(own))


def _has_coupon(history: TableHistory, hands: CouponHands) -> bool:
    tried = (hands.first_seq <= seq <= hands.last_seq for seq, _ in history.tried)
    return hands.has_coupon or any(tried)


def _settle(memory: WashingMemory, settings: Settings) -> None:
    """Of what is not recent only visits for coupons alone are kept."""
    until = memory.latest_at - RECENT_US
    for table, history in list(memory.tables.items()):
        times = (
            *history.sat,
            *history.rose,
            *((hands.first_seq, hands.at) for hands in history.hands),
        )
        if all(at >= until for _, at in times):
            continue
        memory.washed += [
            visit for visit in _washed(table, history, settings) if visit.since < until
        ]
        history.sat = [arrival for arrival in history.sat if arrival[1] >= until]
        history.rose = [departure for departure in history.rose if departure[1] >= until]
        history.tried = [attempt for attempt in history.tried if attempt[1] >= until]
        history.hands = [hands for hands in history.hands if hands.at >= until]
        if not (history.sat or history.rose or history.tried or history.hands):
            del memory.tables[table]
    memory.since = max(memory.since, memory.latest_at - KEPT_US)
    memory.washed = [visit for visit in memory.washed if visit.since >= memory.since]


def _draft(patron: str, visits: list[CouponVisit]) -> Draft:
    first, last = visits[0], visits[-1]
    tables = {visit.table for visit in visits}
    return Draft(
        kind=KIND,
        identity=f"{first.table}/{first.first_seq}",
        level=KINDS[KIND].level,
        sentence=f"Coupon washing suspected: patron {patron}, {counted(len(visits), 'visit')} with "
        "coupons only",
        rule=COUPON_RULE,
        evidence=tuple(
            Evidence(
                at=visit.since,
                words=f"Visit of {counted(visit.rounds, 'round')}, each with a coupon",
                kind="visit",
                table=visit.table,
                first_seq=visit.first_seq,
                last_seq=visit.last_seq,
                patron=patron,
            )
            for visit in visits
        ),
        table=last.table if len(tables) == 1 else "",
        patron=patron,
        detail="Find out how the patron obtained the coupons.",
    )
