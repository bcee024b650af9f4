"""What a person may be told instead of a page.

PageError
├── SignInFirst     nobody is signed in: sign in, and come back here
├── ChooseFirst     a one-time password must be changed before anything else
├── NotAllowed      the person has no role for it
├── Forged          a form that did not come from a page of ours
├── NotFound        there is no such thing
└── BadInput        what was entered cannot be read
"""

from __future__ import annotations


class PageError(Exception):
    """The root of the tree; `status` is that of the answer."""

    status = 500


class SignInFirst(PageError):
    status = 401


class ChooseFirst(PageError):
    status = 403


class NotAllowed(PageError):
    status = 403

    def __init__(self, needed: str) -> None:
        self.needed = needed
        super().__init__(f"this page is for {needed}")


class Forged(PageError):
    status = 403

    def __init__(self) -> None:
        super().__init__("the form did not come from a page of this session: open the page again")


class NotFound(PageError):
    status = 404

    def __init__(self, what: str) -> None:
        super().__init__(f"there is no {what}")


class BadInput(PageError):
    status = 400

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(f"{field}: {reason}")
