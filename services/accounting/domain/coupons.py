"""Coupons in the books: their face value while outstanding, and the winnings paid on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from accounting.domain.cage import CAGE_CASH
from bookkeeping.accounts import Account, AccountKind
from bookkeeping.transfers import Change

BATCH_MAX: Final = 100_000
"""Coupons of one issue: each becomes a row."""
DIGITS_MAX: Final = 12


def issued(promotion: str, cents: int) -> list[Change]:
    """A coupon has no value of its own (230-15-453): its face value is owed and deferred."""
    return [
        (Account(AccountKind.PROMOTION_DEFERRED, promotion=promotion), cents),
        (Account(AccountKind.PROMOTION_LIABILITY, promotion=promotion), -cents),
    ]


def ended(promotion: str, cents: int) -> list[Change]:
    """Void, expired or redeemed: it is no longer owed."""
    return issued(promotion, -cents)


def redeemed_by_hand(promotion: str, table: str, paid_cents: int) -> list[Change]:
    """The changes of a coupon that the cage paid."""
    expense = Account(AccountKind.PROMOTION_EXPENSE, promotion=promotion, table=table)
    return [(expense, paid_cents), (CAGE_CASH, -paid_cents)]


def serials(serial: str, *, count: int, first: int, digits: int) -> Iterator[str]:
    """The serial of one coupon, or a range of numbers behind a common prefix.

    >>> list(serials("MP-", count=3, first=9, digits=4))
    ['MP-0009', 'MP-0010', 'MP-0011']
    """
    if count <= 1:
        yield serial
        return
    for number in range(first, first + count):
        yield f"{serial}{number:0{digits}d}"
