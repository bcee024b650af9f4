"""Changes on the accounts by entries of the cage, the count room and accountants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from accounting.domain.cash import TICKETS, ImpossibleAmount, checked
from accounting.domain.rounds import circulation
from bookkeeping.accounts import Account, AccountKind, parse
from bookkeeping.transfers import Change

CAGE_CHIPS: Final = Account(AccountKind.CAGE_CHIPS)
CAGE_CASH: Final = Account(AccountKind.CAGE_CASH)
CAGE_DEBIT: Final = Account(AccountKind.CAGE_DEBIT)
CAGE_CHECKS: Final = Account(AccountKind.CAGE_CHECKS)

CURRENCY: Final = "currency"
DEBIT: Final = "debit"
CHIPS: Final = "chips"
COUPONS: Final = "coupons"
DROP_INTO: Final = {
    CURRENCY: CAGE_CASH,
    DEBIT: CAGE_DEBIT,
    CHIPS: CAGE_CHIPS,
    "tickets": TICKETS,
    "checks": CAGE_CHECKS,
}
"""The account that each kind of drop goes to. A counted ticket settles a liability. Coupons are
counted, but are not drop."""


class DropLine(Struct, frozen=True):
    """The pieces of one kind and denomination in a drop box."""

    kind: str
    denomination_cents: int
    count: int

    @property
    def cents(self) -> int:
        return self.denomination_cents * self.count


def checked_count(counts: Iterable[DropLine]) -> tuple[DropLine, ...]:
    """Return the count; raise `ImpossibleAmount` for an unknown kind or an impossible number."""
    kept = tuple(counts)
    for line in kept:
        if line.kind != COUPONS and line.kind not in DROP_INTO:
            raise ImpossibleAmount(f"Invalid kind {line.kind!r} in a drop box count.")
        if line.count < 0 or line.denomination_cents <= 0:
            raise ImpossibleAmount(
                f"Invalid count: {line.count} pieces of {line.denomination_cents} cents."
            )
    checked(sum(line.cents for line in kept), zero=True)
    return kept


def drop_cents(counts: Iterable[DropLine]) -> int:
    """The drop in a count: everything but coupons."""
    return sum(line.cents for line in counts if line.kind != COUPONS)


def fill_issued(table: str, cents: int) -> list[Change]:
    return [(Account(AccountKind.TRANSIT, table=table), cents), (CAGE_CHIPS, -cents)]


def credit_accepted(table: str, cents: int) -> list[Change]:
    return [(CAGE_CHIPS, cents), (Account(AccountKind.TRANSIT, table=table), -cents)]


def drop_counted(
    table: str, counts: Iterable[DropLine], before: Iterable[DropLine] = ()
) -> list[Change]:
    """From the box into the cage. A recount replaces the count before it."""
    box = Account(AccountKind.BOX, table=table)
    changed: list[Change] = []
    for sign, pieces in ((1, counts), (-1, before)):
        for line in pieces:
            if line.kind != COUPONS:
                changed += [(DROP_INTO[line.kind], sign * line.cents), (box, -sign * line.cents)]
    return changed


def chips_redeemed(cents: int) -> list[Change]:
    return [(CAGE_CHIPS, cents), (CAGE_CASH, -cents), *circulation(-cents)]


def manual_entry(lines: Iterable[tuple[str, int]]) -> list[Change]:
    """Raises `NoAccount` for a code without an account."""
    return [(parse(code), cents) for code, cents in lines]


def written_off(table: str, account: str, cents: int) -> list[Change]:
    """Move the remainder of a tray or a box to the over/short account."""
    return [(Account(AccountKind.OVER_SHORT, table=table), cents), (parse(account), -cents)]
