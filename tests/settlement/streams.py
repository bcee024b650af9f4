"""Streams of tables as a bad day brings them: late, lost, resent, of rules nobody knows."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from blackjack.facts import Event, PromotionDefined, RuleSetActivated
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.promotions import Terms
from table_simulator.days.randomness import play
from wire import decode_event, encode_event
from wire.chain import digest


def frames_of(events: list[Event]) -> list[bytes]:
    """The bytes a controller sends: each event names the hash of the one before."""
    frames: list[bytes] = []
    for event in events:
        previous = digest(frames[-1]) if frames else b""
        frames.append(encode_event(replace(event, previous=previous)))
    return frames


def without_definitions(events: list[Event]) -> list[Event]:
    """The rule sets are only named: whoever does not know them must wait."""
    return [
        replace(event, fact=replace(event.fact, definition=None))
        if isinstance(event.fact, RuleSetActivated)
        else event
        for event in events
    ]


def without_terms(events: list[Event]) -> tuple[list[Event], list[Terms]]:
    """The promotions are only named; and their terms, for whoever publishes them."""
    terms = [event.fact.terms for event in events if isinstance(event.fact, PromotionDefined)]
    others = [event for event in events if not isinstance(event.fact, PromotionDefined)]
    return [replace(other, seq=at) for at, other in enumerate(others, start=1)], terms


def disordered(frames: list[bytes], rng: Random) -> list[bytes]:
    """Some frames come late, some twice, some never."""
    arrived: list[bytes] = []
    late: list[tuple[int, bytes]] = []
    for at, frame in enumerate(frames):
        chance = rng.random()
        if at and chance < 0.01:
            late.append((at + rng.randrange(1, 120), frame))
        elif at and chance < 0.012:
            continue
        else:
            arrived.append(frame)
            if chance > 0.98:
                arrived.extend(frames[max(0, at - 5) : at + 1])
        arrived.extend(event for when, event in late if when == at)
    return arrived


def bad_day(
    *, seed: int, spec: RuleSetSpec, rounds: int, table: str = "T1", defined: bool = True
) -> list[bytes]:
    events = play(seed=seed, table_id=table, spec=spec, rounds=rounds, stacked=0.2).events
    if not defined:
        events = without_definitions(events)
    return disordered(frames_of(events), Random(seed))


def decoded(frames: list[bytes]) -> list[Event]:
    return [decode_event(frame) for frame in frames]
