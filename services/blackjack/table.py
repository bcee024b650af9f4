"""A table as a fold: `advance(table, event)` gives the table after it and what it brought forth.

Facts are applied in the order of their sequence numbers, each once. What was seen before
is ignored. A hole in the sequence is reported and the round marked incomplete; when the
missing facts arrive, the table is folded anew from a checkpoint before the hole, and only
what came out differently is said: superseding rounds, new findings, withdrawals. A read
that is corrected later, a settlement that is corrected after its round and a rule set
that is published late take the same way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from msgspec import structs

from blackjack.applying import apply
from blackjack.facts import Event, ReadCorrected, RoundOpened, SettlementCorrected
from blackjack.findings import Finding, Kind, Withdrawal
from blackjack.following import breaks_chain, miss, note_break, note_unreached
from blackjack.outcomes import RoundContext, SettledRound, Step
from blackjack.promotions import Terms
from blackjack.refolding import Mark, fold_anew, reaches
from blackjack.rule_set import FILED, Catalogue
from blackjack.state import State

ROUNDS_KEPT: Final = 4
"""Rounds that stay at hand, the present one included, to be folded anew."""

EVENTS_KEPT_MAX: Final = 4_096
"""Events kept for a hole to heal; a table plays about an hour meanwhile."""

NOTHING: Final = Step()


class Table:
    """All that is known of one table, and enough of the past to think again.

    Values of this class are never changed by `advance`, `fold` or `publish`: each works
    on a copy of its own.
    """

    __slots__ = ("base", "events", "findings", "marks", "name", "rounds", "state")

    def __init__(self, name: str, state: State, base: State | None = None) -> None:
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

    @classmethod
    def new(cls, name: str, catalogue: Catalogue = FILED) -> Table:
        """A table of which nothing has been reported yet."""
        return cls(name, State(name, catalogue))

    @classmethod
    def resumed(
        cls,
        name: str,
        context: RoundContext,
        *,
        first_seq: int,
        terms: Iterable[Terms] = (),
        catalogue: Catalogue = FILED,
    ) -> Table:
        """The table as it stood when a round opened, so that its own events settle the same."""
        state = State(name, catalogue)
        state.inherit(context)
        state.next_seq = first_seq
        state.terms = {each.hash: each for each in terms}
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
        return other


def advance(table: Table, event: Event) -> tuple[Table, Step]:
    """The table after the event, and what the event brought forth. The argument stays as it was."""
    successor = table.fork()
    return successor, _take(successor, event)


def fold(table: Table, events: Iterable[Event]) -> tuple[Table, list[Step]]:
    """Many events at once: the same as `advance` for each, with one copy made for all."""
    successor = table.fork()
    return successor, [_take(successor, event) for event in events]


def publish(table: Table, catalogue: Catalogue) -> tuple[Table, Step]:
    """The table with more rule sets known: rounds that waited for one are settled."""
    successor = table.fork()
    successor.base = successor.base.fork()
    for state in (successor.base, successor.state):
        state.catalogue = catalogue
        if state.rules is None:
            state.rules = catalogue.get(state.rule_set)
    if not successor.events:
        return successor, NOTHING
    return successor, _fold_anew(successor, successor.events[-1], "rule set published")


def _take(table: Table, event: Event) -> Step:
    """Fold one event into a table that nobody else holds."""
    state = table.state
    seq = event.seq
    if event.table != table.name or seq < 1:
        return _foreign(table, event)
    expected = state.next_seq
    if seq < expected:
        return _take_late(table, event)
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
    if kind is ReadCorrected or kind is SettlementCorrected:
        if _reaches_back(table, event):
            state.forget_notes()
            return _fold_anew(table, event, _cause(event))
        if isinstance(event.fact, ReadCorrected):
            note_unreached(state, event, event.fact)
    if not (state.found or state.rounds or state.withdrawn):
        return NOTHING
    return _hand_over(table)


def _hand_over(table: Table) -> Step:
    """Take what the last event brought forth, and remember what has been said."""
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
    state = table.state
    state.event = event
    state.note(
        Kind.OUT_OF_PLACE,
        f"event {event.seq} of {event.table!r} came in the stream of {table.name!r}",
        "architecture: one controller, one table",
        subject=f"{event.table} {event.seq}",
    )
    return _hand_over(table)


def _take_late(table: Table, event: Event) -> Step:
    """A number that has passed: seen before, late, or in conflict with what is there."""
    events = table.events
    at = len(events)
    while at and events[at - 1].seq > event.seq:
        at -= 1
    if at and events[at - 1].seq == event.seq:
        known = events[at - 1]
        if known == event or (known.digest and known.digest == event.digest):
            return NOTHING
        return _conflict(table, event)
    if event.seq < table.base.next_seq:
        return NOTHING
    events.insert(at, event)
    return _fold_anew(table, event, f"late event {event.seq}")


def _conflict(table: Table, event: Event) -> Step:
    known = next(each for each in table.events if each.seq == event.seq)
    if (known.at, known.fact) == (event.at, event.fact):
        return NOTHING
    state = table.state
    state.event = event
    state.note(
        Kind.SEQUENCE_CONFLICT,
        f"two different events claim number {event.seq}: the first one counts",
        "architecture: the log is never edited",
        subject=event.seq,
    )
    return _hand_over(table)


def _mark(table: Table, seq: int) -> None:
    """A round begins: keep the state before it, and let go of what is too long ago."""
    marks = table.marks
    marks.append((seq, table.state.fork()))
    while len(marks) > ROUNDS_KEPT and (
        len(table.events) > EVENTS_KEPT_MAX or not _has_hole(table, marks[1][0])
    ):
        del marks[0]
        first, table.base = marks[0]
        del table.events[: bisect_left(table.events, first, key=_seq)]
        table.rounds = {name: each for name, each in table.rounds.items() if each.last_seq >= first}
        if table.findings:
            table.findings = {
                name: each for name, each in table.findings.items() if each.seq >= first
            }


def _seq(event: Event) -> int:
    return event.seq


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
    """Whether a correction concerns what is still at hand and already folded."""
    fact = event.fact
    if type(fact) is ReadCorrected:
        return reaches(table.base, table.events, fact, event)
    if type(fact) is SettlementCorrected:
        played = table.state.round
        return fact.round in table.rounds and (played is None or played.name != fact.round)
    return False


def _cause(event: Event) -> str:
    fact = event.fact
    if type(fact) is ReadCorrected:
        return f"read of event {fact.corrects_seq} corrected by event {event.seq}"
    return f"settlement corrected by event {event.seq}"


def _fold_anew(table: Table, event: Event, cause: str) -> Step:
    """Fold again from the base, and say what is now different."""
    refolded = fold_anew(table.base, table.events)
    table.state = refolded.state
    table.marks = refolded.marks
    found, rounds = refolded.found, refolded.rounds
    superseding: list[SettledRound] = []
    for name, settled in rounds.items():
        said = table.rounds.get(name)
        version = said.version if said is not None else 0
        as_said = structs.replace(settled, version=version, cause=said.cause if said else "")
        if said is not None and as_said == said:
            rounds[name] = said
            continue
        fresh = structs.replace(settled, version=version + 1, cause=cause)
        rounds[name] = fresh
        superseding.append(fresh)
    new = tuple(each for name, each in found.items() if table.findings.get(name) != each)
    withdrawn = tuple(
        Withdrawal(id=name, table=table.name, seq=event.seq, reason=cause, round=each.round)
        for name, each in table.findings.items()
        if name not in found
    )
    table.findings = found
    table.rounds = rounds
    return Step(tuple(superseding), new, withdrawn)
