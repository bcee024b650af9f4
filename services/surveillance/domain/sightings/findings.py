"""What settlement said of a table, a dealer or any subject of the statistics."""

from __future__ import annotations

from msgspec import Struct

from surveillance.domain.statistics.evidence import Entry
from surveillance.domain.statistics.peers import Dealt


class FindingRaised(Struct, frozen=True, tag="Found", gc=False):
    """A finding of settlement. The same id again replaces what it said before."""

    id: str
    kind: str
    level: int
    table: str
    seq: int
    at: int
    text: str
    rule: str
    round: str = ""
    seat: int = 0
    hand: int = 0
    wager: str = ""
    patron: str = ""
    dealer: str = ""
    cents: int = 0
    tells_hole_card: bool = False
    detail: str = ""


class FindingWithdrawn(Struct, frozen=True, tag="FoundNoMore", gc=False):
    """A finding was withdrawn."""

    id: str


class FloatShortage(Struct, frozen=True, tag="Shortage", gc=False):
    """What was missing in a float, or (not positive) surplus. The same id again replaces it."""

    id: str
    at: int
    table: str
    seq: int
    dealer: str
    cents: int
    text: str


class FloatShortageWithdrawn(Struct, frozen=True, tag="ShortageWithdrawn", gc=False):
    id: str


class WagerAmounts(Struct, frozen=True, array_like=True, gc=False):
    """What was owed and paid on one wager."""

    seat: int
    hand: int
    wager: str
    owed_cents: int
    paid_cents: int


class RoundMoney(Struct, frozen=True, tag=True):
    """Owed and paid of a round in which something was found."""

    round: str
    version: int
    at: int
    first_seq: int
    last_seq: int
    amounts: tuple[WagerAmounts, ...]


class RoundMispays(Struct, frozen=True, tag="Mispaid"):
    """The wagers of a round that a dealer paid wrongly; a later version may have none."""

    table: str
    round: str
    version: int
    at: int
    first_seq: int
    last_seq: int
    amounts: tuple[WagerAmounts, ...]


class PeerCounts(Struct, frozen=True, tag="Counted"):
    """What a round counts where those who deal one game are compared."""

    dealt: Dealt


class StatisticsEntry(Struct, frozen=True, tag="Contributed"):
    """What a round says about a subject to the statistics."""

    entry: Entry
