"""A day of many tables, interleaved by time, as a gateway would see it."""

from __future__ import annotations

from heapq import merge
from random import Random

from blackjack.facts import Event, ShoeKind
from blackjack.rules import RuleSetSpec
from tests.croupier.games import GAMES
from tests.croupier.house import START_AT, Played, play
from tests.croupier.specs import specs


def play_table(
    *,
    seed: int,
    table_id: str,
    spec: RuleSetSpec,
    rounds: int,
    kind: ShoeKind = ShoeKind.SHOE,
    stacked: float = 0.0,
    start_at: int = START_AT,
    seats: int = 0,
) -> list[Event]:
    """The stream of one table, from its opening to its closing."""
    return play(
        seed=seed,
        table_id=table_id,
        spec=spec,
        rounds=rounds,
        kind=kind,
        stacked=stacked,
        start_at=start_at,
        seats=seats,
    ).events


def plays_of_day(
    *, seed: int, tables: int, rounds: int, stacked: float = 0.0, start_at: int = START_AT
) -> list[Played]:
    """Tables of all five games in turn, each with a rule set of its own, some with shufflers."""
    rng = Random(seed)
    played = []
    for number in range(tables):
        choices = specs(GAMES[number % len(GAMES)])
        continuous = rng.random() < 0.25
        played.append(
            play(
                seed=rng.getrandbits(48),
                table_id=f"T{number + 1:03d}",
                spec=rng.choice(choices),
                rounds=rounds,
                kind=ShoeKind.CONTINUOUS if continuous else ShoeKind.SHOE,
                stacked=stacked,
                start_at=start_at + rng.randrange(600_000_000),
            )
        )
    return played


def play_day(*, seed: int, tables: int, rounds: int, stacked: float = 0.0) -> list[Event]:
    """All tables' events by time; `rounds` is the number each table plays."""
    played = plays_of_day(seed=seed, tables=tables, rounds=rounds, stacked=stacked)
    return list(merge(*(each.events for each in played), key=lambda event: event.at))
