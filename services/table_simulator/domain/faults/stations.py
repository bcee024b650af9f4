"""The kinds of table on a floor: every fault has some among them where it finds its place."""

from __future__ import annotations

from dataclasses import dataclass

from blackjack.facts import ShoeKind
from blackjack.rulebook.house_rules import DoubleOn, RuleSetSpec
from table_simulator.domain import games
from table_simulator.domain.specs import specs


@dataclass(frozen=True, slots=True)
class Station:
    """A table, and the rule sets that may be posted on it.

    `stacked` is the share of rare deals on which it is played where a fault needs them.
    """

    name: str
    specs: tuple[RuleSetSpec, ...]
    kind: ShoeKind = ShoeKind.SHOE
    seats: int = 0
    stacked: float = 0.05


def _has_aggregate(spec: RuleSetSpec) -> bool:
    return any(limit.aggregate_cents for limit in spec.limits.wagers.values())


_DOUBLE_ACTION = specs(games.DOUBLE_ACTION_III)
_SKWEEZIT = specs(games.SKWEEZIT_BLACKJACK)
_MATCH_MADNESS = specs(games.MATCH_MADNESS_GAME)
_HALF_BACK = specs(games.HALF_BACK_BLACKJACK)
_DEAD_MANS_HAND = specs(games.DEAD_MANS_HAND_GAME)

_OPEN_ENDED = tuple(
    spec
    for spec in _DOUBLE_ACTION
    if not _has_aggregate(spec) and spec.house.double_on is DoubleOn.ANY_TWO
)

DOUBLE_ACTION = Station("double action", _OPEN_ENDED)
STACKS = Station("stacks", tuple(spec for spec in _MATCH_MADNESS if spec.decks == 1))
SKWEEZIT = Station(
    "skweezit",
    tuple(spec for spec in _SKWEEZIT if not spec.limits.other_wagers and not _has_aggregate(spec)),
)
ONE_DECK = Station("one deck", tuple(spec for spec in _DEAD_MANS_HAND if spec.decks <= 2))
HALF_BACK = Station("half back", _HALF_BACK)
CAPPED = Station(
    "capped", tuple(spec for spec in _DOUBLE_ACTION if _has_aggregate(spec)), seats=6, stacked=0.4
)
MANY_WAGERS = Station(
    "many wagers",
    tuple(spec for spec in _SKWEEZIT if spec.limits.other_wagers and not _has_aggregate(spec)),
)
HEADS_UP = Station("heads up", _HALF_BACK, kind=ShoeKind.CONTINUOUS, seats=1)
SHUFFLER = Station("shuffler", SKWEEZIT.specs, kind=ShoeKind.CONTINUOUS)
HARD_DOUBLES = Station(
    "hard doubles",
    tuple(
        spec
        for spec in _DOUBLE_ACTION
        if spec.house.double_on is not DoubleOn.ANY_TWO and not _has_aggregate(spec)
    ),
)
SHUFFLED_DOUBLE_ACTION = Station("shuffled double action", _OPEN_ENDED, kind=ShoeKind.CONTINUOUS)
MATCH_SHOE = Station(
    "match shoe",
    tuple(spec for spec in _MATCH_MADNESS if spec.decks > 1 and not _has_aggregate(spec)),
)

STATIONS = (
    DOUBLE_ACTION,
    STACKS,
    SKWEEZIT,
    ONE_DECK,
    HALF_BACK,
    CAPPED,
    MANY_WAGERS,
    HEADS_UP,
    SHUFFLER,
    HARD_DOUBLES,
    SHUFFLED_DOUBLE_ACTION,
    MATCH_SHOE,
)
"""In the order in which a floor is furnished: five tables have the five games."""

BLACKJACK = tuple(station for station in STATIONS if station not in (STACKS, MATCH_SHOE, HEADS_UP))
"""Except for the table of a single patron, where few things can happen."""
UNCAPPED_BLACKJACK = tuple(station for station in BLACKJACK if station is not CAPPED)
UNCAPPED = (*UNCAPPED_BLACKJACK, STACKS, MATCH_SHOE)
POSTED_MAXIMUM = tuple(station for station in BLACKJACK if station is not HALF_BACK)
BONUS_AT_ONCE = tuple(station for station in POSTED_MAXIMUM if station is not ONE_DECK)
"""Where a bonus is decided by the first deal."""
FEW_DECKS = (SKWEEZIT, ONE_DECK, SHUFFLER, HARD_DOUBLES)
COUNTED_SHOES = tuple(
    station for station in STATIONS if station.kind is ShoeKind.SHOE and station is not STACKS
)
SEVERAL_PATRONS = tuple(station for station in STATIONS if station is not HEADS_UP)
