"""The engine on a mixed day of the five games, on one core: bytes to settled rounds.

Run as a program it prints seconds for each pass, so that the compiled engine can be
measured in a process of its own:  python -m tests.bench.engine
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

import blackjack.play.table
from blackjack.facts import Event
from blackjack.play.table import Table, fold
from runtime.service import tune_gc
from table_simulator.days.randomness import play_day
from tests.bench.measure import Measurement, compared, timed
from wire import decode_event, encode_event
from wire.chain import digest

AIM = 0.5
BATCH = 10_000
"""Events folded at a time, as settlement does while it catches up."""
ROOT = Path(__file__).parents[2]
COMPILED = ROOT / "build" / "compiled"


class Passes(msgspec.Struct):
    """Seconds of CPU for each pass over the same facts, the best of several."""

    facts: int
    decode: float
    settle: float
    fold: float
    compiled: bool


def a_day(*, seed: int, tables: int, rounds: int) -> list[bytes]:
    """A day's events as controllers send them: each names the hash of the one before."""
    last: dict[str, bytes] = {}
    frames = []
    for event in play_day(seed=seed, tables=tables, rounds=rounds):
        chained = msgspec.structs.replace(event, previous=last.get(event.table, b""))
        frame = encode_event(chained)
        last[event.table] = digest(frame)
        frames.append(frame)
    return frames


def decode_all(frames: list[bytes]) -> None:
    for frame in frames:
        decode_event(frame)


def settle_all(frames: list[bytes]) -> int:
    return fold_batches(
        [decode_event(frame) for frame in frames[at : at + BATCH]]
        for at in range(0, len(frames), BATCH)
    )


def fold_batches(batches: Iterable[list[Event]]) -> int:
    """Fold batch by batch, each table once a batch, as settlement does; the rounds settled."""
    tables: dict[str, Table] = {}
    settled = 0
    for batch in batches:
        by_table: dict[str, list[Event]] = {}
        for event in batch:
            by_table.setdefault(event.table, []).append(event)
        for name, events in by_table.items():
            table = tables.get(name)
            tables[name], steps = fold(table if table is not None else Table.new(name), events)
            settled += sum(len(step.rounds) for step in steps)
    return settled


def run(*, repeats: int, tables: int, rounds: int) -> Passes:
    frames = a_day(seed=1, tables=tables, rounds=rounds)
    tune_gc()  # as a service does before it begins
    decode = []
    settle = []
    for _ in range(repeats):
        decode.append(timed(lambda: decode_all(frames)))
        settle.append(timed(lambda: settle_all(frames)))
    events = [decode_event(frame) for frame in frames]
    batches = [events[at : at + BATCH] for at in range(0, len(events), BATCH)]
    folded = [timed(lambda: fold_batches(batches)) for _ in range(repeats)]
    compiled = not str(blackjack.play.table.__file__).endswith(".py")
    return Passes(len(frames), min(decode), min(settle), min(folded), compiled)


def measure(*, quick: bool) -> list[Measurement]:
    found = [*_measured(quick, compiled=False)]
    if COMPILED.exists():
        found.extend(_measured(quick, compiled=True))
    return found


def _measured(quick: bool, *, compiled: bool) -> list[Measurement]:
    environment = dict(os.environ)
    if compiled:
        environment["PYTHONPATH"] = str(COMPILED)
    printed = subprocess.run(
        [sys.executable, "-m", "tests.bench.engine", "quick" if quick else "full"],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
    )
    passes = msgspec.json.decode(printed.stdout, type=Passes)
    if passes.compiled != compiled:
        raise RuntimeError(
            f"wanted the {'compiled' if compiled else 'plain'} engine, got the other"
        )
    how = "compiled" if compiled else "plain"
    base = Measurement(
        f"facts decoded from bytes and read ({how})", passes.facts / passes.decode, "facts/s"
    )
    settled = passes.facts / passes.settle
    folded = passes.facts / passes.fold
    return [
        base,
        compared(f"decoded, folded and settled ({how})", settled, "facts/s", base, aim=AIM),
        Measurement(f"folded and settled alone ({how})", folded, "facts/s"),
    ]


if __name__ == "__main__":
    size = (2, 10, 12) if sys.argv[1:] == ["quick"] else (5, 50, 80)
    done = run(repeats=size[0], tables=size[1], rounds=size[2])
    sys.stdout.buffer.write(msgspec.json.encode(done))
