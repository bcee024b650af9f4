"""The tables of one partition: fold in the order of the log, set a broken table aside.

What comes out of a table depends on its own events alone, in their order: not on how they were
batched, nor on what other tables did. A table whose fold raises is quarantined from that very
event on; what came before it counts, the table stands as it stood, and all others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from msgspec import Struct

from blackjack.facts import Event, RuleSetActivated
from blackjack.findings import Kind
from blackjack.outcomes import RoundStatus, Step
from blackjack.rule_set import Catalogue
from blackjack.table import Table, fold, publish

T = TypeVar("T")
CLEAN: Final = -1
QUARANTINED: Final = "quarantined"


class Placed(Struct, frozen=True, gc=False):
    """An event and where in the partition it stands."""

    offset: int
    event: Event


class Said(NamedTuple, Generic[T]):
    """What the event at an offset brought forth."""

    offset: int
    what: T


class Refused(NamedTuple):
    """An event that was not folded, and why."""

    offset: int
    reason: str


class Held:
    """One table, and how it stands against what is written down of it."""

    __slots__ = ("broken", "changed_at", "table", "urgent")

    def __init__(self, table: Table, *, broken: str = "") -> None:
        self.table = table
        self.broken = broken
        """Why it is quarantined; empty while it is not."""
        self.changed_at = CLEAN
        """The offset of the first event since its snapshot."""
        self.urgent = False
        """Whether it must be written down now: folding its events again would not lead here."""


class Pit(Generic[T]):
    """Folds events into the tables of a partition; `say` turns a step into what is sent.

    `say` may raise for a step that cannot be told: that breaks the table as the fold would.
    """

    def __init__(self, catalogue: Catalogue, say: Callable[[Step], T]) -> None:
        self._catalogue = catalogue
        self._say = say
        self.tables: dict[str, Held] = {}

    def fold(self, name: str, events: Sequence[Placed]) -> tuple[list[Said[T]], list[Refused]]:
        """Fold events of one table, the next in the order of the log."""
        held = self.tables.get(name)
        if held is None:
            held = self.tables[name] = Held(Table.new(name, self._catalogue))
        if held.changed_at == CLEAN:
            held.changed_at = events[0].offset
        if held.broken:
            return [], [Refused(each.offset, QUARANTINED) for each in events]
        try:
            table, steps = fold(held.table, [each.event for each in events])
            said = [
                Said(placed.offset, self._say(step))
                for placed, step in zip(events, steps, strict=True)
                if step.rounds or step.findings or step.withdrawals
            ]
        except Exception:
            return self._fold_up_to_the_break(held, events)
        held.table = table
        held.urgent = held.urgent or waits(table)
        return said, []

    def _fold_up_to_the_break(
        self, held: Held, events: Sequence[Placed]
    ) -> tuple[list[Said[T]], list[Refused]]:
        said: list[Said[T]] = []
        refused: list[Refused] = []
        for placed in events:
            if held.broken:
                refused.append(Refused(placed.offset, QUARANTINED))
                continue
            try:
                table, (step,) = fold(held.table, [placed.event])
                if step.rounds or step.findings or step.withdrawals:
                    said.append(Said(placed.offset, self._say(step)))
                held.table = table
            except Exception as error:
                held.broken = f"event {placed.event.seq} broke the fold: {error!r}"
                refused.append(Refused(placed.offset, f"{QUARANTINED}: {held.broken}"))
        held.urgent = held.urgent or waits(held.table)
        return said, refused

    def learn(self, catalogue: Catalogue) -> Iterator[tuple[str, T]]:
        """More rule sets are known: tables that waited for one say what changes.

        A table that was published to is urgent: its events do not tell when that was.
        """
        self._catalogue = catalogue
        for name, held in self.tables.items():
            if not held.broken and gains(held.table, catalogue):
                held.urgent = True
                try:
                    table, step = publish(held.table, catalogue)
                    said = self._say(step)
                except Exception as error:
                    held.broken = f"a definition broke the fold: {error!r}"
                    continue
                held.table = table
                if step.rounds or step.findings or step.withdrawals:
                    yield name, said
            _hand(held.table, catalogue)

    def due(self, end: int, refold_max: int) -> list[tuple[str, Held]]:
        """The tables to be written down, so that after `end` none is refolded from further back."""
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


def waits(table: Table) -> bool:
    """Whether a rule set that is published later can change what was said of the table."""
    return (
        (table.base.rules is None and bool(table.base.rule_set))
        or any(each.kind is Kind.UNKNOWN_RULES for each in table.findings.values())
        or any(each.status is RoundStatus.UNRESOLVED for each in table.rounds.values())
    )


def gains(table: Table, catalogue: Catalogue) -> bool:
    """Whether a table waits for a rule set, and one that it names is in the catalogue."""
    if not waits(table):
        return False
    named = {table.base.rule_set}
    named |= {e.fact.rule_set for e in table.events if isinstance(e.fact, RuleSetActivated)}
    return any(each in catalogue for each in named)


def _hand(table: Table, catalogue: Catalogue) -> None:
    """Nobody else holds the table, and rule sets that it knows already stay the same."""
    table.state.catalogue = catalogue
    table.base.catalogue = catalogue
    for _, state in table.marks:
        state.catalogue = catalogue
