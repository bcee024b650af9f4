"""Chance from a seed, and what the catalogue calls a rule set: what `domain` is handed."""

from __future__ import annotations

from heapq import merge
from random import Random

from blackjack.facts import Event, ShoeKind
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.rule_set import compose
from table_simulator.domain.chance import RandomSource, RandomStream
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from table_simulator.domain.table_day import START_AT, PlayedTable, PostedRules, TablePlan
from table_simulator.domain.table_day import play_table as play_evening


def random_source(seed: int) -> RandomSource:
    """Streams of chance for one seed; a string is hashed by `Random` itself, always alike."""

    def stream(name: str) -> RandomStream:
        return Random(f"{seed}/{name}")

    return stream


def posted_rules(spec: RuleSetSpec) -> PostedRules:
    return PostedRules(spec, compose(spec).hash)


def play(
    *,
    seed: int,
    table_id: str,
    spec: RuleSetSpec,
    rounds: int,
    next_spec: RuleSetSpec | None = None,
    kind: ShoeKind = ShoeKind.SHOE,
    stacked: float = 0.0,
    start_at: int = START_AT,
    seats: int = 0,
    coupons: bool = True,
    is_shuffled: bool = True,
) -> PlayedTable:
    """One table from a seed, half of them without a gateway's clock."""
    rng = Random(seed)
    evening = TablePlan(
        table=table_id,
        rules=posted_rules(spec),
        rounds=rounds,
        next_rules=posted_rules(next_spec) if next_spec else None,
        kind=kind,
        stacked=stacked,
        start_at=start_at,
        seats=seats,
        coupons=coupons,
        is_shuffled=is_shuffled,
        has_gateway=rng.random() < 0.5,
    )
    return play_evening(rng, evening)


def plays_of_day(*, seed: int, tables: int, rounds: int, stacked: float = 0.0) -> list[PlayedTable]:
    """Tables of all five games in turn, each with a rule set of its own, some with shufflers."""
    rng = Random(seed)
    return [
        play(
            seed=rng.getrandbits(48),
            table_id=f"T{number + 1:03d}",
            spec=rng.choice(specs(GAMES[number % len(GAMES)])),
            rounds=rounds,
            kind=ShoeKind.CONTINUOUS if rng.random() < 0.25 else ShoeKind.SHOE,
            stacked=stacked,
            start_at=START_AT + rng.randrange(600_000_000),
        )
        for number in range(tables)
    ]


def play_day(*, seed: int, tables: int, rounds: int, stacked: float = 0.0) -> list[Event]:
    """All tables' events by time; `rounds` is the number each table plays."""
    played = plays_of_day(seed=seed, tables=tables, rounds=rounds, stacked=stacked)
    return list(merge(*(table.events for table in played), key=lambda event: event.at))
