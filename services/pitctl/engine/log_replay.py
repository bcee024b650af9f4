"""A round of a log file, replayed with no service."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from difflib import get_close_matches
from mmap import ACCESS_READ, mmap
from typing import Final

from blackjack.facts import Event, RoundOpened
from blackjack.findings import Finding
from blackjack.outcomes import SettledRound
from blackjack.play.table import Table, fold
from pitctl.engine.audit_worker import index_streams
from round_archive.domain.replay import definitions_of, replay, select_events
from wire.errors import NotAnEvent
from wire.log_file import Bytes, Span, event_at
from wire.replay import ReplayAnswer, answer

NEAR_MAX: Final = 3


class RoundNotInLog(Exception):
    """The log has no such round, or has it at several tables."""


@dataclass(slots=True)
class _TableLog:
    """The events of one table, and the versions and findings of one round."""

    events: list[Event]
    versions: list[tuple[int, SettledRound]] = field(default_factory=list)
    """Each version, with the number of events before it."""
    begins: set[int] = field(default_factory=set)
    """The first event of each round of that name."""
    findings: dict[str, Finding] = field(default_factory=dict)
    """Findings of the round that stand at the end."""
    emitted: dict[str, Finding] = field(default_factory=dict)
    """All findings of the round."""


def replay_from_file(
    path: str, round: str, *, table: str, first_seq: int = 0, version: int
) -> ReplayAnswer:
    """The round of this name in a log file; first_seq 0 is any, version 0 is the latest.

    Only tables whose bytes hold the name are read.
    """
    with open(path, "rb") as file:
        if not file.seek(0, 2):
            raise RoundNotInLog(f"{path} is empty")
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            streams, _ = index_streams(data)
            named = _tables_with(data, streams, round, table)
            found = {
                name: _fold(name, _events(data, places), round, first_seq) for name, places in named
            }
    settled = {name: log for name, log in found.items() if log.versions}
    if not settled:
        raise RoundNotInLog(_not_there(path, round, table, found, streams))
    if len(settled) > 1:
        raise RoundNotInLog(
            f"{path} has a round {round} at {', '.join(sorted(settled))}: choose one with --table"
        )
    return _answer(next(iter(settled.values())), version)


def _tables_with(
    data: Bytes, streams: dict[str, array[int]], round: str, table: str
) -> list[tuple[str, array[int]]]:
    wanted = round.partition("#")[0].encode()
    return [
        (name, places)
        for name, places in streams.items()
        if table in ("", name)
        and any(
            wanted in data[places[at] : places[at] + places[at + 1]]
            for at in range(0, len(places), 2)
        )
    ]


def _events(data: Bytes, places: array[int]) -> list[Event]:
    events: list[Event] = []
    for at in range(0, len(places), 2):
        try:
            events.append(event_at(data, Span(places[at], places[at + 1])))
        except NotAnEvent:
            continue  # `pitctl audit` reports it
    return events


def _fold(table: str, events: list[Event], round: str, first_seq: int) -> _TableLog:
    stream = _TableLog(events)
    _, steps = fold(Table.new(table), events)
    for count, step in enumerate(steps, start=1):
        for finding in step.findings:
            if finding.round == round:
                stream.emitted[finding.id] = stream.findings[finding.id] = finding
        for withdrawal in step.withdrawals:
            stream.findings.pop(withdrawal.id, None)
        for settled in step.rounds:
            if settled.round == round:
                stream.begins.add(settled.first_seq)
                if first_seq in (0, settled.first_seq):
                    stream.versions.append((count, settled))
    return stream


def _answer(stream: _TableLog, version: int) -> ReplayAnswer:
    versions = {settled.version: (count, settled) for count, settled in stream.versions}
    latest = max(versions)
    if version and version not in versions:
        raise RoundNotInLog(f"the round has versions 1 to {latest}, not {version}")
    count, settled = versions[version or latest]
    log = stream.events[:count]
    again = replay(
        settled,
        select_events(settled, log),
        definitions=definitions_of(event.fact for event in log),
        emitted_findings=stream.emitted.values(),
    )
    return answer(again, findings=tuple(stream.findings.values()), versions=latest)


def _not_there(
    path: str,
    round: str,
    table: str,
    found: dict[str, _TableLog],
    streams: dict[str, array[int]],
) -> str:
    if table and table not in streams:
        near = get_close_matches(table, streams, n=NEAR_MAX, cutoff=0.5)
        return f"{path} has no table {table}" + (
            f"; did you mean {' or '.join(near)}?" if near else ""
        )
    facts = (event.fact for stream in found.values() for event in stream.events)
    opened = [fact.round for fact in facts if isinstance(fact, RoundOpened)]
    begins = sorted({seq for stream in found.values() for seq in stream.begins})
    if begins:
        there = " and ".join(map(str, begins))
        return f"round {round} begins with event {there} in {path}, not with that of --first-seq"
    if round in opened:
        return f"round {round} is not settled: {path} ends before it does"
    at = f" at table {table}" if table else ""
    near = get_close_matches(round, opened, n=NEAR_MAX) if opened else []
    hint = f"; did you mean {' or '.join(near)}?" if near else "; see `pitctl audit`"
    return f"{path} has no round {round}{at}{hint}"
