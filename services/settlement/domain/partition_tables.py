"""The tables of one partition: fold in the order of the log, set a broken table aside.

What comes out of a table depends on its own events alone, in their order: not on how they were
batched, nor on what other tables did. A table whose fold raises is quarantined from that very
event on; what came before it counts, the table stands as it stood, and all others go on. What
it would have said is withheld until an engine folds the event that this one could not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from msgspec import Struct

from blackjack.facts import CouponPresented, Event, RuleSetActivated
from blackjack.findings import Kind
from blackjack.outcomes import RoundStatus, Step
from blackjack.play.table import Table, fold, publish
from blackjack.rulebook.rule_set import Catalogue

T = TypeVar("T")
CLEAN: Final = -1
QUARANTINED: Final = "quarantined"
REASON_MAX: Final = 800
"""Characters of why a table is broken: an exception may quote any length of what it met."""


class PlacedEvent(Struct, frozen=True, gc=False):
    """An event and where in the partition it stands."""

    offset: int
    event: Event


class TableOutput(NamedTuple, Generic[T]):
    """What the event at an offset brought forth."""

    offset: int
    what: T


class EventRejected(NamedTuple):
    """An event that was not folded, and why."""

    offset: int
    reason: str


class TableEntry:
    """One table, and how it stands against what is written down of it."""

    __slots__ = (
        "broken", "broken_at", "changed_at", "table", "untold", "urgent", "waiting",
        "withheld_from",
    )  # fmt: skip

    def __init__(self, table: Table) -> None:
        self.table = table
        self.waiting = waits(table)
        """Whether a definition that is published later can change what was said of it."""
        self.broken = ""
        """Why it is quarantined; empty while it is not."""
        self.untold = False
        """Whether no event was refused with that reason yet."""
        self.broken_at = CLEAN
        """The offset of the event that it could not fold: all before it is in the table."""
        self.withheld_from = CLEAN
        """What events from this offset on bring forth was not said."""
        self.changed_at = CLEAN
        """The offset of the first event since its snapshot."""
        self.urgent = False
        """Whether it must be written down now: folding its events again would not lead here."""

    def breaks(self, reason: str, *, at: int, withheld_from: int) -> None:
        """The table stays as it is before the event at this offset."""
        self.broken = reason[:REASON_MAX]
        self.untold = True
        self.broken_at = at
        self.withheld_from = withheld_from
        self.urgent = True


class PartitionTables(Generic[T]):
    """Folds events into the tables of a partition; `publish` turns a step into what is sent.

    `publish` may raise for a step that cannot be told: that breaks the table as the fold would.
    """

    def __init__(self, catalogue: Catalogue, publish: Callable[[Step], T], *, end: int = 0) -> None:
        self._catalogue = catalogue
        self._publish = publish
        self.end = end
        """The offset below which all that the tables had to say is said, or withheld for good
        reason. Events below it are folded in silence, when tables are made anew."""
        self.tables: dict[str, TableEntry] = {}

    def fold(
        self, name: str, events: Sequence[PlacedEvent]
    ) -> tuple[list[TableOutput[T]], list[EventRejected]]:
        """Fold events of one table, the next in the order of the log."""
        held = self.tables.get(name)
        if held is None:
            held = self.tables[name] = TableEntry(Table.new(name, self._catalogue))
        if held.broken:
            rejected = [EventRejected(event.offset, QUARANTINED) for event in events]
            if held.untold:
                rejected[0] = EventRejected(events[0].offset, f"{QUARANTINED}: {held.broken}")
                held.untold = False
            return [], rejected
        if held.changed_at == CLEAN:
            held.changed_at = events[0].offset
        try:
            table, steps = fold(held.table, [event.event for event in events])
            said = [
                TableOutput(placed.offset, self._publish(step))
                for placed, step in zip(events, steps, strict=True)
                if step.rounds or step.findings or step.withdrawals
            ]
        except Exception:
            return self._fold_up_to_the_break(held, events)
        held.table = table
        _see_whether_it_waits(held)
        return said, []

    def _fold_up_to_the_break(
        self, held: TableEntry, events: Sequence[PlacedEvent]
    ) -> tuple[list[TableOutput[T]], list[EventRejected]]:
        said: list[TableOutput[T]] = []
        rejected: list[EventRejected] = []
        for placed in events:
            if held.broken:
                rejected.append(EventRejected(placed.offset, QUARANTINED))
                continue
            try:
                table, (step,) = fold(held.table, [placed.event])
                if step.rounds or step.findings or step.withdrawals:
                    said.append(TableOutput(placed.offset, self._publish(step)))
                held.table = table
            except Exception as error:
                held.breaks(
                    f"event {placed.event.seq} broke the fold: {error!r}",
                    at=placed.offset,
                    withheld_from=max(placed.offset, self.end),
                )
                rejected.append(EventRejected(placed.offset, f"{QUARANTINED}: {held.broken}"))
                held.untold = False
        _see_whether_it_waits(held)
        return said, rejected

    def learn(self, catalogue: Catalogue) -> Iterator[tuple[str, T]]:
        """More definitions are known: tables that waited for one say what changes.

        A table that was published to is urgent: its events do not tell when that was.
        """
        self._catalogue = catalogue
        for name, held in self.tables.items():
            if not held.broken and gains(held.table, catalogue):
                held.urgent = True
                try:
                    table, step = publish(held.table, catalogue)
                    said = self._publish(step)
                except Exception as error:
                    reason = f"a definition broke the fold: {error!r}"
                    held.breaks(reason, at=self.end, withheld_from=self.end)
                    continue
                held.table = table
                held.waiting = waits(table)
                if step.rounds or step.findings or step.withdrawals:
                    yield name, said
            _hand(held.table, catalogue)

    def due(self, refold_max: int) -> list[tuple[str, TableEntry]]:
        """The tables to be written down, so that none is refolded from further back."""
        end = self.end
        return [
            (name, held)
            for name, held in self.tables.items()
            if held.urgent or (held.changed_at != CLEAN and end - held.changed_at > refold_max)
        ]

    def written(self, names: Iterable[str]) -> None:
        for name in names:
            held = self.tables[name]
            held.changed_at = CLEAN
            held.urgent = False


def _see_whether_it_waits(held: TableEntry) -> None:
    """What is folded while a table waits, or makes it wait, must not be folded again: the
    definition may be known by then, and the same events would say something else."""
    waited, held.waiting = held.waiting, waits(held.table)
    held.urgent = held.urgent or waited or held.waiting


def waits(table: Table) -> bool:
    """Whether a definition that is published later can change what was said of the table."""
    return (
        (table.base.rules is None and bool(table.base.rule_set))
        or table.state.unknown_terms_seq >= table.base.next_seq
        or any(finding.kind is Kind.UNKNOWN_RULES for finding in table.findings.values())
        or any(settled.status is RoundStatus.UNRESOLVED for settled in table.rounds.values())
    )


def gains(table: Table, catalogue: Catalogue) -> bool:
    """Whether a table waits for a definition, and one that it names is in the catalogue."""
    if not waits(table):
        return False
    if table.base.rules is None and table.base.rule_set in catalogue:
        return True
    known = table.state.terms
    for event in table.events:
        fact = event.fact
        if isinstance(fact, RuleSetActivated) and fact.rule_set in catalogue:
            return True
        if (
            isinstance(fact, CouponPresented)
            and fact.promotion not in known
            and catalogue.terms(fact.promotion) is not None
        ):
            return True
    return False


def _hand(table: Table, catalogue: Catalogue) -> None:
    """Nobody else holds the table, and definitions that it knows already stay the same."""
    table.state.catalogue = catalogue
    table.base.catalogue = catalogue
    for _, state in table.marks:
        state.catalogue = catalogue
