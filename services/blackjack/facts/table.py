"""The table, its rules and its staff."""

from __future__ import annotations

from msgspec import Struct

from blackjack.facts.vocabulary import Inventory
from blackjack.rulebook.house_rules import RuleSetSpec


class TableOpened(Struct, frozen=True, gc=False):
    inventory: Inventory = ()
    slip: str = ""
    signers: tuple[str, ...] = ()


class TableClosed(Struct, frozen=True, gc=False):
    inventory: Inventory = ()
    slip: str = ""
    signers: tuple[str, ...] = ()


class RuleSetActivated(Struct, frozen=True, gc=False):
    """From now on the table plays by this rule set; the definition may come along."""

    rule_set: str
    definition: RuleSetSpec | None = None


class DealerArrived(Struct, frozen=True, gc=False):
    licence: str


class DealerLeft(Struct, frozen=True, gc=False):
    licence: str


class SupervisorAssigned(Struct, frozen=True, gc=False):
    licence: str


TableFact = (
    TableOpened | TableClosed | RuleSetActivated | DealerArrived | DealerLeft | SupervisorAssigned
)
