"""Errors of entries that cannot be posted.

NotBookable
├── Unbalanced     the changes do not add up to zero
├── AmountTooLarge an amount that no floor has
└── NoAccount      a code that names no account
"""

from __future__ import annotations


class NotBookable(ValueError):
    """The root of the tree; `code` is its name for programs."""

    code = "not_bookable"


class Unbalanced(NotBookable):
    """Debits and credits differ."""

    code = "unbalanced"

    def __init__(self, cents: int) -> None:
        self.cents = cents
        more, fewer = ("debits", "credits") if cents > 0 else ("credits", "debits")
        super().__init__(
            f"{more} are {abs(cents)} cents more than {fewer}: change a line, or add one for them"
        )


class AmountTooLarge(NotBookable):
    """An amount larger than any floor has: its unit is wrong."""

    code = "overflow"

    def __init__(self, cents: int) -> None:
        self.cents = cents
        super().__init__(f"{cents} cents is more than an entry may have: check the amount")


class NoAccount(NotBookable):
    """A code that names no account."""

    code = "no_account"

    def __init__(self, account: str, why: str) -> None:
        self.account = account
        self.why = why
        super().__init__(f"{account!r} is no account: {why}")
