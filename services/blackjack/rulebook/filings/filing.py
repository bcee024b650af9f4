"""A filed game as values: what may be wagered, what it pays, and by which clause."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from msgspec import Struct, to_builtins

from blackjack.money import Odds
from blackjack.rulebook.canonical import address
from blackjack.settlement.side_bets import SideBet


class Dealing(StrEnum):
    """How cards reach the layout."""

    STANDARD = "standard"
    MATCH_MADNESS = "match_madness"


class Settles(StrEnum):
    """The moment from which a side bet is paid or taken."""

    AFTER_DEAL = "after_deal"
    AFTER_HOLE_CARD = "after_hole_card"
    AFTER_MATCH_ME = "after_match_me"
    AFTER_MATCH_ME_2 = "after_match_me_2"
    AFTER_UP_CARD = "after_up_card"


class NoSuchClause(LookupError):
    """A clause key that a filing's data does not have."""

    def __init__(self, *, game: str, key: str) -> None:
        self.game = game
        self.key = key
        super().__init__(f"{game} has no clause {key!r}")


class HouseRequirement(Struct, frozen=True):
    """A house rule that a filing does not leave to the house."""

    rule: str
    value: bool | int | str | Odds
    clause: str


class PaytableRow(Struct, frozen=True):
    """One line of a paytable."""

    outcome: str
    label: str
    pays: Odds


class Paytable(Struct, frozen=True, dict=True, eq=False):
    """What one option pays, for these wagers, at these deck counts.

    `pays_as` names outcomes that have no row of their own and the row they are paid by.
    Paytables are equal by content address.
    """

    game: str
    wagers: tuple[str, ...]
    decks: tuple[int, ...]
    option: int
    rows: tuple[PaytableRow, ...]
    filing: str
    clause: str
    requires: tuple[HouseRequirement, ...]
    pays_as: Mapping[str, str]

    def row(self, outcome: str) -> PaytableRow | None:
        """The row that pays this outcome; none for a loss."""
        return self._row_by_outcome.get(outcome)

    @cached_property
    def _row_by_outcome(self) -> dict[str, PaytableRow]:
        rows = {row.outcome: row for row in self.rows}
        return rows | {outcome: rows[paid] for outcome, paid in self.pays_as.items()}

    @cached_property
    def top(self) -> Odds:
        """The longest odds of the table."""
        return max((row.pays for row in self.rows), key=_ratio)

    @cached_property
    def hash(self) -> str:
        """The content address over what it pays, where it applies and its source.

        Labels are left out: to spell one better must not make another paytable of it.
        """
        return address(
            {
                "game": self.game,
                "wagers": self.wagers,
                "decks": self.decks,
                "option": self.option,
                "pays": {row.outcome: [row.pays.win, row.pays.stake] for row in self.rows},
                "pays_as": dict(self.pays_as),
                "requires": to_builtins(self.requires),
                "filing": self.filing,
                "clause": self.clause,
            }
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Paytable) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)


class FiledSideBet(Struct, frozen=True):
    """A wager beside the base wagers, as its filing describes it.

    `clause` governs when it is settled and in which order. `exceptions` are deck counts at
    which another evaluator judges it.
    """

    wager: str
    title: str
    settles: Settles
    right_to_left: bool
    clause: str
    side_bet: SideBet
    exceptions: Mapping[int, SideBet]

    def at(self, decks: int) -> SideBet:
        """The evaluator that judges this wager with so many decks."""
        return self.exceptions.get(decks, self.side_bet)


class MoreWagers(Struct, frozen=True):
    """The filing's rule for layouts with wagers beyond its own.

    Where more than `wagers_max` may be made, a player makes at most that many, and one
    of them is at most `small_wager_cents_max`.
    """

    wagers_max: int
    small_wager_cents_max: int
    clause: str


class Filing(Struct, frozen=True, dict=True):
    """One approved game. `house` is what the filing fixes of the house rules."""

    game: str
    title: str
    filing: str
    decks: tuple[int, ...]
    base_wagers: tuple[str, ...]
    dealing: Dealing
    allows_promotions: bool
    more_wagers: MoreWagers | None
    house: tuple[HouseRequirement, ...]
    clauses: Mapping[str, str]
    side_bets: Mapping[str, FiledSideBet]
    tables: tuple[Paytable, ...]

    def clause(self, key: str) -> str:
        """The clause under this key; `docs/extending.md` lists the keys."""
        try:
            return self.clauses[key]
        except KeyError:
            raise NoSuchClause(game=self.game, key=key) from None

    @cached_property
    def citations(self) -> dict[str, str]:
        """Every clause with the name of the game before it, as a finding cites it."""
        return {
            key: clause if clause.startswith(self.title) else f"{self.title}, {clause}"
            for key, clause in self.clauses.items()
        }

    def paytable(self, wager: str, decks: int, option: int) -> Paytable | None:
        """The one paytable filed for this choice, if there is one."""
        return self._table_by_choice.get((wager, decks, option))

    def paytables(self, wager: str, decks: int) -> tuple[Paytable, ...]:
        """All paytables filed for a wager at a deck count, by option."""
        filed = (t for t in self.tables if wager in t.wagers and decks in t.decks)
        return tuple(sorted(filed, key=_option))

    @cached_property
    def _table_by_choice(self) -> dict[tuple[str, int, int], Paytable]:
        return {
            (wager, decks, table.option): table
            for table in self.tables
            for wager in table.wagers
            for decks in table.decks
        }


def _ratio(odds: Odds) -> Fraction:
    return odds.ratio


def _option(table: Paytable) -> int:
    return table.option
