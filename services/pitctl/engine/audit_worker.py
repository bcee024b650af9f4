"""Folding one stream of a log file, in a worker.

The result depends on the stream alone, so the number of workers changes nothing.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from mmap import ACCESS_READ, mmap
from typing import Final

from blackjack.facts import Event
from blackjack.findings import Finding
from blackjack.outcomes import SettledRound
from blackjack.play.table import Table, fold
from pitctl.engine.table_set import SettlementTotals
from wire.errors import NotAnEvent
from wire.log_file import BadBytes, Bytes, Span, delimited, event_at, spans, table_of
from wire.settlement import Record, encode_record, encode_round

COLLECT_AFTER: Final = (50_000, 20, 100)
"""New objects before the cyclic collector runs, and the intervals of its older generations."""
EVENTS_AT_ONCE: Final = 2_000
ROUNDS_KEPT: Final = 64
"""Versions of a round come soon after each other: so many are remembered to be replaced."""


@dataclass(frozen=True, slots=True)
class AuditJob:
    """One stream of a file: offsets and lengths of its frames, in the order of the file."""

    path: str
    stream: str
    places: array[int]
    wants_records: bool


@dataclass(slots=True)
class AuditedStream:
    """The result of one stream."""

    stream: str
    events: int = 0
    totals: SettlementTotals = field(default_factory=SettlementTotals)
    standing: dict[str, Finding] = field(default_factory=dict)
    bad: list[BadBytes] = field(default_factory=list)
    rounds: list[bytes] = field(default_factory=list)
    """`SettledRound`s with their lengths before them, in the order of the fold."""
    records: list[bytes] = field(default_factory=list)
    """Findings and withdrawals, as `SettlementRecord`s with their lengths before them."""


def index_streams(data: Bytes) -> tuple[dict[str, array[int]], list[BadBytes]]:
    """The places of every stream's frames, and the bytes that are no frame of any stream."""
    streams: dict[str, array[int]] = {}
    bad: list[BadBytes] = []
    for found in spans(data):
        if isinstance(found, BadBytes):
            bad.append(found)
            continue
        name = table_of(data, found)
        if not name:
            reason = "the frame holds no event that names its table"
            bad.append(BadBytes(found.offset, found.length, reason))
            continue
        streams.setdefault(name, array("Q")).extend((found.offset, found.length))
    return streams, bad


def tune_gc() -> None:
    """Run the cyclic garbage collector less often: a fold makes no cycles, and it costs a tenth."""
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def audit_stream(job: AuditJob) -> AuditedStream:
    """Fold a stream from its first frame to its last."""
    audited = AuditedStream(job.stream)
    latest: dict[str, SettledRound] = {}
    table = Table.new(job.stream)
    with open(job.path, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        for batch in _batches(data, job, audited):
            table, steps = fold(table, batch)
            audited.events += len(batch)
            for step in steps:
                for finding in step.findings:
                    audited.standing[finding.id] = finding
                for withdrawal in step.withdrawals:
                    audited.standing.pop(withdrawal.id, None)
                for settled in step.rounds:
                    _count(audited.totals, latest, settled)
                if job.wants_records:
                    records: tuple[Record, ...] = (*step.findings, *step.withdrawals)
                    audited.records += [delimited(encode_record(record)) for record in records]
                    audited.rounds += [delimited(encode_round(settled)) for settled in step.rounds]
    return audited


def _batches(data: Bytes, job: AuditJob, audited: AuditedStream) -> Iterator[list[Event]]:
    places = job.places
    batch: list[Event] = []
    for at in range(0, len(places), 2):
        span = Span(places[at], places[at + 1])
        try:
            batch.append(event_at(data, span))
        except NotAnEvent as error:
            audited.bad.append(BadBytes(span.offset, span.length, error.reason))
        if len(batch) == EVENTS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _count(
    totals: SettlementTotals, latest: dict[str, SettledRound], settled: SettledRound
) -> None:
    superseded = latest.pop(settled.round, None)
    if superseded is not None:
        totals.add(superseded, -1)
    totals.add(settled)
    latest[settled.round] = settled
    if len(latest) > ROUNDS_KEPT:
        del latest[next(iter(latest))]
