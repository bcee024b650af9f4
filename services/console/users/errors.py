"""What can be wrong with people.

UserError
├── LoginFailed        name or password is wrong, or the user is disabled
├── TooManyAttempts    wrong too often: wait
└── InvalidUser        what was entered about a person cannot stand
"""

from __future__ import annotations


class UserError(Exception):
    """The root of the tree."""


class LoginFailed(UserError):
    """The same words whatever was wrong: they tell nobody who exists."""

    def __init__(self) -> None:
        super().__init__("name or password is wrong")


class TooManyAttempts(UserError):
    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        minutes = max(1, round(seconds / 60))
        super().__init__(f"wrong too often: wait {minutes} minutes, or ask an administrator")


class InvalidUser(UserError):
    """A name, a role or a password that cannot stand, and why."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")
