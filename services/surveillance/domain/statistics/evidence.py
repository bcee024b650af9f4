"""StreamEvidence: fair bets that one round offered on one question, and how they ended.

A *ticket* is a bet that costs one unit and brings back `value` units, never less than nothing,
and on average at most one if nothing is wrong, whatever happened before. Nobody can grow rich
on such tickets but by luck, and how rich one has grown says how little luck explains
(`wealth`). All kinds of misconduct are looked for in this one way; they differ in their
tickets.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class StreamKind(StrEnum):
    """What is asked of a stream of rounds."""

    LUCK = "luck"
    """Results of a wager against its exact odds."""
    COUNT = "count"
    """Whether a bet rises and falls with what is left in the shoe. Advantage, not cheating."""
    HOLE_CARD = "hole_card"
    """Whether decisions know the card that nobody has seen. Advantage, not cheating."""
    ERRORS = "errors"
    """A dealer's wrong payments."""
    COUPONS = "coupons"
    """A dealer's coupons among the bets he takes."""
    TRANSFERS = "transfers"
    """What one dealer pays one patron beyond what is owed."""


class Ticket(Struct, frozen=True, array_like=True, gc=False):
    """A fair bet after it ended; `times` are alike."""

    value: float
    times: int = 1


class Bet(Struct, frozen=True, array_like=True, gc=False):
    """A bet and the shoe it was made on: two of them in one shoe make a ticket (`counting`)."""

    shoe: str
    cents: int
    index: float
    """How rich the cards left are for the wager, from nought to one: an average over them."""
    variance: float
    """Of the same, over them."""
    cards: int
    """How many are left."""


class StreamEvidence(Struct, frozen=True, array_like=True, gc=False):
    """What one round says to one question about one subject.

    `angles` are several ways to bet on the same thing, of which the best is not known before;
    the tickets within an angle are played one after the other, each fair given those before it.
    """

    kind: StreamKind
    wager: str
    angles: tuple[tuple[Ticket, ...], ...]
    observed: float
    expected: float
    """What happened, and what chance or the baseline has of it: cents or a number of times."""
    bet: Bet | None = None

    @property
    def stream(self) -> str:
        """The stream of a subject that it belongs to."""
        return "/".join((self.kind, self.wager))


class Entry(Struct, frozen=True, array_like=True):
    """All that one version of a round says about one subject; without evidence it is withdrawn."""

    opened_at: int
    table: str
    round: str
    version: int
    evidence: tuple[StreamEvidence, ...]

    @property
    def place(self) -> tuple[int, str, str]:
        """Where it stands among the rounds of a subject, whenever it arrived."""
        return self.opened_at, self.table, self.round


class Contribution(Struct, frozen=True, array_like=True):
    """An entry, and whose it is: `table:T`, `dealer:D`, `patron:P`, `shoe:T/S`, `pair:D/P`."""

    subject: str
    entry: Entry
