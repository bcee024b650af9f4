"""What is counted of a dealer, and whom gifts favour."""

from __future__ import annotations

from fractions import Fraction

from blackjack.outcomes import Payment, Result, WagerOutcome
from blackjack.rulebook.house_rules import MAIN
from surveillance.domain.statistics import Baselines, Ticket
from surveillance.domain.statistics.conduct import coupons, errors, transfers
from tests.surveillance.statistics.rounds import bet

BASELINES = Baselines(overpaid=0.125, overpaid_largely=0.0625)


def paid(seat: int, difference_cents: int = 0) -> WagerOutcome:
    payment = Payment.WRONG if difference_cents else Payment.EXACT
    return bet(seat, MAIN, Result.WON, payment=payment, difference_cents=difference_cents)


def test_a_payment_that_nobody_could_see_is_no_payment() -> None:
    unseen = bet(1, MAIN, Result.WON, payment=Payment.UNOBSERVED)
    assert errors([unseen]) == (0, 0)
    assert errors([unseen, paid(2), paid(3, 100)]) == (1, 2)


def test_coupons_are_counted_among_the_bets_they_could_come_with() -> None:
    bets = [bet(1, MAIN, Result.WON, coupon="c1"), bet(2, MAIN, Result.LOST)]
    assert coupons(bets) == (1, 2)


def test_who_is_overpaid_by_chance_is_any_of_the_table() -> None:
    """Over every payment that the error could have hit, the ticket of a patron is worth one."""
    seats = (1, 1, 2, 3)
    values = []
    for hit in range(len(seats)):
        table = [paid(seat, 30_00 if place == hit else 0) for place, seat in enumerate(seats)]
        own = [each for each in table if each.seat == 1]
        found = transfers(table, own, BASELINES)
        assert found is not None
        (ticket,) = found.angles[2]
        values.append(Fraction(ticket.value))
    assert sum(values) / len(values) == 1
    assert values == [2, 2, 0, 0]


def test_an_overpayment_with_nobody_else_at_the_table_chose_nobody() -> None:
    own = [paid(1, 30_00)]
    found = transfers(own, own, BASELINES)
    assert found is not None
    often, largely, chosen = found.angles
    assert (often, largely, chosen) == ((Ticket(8.0),), (Ticket(16.0),), ())


def test_a_small_overpayment_is_no_large_one() -> None:
    found = transfers([paid(1, 5_00)], [paid(1, 5_00)], BASELINES)
    assert found is not None
    assert found.angles[1] == (Ticket(0.0),)
