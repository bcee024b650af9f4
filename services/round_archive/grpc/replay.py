"""A replay: the round from the index, its events from the log, and the definitions before them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from blackjack.facts import CouponPresented, Event
from blackjack.findings import Finding
from casino.settlement.v1.replay_pb2 import ReplayRoundResponse
from casino.settlement.v1.service_pb2 import FoundFinding, ReplayRoundRequest
from round_archive.domain.replay import definitions_of, replay, select_events
from round_archive.grpc.round_queries import find_named_round, findings_of, versions_of
from round_archive.kafka.definitions import Definitions
from round_archive.kafka.round_events import LoggedEvent, RoundEventReader, read_round
from runtime.database.column_values import column_text
from runtime.database.query import Database, Row
from runtime.tracing import trace_id_of
from wire import NotAnEvent, decode_event
from wire.errors import NotARecord
from wire.replay import LogPlace, answer, write_replay
from wire.settlement import decode_round, read_finding

_DEFINED: Final = """
SELECT DISTINCT ON (kind, name) event FROM definitions
WHERE table_id = %(table_id)s AND name = ANY(%(names)s) AND source_offset <= %(last)s
ORDER BY kind, name, source_offset
"""


async def replay_round(
    database: Database, log: RoundEventReader, definitions: Definitions, request: ReplayRoundRequest
) -> ReplayRoundResponse:
    """The requested version, rebuilt from the events that the log had when it was published."""
    found = await find_named_round(database, request.name)
    row, rows = await versions_of(database, found, request.version)
    emitted = decode_round(row["value"])
    logged = await read_round(log, database, found, rows, row["version"])
    events = _decoded(logged)
    own = select_events(emitted, [event for event, _ in events])
    defined = await _defined(database, found, emitted.context.rule_set, own, logged)
    findings = await findings_of(database, found)

    def rebuild() -> ReplayRoundResponse:
        known = definitions_of([event.fact for event in defined], definitions.catalogue)
        replayed = replay(
            emitted, own, definitions=known, emitted_findings=_decode_findings(findings)
        )
        places = {id(event): place for event, place in events}
        return write_replay(
            answer(
                replayed,
                emitted=row["value"],
                places=[_place(places[id(event)]) for event in own],
                findings=_decode_findings(
                    [found for found in findings if not found.HasField("withdrawal")]
                ),
                versions=max(row["version"] for row in rows),
            )
        )

    return await asyncio.to_thread(rebuild)


async def _defined(
    database: Database,
    found: Row,
    rule_set: str,
    own: Sequence[Event],
    logged: Sequence[LoggedEvent],
) -> list[Event]:
    """The definitions that the round names, as its table had them; the first one counts."""
    names = {rule_set, *(e.fact.promotion for e in own if isinstance(e.fact, CouponPresented))}
    values = {
        "table_id": found["table_id"],
        "names": sorted(map(column_text, names)),
        "last": logged[-1].offset,
    }
    rows = await database.fetch(_DEFINED, values)
    return [decode_event(bytes(row["event"])) for row in rows]


def _decoded(logged: Sequence[LoggedEvent]) -> list[tuple[Event, LoggedEvent]]:
    """Decode the events; settlement has rejected bytes that are none, and no round has them."""
    found = []
    for entry in logged:
        try:
            event = decode_event(
                entry.value, ingested_at=entry.ingested_at, waited_us=entry.waited_us
            )
            found.append((event, entry))
        except NotAnEvent:
            continue
    return found


def _decode_findings(findings: Sequence[FoundFinding]) -> list[Finding]:
    decoded = []
    for found in findings:
        try:
            if not found.masked:
                decoded.append(read_finding(found.finding))
        except NotARecord:  # of a later contract
            continue
    return decoded


def _place(logged: LoggedEvent) -> LogPlace:
    return LogPlace(logged.partition, logged.offset, trace_id_of(logged.traceparent))
