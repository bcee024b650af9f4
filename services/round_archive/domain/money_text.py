"""Sentences for chips, slips and drop boxes: money that moves beside the wagers."""

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
    """The sentence of a money fact."""
    match fact:
        case ChipsSold():
            tender = _TENDERS[fact.tender]
            bought = f"{_buyer(fact.seat)} buys {format_cents(fact.cents)} in chips with {tender}"
            return bought + _noted(fact.note)
        case ChipsExchanged():
            return f"{_buyer(fact.seat)} changes {format_cents(fact.cents)} in chips"
        case TicketIssued():
            number = f" {fact.ticket}" if fact.ticket else ""
            worth = format_cents(fact.cents)
            return f"{_buyer(fact.seat)} exchanges {worth} in chips for ticket{number}"
        case ChipsRedeemed():
            redeemed = f"the cage redeems {format_cents(fact.cents)} in chips"
            return redeemed + patron_suffix(fact.patron) + _noted(fact.note)
        case TrayObserved():
            return f"float observed: {format_chips(fact.inventory)}"
        case FillReceived():
            slip = format_slip(fact.slip, fact.signers)
            return f"fill of {format_chips(fact.inventory)} received{slip}"
        case FillIssued():
            slip = format_slip(fact.slip, fact.signers)
            return f"the cage issues a fill of {format_chips(fact.inventory)}{slip}"
        case CreditSent():
            slip = format_slip(fact.slip, fact.signers)
            return f"credit of {format_chips(fact.inventory)} sent{slip}"
        case CreditAccepted():
            slip = format_slip(fact.slip, fact.signers)
            return f"the cage accepts a credit of {format_chips(fact.inventory)}{slip}"
        case DropBoxRemoved():
            return f"drop box {fact.box} removed{_signed(fact.signers)}"
        case DropCounted():
            cents = sum(line.denomination_cents * line.count for line in fact.counts)
            return f"drop box {fact.box} counted: {format_cents(cents)}{_signed(fact.team)}"
        case TipDropped():
            return f"{_buyer(fact.seat)} tips the dealer {format_cents(fact.cents)}"
        case _:
            assert_never(fact)


def patron_suffix(patron: str) -> str:
    return f" ({patron})" if patron else ""


def _noted(note: str) -> str:
    return f", note: {note}" if note else ""


def _buyer(seat: int) -> str:
    return f"seat {seat}" if seat else "a patron"


def format_chips(inventory: Inventory) -> str:
    cents = sum(chips.denomination_cents * chips.count for chips in inventory)
    return f"{format_cents(cents)} in chips"


def format_slip(slip: str, signers: Iterable[str]) -> str:
    return (f", slip {slip}" if slip else "") + _signed(signers)


def _signed(signers: Iterable[str]) -> str:
    names = ", ".join(signers)
    return f", signed by {names}" if names else ""
