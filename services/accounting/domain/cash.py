"""Changes on the accounts by a table's cash facts, outside its rounds.

Every fact is booked by itself, whatever came before it, so that late and repeated facts cannot
change the effect of others. An opener comes from `overnight` and a closer goes back there; the
remainder on the tray's account at the end of a day is its variance.
"""

from __future__ import annotations

from typing import Final

from accounting.domain.rounds import FLOAT, circulation
from blackjack.facts import (
    ChipsExchanged,
    ChipsSold,
    CouponDropped,
    CreditSent,
    DropBoxRemoved,
    Fact,
    FillReceived,
    Inventory,
    SettlementCorrected,
    TableClosed,
    TableOpened,
    TicketIssued,
    TipDropped,
)
from bookkeeping.accounts import Account, AccountKind
from bookkeeping.errors import NotBookable
from bookkeeping.transfers import CENTS_MAX, Change

TIPS: Final = Account(AccountKind.TIPS)
TICKETS: Final = Account(AccountKind.TICKETS)
KINDS: Final[dict[type[Fact], str]] = {
    TableOpened: "opener",
    TableClosed: "closer",
    ChipsSold: "sale",
    ChipsExchanged: "exchange",
    TicketIssued: "ticket_issued",
    FillReceived: "fill_received",
    CreditSent: "credit_sent",
    DropBoxRemoved: "box_removed",
    TipDropped: "tip",
    CouponDropped: "coupon_dropped",
    SettlementCorrected: "correction",
}
"""The facts of a table that are booked, and the kind of their entries."""


class ImpossibleAmount(NotBookable):
    """An amount that is negative, zero or too large."""

    code = "amount"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def value(inventory: Inventory) -> int:
    """The value of an inventory of chips, in cents."""
    for chip_count in inventory:
        if chip_count.count < 0 or chip_count.denomination_cents <= 0:
            raise ImpossibleAmount(
                f"Invalid count: {chip_count.count} chips of {chip_count.denomination_cents} cents."
            )
    return checked(
        sum(chip_count.denomination_cents * chip_count.count for chip_count in inventory), zero=True
    )


def checked(cents: int, *, zero: bool = False) -> int:
    """Return the amount; raise `ImpossibleAmount` if it cannot have moved."""
    if cents < 0 or (cents == 0 and not zero):
        raise ImpossibleAmount(f"Invalid amount of {cents} cents: expected more than zero.")
    if cents > CENTS_MAX:
        raise ImpossibleAmount(f"Invalid amount of {cents} cents: more than any floor has.")
    return cents


def cents_of(fact: Fact) -> int:
    """The amount of a fact, in cents; zero where it moves no money."""
    match fact:
        case TableOpened() | TableClosed() | FillReceived() | CreditSent():
            return value(fact.inventory)
        case ChipsSold() | TicketIssued() | TipDropped():
            return checked(fact.cents)
        case _:
            return 0


def changes(table: str, fact: Fact) -> list[Change]:
    """The changes of a table's fact on the accounts; their sum is zero."""
    cents = cents_of(fact)
    tray = Account(AccountKind.TRAY, table=table)
    match fact:
        case TableOpened():
            return [(tray, cents), (Account(AccountKind.OVERNIGHT, table=table), -cents)]
        case TableClosed():
            return [(Account(AccountKind.OVERNIGHT, table=table), cents), (tray, -cents)]
        case ChipsSold():
            box = Account(AccountKind.BOX, table=table)
            return [(box, cents), (tray, -cents), *circulation(cents)]
        case TicketIssued():
            return [(tray, cents), (TICKETS, -cents), *circulation(-cents)]
        case FillReceived():
            return [(tray, cents), (Account(AccountKind.TRANSIT, table=table), -cents)]
        case CreditSent():
            return [(Account(AccountKind.TRANSIT, table=table), cents), (tray, -cents)]
        case TipDropped():
            return [(FLOAT, cents), (TIPS, -cents)]
        case _:
            return []
