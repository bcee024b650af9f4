"""Errors of sign-in and user administration.

UserError
├── LoginFailed        wrong user name or password, or the user is disabled
├── TooManyAttempts    too many failed attempts: wait
└── InvalidUser        a field of a user is invalid
"""

from __future__ import annotations


class UserError(Exception):
    """The root of the tree."""


class LoginFailed(UserError):
    """One message for all causes: it does not reveal which users exist."""

    def __init__(self) -> None:
        super().__init__("wrong user name or password")


class TooManyAttempts(UserError):
    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        minutes = max(1, round(seconds / 60))
        super().__init__(
            f"too many failed attempts: wait {minutes} minutes, or contact an administrator"
        )


class InvalidUser(UserError):
    """A name, a role or a password is invalid; `reason` states why."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")
