"""What cannot be booked.

NotBookable
├── Unbalanced     the changes do not add up to nothing
├── TooLarge       an amount that no floor has
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
        super().__init__(f"debits and credits differ by {cents} cents")


class TooLarge(NotBookable):
    """An amount beyond what any floor has: a unit gone wrong."""

    code = "overflow"

    def __init__(self, cents: int) -> None:
        self.cents = cents
        super().__init__(f"{cents} cents are more than any entry has")


class NoAccount(NotBookable):
    """A code that names no account."""

    code = "no_account"

    def __init__(self, account: str, why: str) -> None:
        self.account = account
        self.why = why
        super().__init__(f"{account!r} is no account: {why}")
