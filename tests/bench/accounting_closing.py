"""A whole close: a day of a hundred tables, closed through the log by the process itself.

Rounds, openers, closers, boxes and counts are read from Kafka by the process of accounting. Then
CloseDay is called as the console does: every check is made and met, surveillance is asked and
answers, variances are added up, the event is appended, read back and posted, and the day is looked
at once more. Time is that of the caller; memory is what the process takes more at its peak.
"""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.cage_event_pb2 import CageEvent, DayReconciled
from casino.settlement.v1.settled_round_pb2 import SettledRound
from runtime.kafka.records import Output
from tests.accounting.books import CALENDAR
from tests.accounting.facts import a_count, at, cage_event, table_facts
from tests.accounting.house import House
from tests.accounting.surveillance import answering
from tests.bench.accounting import Servers, many_rounds, servers
from tests.bench.measure import Measurement, compared_at_most
from tests.stack.broker import Broker
from tests.stack.ports import own_port
from tests.stack.service_house import eventually
from wire import topics

LINEAR_AIM: Final = 12.0
"""Times as long, for ten times as many wagers."""
READ_SECONDS_MAX: Final = 1_800.0


def measure(*, quick: bool) -> list[Measurement]:
    wagers = 20_000 if quick else 1_000_000
    found: list[Measurement] = []
    few: Measurement | None = None
    with servers() as running:
        for count in (wagers // 10, wagers):
            tables, seconds, grown = _close(running, count)
            words = f"{tables} tables, {count:,} wagers"
            if few is None:
                few = Measurement(f"a day closed: {words}", seconds * 1000, "ms")
                found.append(few)
            else:
                found.append(
                    compared_at_most(
                        f"a day closed: {words}", seconds * 1000, "ms", few, aim=LINEAR_AIM
                    )
                )
            found.append(Measurement(f"memory the close adds: {words}", grown / 2**20, "MiB"))
    return found


def _close(running: Servers, wagers: int) -> tuple[int, float, int]:
    """Tables, seconds of the call, and bytes that the process had more at its peak."""
    port = own_port()
    broker = Broker(running.bootstrap)
    with TemporaryDirectory(prefix="bench-closing-") as folder:
        house = House(
            Path(folder), broker, running.database(), ALERT_DESK_ADDRESS=f"127.0.0.1:{port}"
        )
        try:
            house.start()
            with answering(house.folder, port):
                day, tables = _play(house, wagers)
                before = _reset_peak(house)
                began = time.perf_counter()
                closed = house.call("CloseDay", pb.CloseDayRequest(gaming_day=day), "accounting")
                seconds = time.perf_counter() - began
                if closed.day.state != pb.DAY_STATE_CLOSED or closed.day.HasField("override"):
                    raise RuntimeError("the day was not closed with every check met")
                return tables, seconds, max(_memory(house, "VmHWM") - before, 0)
        finally:
            house.kill()
            running.databases.drop(house.database)
            broker.clear()


def _play(house: House, wagers: int) -> tuple[str, int]:
    """A day with so many wagers, counted and reconciled; how many tables it had."""
    tables: dict[str, int] = {}
    rounds = many_rounds(a_day=10**9, twins=True)
    topic = house.topic(topics.SETTLED_ROUNDS)
    while wagers > 0:
        outputs = []
        for table, value in islice(rounds, 1_000):
            said = SettledRound.FromString(value)
            opened_at = said.opened_at.ToMicroseconds()
            tables[table] = max(opened_at, tables.get(table, 0))
            wagers -= len(said.outcomes)
            outputs.append(Output(topic, value, table.encode()))
        house.write(outputs)
    (day,) = {CALENDAR.day_of(opened_at) for opened_at in tables.values()}
    begins_at, _ = CALENDAR.bounds(day)
    counts: list[CageEvent] = []
    for number, table in enumerate(sorted(tables)):
        house.report(table, begins_at, *table_facts(table))
        counted = a_count(table, f"B-{table}", hundreds=0, at=at(begins_at + 3_600_000_000))
        counted.event_id = f"count-{number}"
        counted.author = "ada"
        counted.recorded_at.CopyFrom(counted.at)
        counted.gaming_day = day.isoformat()
        counts.append(counted)
    cage = house.topic(topics.CAGE_EVENTS)
    house.write(Output(cage, count.SerializeToString()) for count in counts)
    lag = pb.GetStatusRequest()
    eventually(lambda: house.call("GetStatus", lag).lag == 0, READ_SECONDS_MAX)
    note = DayReconciled(note="gone through")
    house.record(cage_event(day_reconciled=note, gaming_day=day.isoformat()), "accounting")
    return day.isoformat(), len(tables)


def _reset_peak(house: House) -> int:
    """What the process has now; its peak is counted from here."""
    assert house.process is not None
    Path(f"/proc/{house.process.pid}/clear_refs").write_text("5", "ascii")
    return _memory(house, "VmRSS")


def _memory(house: House, name: str) -> int:
    """Bytes, as the kernel says."""
    assert house.process is not None
    said = Path(f"/proc/{house.process.pid}/status").read_text("ascii")
    (line,) = (line for line in said.splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024
