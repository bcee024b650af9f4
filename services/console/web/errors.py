"""Errors that become error pages.

PageError
├── SignInRequired     no session: sign in, then return to the page
├── PasswordChangeRequired     a one-time password must be changed first
├── AccessDenied      the person has no role for the page
├── ForgedForm          a form that did not come from a page of ours
├── PageNotFound        not found
└── InvalidInput        a field is invalid
"""

from __future__ import annotations


class PageError(Exception):
    """The root of the tree; `status` is that of the answer."""

    status = 500


class SignInRequired(PageError):
    status = 401


class PasswordChangeRequired(PageError):
    status = 403


class AccessDenied(PageError):
    status = 403

    def __init__(self, needed: str) -> None:
        self.needed = needed
        super().__init__(f"required role: {needed}")


class ForgedForm(PageError):
    status = 403

    def __init__(self) -> None:
        super().__init__("the form is not from this session: reload the page")


class PageNotFound(PageError):
    status = 404

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} not found")


class InvalidInput(PageError):
    status = 400

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(f"{field}: {reason}")
