"""Money at the table beside the wagers: openers, closers, sales, fills, credits, the tray."""

from __future__ import annotations

from typing import Final

from blackjack.facts import (
    ChipsSold,
    CreditSent,
    FillReceived,
    Inventory,
    Observation,
    TableClosed,
    TableOpened,
    Tender,
    TicketIssued,
    TrayObserved,
)
from blackjack.findings import Kind, Level
from blackjack.money import format_cents
from blackjack.play.betting import sound_amount
from blackjack.play.state import TableState
from blackjack.play.tray import value
from blackjack.rulebook.state_rules import (
    DEBIT_PATRON_CENTS_MAX,
    DEBIT_RULE,
    DEBIT_SALE_CENTS_MAX,
    DEBIT_WINDOW_US,
    SIGNERS_RULE,
    TICKET_RULE,
    TICKETS_FROM_US,
    TRAY_RULE,
    TRAY_VARIANCE_CENTS,
    TRAY_VARIANCE_CENTS_SMALL,
    TRAY_VARIANCE_RULE,
)

PATRONS_MAX: Final = 1_000
"""Patrons whose debit sales a table remembers; fewer sit at it in a day."""

DEBITS_KEPT: Final = 32
"""Debit sales remembered for a patron; the line is passed long before."""


def open_table(state: TableState, fact: TableOpened) -> None:
    """The opener must be the last closer."""
    if state.is_open:
        state.note(
            Kind.OUT_OF_PLACE,
            "Table opened while it was open",
            "convention: a table is closed before it is opened again",
        )
    state.is_open = True
    _check_signers(state, fact.signers, "opener")
    opener = _sound_value(state, fact.inventory)
    if opener is None or not fact.inventory:
        return
    closer = state.tray.closer
    if closer is not None and closer != opener:
        _note_variance(
            state,
            opener - closer,
            f"opener {format_cents(opener)}, last closer {format_cents(closer)}",
        )
    state.tray.begin(opener)


def close_table(state: TableState, fact: TableClosed) -> None:
    """The closer is compared with what the day's facts leave in the tray."""
    if state.is_open is False:
        state.note(
            Kind.OUT_OF_PLACE,
            "Table closed while it was closed",
            "convention: a table is opened before it is closed again",
        )
    state.is_open = False
    _check_signers(state, fact.signers, "closer")
    closer = _sound_value(state, fact.inventory)
    if closer is not None and fact.inventory:
        _compare(state, closer)
        state.tray.closer = closer
    state.tray.forget()


def observe_tray(state: TableState, fact: TrayObserved) -> None:
    """The tray was observed with this content."""
    seen = _sound_value(state, fact.inventory)
    if seen is not None:
        _compare(state, seen)


def sell_chips(state: TableState, fact: ChipsSold) -> None:
    """Chips leave the tray, money goes into the box."""
    if not sound_amount(state, fact.cents, seat=fact.seat, wager=""):
        return
    state.tray.move(-fact.cents)
    if fact.tender is Tender.TICKET:
        _check_ticket_date(state, fact)
    if fact.tender is not Tender.DEBIT:
        return
    if fact.cents > DEBIT_SALE_CENTS_MAX:
        _note_debit(
            state, fact, f"at most {format_cents(DEBIT_SALE_CENTS_MAX)} in one sale", "in o"
        )
    if not fact.patron:
        _note_no_patron(state, fact)
    elif _debit_in_a_day(state, fact) > DEBIT_PATRON_CENTS_MAX:
        _note_debit(
            state,
            fact,
            f"at most {format_cents(DEBIT_PATRON_CENTS_MAX)} to one patron in 24 hours",
            "more",
        )


def issue_ticket(state: TableState, fact: TicketIssued) -> None:
    """Chips come into the tray, the patron leaves with a ticket."""
    if sound_amount(state, fact.cents, seat=fact.seat, wager=""):
        state.tray.move(fact.cents)
        _check_ticket_date(state, fact)


def _check_ticket_date(state: TableState, fact: ChipsSold | TicketIssued) -> None:
    """The chips did move: the expected float follows them, whatever the date."""
    if state.event is not None and state.event.at < TICKETS_FROM_US:
        state.note(
            Kind.TRAY_CHANGED,
            f"Chips of {format_cents(fact.cents)} exchanged for a ticket before 2023-10-23",
            TICKET_RULE,
            detail="a float could not change by tickets then",
            seat=fact.seat,
            patron=fact.patron,
            per_event=True,
        )


def _debit_in_a_day(state: TableState, fact: ChipsSold) -> int:
    """The patron's debit sales at this table in the last 24 hours, this sale included."""
    event = state.event
    now = event.at if event is not None else 0
    recent = {
        patron: fresh
        for patron, sales in state.debits.items()
        if (fresh := tuple(sale for sale in sales if now - sale[0] < DEBIT_WINDOW_US))
    }
    if len(recent) >= PATRONS_MAX:
        recent = {}
    recent[fact.patron] = (*recent.get(fact.patron, ()), (now, fact.cents))[-DEBITS_KEPT:]
    state.debits = recent
    return sum(cents for _, cents in recent[fact.patron])


def _note_debit(state: TableState, fact: ChipsSold, limit: str, subject: str) -> None:
    patron = f", patron {fact.patron}" if fact.patron else ""
    state.note(
        Kind.DEBIT_LIMIT,
        f"Debit sale over the limit: {format_cents(fact.cents)} on seat {fact.seat}{patron}",
        DEBIT_RULE,
        detail=limit,
        seat=fact.seat,
        patron=fact.patron,
        cents=fact.cents,
        subject=f"{state.event.seq if state.event else ''} {subject}",
    )


def _note_no_patron(state: TableState, fact: ChipsSold) -> None:
    """Identity is examined, and the exclusion list checked, for every debit sale.

    Who sits at the seat need not be who pays: only the sale itself can name the patron.
    """
    state.note(
        Kind.DEBIT_NO_PATRON,
        f"Debit sale with no patron: {format_cents(fact.cents)} on seat {fact.seat}",
        DEBIT_RULE,
        seat=fact.seat,
        cents=fact.cents,
        per_event=True,
    )


def fill(state: TableState, fact: FillReceived) -> None:
    cents = _sound_value(state, fact.inventory)
    _check_signers(state, fact.signers, f"fill slip {fact.slip}")
    if cents is not None:
        state.tray.move(cents)


def credit(state: TableState, fact: CreditSent) -> None:
    cents = _sound_value(state, fact.inventory)
    _check_signers(state, fact.signers, f"credit slip {fact.slip}")
    if cents is not None:
        state.tray.move(-cents)


def _sound_value(state: TableState, inventory: Inventory) -> int | None:
    """What an inventory is worth, unless a count in it cannot be."""
    for chips in inventory:
        if chips.count < 0 or chips.denomination_cents <= 0:
            state.note(
                Kind.BAD_AMOUNT,
                f"Invalid chip count: {chips.count} of {format_cents(chips.denomination_cents)}",
                "convention: amounts are positive cents",
                detail="the inventory is not counted",
                per_event=True,
            )
            return None
    cents = value(inventory)
    return cents if sound_amount(state, cents, seat=0, wager="", zero=True) else None


def _check_signers(state: TableState, signers: tuple[str, ...], what: str) -> None:
    named = [signer for signer in signers if signer]
    if len(set(named)) != len(signers):
        state.note(
            Kind.SIGNERS,
            f"Signature missing or repeated: {what}",
            SIGNERS_RULE,
            detail=f"signed by {', '.join(signer or 'none' for signer in signers)}",
            subject=what,
        )


def _compare(state: TableState, seen: int) -> None:
    """Compare the tray with the expected amount, and with the last observation."""
    tray = state.tray
    if not state.sees(Observation.PAYMENTS):
        tray.forget()  # Chips move unobserved: the next observation is a new start.
        return
    before, moved = tray.observed, tray.moved
    tray.observed = seen
    tray.moved = False
    if tray.expected is None:
        tray.expected = seen
        tray.reported = 0
        return
    if before is not None and not moved and seen != before:
        state.note(
            Kind.TRAY_CHANGED,
            f"Float changed by {format_cents(seen - before, plus=True)} with no transaction",
            TRAY_RULE,
            detail=f"{format_cents(before)} before, {format_cents(seen)} now",
            cents=before - seen,
            per_event=True,
        )
        tray.reported = seen - tray.expected
        return
    variance = seen - tray.expected
    fresh = variance - tray.reported
    if abs(fresh) >= TRAY_VARIANCE_CENTS_SMALL:
        tray.reported = variance
        _note_variance(
            state,
            fresh,
            f"counted {format_cents(seen)}, expected {format_cents(tray.expected)}",
        )


def _note_variance(state: TableState, cents: int, amounts: str) -> None:
    """Two hundred dollars and more go to the commission within a day."""
    state.note(
        Kind.TRAY_VARIANCE,
        f"Float {format_cents(abs(cents))} {'over' if cents > 0 else 'short'}: {amounts}",
        TRAY_VARIANCE_RULE,
        level=Level.P1 if abs(cents) >= TRAY_VARIANCE_CENTS else Level.P3,
        cents=-cents,
        per_event=True,
    )
