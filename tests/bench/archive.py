"""One round by its id out of a million: got from the index, and replayed from the log.

The rounds that are asked for are real, with their events in Kafka; the million around them are
made up in the database, of other tables, with cards, stakes and patrons drawn at random. The same
questions are asked with a thousand around them: what an index is worth is the ratio.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg

from casino.settlement.v1 import service_pb2 as pb
from deploy.stack.settings import NAMES, read_settings
from deploy.stack.stack import Stack
from tests.bench.measure import Measurement
from tests.round_archive.house import SERVICE, House, prepare
from tests.stack.broker import Broker
from tests.stack.databases import Database
from tests.table_simulator.days import a_day

ROOT: Final = Path(__file__).parents[2]
FEW: Final = 1_000
MANY: Final = 1_000_000
MANY_QUICK: Final = 100_000
AIM: Final = 2.0
"""A thousand times as many rounds may make a question no more than so many times slower."""

_DROP: Final = """
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = 'round_archive' AND tablename IN ('rounds', 'findings')
    AND indexname NOT LIKE '%_pkey'
"""
_ROUNDS: Final = """
INSERT INTO rounds
SELECT 'S-' || n % 200, 'S-' || n % 200 || '-' || n, n * 30, 1,
    CASE WHEN n % 997 > 0 THEN 1 ELSE 3 END,
    CASE WHEN n % 2 = 0 THEN 'skweezit' ELSE 'half_back' END, 'D-' || n % 3000,
    1700000000000000 + n * 31000000::bigint, 1700000040000000 + n * 31000000::bigint,
    n * 30, n * 30 + 25, 2, stake * 2, 0, 0, 0, stake,
    ARRAY[10001, 10000 + seat, 20000 + a, 20000 + b, 20000 + c, 20000 + d,
        30000 + least(a, b) * 53 + greatest(a, b), 30000 + least(c, d) * 53 + greatest(c, d),
        40001 + e * 100, 40001 + f * 100],
    ARRAY['p:P-' || n % 50000, 'w:main'],
    jsonb_build_array(
        jsonb_build_object('s', 1, 'h', 1, 'c', ARRAY[a * 100 + 1, b * 100 + 1]),
        jsonb_build_object('s', seat, 'h', 1, 'c', ARRAY[c * 100 + 1, d * 100 + 1])),
    jsonb_build_array(
        jsonb_build_object('s', 1, 'h', 1, 'w', 'main', 'c', 500, 'p', 'P-' || n % 50000),
        jsonb_build_object('s', seat, 'h', 1, 'w', 'main', 'c', stake, 'p', '')),
    0, NULL, 0, n,
    CASE WHEN n % 300 = 0 THEN ARRAY['payout.overpaid'] WHEN n % 10 = 0 THEN ARRAY['log.late']
        ELSE ARRAY[]::text[] END,
    CASE WHEN n % 300 = 0 THEN 2 WHEN n % 10 = 0 THEN 4 ELSE 0 END
FROM (
    SELECT n, 1 + (random() * 51)::int AS a, 1 + (random() * 51)::int AS b,
        1 + (random() * 51)::int AS c, 1 + (random() * 51)::int AS d,
        1 + (random() * 51)::int AS e, 1 + (random() * 51)::int AS f,
        2 + (random() * 5)::int AS seat, 500 + (random() ^ 8 * 50000)::int AS stake
    FROM generate_series(%(begin)s::bigint, %(end)s - 1) AS n
) drawn
"""
_VERSIONS: Final = """
INSERT INTO round_versions
SELECT table_id, round, opening_seq, 1, '\\x00', true, '\\x', 0, source_offset FROM rounds
WHERE table_id ^@ 'S-' AND opening_seq >= %(begin)s * 30
"""
_FINDINGS: Final = """
INSERT INTO findings
SELECT table_id, 'F-' || opening_seq, opening_seq + 3,
    CASE WHEN opening_seq % 9000 = 0 THEN 'payout.overpaid' ELSE 'log.late' END,
    CASE WHEN opening_seq % 9000 = 0 THEN 2 ELSE 4 END,
    opened_at, round, '', dealer, false, '\\x', NULL, source_offset
FROM rounds WHERE table_id ^@ 'S-' AND opening_seq >= %(begin)s * 30 AND opening_seq % 300 = 0
"""


@contextmanager
def archive() -> Iterator[House]:
    """Servers of our own and the archive's process over them; ended with their data."""
    folder = Path(tempfile.mkdtemp(prefix="bench-archive-"))
    kept = {"STACK_CACHE_DIR", "STACK_NOBODY_DIR", "MAVEN_REPOSITORY", "PG_BIN"}
    around = {name: value for name, value in os.environ.items() if name not in {*NAMES} - kept}
    ports = ("STACK_KAFKA_PORT", "STACK_KAFKA_CONTROLLER_PORT", "STACK_POSTGRES_PORT")
    settings = read_settings(
        {**around, **dict.fromkeys(ports, "0"), "STACK_DIR": str(folder / "stack")}
    )
    stack = Stack(settings, services=())
    house = None
    try:
        stack.up(servers_only=True)
        database = Database("postgres", stack.database_url)
        prepare(database)
        house = House(
            folder, Broker(stack.kafka_bootstrap), database, LOG_LEVEL="warning",
            DATABASE_STATEMENT_SECONDS_MAX="300",
        )  # fmt: skip
        yield house
    finally:
        if house is not None:
            house.kill()
        stack.down(remove_data=True)
        shutil.rmtree(folder, ignore_errors=True)


def synthesise(database_url: str, begin: int, end: int) -> None:
    """Rounds of that many numbers; indexes are made anew after them, which is faster."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"SET search_path = {SERVICE}".encode())
        indexes = connection.execute(_DROP.encode()).fetchall()
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}".encode())
        values = {"begin": begin, "end": end}
        for statement in (_ROUNDS, _VERSIONS, _FINDINGS):
            connection.execute(statement.replace("% ", "%% ").encode(), values)
        connection.execute(
            b"INSERT INTO counts VALUES ('findings', 'payout.overpaid', 1) ON CONFLICT DO NOTHING"
        )
        for _, definition in indexes:
            connection.execute(definition.encode())
        connection.execute(b"VACUUM ANALYZE rounds, round_versions, findings")


def questions() -> dict[str, pb.FindRoundsRequest]:
    return {
        "of a patron": pb.FindRoundsRequest(patron="P-77"),
        "of two cards in a hand, and the dealer's": pb.FindRoundsRequest(
            cards=[1, 30],  # type: ignore[list-item]
            dealer_cards=[40],  # type: ignore[list-item]
        ),
        "of a great stake": pb.FindRoundsRequest(stake_cents_min=50_000, seat=3),
        "of a kind of finding": pb.FindRoundsRequest(finding_kind="payout"),
        "of a dealer that were incomplete": pb.FindRoundsRequest(dealer="D-9", status=3),  # type: ignore[arg-type]
    }


async def ask(house: House, names: list[pb.RoundName]) -> dict[str, float]:
    """What a caller over gRPC waits in milliseconds: the lower quartile, for neighbours disturb."""
    found: dict[str, float] = {}
    async with house.stub() as stub:

        async def waited(call: Any, requests: list[Any]) -> float:
            took = []
            for request in [requests[0], *requests]:  # the first one warms up
                began = time.perf_counter()
                await call(request, timeout=300)
                took.append(time.perf_counter() - began)
            return statistics.quantiles(took[1:], n=4)[0] * 1000

        gets = [pb.GetRoundRequest(name=name) for name in names]
        found["get of a round"] = await waited(stub.GetRound, gets)
        replays = [pb.ReplayRoundRequest(name=name) for name in names]
        found["replay of a round"] = await waited(stub.ReplayRound, replays)
        for name, request in questions().items():
            found[f"rounds {name}"] = await waited(stub.FindRounds, [request] * 9)
    return found


def measure(*, quick: bool) -> list[Measurement]:
    many = MANY_QUICK if quick else MANY
    with archive() as house:
        day = a_day(1, tables=4 if quick else 12, rounds=10, every=0)
        house.settle([(frame.stream, frame.data, frame.ingested_at) for frame in day.frames])
        house.start()
        asyncio.run(house.indexed())
        with psycopg.connect(house.database.url) as connection:
            rows = connection.execute(
                "SELECT table_id, round FROM round_archive.rounds ORDER BY round LIMIT 40"
            ).fetchall()
        names = [pb.RoundName(table_id=row[0], round=row[1]) for row in rows]
        synthesise(house.database.url, 1, FEW)
        few = asyncio.run(ask(house, names))
        synthesise(house.database.url, FEW, many)
        great = asyncio.run(ask(house, names))
    found: list[Measurement] = []
    for name, value in great.items():
        base = f"{name}, {FEW:,} in the index"
        found.append(Measurement(base, few[name], "ms"))
        ratio = value / few[name]
        is_by_id = name.endswith("of a round")
        aim, met = (AIM, ratio <= AIM) if is_by_id else (None, None)
        title = f"{name}, {many:,} in the index"
        found.append(Measurement(title, value, "ms", base, round(ratio, 3), aim, met))
    return found
