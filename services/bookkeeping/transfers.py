"""From changes of accounts to transfers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bookkeeping.accounts import Account
from bookkeeping.errors import AmountTooLarge, Unbalanced

CENTS_MAX: Final = 10**15
"""Ten trillion dollars: a larger amount has a wrong unit. A million of these fit 64 bits."""


class Transfer(NamedTuple):
    """A positive amount, to the debit of one account and the credit of another."""

    debit: Account
    credit: Account
    cents: int


Change = tuple[Account, int]
"""Debit (positive) or credit (negative) of an account."""


def pair_off(changes: Sequence[Change]) -> list[Transfer]:
    """The transfers that bring these changes about: one fewer than there are accounts, at most.

    The order of the accounts decides which debit meets which credit, so that the same changes
    give the same transfers.
    """
    if len(changes) == 2:
        # Nearly all changes are such, and totaling them would cost more than everything else.
        (one, cents), (other, back) = changes
        if cents == -back and 0 < abs(cents) <= CENTS_MAX and one.kind is not other.kind:
            return [Transfer(one, other, cents) if cents > 0 else Transfer(other, one, back)]
    totals: dict[Account, int] = {}
    for account, cents in changes:
        if cents:
            if not -CENTS_MAX <= cents <= CENTS_MAX:
                raise AmountTooLarge(cents)
            totals[account] = totals.get(account, 0) + cents
    debits = [(account, cents) for account, cents in totals.items() if cents > 0]
    credits = [(account, -cents) for account, cents in totals.items() if cents < 0]
    off = sum(cents for _, cents in debits) - sum(cents for _, cents in credits)
    if off:
        raise Unbalanced(off)
    transfers: list[Transfer] = []
    waiting = credits[::-1]
    for debit, left in debits:
        while left:
            credit, owed = waiting.pop()
            cents = min(left, owed)
            transfers.append(Transfer(debit, credit, cents))
            left -= cents
            if owed > cents:
                waiting.append((credit, owed - cents))
    return transfers
