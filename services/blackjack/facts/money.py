"""Money that moves beside the wagers."""

from __future__ import annotations

from msgspec import Struct

from blackjack.facts.vocabulary import Inventory, Tender


class ChipsSold(Struct, frozen=True, gc=False):
    """`note` is how staff describe the buyer where no patron is known."""

    cents: int
    tender: Tender = Tender.CASH
    patron: str = ""
    seat: int = 0
    note: str = ""


class ChipsExchanged(Struct, frozen=True, gc=False):
    """Color change: as much came in as went out."""

    cents: int
    patron: str = ""
    seat: int = 0


class TicketIssued(Struct, frozen=True, gc=False):
    """Ticket-out: chips came into the tray, and the patron got a ticket for them."""

    cents: int
    ticket: str = ""
    patron: str = ""
    seat: int = 0


class TrayObserved(Struct, frozen=True, gc=False):
    inventory: Inventory


class FillReceived(Struct, frozen=True, gc=False):
    slip: str
    inventory: Inventory
    signers: tuple[str, ...] = ()


class CreditSent(Struct, frozen=True, gc=False):
    slip: str
    inventory: Inventory
    signers: tuple[str, ...] = ()


class DropBoxRemoved(Struct, frozen=True, gc=False):
    box: str
    signers: tuple[str, ...] = ()


class TipDropped(Struct, frozen=True, gc=False):
    cents: int
    seat: int = 0


class FillIssued(Struct, frozen=True, gc=False):
    slip: str
    inventory: Inventory
    signers: tuple[str, ...] = ()


class CreditAccepted(Struct, frozen=True, gc=False):
    slip: str
    inventory: Inventory
    signers: tuple[str, ...] = ()


class DropCount(Struct, frozen=True, gc=False):
    """What the count team found of one kind (currency, chips, coupons, debit, tickets, checks)."""

    kind: str
    denomination_cents: int
    count: int


class DropCounted(Struct, frozen=True, gc=False):
    box: str
    counts: tuple[DropCount, ...]
    team: tuple[str, ...] = ()


class ChipsRedeemed(Struct, frozen=True, gc=False):
    """`note` is how staff describe the patron where none is known."""

    cents: int
    patron: str = ""
    seat: int = 0
    note: str = ""


MoneyFact = (
    ChipsSold
    | ChipsExchanged
    | TicketIssued
    | TrayObserved
    | FillReceived
    | CreditSent
    | DropBoxRemoved
    | TipDropped
    | FillIssued
    | CreditAccepted
    | DropCounted
    | ChipsRedeemed
)
