"""A user, and somebody who has signed in, as the pages know them."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from console.users.roles import Roles


@dataclass(frozen=True, slots=True)
class User:
    id: int
    name: str
    full_name: str
    roles: Roles
    one_time: bool
    """Whether the password is good for one thing only: to choose another."""
    disabled: bool = False
    made_at: datetime | None = None

    def may(self, roles: Roles) -> bool:
        return bool(self.roles & roles)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever a request comes from. Without a person: somebody who has not signed in."""

    address: str
    token: str
    """The cookie's secret, which forms are bound to."""
    user: User | None = None

    @property
    def form_token(self) -> str:
        """What every form of this visitor carries; it cannot be made without the cookie."""
        return hmac.new(self.token.encode(), b"form", hashlib.sha256).hexdigest()

    def has_sent(self, form_token: object) -> bool:
        return isinstance(form_token, str) and hmac.compare_digest(
            self.form_token.encode(), form_token.encode()
        )


def digest(token: str) -> bytes:
    """What is kept of a cookie: who reads the database cannot come in with it."""
    return hashlib.sha256(token.encode()).digest()
