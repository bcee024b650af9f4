"""A table as a fold: `advance(table, event)` gives the table after the event and its outputs.

Facts are applied in the order of their sequence numbers, each once. Repeats are ignored.
A hole in the sequence is reported and the round marked incomplete; when the missing facts
arrive, the table is refolded from a checkpoint before the hole, and only the differences
are emitted: superseding rounds, new findings, withdrawals. A read
that is corrected later, a settlement that is corrected after its round and a rule set
that is published late take the same way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from msgspec import structs

from blackjack.facts import (
    CouponPresented,
    Event,
    PromotionDefined,
    ReadCorrected,
    RoundOpened,
    SettlementCorrected,
)
from blackjack.findings import Finding, Kind, withdraw
from blackjack.outcomes import RoundContext, SettledRound, Step
from blackjack.play.coupons import is_sound
from blackjack.play.dispatch import apply
from blackjack.play.event_order import breaks_chain, miss, note_break, note_unreached
from blackjack.play.refold import Mark, reaches, refold, seq_of
from blackjack.play.state import TableState
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import FILED, Catalogue

ROUNDS_KEPT: Final = 4
"""Rounds that stay in memory, the present one included, to be refolded."""

EVENTS_KEPT_MAX: Final = 4_096
"""Events kept for a hole to heal; a table plays about an hour meanwhile."""

HOLES_MAX: Final = 64
"""Holes in the numbering that are remembered, to distinguish a late event from a repeat."""

JUMP_MAX: Final = 1_000_000
"""Numbers that can be missing at once: months of a busy table. A larger jump is an error."""

REFOLDING_FACTS: Final = (ReadCorrected, SettlementCorrected, PromotionDefined)
"""Facts that can change the result of earlier ones."""

NOTHING: Final = Step()


class Table:
    """All that is known of one table, and enough of the past to refold it.

    Values of this class are never changed by `advance`, `fold` or `publish`: each works
    on a copy of its own.
    """

    __slots__ = (
        "base", "events", "findings", "holes", "late", "marks", "name", "rounds", "state",
    )  # fmt: skip

    def __init__(self, name: str, state: TableState, base: TableState | None = None) -> None:
        self.name = name
        self.state = state
        self.base = state.fork() if base is None else base
        """The state before the first of `events`; forked before it is used, never changed."""
        self.events: list[Event] = []
        """Events since `base`, in the order of their numbers."""
        self.marks: list[Mark] = []
        """The first number and the state before it, for each round since `base`."""
        self.rounds: dict[str, SettledRound] = {}
        self.findings: dict[str, Finding] = {}
        self.holes: list[tuple[int, int]] = []
        """Numbers that were missing when later ones came, first and last, the latest ones."""
        self.late: tuple[int, ...] = ()
        """Numbers of events that came late, and are not folded yet."""

    @classmethod
    def new(cls, name: str, catalogue: Catalogue = FILED) -> Table:
        """A table of which nothing has been reported yet."""
        return cls(name, TableState(name, catalogue))

    @classmethod
    def resumed(
        cls,
        name: str,
        context: RoundContext,
        *,
        first_seq: int,
        terms: Iterable[Terms] = (),
        catalogue: Catalogue = FILED,
        names_used: tuple[str, ...] = (),
    ) -> Table:
        """The table as it stood when a round opened, so that its own events settle the same.

        `names_used` are names that earlier rounds had, so that none is taken again.
        """
        state = TableState(name, catalogue)
        state.inherit(context)
        state.next_seq = first_seq
        state.last_digest = None
        state.recent = names_used
        state.terms = {published.hash: published for published in terms}
        return cls(name, state)

    @property
    def next_seq(self) -> int:
        """The number that the next event must have."""
        return self.state.next_seq

    def fork(self) -> Table:
        other = Table(self.name, self.state.fork(), self.base)
        other.events = self.events.copy()
        other.marks = self.marks.copy()
        other.rounds = self.rounds.copy()
        other.findings = self.findings.copy()
        other.holes = self.holes.copy()
        other.late = self.late
        return other


def advance(table: Table, event: Event) -> tuple[Table, Step]:
    """The table after the event, and the outputs of the event. The argument is not changed."""
    successor = table.fork()
    return successor, _fold_event(successor, event)


def fold(table: Table, events: Iterable[Event]) -> tuple[Table, list[Step]]:
    """Many events at once: the same as `advance` for each, with one copy made for all."""
    successor = table.fork()
    return successor, [_fold_event(successor, event) for event in events]


def publish(table: Table, catalogue: Catalogue) -> tuple[Table, Step]:
    """The table with more rule sets and terms known: rounds that waited for them are settled."""
    successor = table.fork()
    successor.base = successor.base.fork()
    for state in (successor.base, successor.state):
        state.catalogue = catalogue
        if state.rules is None:
            state.rules = catalogue.get(state.rule_set)
    if not successor.events:
        return successor, NOTHING
    successor.late = ()
    return successor, _refold(successor, successor.events[-1], "definition published")


def _fold_event(table: Table, event: Event) -> Step:
    """Fold one event into a table that is not shared."""
    state = table.state
    seq = event.seq
    if event.table != table.name or seq < 1:
        return _foreign(table, event)
    expected = state.next_seq
    if seq < expected:
        return _fold_late_event(table, event)
    if seq - expected > JUMP_MAX:
        return _report_aside(
            table,
            event,
            Kind.SEQUENCE_CONFLICT,
            f"Event {seq} rejected: it follows event {expected - 1}",
        )
    if seq > expected:
        table.holes = [*table.holes, (expected, seq - 1)][-HOLES_MAX:]
    if table.late:
        table.events.append(event)
        return _fold_late(table, event)
    kind = type(event.fact)
    if kind is RoundOpened:
        _mark(table, seq)
    table.events.append(event)
    if seq > expected:
        miss(state, event, expected)
    elif event.previous != state.last_digest and breaks_chain(state.last_digest, event):
        note_break(state, event)
    state.next_seq = seq + 1
    state.last_digest = event.digest
    apply(state, event)
    if state.out_of_order:
        state.forget_notes()
        return _refold(table, event, f"event {seq} happened before events that came earlier")
    if kind in REFOLDING_FACTS:
        if _reaches_back(table, event):
            state.forget_notes()
            return _refold(table, event, _cause(event))
        if isinstance(event.fact, ReadCorrected):
            note_unreached(state, event, event.fact)
    if len(table.events) > EVENTS_KEPT_MAX:
        _drop_old_events(table)
    if not (state.found or state.rounds or state.withdrawn):
        return NOTHING
    return _collect_step(table)


def _collect_step(table: Table) -> Step:
    """Collect the outputs of the last event, and remember those emitted."""
    state = table.state
    step = Step(tuple(state.rounds), tuple(state.found), tuple(state.withdrawn))
    for found in state.found:
        table.findings[found.id] = found
    for withdrawal in state.withdrawn:
        table.findings.pop(withdrawal.id, None)
    for settled in state.rounds:
        table.rounds[settled.round] = settled
    state.forget_notes()
    return step


def _foreign(table: Table, event: Event) -> Step:
    what = f"Event {event.seq} of {event.table!r} came in the stream of {table.name!r}"
    return _report_aside(table, event, Kind.OUT_OF_PLACE, what)


def _report_aside(table: Table, event: Event, kind: Kind, text: str) -> Step:
    """Report an event that is not folded: nothing that is folded again can take it back."""
    state = table.state
    state.event = event
    rule = "architecture: one controller, one stream, never edited"
    found = state.note(kind, text, rule, subject=f"{event.table} {event.seq}", outside_round=True)
    state.forget_notes()
    return Step(findings=(found,))


def _fold_late_event(table: Table, event: Event) -> Step:
    """Handle a number that has passed: a repeat, a late event, or a conflict."""
    seq = event.seq
    events = table.events
    at = bisect_left(events, seq, key=seq_of)
    if at < len(events) and events[at].seq == seq:
        if _same(events[at], event):
            return NOTHING
        what = (
            f"Conflicting events with number {seq}: a second device may be using this table's "
            "identity. Call a technician."
        )
        return _report_aside(table, event, Kind.SEQUENCE_CONFLICT, what)
    if not _fill_hole(table, seq):
        return NOTHING
    if seq < table.base.next_seq:
        what = f"Event {seq} came too late to be counted at once"
        return _report_aside(table, event, Kind.OUT_OF_REACH, what)
    events.insert(at, event)
    table.late = (*table.late, seq)
    if len(events) <= EVENTS_KEPT_MAX and _is_missing_some(table):
        return NOTHING
    return _fold_late(table, event)


def _is_missing_some(table: Table) -> bool:
    """Whether more may come late that can still be folded."""
    return any(last >= table.base.next_seq for _, last in table.holes)


def _fold_late(table: Table, event: Event) -> Step:
    """Fold again with the late events that have come meanwhile.

    All at once, when nothing is missing any more or the stream goes on: a table that was cut off
    sends thousands, and to fold again for each would take as long as their number squared.
    """
    numbers = sorted(table.late)
    table.late = ()
    first, last = numbers[0], numbers[-1]
    cause = f"late event {first}" if first == last else f"late events {first} to {last}"
    step = _refold(table, event, cause)
    if len(table.events) > EVENTS_KEPT_MAX:
        _drop_old_events(table)
    return step


def _fill_hole(table: Table, seq: int) -> bool:
    """Whether a number is among those that are missing; it is no longer, then."""
    for at, (first, last) in enumerate(table.holes):
        if first <= seq <= last:
            rest = [(first, seq - 1), (seq + 1, last)]
            table.holes[at : at + 1] = [hole for hole in rest if hole[0] <= hole[1]]
            return True
    return False


def _same(known: Event, event: Event) -> bool:
    """Whether an event is a repeat of the known one, whenever it was received."""
    if known.digest and event.digest:
        return known.digest == event.digest
    came = structs.replace(event, ingested_at=known.ingested_at, waited_us=known.waited_us)
    return came == known


def _mark(table: Table, seq: int) -> None:
    """A round begins: keep the state before it, and drop those that are too old."""
    marks = table.marks
    marks.append((seq, table.state.fork()))
    while len(marks) > ROUNDS_KEPT and not _has_hole(table, marks[1][0]):
        del marks[0]
        _move_base(table, *marks[0])


def _drop_old_events(table: Table) -> None:
    """Too much is kept: start from a later round, or if there is none, from here."""
    marks = table.marks
    while len(marks) > 1 and len(table.events) > EVENTS_KEPT_MAX:
        del marks[0]
        _move_base(table, *marks[0])
    if len(table.events) > EVENTS_KEPT_MAX:
        marks.clear()
        _move_base(table, table.state.next_seq, table.state.fork())


def _move_base(table: Table, first: int, base: TableState) -> None:
    table.base = base
    del table.events[: bisect_left(table.events, first, key=seq_of)]
    table.rounds = {
        name: settled for name, settled in table.rounds.items() if settled.last_seq >= first
    }
    if table.findings:
        table.findings = {
            name: finding for name, finding in table.findings.items() if finding.seq >= first
        }


def _has_hole(table: Table, before: int) -> bool:
    """Whether a number below `before` is still missing since the base."""
    expected = table.base.next_seq
    if len(table.events) == table.state.next_seq - expected:
        return False
    for event in table.events:
        if event.seq >= before:
            break
        if event.seq != expected:
            return True
        expected += 1
    return expected != before


def _reaches_back(table: Table, event: Event) -> bool:
    """Whether a correction concerns facts that are still in memory and already folded."""
    fact = event.fact
    if type(fact) is ReadCorrected:
        return reaches(table.base, table.events, event)
    if type(fact) is PromotionDefined:
        return is_sound(fact) and any(
            isinstance(earlier.fact, CouponPresented) and earlier.fact.promotion == fact.promotion
            for earlier in table.events
        )
    if type(fact) is SettlementCorrected:
        played = table.state.round
        return fact.round in table.rounds and (played is None or played.name != fact.round)
    return False


def _cause(event: Event) -> str:
    fact = event.fact
    if type(fact) is ReadCorrected:
        return f"read of event {fact.corrects_seq} corrected by event {event.seq}"
    if type(fact) is PromotionDefined:
        return f"promotion terms published by event {event.seq}"
    return f"settlement corrected by event {event.seq}"


def _refold(table: Table, event: Event, cause: str) -> Step:
    """Fold again from the base, and emit the differences."""
    refolded = refold(table.base, table.events)
    table.state = refolded.state
    table.marks = refolded.marks
    found, rounds = refolded.found, refolded.rounds
    superseding: list[SettledRound] = []
    for name, settled in rounds.items():
        emitted = table.rounds.get(name)
        version = emitted.version if emitted is not None else 0
        cause_before = emitted.cause if emitted is not None else ""
        if emitted is not None and emitted == structs.replace(
            settled, version=version, cause=cause_before
        ):
            rounds[name] = emitted
            continue
        fresh = structs.replace(settled, version=version + 1, cause=cause)
        rounds[name] = fresh
        superseding.append(fresh)
    new = tuple(finding for name, finding in found.items() if table.findings.get(name) != finding)
    withdrawn = tuple(
        withdraw(finding, event.seq, cause)
        for name, finding in table.findings.items()
        if name not in found
    )
    table.findings = found
    table.rounds = rounds
    return Step(tuple(superseding), new, withdrawn)
