"""Coupon washing: a patron comes, plays coupons and nothing else, and goes; again and again.

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
"""A table that was cut off tells what it saw by then; older visits are what they are."""

KEPT_US: Final = 90 * DAY_US
"""As long as a house may let visits count."""


class Hands(Struct, array_like=True):
    """A round with a coupon, or rounds without one that follow each other."""

    first_seq: int
    last_seq: int
    at: int
    round: str
    has_coupon: bool
    is_decided: bool


class Washed(Struct, frozen=True, array_like=True):
    """A visit for coupons alone."""

    since: int
    table: str
    first_seq: int
    last_seq: int
    rounds: int


class TableHistory(Struct, array_like=True):
    sat: list[tuple[int, int]] = field(default_factory=list)
    rose: list[tuple[int, int]] = field(default_factory=list)
    """Numbers and times, of sitting down and of leaving."""
    hands: list[Hands] = field(default_factory=list)
    tried: list[tuple[int, int]] = field(default_factory=list)
    """Of coupons that had no part in their round."""


class WashingMemory(Memory):
    tables: dict[str, TableHistory] = field(default_factory=dict)
    washed: list[Washed] = field(default_factory=list)
    """Of visits that are not recent."""
    latest_at: int = 0


class Washing(Detector[WashingMemory]):
    """About a patron; visits that no pause of days separates are one alert."""

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
        recent = (_washed(table, each, settings) for table, each in memory.tables.items())
        visits = sorted({*memory.washed, *chain.from_iterable(recent)}, key=_order)
        for story in sessions(
            visits,
            at=lambda each: each.since,
            gap=lambda at: settings.threshold("washing_days", at) * DAY_US,
        ):
            if len(story) >= settings.threshold("washing_visit_count", story[-1].since):
                yield _draft(memory.about, story)


def _order(visit: Washed) -> tuple[int, str, int]:
    return (visit.since, visit.table, visit.first_seq)


def _play(history: TableHistory, played: PatronRound) -> None:
    """Rounds without a coupon become one with the one before: a table's rounds come in order."""
    hands = [each for each in history.hands if each.round != played.round]
    new = Hands(
        played.first_seq, played.last_seq, played.at, played.round, played.has_coupon,
        played.is_decided,
    )  # fmt: skip
    place = sum(1 for each in hands if each.first_seq <= new.first_seq)
    before = hands[place - 1] if place else None
    if before is not None and not before.has_coupon and not new.has_coupon:
        before.last_seq, before.at = max(before.last_seq, new.last_seq), max(before.at, new.at)
    else:
        hands.insert(place, new)
    history.hands = hands


def _visits(history: TableHistory) -> Iterator[tuple[int, int, int]]:
    """Number and time of sitting down, number of leaving; only of visits that are over."""
    for place, (seq, at) in enumerate(history.sat):
        ends = [each for each, _ in history.rose if each > seq][:1]
        ends += [each for each, _ in history.sat[place + 1 : place + 2]]
        if ends:
            yield seq, at, min(ends)


def _washed(table: str, history: TableHistory, settings: Settings) -> Iterator[Washed]:
    for first, at, last in _visits(history):
        own = [each for each in history.hands if each.last_seq > first and each.first_seq < last]
        decided = sum(1 for each in own if each.is_decided)
        most = settings.threshold("washing_round_count", at)
        if own and all(_has_coupon(history, each) for each in own) and decided <= most:
            yield Washed(at, table, first, last, len(own))


def _has_coupon(history: TableHistory, hands: Hands) -> bool:
    tried = (hands.first_seq <= seq <= hands.last_seq for seq, _ in history.tried)
    return hands.has_coupon or any(tried)


def _settle(memory: WashingMemory, settings: Settings) -> None:
    """What is not recent is decided: only visits for coupons alone are kept of it."""
    until = memory.latest_at - RECENT_US
    for table, history in list(memory.tables.items()):
        times = (
            *history.sat,
            *history.rose,
            *((each.first_seq, each.at) for each in history.hands),
        )
        if all(at >= until for _, at in times):
            continue
        memory.washed += [each for each in _washed(table, history, settings) if each.since < until]
        history.sat = [each for each in history.sat if each[1] >= until]
        history.rose = [each for each in history.rose if each[1] >= until]
        history.tried = [each for each in history.tried if each[1] >= until]
        history.hands = [each for each in history.hands if each.at >= until]
        if not (history.sat or history.rose or history.tried or history.hands):
            del memory.tables[table]
    memory.since = max(memory.since, memory.latest_at - KEPT_US)
    memory.washed = [each for each in memory.washed if each.since >= memory.since]


def _draft(patron: str, visits: list[Washed]) -> Draft:
    first, last = visits[0], visits[-1]
    tables = {each.table for each in visits}
    return Draft(
        kind=KIND,
        identity=f"{first.table}/{first.first_seq}",
        level=KINDS[KIND].level,
        sentence=f"Patron {patron} came {len(visits)} times, played coupons and nothing else, and "
        "left: look at how the coupons were come by.",
        rule=COUPON_RULE,
        evidence=tuple(
            Evidence(
                at=each.since,
                words=f"a visit of {each.rounds} rounds, each with a coupon",
                kind="visit",
                table=each.table,
                first_seq=each.first_seq,
                last_seq=each.last_seq,
                patron=patron,
            )
            for each in visits
        ),
        table=last.table if len(tables) == 1 else "",
        patron=patron,
    )
