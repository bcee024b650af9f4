"""The chart of accounts: by table, game, wager and promotion.

Chips are counted twice, as accountants count them. Trays and the cage hold chips at their face
value, as assets; `custody` and `float` are the other side of all chips there are: what the house
has of them, and what patrons have and may turn into money. A chip that leaves a tray moves from
`custody` to `float`.

    tray         chips in a table's tray
    overnight    chips that stay at a table from its closer to its next opener
    box          cash, debit slips, tickets and checks in a table's drop box
    transit      fills and credits between cage and table
    cage_chips   chips in the cage
    cage_cash    cash in the cage
    cage_debit   debit slips, until the bank has paid them
    cage_checks  checks, until the bank has paid them
    receivable   paid to patrons in error, by table
    promotion_deferred   the other side of `promotion_liability`
    custody      all chips that the house holds
    float        all chips that patrons hold
    payable      owed to patrons and not paid, by table
    tips         gratuities of patrons to dealers
    tickets      tickets that the house must honor: issued at tables, less those counted in boxes
    promotion_liability   face value of coupons that are out
    win          the house's win, by table, game and wager
    jackpot      winnings over the line at which a win is verified, by table, game and wager
    promotion_expense     winnings paid on coupons, by promotion and table
    undetermined paid or taken on wagers that cannot be judged yet
    over_short   counted more or less than expected
    adjustment   the other side of manual entries
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Final

from msgspec import Struct

from bookkeeping.errors import NoAccount


class AccountClass(StrEnum):
    ASSET = "asset"
    LIABILITY = "liability"
    INCOME = "income"
    EXPENSE = "expense"
    EQUITY = "equity"


class AccountKind(StrEnum):
    TRAY = "tray"
    OVERNIGHT = "overnight"
    BOX = "box"
    TRANSIT = "transit"
    CAGE_CHIPS = "cage_chips"
    CAGE_CASH = "cage_cash"
    CAGE_DEBIT = "cage_debit"
    CAGE_CHECKS = "cage_checks"
    RECEIVABLE = "receivable"
    PROMOTION_DEFERRED = "promotion_deferred"
    CUSTODY = "custody"
    FLOAT = "float"
    PAYABLE = "payable"
    TIPS = "tips"
    TICKETS = "tickets"
    PROMOTION_LIABILITY = "promotion_liability"
    WIN = "win"
    JACKPOT = "jackpot"
    PROMOTION_EXPENSE = "promotion_expense"
    UNDETERMINED = "undetermined"
    OVER_SHORT = "over_short"
    ADJUSTMENT = "adjustment"


_TABLE: Final = ("table",)
_PLAY: Final = ("table", "game", "wager")
CHART: Final[dict[AccountKind, tuple[AccountClass, tuple[str, ...]]]] = {
    AccountKind.TRAY: (AccountClass.ASSET, _TABLE),
    AccountKind.OVERNIGHT: (AccountClass.ASSET, _TABLE),
    AccountKind.BOX: (AccountClass.ASSET, _TABLE),
    AccountKind.TRANSIT: (AccountClass.ASSET, _TABLE),
    AccountKind.CAGE_CHIPS: (AccountClass.ASSET, ()),
    AccountKind.CAGE_CASH: (AccountClass.ASSET, ()),
    AccountKind.CAGE_DEBIT: (AccountClass.ASSET, ()),
    AccountKind.CAGE_CHECKS: (AccountClass.ASSET, ()),
    AccountKind.RECEIVABLE: (AccountClass.ASSET, _TABLE),
    AccountKind.PROMOTION_DEFERRED: (AccountClass.ASSET, ("promotion",)),
    AccountKind.CUSTODY: (AccountClass.LIABILITY, ()),
    AccountKind.FLOAT: (AccountClass.LIABILITY, ()),
    AccountKind.PAYABLE: (AccountClass.LIABILITY, _TABLE),
    AccountKind.TIPS: (AccountClass.LIABILITY, ()),
    AccountKind.TICKETS: (AccountClass.LIABILITY, ()),
    AccountKind.PROMOTION_LIABILITY: (AccountClass.LIABILITY, ("promotion",)),
    AccountKind.WIN: (AccountClass.INCOME, _PLAY),
    AccountKind.JACKPOT: (AccountClass.EXPENSE, _PLAY),
    AccountKind.PROMOTION_EXPENSE: (AccountClass.EXPENSE, ("promotion", "table")),
    AccountKind.UNDETERMINED: (AccountClass.LIABILITY, _TABLE),
    AccountKind.OVER_SHORT: (AccountClass.EXPENSE, _TABLE),
    AccountKind.ADJUSTMENT: (AccountClass.EQUITY, ()),
}
"""Of each kind: its class, and the fields that distinguish its accounts."""

NONE: Final = "-"
"""In a code: the field is not known, as the game of a round without known rules."""


class Account(Struct, frozen=True, dict=True):
    """One account. Fields that do not distinguish its kind are empty."""

    kind: AccountKind
    table: str = ""
    game: str = ""
    wager: str = ""
    promotion: str = ""

    @property
    def account_class(self) -> AccountClass:
        return CHART[self.kind][0]

    @cached_property
    def code(self) -> str:
        """Its name, the same everywhere and for ever.

        >>> Account(AccountKind.WIN, table="BJ-07", game="skweezit", wager="main").code
        'win/BJ-07/skweezit/main'
        """
        names = (getattr(self, field) for field in CHART[self.kind][1])
        return "/".join((self.kind, *map(_quoted, names)))

    @cached_property
    def id(self) -> int:
        """A number of 63 bits, made from the code."""
        return int.from_bytes(sha256(self.code.encode()).digest()[:8]) >> 1


def parse(code: str) -> Account:
    """The account of a code.

    >>> parse("tray/BJ-07").table
    'BJ-07'
    """
    kind_name, *names = code.split("/")
    try:
        kind = AccountKind(kind_name)
    except ValueError:
        raise NoAccount(code, f"there is no kind {kind_name!r}") from None
    fields = CHART[kind][1]
    if len(names) != len(fields) or not all(names):
        expected = "/".join((kind, *(field.upper() for field in fields)))
        raise NoAccount(code, f"the code of such an account is {expected}")
    known = {field: _unquoted(name) for field, name in zip(fields, names, strict=True)}
    account = Account(kind, **known)
    if account.code != code:
        raise NoAccount(code, f"it is written {account.code!r}")
    return account


def _quoted(name: str) -> str:
    """Names may hold anything, a slash too."""
    if not name:
        return NONE
    quoted = name.replace("%", "%25").replace("/", "%2F")
    return "%2D" if quoted == NONE else quoted


def _unquoted(name: str) -> str:
    if name == NONE:
        return ""
    return name.replace("%2D", NONE).replace("%2F", "/").replace("%25", "%")
