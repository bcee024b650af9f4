"""A settled round in the books: the changes of every wager on the accounts.

The win account is booked as owed, the tray as the observed payments and collections; the
difference between the two is a payout error, receivable or payable. So the win as owed, the win
as paid and the errors are all sums of the ledger.

If the payment was not observed, the tray is booked as owed. If the wager cannot be judged, the
chips that moved are booked to `undetermined` until a later version settles it. A later version of
a round is booked as the difference to the one before.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from bookkeeping.accounts import Account, AccountKind
from bookkeeping.transfers import Change, Transfer, pair_off

JACKPOT_CENTS: Final = 3_000_00
"""Winnings over $3,000 are verified by camera (230-15-320), and have accounts of their own."""

CUSTODY: Final = Account(AccountKind.CUSTODY)
FLOAT: Final = Account(AccountKind.FLOAT)

# Members as constants: an attribute of the enumeration costs as much as a dictionary lookup.
_TRAY: Final = AccountKind.TRAY
_WIN: Final = AccountKind.WIN
_JACKPOT: Final = AccountKind.JACKPOT

UNDETERMINED: Final = "undetermined"
NOT_SETTLED: Final = "not_settled"
UNOBSERVED: Final = "unobserved"


class SettledWager(NamedTuple):
    """The fields of a settled wager that are booked. Amounts are cents."""

    seat: int
    hand: int
    wager: str
    tip: bool
    patron: str
    result: str
    payment: str
    stake: int
    placed: int
    owed: int
    least: int
    most: int
    taken: int
    paid: int
    collected: int
    difference: int
    coupon: str = ""
    promotion: str = ""
    coupon_face: int = 0
    coupon_owed: int = 0
    coupon_spent: bool = False

    @property
    def key(self) -> tuple[int, int, str, bool]:
        return self.seat, self.hand, self.wager, self.tip


class RoundVersion(NamedTuple):
    """One version of a settled round."""

    table: str
    round: str
    first_seq: int
    version: int
    status: str
    game: str
    rule_set: str
    dealer: str
    supervisor: str
    opened_at: int
    wagers: tuple[SettledWager, ...]


def changes(table: str, game: str, wager: SettledWager) -> list[Change]:
    """The changes of one wager, without chips in circulation; their sum is zero."""
    tray = _account(_TRAY, table)
    moved = wager.collected - wager.paid
    if wager.result == UNDETERMINED:
        return [(tray, moved), (_account(AccountKind.UNDETERMINED, table), -moved)]
    if wager.result == NOT_SETTLED:
        return [(tray, moved), (_play(_WIN, table, "", wager.wager), -moved)]
    winnings = wager.owed - wager.coupon_owed
    won = wager.taken - winnings
    if wager.payment == UNOBSERVED:
        moved = won - wager.coupon_owed
    kind = _JACKPOT if winnings > JACKPOT_CENTS else _WIN
    changed = [(tray, moved), (_play(kind, table, game, wager.wager), -won)]
    if wager.coupon_owed:
        changed.append((_expense(wager.promotion, table), wager.coupon_owed))
    error = won - wager.coupon_owed - moved
    if error:
        errors = AccountKind.RECEIVABLE if error > 0 else AccountKind.PAYABLE
        changed.append((_account(errors, table), error))
    if wager.coupon_spent and wager.coupon_face:
        face = wager.coupon_face
        changed.append((_promotion(AccountKind.PROMOTION_LIABILITY, wager.promotion), face))
        changed.append((_promotion(AccountKind.PROMOTION_DEFERRED, wager.promotion), -face))
    return changed


def transfers(round_: RoundVersion, before: RoundVersion | None = None) -> tuple[Transfer, ...]:
    """The transfers of each wager, then those of the chips in circulation.

    With `before`, the difference to that version.
    """
    made: list[Transfer] = []
    tray = 0
    for changed in _by_wager(round_, before):
        for account, cents in changed:
            if account.kind is _TRAY:
                tray += cents
        made += pair_off(changed)
    made += pair_off(circulation(-tray))
    return tuple(made)


def circulation(cents: int) -> list[Change]:
    """Chips go out to patrons (positive), or come back from them."""
    return [(CUSTODY, cents), (FLOAT, -cents)]


def _by_wager(round_: RoundVersion, before: RoundVersion | None) -> Iterable[list[Change]]:
    """The changes of each wager, minus those of the version before."""
    table, game = round_.table, round_.game
    if before is None:
        return [changes(table, game, wager) for wager in round_.wagers]
    found = {wager.key: changes(table, game, wager) for wager in round_.wagers}
    for wager in before.wagers:
        changed = found.setdefault(wager.key, [])
        old = changes(before.table, before.game, wager)
        changed += [(account, -cents) for account, cents in old]
    return found.values()


@lru_cache(maxsize=65_536)
def _account(kind: AccountKind, table: str) -> Account:
    return Account(kind, table=table)


@lru_cache(maxsize=65_536)
def _play(kind: AccountKind, table: str, game: str, wager: str) -> Account:
    return Account(kind, table=table, game=game, wager=wager)


@lru_cache(maxsize=65_536)
def _promotion(kind: AccountKind, promotion: str) -> Account:
    return Account(kind, promotion=promotion)


@lru_cache(maxsize=65_536)
def _expense(promotion: str, table: str) -> Account:
    return Account(AccountKind.PROMOTION_EXPENSE, promotion=promotion, table=table)
