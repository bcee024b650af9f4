"""A user, and the visitor who sends a request."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from console.users.roles import Roles


@dataclass(frozen=True, slots=True)
class User:
    """A user with roles."""

    id: int
    name: str
    full_name: str
    roles: Roles
    one_time: bool
    """Whether the password must be changed before anything else."""
    disabled: bool = False
    made_at: datetime | None = None

    def may(self, roles: Roles) -> bool:
        """Whether the user holds at least one of these roles."""
        return bool(self.roles & roles)


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request; without a user if not signed in."""

    address: str
    token: str
    """The secret of the cookie, which forms are bound to."""
    user: User | None = None

    @property
    def form_token(self) -> str:
        """The token of every form of this visitor; it cannot be computed without the cookie."""
        return hmac.new(self.token.encode(), b"form", hashlib.sha256).hexdigest()

    def owns_form(self, form_token: object) -> bool:
        return isinstance(form_token, str) and hmac.compare_digest(
            self.form_token.encode(), form_token.encode()
        )


def digest(token: str) -> bytes:
    """The stored digest of a cookie: reading the database gives no access."""
    return hashlib.sha256(token.encode()).digest()
