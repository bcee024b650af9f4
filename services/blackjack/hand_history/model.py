"""The parts of a hand history: events, expectations of them, and problems."""

from __future__ import annotations

from dataclasses import dataclass, field

from blackjack.facts import Event
from blackjack.findings import Kind, Level
from blackjack.outcomes import Payment, Result, RoundStatus


@dataclass(frozen=True, slots=True)
class Problem:
    """A place that cannot be read, the input that would be accepted, and perhaps a suggestion.

    Lines and columns count from 1.
    """

    line: int
    column: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.line}:{self.column}: {self.message}{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedOutcome:
    """How a wager must have ended.

    `cents` is the winnings of a wager that won, what the house takes of one that lost or
    was surrendered, and the least that an undetermined one may be owed, with `cents_most`
    the most. None, or an empty `outcome`, is not compared.
    """

    table: str
    round: str
    seat: int
    wager: str
    result: Result
    hand: int = 1
    tip: bool = False
    outcome: str = ""
    cents: int | None = None
    cents_most: int | None = None
    coupon_cents: int | None = None
    payment: Payment | None = None
    after: int = 0
    """How many events stand before this line."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedFinding:
    """A finding that must be there; `round` empty means anywhere in the table's history."""

    table: str
    kind: Kind
    round: str = ""
    seat: int | None = None
    hand: int | None = None
    wager: str | None = None
    cents: int | None = None
    level: Level | None = None
    withdrawn: bool = False
    after: int = 0
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedNoFindings:
    """No finding but those that other lines expect; `round` empty means none at the table."""

    table: str
    round: str = ""
    after: int = 0
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedStatus:
    """How the round as a whole must stand in its latest version."""

    table: str
    round: str
    status: RoundStatus
    version: int | None = None
    after: int = 0
    line: int = field(default=0, compare=False)


Expectation = ExpectedOutcome | ExpectedFinding | ExpectedNoFindings | ExpectedStatus


@dataclass(frozen=True, slots=True)
class History:
    """A text as read. `lines[i]` is the line that `events[i]` stands on."""

    events: tuple[Event, ...] = ()
    lines: tuple[int, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An expectation that the engine's result does not meet; line 0 if no line states it."""

    line: int
    expected: str
    actual: str

    def __str__(self) -> str:
        return f"line {self.line}: expected {self.expected}, but {self.actual}"
