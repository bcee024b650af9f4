"""Chips, slips and boxes in words: money that moves beside the wagers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from blackjack.facts import (
    ChipsExchanged,
    ChipsRedeemed,
    ChipsSold,
    CreditAccepted,
    CreditSent,
    DropBoxRemoved,
    DropCounted,
    FillIssued,
    FillReceived,
    Inventory,
    MoneyFact,
    Tender,
    TicketIssued,
    TipDropped,
    TrayObserved,
)
from blackjack.money import format_cents

_TENDERS: Final = {
    Tender.CASH: "cash",
    Tender.DEBIT: "a debit card",
    Tender.TICKET: "a ticket",
    Tender.CHECK: "a check",
}


def describe_money(fact: MoneyFact) -> str:
    """What happened, in words."""
    match fact:
        case ChipsSold():
            tender = _TENDERS[fact.tender]
            bought = f"{_buyer(fact.seat)} buys chips for {format_cents(fact.cents)} with {tender}"
            return bought + _noted(fact.note)
        case ChipsExchanged():
            return f"{_buyer(fact.seat)} changes chips of {format_cents(fact.cents)}"
        case TicketIssued():
            number = f" {fact.ticket}" if fact.ticket else ""
            worth = format_cents(fact.cents)
            return f"{_buyer(fact.seat)} turns chips of {worth} into a ticket{number}"
        case ChipsRedeemed():
            redeemed = f"chips of {format_cents(fact.cents)} are redeemed at the cage"
            return redeemed + patron_suffix(fact.patron) + _noted(fact.note)
        case TrayObserved():
            return f"the tray holds {format_chips(fact.inventory)}"
        case FillReceived():
            slip = format_slip(fact.slip, fact.signers)
            return f"a fill of {format_chips(fact.inventory)} comes{slip}"
        case FillIssued():
            slip = format_slip(fact.slip, fact.signers)
            return f"the cage issues a fill of {format_chips(fact.inventory)}{slip}"
        case CreditSent():
            slip = format_slip(fact.slip, fact.signers)
            return f"a credit of {format_chips(fact.inventory)} leaves{slip}"
        case CreditAccepted():
            slip = format_slip(fact.slip, fact.signers)
            return f"the cage takes a credit of {format_chips(fact.inventory)}{slip}"
        case DropBoxRemoved():
            return f"drop box {fact.box} is taken away{_signed(fact.signers)}"
        case DropCounted():
            cents = sum(each.denomination_cents * each.count for each in fact.counts)
            return f"drop box {fact.box} is counted: {format_cents(cents)}{_signed(fact.team)}"
        case TipDropped():
            return f"{_buyer(fact.seat)} tips the dealer {format_cents(fact.cents)}"
        case _:
            assert_never(fact)


def patron_suffix(patron: str) -> str:
    return f" ({patron})" if patron else ""


def _noted(note: str) -> str:
    return f", noted: {note}" if note else ""


def _buyer(seat: int) -> str:
    return f"seat {seat}" if seat else "a patron"


def format_chips(inventory: Inventory) -> str:
    return (
        f"chips of {format_cents(sum(each.denomination_cents * each.count for each in inventory))}"
    )


def format_slip(slip: str, signers: Iterable[str]) -> str:
    return (f", slip {slip}" if slip else "") + _signed(signers)


def _signed(signers: Iterable[str]) -> str:
    said = ", ".join(signers)
    return f", signed by {said}" if said else ""
