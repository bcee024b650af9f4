"""Sign-in and sign-out, sessions, and the first administrator."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from console.postgres.user_store import UserStore
from console.users.errors import InvalidUser, LoginFailed, TooManyAttempts
from console.users.passwords import (
    generate_password,
    hash_password,
    password_weakness,
    verify_password,
)
from console.users.roles import Role
from console.users.user import User

FIRST: Final = "administrator"
ADDRESS_FACTOR: Final = 4
"""An address, or a name, may fail this many times as often as a name from one address: users of a
room share an address, and must not lock each other out."""
TOUCH_INTERVAL: Final = timedelta(seconds=30)
"""The resolution of the time of last use."""


@dataclass(frozen=True, slots=True)
class SignInLimits:
    """Limits of sessions and failed attempts."""

    idle: timedelta
    session: timedelta
    failures_max: int
    failures_within: timedelta


class SignInService:
    """Checks passwords, and keeps sessions."""

    def __init__(
        self, store: UserStore, limits: SignInLimits, *, now: Callable[[], datetime] | None = None
    ) -> None:
        self._store = store
        self._limits = limits
        self._now = now or (lambda: datetime.now(UTC))

    async def sign_in(self, name: str, password: str, address: str) -> tuple[str, User]:
        """Return the secret of a new session, and its user.

        Raises `LoginFailed` or `TooManyAttempts`.
        """
        name, now, limits = name.strip().lower()[:80], self._now(), self._limits
        by_both, by_address, by_name = await self._store.failures(
            name, address, since=now - limits.failures_within
        )
        most = limits.failures_max
        if by_both >= most or max(by_address, by_name) >= ADDRESS_FACTOR * most:
            raise TooManyAttempts(round(limits.failures_within.total_seconds()))
        found = await self._store.find(name)
        hashed = found[1] if found is not None and not found[0].disabled else None
        # In a thread: hashing is slow by design, and other pages must not wait for it.
        matches = await asyncio.to_thread(verify_password, password, hashed)
        await self._store.record_attempt(name, address, succeeded=matches, now=now)
        if found is None or not matches:
            raise LoginFailed
        return await self._begin(found[0], address, now), found[0]

    async def change_password(
        self, user: User, *, old: str, new: str, again: str, address: str
    ) -> str:
        """Set the password, and begin a new session in place of all others."""
        found = await self._store.find(user.name)
        if found is None or not await asyncio.to_thread(verify_password, old, found[1]):
            raise InvalidUser("current password", "the current password is wrong")
        if new != again:
            raise InvalidUser("repeated password", "the new passwords differ")
        if new == old:
            raise InvalidUser("new password", "the new password equals the current one")
        if reason := password_weakness(new, user.name):
            raise InvalidUser("new password", reason)
        hashed = await asyncio.to_thread(hash_password, new)
        await self._store.set_password(user.name, hashed, one_time=False)
        return await self._begin(user, address, self._now())

    async def user_of_session(self, token: str, *, is_used: bool) -> User | None:
        """The user of a session; `is_used` is false for requests of open pages."""
        now = self._now()
        found = await self._store.find_session(
            token, begun_after=now - self._limits.session, seen_after=now - self._limits.idle
        )
        if found is None:
            return None
        user, seen_at = found
        if is_used and now - seen_at > TOUCH_INTERVAL:
            await self._store.touch_session(token, now)
        return user

    async def sign_out(self, token: str) -> None:
        await self._store.end_session(token)

    async def create_first_administrator(self) -> str | None:
        """Create the first administrator; return the password, or None if users exist."""
        password = generate_password()
        added = await self._store.add_first(
            name=FIRST,
            full_name="First administrator",
            roles=frozenset({Role.ADMINISTRATOR}),
            hashed=await asyncio.to_thread(hash_password, password),
        )
        return password if added else None

    async def _begin(self, user: User, address: str, now: datetime) -> str:
        token = secrets.token_urlsafe(32)
        await self._store.begin_session(token, user.id, address, now=now, keep=self._limits.session)
        return token
