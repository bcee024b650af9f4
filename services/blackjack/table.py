"""A table as a fold: `advance(table, event)` gives the table after it and what it brought forth.

Facts are applied in the order of their sequence numbers, each once. What was seen before
is ignored. A hole in the sequence is reported and the round marked incomplete; when the
missing facts arrive, the table is folded anew from a checkpoint before the hole, and only
what came out differently is said: superseding rounds, new findings, withdrawals. A read
that is corrected later, a settlement that is corrected after its round and a rule set
that is published late take the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import structs

from blackjack.applying import apply
from blackjack.facts import (
    CERTAIN,
    CardBurned,
    CardDealt,
    CardExposed,
    ControllerRestarted,
    Event,
    GapDeclared,
    HoleCardRevealed,
    ReadCorrected,
    RoundClosed,
    RoundOpened,
    SettlementCorrected,
    TableClosed,
    UpcardReplaced,
)
from blackjack.findings import Finding, Kind, Withdrawal
from blackjack.outcomes import RoundContext, SettledRound, Step
from blackjack.promotions import Terms
from blackjack.rule_set import FILED, Catalogue
from blackjack.state import State

ROUNDS_KEPT: Final = 4
"""Rounds that stay at hand, the present one included, to be folded anew."""

EVENTS_KEPT_MAX: Final = 4_096
"""Events kept for a hole to heal; a table plays about an hour meanwhile."""

NOTHING: Final = Step()


class _Link:
    """An event with what its place in the stream says about the events before it."""

    __slots__ = ("broken", "event", "missing")

    def __init__(self, event: Event, missing: tuple[int, int] | None, broken: bool) -> None:
        self.event = event
        self.missing = missing
        self.broken = broken


class Table:
    """All that is known of one table, and enough of the past to think again.

    Values of this class are never changed by `advance`, `fold` or `publish`: each works
    on a copy of its own.
    """

    __slots__ = ("base", "events", "findings", "marks", "name", "rounds", "state")

    def __init__(self, name: str, state: State) -> None:
        self.name = name
        self.state = state
        self.base = state.fork()
        """The state before the first of `events`; forked before it is used, never changed."""
        self.events: list[Event] = []
        """Events since `base`, in the order of their numbers."""
        self.marks: list[tuple[int, State]] = []
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
        other = Table.__new__(Table)
        other.name = self.name
        other.state = self.state.fork()
        other.base = self.base
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
    if seq < state.next_seq:
        return _take_late(table, event)
    fact = event.fact
    kind = type(fact)
    if kind is RoundOpened:
        _mark(table, seq)
    table.events.append(event)
    missing = (state.next_seq, seq - 1) if seq > state.next_seq else None
    broken = missing is None and _breaks_chain(state.last_digest, event)
    _follow(state, event, missing, broken)
    if (kind is ReadCorrected or kind is SettlementCorrected) and _reaches_back(table, event):
        state.found.clear()
        state.rounds.clear()
        state.withdrawn.clear()
        return _fold_anew(table, event, _cause(event))
    if not (state.found or state.rounds or state.withdrawn):
        return NOTHING
    return _hand_over(table)


def _follow(state: State, event: Event, missing: tuple[int, int] | None, broken: bool) -> None:
    """Apply an event in its place of the stream."""
    if missing is not None:
        _miss(state, event, missing)
    elif broken:
        state.event = event
        state.note(
            Kind.CHAIN_BROKEN,
            f"event {event.seq} names another event before it than the log has",
            "architecture: each event names the hash of the one before",
            subject=event.seq,
        )
    if event.seq >= state.next_seq:
        state.next_seq = event.seq + 1
        state.last_digest = event.digest
    apply(state, event)


def _breaks_chain(last_digest: bytes, event: Event) -> bool:
    return (
        event.digest != b""
        and event.previous != last_digest
        and type(event.fact) is not ControllerRestarted
    )


def _miss(state: State, event: Event, missing: tuple[int, int]) -> None:
    """Facts are missing: what depends on having seen everything is not judged until they come."""
    state.event = event
    first, last = missing
    declared = type(event.fact) is GapDeclared
    which = f"event {first}" if first == last else f"events {first} to {last}"
    state.note(
        Kind.SEQUENCE_GAP,
        f"{which} of {state.table} {'were declared lost' if declared else 'are missing'}",
        "architecture: numbers without gaps",
        subject=first,
    )
    state.lose_track()


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
    state.found.clear()
    state.rounds.clear()
    state.withdrawn.clear()
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
        table.events = [each for each in table.events if each.seq >= first]
        table.findings = {name: each for name, each in table.findings.items() if each.seq >= first}
        table.rounds = {name: each for name, each in table.rounds.items() if each.last_seq >= first}


def _has_hole(table: Table, before: int) -> bool:
    """Whether a number below `before` is still missing since the base."""
    expected = table.base.next_seq
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
        return table.base.next_seq <= fact.corrects_seq < event.seq
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
    state = table.base.fork()
    found: dict[str, Finding] = {}
    rounds: dict[str, SettledRound] = {}
    marks: list[tuple[int, State]] = []
    for link in _in_effect(table):
        if type(link.event.fact) is RoundOpened:
            marks.append((link.event.seq, state.fork()))
        _follow(state, link.event, link.missing, link.broken)
        for each in state.found:
            found[each.id] = each
        for withdrawal in state.withdrawn:
            found.pop(withdrawal.id, None)
        for settled in state.rounds:
            rounds[settled.round] = settled
        state.found.clear()
        state.rounds.clear()
        state.withdrawn.clear()
    table.state = state
    table.marks = marks
    return _differences(table, event, cause, found, rounds)


def _differences(
    table: Table,
    event: Event,
    cause: str,
    found: dict[str, Finding],
    rounds: dict[str, SettledRound],
) -> Step:
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


def _in_effect(table: Table) -> list[_Link]:
    """The events as they are to be applied: reads corrected, corrections in their rounds."""
    corrected = {
        event.fact.corrects_seq: event.fact.card
        for event in table.events
        if type(event.fact) is ReadCorrected
    }
    links: list[_Link] = []
    ends: dict[str, _Link] = {}
    moved: list[tuple[str, _Link]] = []
    playing = table.base.round.name if table.base.round is not None else ""
    expected, digest = table.base.next_seq, table.base.last_digest
    for event in table.events:
        missing = (expected, event.seq - 1) if event.seq > expected else None
        link = _Link(event, missing, missing is None and _breaks_chain(digest, event))
        expected, digest = event.seq + 1, event.digest
        fact = event.fact
        if event.seq in corrected:
            link.event = _corrected(event, corrected[event.seq])
        if playing and isinstance(fact, RoundClosed | RoundOpened | TableClosed):
            ends[playing] = link
            playing = ""
        if isinstance(fact, RoundOpened):
            playing = fact.round
        if isinstance(fact, SettlementCorrected) and fact.round in ends:
            moved.append((fact.round, link))
        else:
            links.append(link)
    for name, link in moved:
        links.insert(links.index(ends[name]), link)
    return links


def _corrected(event: Event, card: object) -> Event:
    """The event as it should have been read."""
    fact = event.fact
    if isinstance(fact, CardDealt | CardBurned | CardExposed | UpcardReplaced | HoleCardRevealed):
        return structs.replace(event, fact=structs.replace(fact, card=card), confidence=CERTAIN)
    return event
