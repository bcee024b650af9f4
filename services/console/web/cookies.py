"""Cookies: session secret, form secret before sign-in, theme.

Over TLS their names begin with `__Host-`: a browser then accepts them from this host only.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

SESSION: Final = "session"
VISIT: Final = "visit"
THEME: Final = "theme"
THEMES: Final = ("dark", "light")
_YEAR_SECONDS: Final = 365 * 24 * 3600
_SECRET_LENGTH_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class Cookies:
    is_secure: bool

    def read(self, request: Request, name: str) -> str:
        return request.cookies.get(self._name(name), "")[:_SECRET_LENGTH_MAX]

    def set(self, response: Response, name: str, value: str, *, seconds: int | None = None) -> None:
        response.set_cookie(
            self._name(name),
            value,
            max_age=seconds,
            path="/",
            secure=self.is_secure,
            httponly=True,
            # Not strict: a link that a colleague sent must find the session.
            samesite="lax",
        )

    def remember(self, response: Response, name: str, value: str) -> None:
        self.set(response, name, value, seconds=_YEAR_SECONDS)

    def forget(self, response: Response, name: str) -> None:
        response.delete_cookie(
            self._name(name), path="/", secure=self.is_secure, httponly=True, samesite="lax"
        )

    def _name(self, name: str) -> str:
        return f"__Host-{name}" if self.is_secure else f"pitledger-{name}"


def new_visit() -> str:
    return secrets.token_urlsafe(24)
