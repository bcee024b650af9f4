"""The errors of changes that cannot be booked.

NotBookable
├── Unbalanced     the changes do not add up to zero
├── AmountTooLarge       an amount larger than any floor has
└── NoAccount      a code without an account
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
            f"Unbalanced: {more} exceed {fewer} by {abs(cents)} cents; change or add a line."
        )


class AmountTooLarge(NotBookable):
    """An amount larger than any floor has: the unit must be wrong."""

    code = "overflow"

    def __init__(self, cents: int) -> None:
        self.cents = cents
        super().__init__(
            f"Invalid amount of {cents} cents: larger than any entry; check the amount."
        )


class NoAccount(NotBookable):
    """A code without an account."""

    code = "no_account"

    def __init__(self, account: str, why: str) -> None:
        self.account = account
        self.why = why
        super().__init__(f"Invalid account {account!r}: {why}.")
