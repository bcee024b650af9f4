"""What a person may be told instead of a page.

PageError
├── SignInRequired     nobody is signed in: sign in, and come back here
├── PasswordChangeRequired     a one-time password must be changed before anything else
├── AccessDenied      the person has no role for it
├── ForgedForm          a form that did not come from a page of ours
├── PageNotFound        there is no such thing
└── InvalidInput        what was entered cannot be read
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
        super().__init__(f"this page is for {needed}")


class ForgedForm(PageError):
    status = 403

    def __init__(self) -> None:
        super().__init__("the form did not come from a page of this session: open the page again")


class PageNotFound(PageError):
    status = 404

    def __init__(self, what: str) -> None:
        super().__init__(f"there is no {what}")


class InvalidInput(PageError):
    status = 400

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(f"{field}: {reason}")
