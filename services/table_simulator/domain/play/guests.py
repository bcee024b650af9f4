"""Guests sit down, buy chips, run out of them, and leave."""

from __future__ import annotations

from blackjack.facts import ChipsSold, PatronLeft, PatronSeated, RatingRecorded, Tender
from table_simulator.domain.play.log import CHIPS
from table_simulator.domain.play.pit import Guest, Pit

BUDGET_CENTS = 2_500_00
"""What a guest spends in an evening: far from any line of the cash reports."""

CARD_SALE_CENTS = 100_00
"""A sale by debit card; the State allows $500, and $2,500 in 24 hours (15-506)."""

UNITS_CENTS = (5_00, 10_00, 10_00, 15_00, 25_00, 25_00, 50_00, 100_00)
SALES_CENTS = (20_00, 100_00, 100_00, 200_00, 500_00)


def seat_guest(pit: Pit) -> None:
    """A guest sits down and buys in; one in ten plays two spots, one in six is a stranger."""
    rng = pit.rng
    free = [seat for seat in range(1, 10) if seat not in pit.guests]
    if not free:
        return
    pit.patrons_seen += 1
    patron = f"{pit.log.table}-p{pit.patrons_seen:03d}" if rng.random() > 0.16 else ""
    room = pit.shoe.seats_max - len(pit.guests)
    spots = 2 if patron and rng.random() < 0.1 and min(len(free), room) > 1 else 1
    unit = rng.choice(UNITS_CENTS)
    taken = sorted(rng.sample(free, spots))
    for seat in taken:
        pit.guests[seat] = Guest(patron, unit, rng.choice((0.0, 0.3, 0.6, 0.9)))
        if patron:
            pit.log.write(PatronSeated(seat, patron))
    sell_chips(pit, taken[0])


def sit_down(pit: Pit, guest: Guest) -> None:
    """A guest of some name takes the first free seat and buys in."""
    seat = next(each for each in range(1, 10) if each not in pit.guests)
    pit.guests[seat] = guest
    pit.log.write(PatronSeated(seat, guest.patron))
    sell_chips(pit, seat)


def new_patron(pit: Pit) -> str:
    pit.patrons_seen += 1
    return f"{pit.log.table}-p{pit.patrons_seen:03d}"


def sell_chips(pit: Pit, seat: int) -> None:
    """Cash or a debit card for chips out of the tray."""
    guest, rng = pit.guests[seat], pit.rng
    by_card = rng.random() < 0.15 and guest.patron != ""
    cents = CARD_SALE_CENTS if by_card else rng.choice(SALES_CENTS)
    pit.tray.cents -= cents
    guest.chips_cents += cents
    guest.bought_cents += cents
    tender = Tender.DEBIT if by_card else Tender.CASH
    pit.log.write(ChipsSold(cents, tender, guest.patron, seat), CHIPS)


def buy_again(pit: Pit) -> None:
    """Whoever is short of chips buys more, while the budget lasts."""
    for seat in sorted(pit.guests):
        guest = pit.guests[seat]
        if guest.chips_cents < 2 * guest.unit_cents and guest.bought_cents < BUDGET_CENTS:
            sell_chips(pit, seat)


def leave(pit: Pit, seat: int) -> None:
    guest = pit.guests.pop(seat)
    if guest.patron:
        minutes = pit.rng.randint(5, 240)
        pit.log.write(RatingRecorded(guest.patron, seat, guest.unit_cents, minutes))
        pit.log.write(PatronLeft(seat, guest.patron))
