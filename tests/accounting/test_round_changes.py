"""What a wager changes on the accounts, row by row: as owed, as paid, and the error between."""

from __future__ import annotations

import pytest

from accounting.domain.rounds import RoundVersion, SettledWager, changes, transfers
from bookkeeping.accounts import Account

PLAIN = SettledWager(
    seat=1, hand=1, wager="main", tip=False, patron="P1", result="lost", payment="exact",
    stake=2500, placed=2500, owed=0, least=0, most=0, taken=2500, paid=0, collected=2500,
    difference=0,
)  # fmt: skip
WON = PLAIN._replace(result="won", owed=2500, taken=0, paid=2500, collected=0)


def with_coupon(wager: SettledWager, *, owed: int = 0, spent: bool = True) -> SettledWager:
    return wager._replace(
        coupon="C-1", promotion="fall", coupon_face=1000, coupon_owed=owed, coupon_spent=spent
    )


ROWS = {
    "a lost wager goes to the tray and is won": (PLAIN, "tray +2500, win -2500"),
    "a wager that wins leaves the tray": (WON, "tray -2500, win +2500"),
    "an overpayment is receivable": (
        WON._replace(paid=3000, difference=500, payment="wrong"),
        "tray -3000, win +2500, receivable +500",
    ),
    "what was not paid is payable": (
        WON._replace(paid=0, difference=-2500, payment="unpaid"),
        "win +2500, payable -2500",
    ),
    "a winner's stake that was taken is payable too": (
        WON._replace(paid=0, collected=2500, difference=-5000, payment="wrong"),
        "tray +2500, win +2500, payable -5000",
    ),
    "a loser's stake that was left is receivable": (
        PLAIN._replace(collected=0, difference=2500, payment="wrong"),
        "win -2500, receivable +2500",
    ),
    "a payment that nobody saw is taken to be as owed": (
        WON._replace(paid=0, payment="unobserved"),
        "tray -2500, win +2500",
    ),
    "what nobody can judge is undetermined as it moved": (
        WON._replace(result="undetermined", owed=0, payment="undecided"),
        "tray -2500, undetermined +2500",
    ),
    "a push moves nothing": (
        PLAIN._replace(result="pushed", taken=0, collected=0),
        "",
    ),
    "half of a surrendered wager is won": (
        PLAIN._replace(result="surrendered", taken=1250, collected=1250),
        "tray +1250, win -1250",
    ),
    "a win of over $3,000 stands apart": (
        WON._replace(owed=300_001, paid=300_001),
        "tray -300001, jackpot +300001",
    ),
    "a win of $3,000 does not": (
        WON._replace(owed=300_000, paid=300_000),
        "tray -300000, win +300000",
    ),
    "winnings on a coupon are an expense, and it is owed no more": (
        with_coupon(WON._replace(owed=3500, paid=3500), owed=1000),
        "tray -3500, win +2500, promotion_expense +1000, promotion_liability +1000, "
        "promotion_deferred -1000",
    ),
    "a coupon that lost is owed no more either": (
        with_coupon(PLAIN),
        "tray +2500, win -2500, promotion_liability +1000, promotion_deferred -1000",
    ),
    "a coupon that stays on a push is still owed": (
        with_coupon(PLAIN._replace(result="pushed", taken=0, collected=0), spent=False),
        "",
    ),
    "side bets already paid in a void round are receivable": (
        WON._replace(result="void", owed=0, paid=2500, difference=2500, payment="wrong"),
        "tray -2500, receivable +2500",
    ),
}


def shown(changed: list[tuple[Account, int]]) -> str:
    return ", ".join(f"{account.kind} {cents:+d}" for account, cents in changed if cents)


@pytest.mark.parametrize("name", ROWS)
def test_a_wager_is_booked(name: str) -> None:
    wager, expected = ROWS[name]
    changed = changes("BJ-07", "skweezit", wager)
    assert shown(changed) == expected
    assert sum(cents for _, cents in changed) == 0


def a_round(version: int, *wagers: SettledWager) -> RoundVersion:
    return RoundVersion(
        "BJ-07", "R-1", 10, version, "settled", "skweezit", "hash", "D-1", "S-1", 1_000, wagers
    )


def test_chips_that_leave_the_tray_are_in_patrons_hands() -> None:
    made = transfers(a_round(1, WON, PLAIN._replace(seat=2, taken=1000, collected=1000)))
    assert [(debit.kind, credit.kind, cents) for debit, credit, cents in made] == [
        ("win", "tray", 2500),
        ("tray", "win", 1000),
        ("custody", "float", 1500),
    ]


def test_a_later_version_books_the_difference_only() -> None:
    first = a_round(1, WON._replace(paid=3000, difference=500, payment="wrong"))
    assert transfers(a_round(2, *first.wagers), first) == ()
    mended = transfers(a_round(2, WON), first)
    assert [(debit.kind, credit.kind, cents) for debit, credit, cents in mended] == [
        ("tray", "receivable", 500),
        ("float", "custody", 500),
    ]


def test_a_wager_that_a_later_version_does_not_have_is_taken_back() -> None:
    first = a_round(1, PLAIN)
    assert [
        (debit.kind, credit.kind, cents) for debit, credit, cents in transfers(a_round(2), first)
    ] == [
        ("win", "tray", 2500),
        ("custody", "float", 2500),
    ]
