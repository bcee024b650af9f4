"""Patrons sit down, buy chips, run out of them, and leave."""

from __future__ import annotations

from blackjack.facts import (
    ChipsSold,
    PatronLeft,
    PatronSeated,
    RatingRecorded,
    Tender,
    TicketIssued,
)
from table_simulator.domain.play.controller_log import CHIPS
from table_simulator.domain.play.table_in_play import SeatedPatron, TableInPlay

BUDGET_CENTS = 2_500_00
"""A patron's budget for an evening: far below every threshold of the cash reports."""

CARD_SALE_CENTS = 100_00
"""A sale by debit card; the State allows $500, and $2,500 in 24 hours (15-506)."""

TICKET_CENTS_MIN = 20_00
"""Chips below this are not worth a ticket."""
TICKET_CHANCE = 0.2

UNITS_CENTS = (5_00, 10_00, 10_00, 15_00, 25_00, 25_00, 50_00, 100_00)
SALES_CENTS = (20_00, 100_00, 100_00, 200_00, 500_00)

TICKETS_FROM_US = 1_698_044_400_000_000  # 2023-10-23T07:00:00Z
"""Before that no table exchanges chips for tickets (WAC 230-15-500(2)(c))."""


def seat_patron(table: TableInPlay) -> None:
    """A patron sits down and buys in; one in ten plays two spots, one in six is a stranger."""
    rng = table.rng
    free = [seat for seat in range(1, 10) if seat not in table.patrons]
    if not free:
        return
    table.patrons_seen += 1
    patron = f"{table.log.table}-p{table.patrons_seen:03d}" if rng.random() > 0.16 else ""
    room = table.shoe.seats_max - len(table.patrons)
    spots = 2 if patron and rng.random() < 0.1 and min(len(free), room) > 1 else 1
    unit = rng.choice(UNITS_CENTS)
    taken = sorted(rng.sample(free, spots))
    for seat in taken:
        table.patrons[seat] = SeatedPatron(patron, unit, rng.choice((0.0, 0.3, 0.6, 0.9)))
        if patron:
            table.log.write(PatronSeated(seat, patron))
    sell_chips(table, taken[0])


def sit_down(table: TableInPlay, player: SeatedPatron) -> None:
    """A patron of some name takes the first free seat and buys in."""
    seat = next(number for number in range(1, 10) if number not in table.patrons)
    table.patrons[seat] = player
    table.log.write(PatronSeated(seat, player.patron))
    sell_chips(table, seat)


def new_patron(table: TableInPlay) -> str:
    table.patrons_seen += 1
    return f"{table.log.table}-p{table.patrons_seen:03d}"


def sell_chips(table: TableInPlay, seat: int) -> None:
    """Cash, a debit card, a ticket or a check for chips out of the tray."""
    player, rng = table.patrons[seat], table.rng
    tender = _tender(rng.random(), is_known=player.patron != "", is_usual=player.habit is None)
    if tender is Tender.TICKET and table.log.at < TICKETS_FROM_US:
        tender = Tender.CASH
    cents = CARD_SALE_CENTS if tender is Tender.DEBIT else rng.choice(SALES_CENTS)
    table.tray.cents -= cents
    player.chips_cents += cents
    player.bought_cents += cents
    table.log.write(ChipsSold(cents, tender, player.patron, seat), CHIPS)


def _tender(chance: float, *, is_known: bool, is_usual: bool) -> Tender:
    """A card and a check need a name; a habit is one of cash."""
    if chance < 0.15 and is_known:
        return Tender.DEBIT
    if 0.15 <= chance < 0.22 and is_usual:
        return Tender.TICKET
    if 0.22 <= chance < 0.25 and is_known and is_usual:
        return Tender.CHECK
    return Tender.CASH


def buy_again(table: TableInPlay) -> None:
    """A patron short of chips buys more, while the budget lasts."""
    for seat in sorted(table.patrons):
        player = table.patrons[seat]
        if player.chips_cents < 2 * player.unit_cents and player.bought_cents < BUDGET_CENTS:
            sell_chips(table, seat)


def leave(table: TableInPlay, seat: int) -> None:
    player = table.patrons.pop(seat)
    if _wants_ticket(table, player) and table.log.at >= TICKETS_FROM_US:
        table.tray.cents += player.chips_cents
        number = f"{table.log.table}-{len(table.log.events) + 1:05d}"
        table.log.write(TicketIssued(player.chips_cents, number, player.patron, seat), CHIPS)
    if player.patron:
        minutes = table.rng.randint(5, 240)
        table.log.write(RatingRecorded(player.patron, seat, player.unit_cents, minutes))
        table.log.write(PatronLeft(seat, player.patron))


def _wants_ticket(table: TableInPlay, player: SeatedPatron) -> bool:
    """A patron on two spots takes his chips along, since they lie before both."""
    shares = player.patron and any(
        other.patron == player.patron for other in table.patrons.values()
    )
    is_usual = player.habit is None and not shares and player.chips_cents >= TICKET_CENTS_MIN
    return is_usual and table.rng.random() < TICKET_CHANCE
