"""The door: signing in and out, who is behind a cookie, and the first administrator."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from console.postgres.user_store import Store
from console.users.errors import NotLetIn, NotTaken, TooManyTries
from console.users.passwords import hash_password, is_right, made_up, weakness
from console.users.roles import Role
from console.users.user import Person

FIRST: Final = "administrator"
FROM_ONE_PLACE: Final = 4
"""A place, and a name, may fail so many times as often as a name from one place: a room shares an
address, and nobody is to be locked out by somebody else."""
SEEN_EVERY: Final = timedelta(seconds=30)
"""How exactly it is kept when somebody last did something."""


@dataclass(frozen=True, slots=True)
class Limits:
    idle: timedelta
    session: timedelta
    failures_max: int
    failures_within: timedelta


class Door:
    def __init__(
        self, store: Store, limits: Limits, *, now: Callable[[], datetime] | None = None
    ) -> None:
        self._store = store
        self._limits = limits
        self._now = now or (lambda: datetime.now(UTC))

    async def sign_in(self, name: str, password: str, address: str) -> tuple[str, Person]:
        """The secret of a new session, and whose it is; or `NotLetIn`, or `TooManyTries`."""
        name, now, limits = name.strip().lower()[:80], self._now(), self._limits
        here, place, named = await self._store.failures(
            name, address, since=now - limits.failures_within
        )
        most = limits.failures_max
        if here >= most or max(place, named) >= FROM_ONE_PLACE * most:
            raise TooManyTries(round(limits.failures_within.total_seconds()))
        found = await self._store.named(name)
        hashed = found[1] if found is not None and not found[0].disabled else None
        # In a thread: a hash is meant to take long, and others are waiting for their pages.
        right = await asyncio.to_thread(is_right, password, hashed)
        await self._store.tried(name, address, let_in=right, now=now)
        if found is None or not right:
            raise NotLetIn
        return await self._begin(found[0], address, now), found[0]

    async def choose_password(
        self, person: Person, *, old: str, new: str, again: str, address: str
    ) -> str:
        """Sets it, and begins a new session in place of all others."""
        found = await self._store.named(person.name)
        if found is None or not await asyncio.to_thread(is_right, old, found[1]):
            raise NotTaken("old", "this is not the password")
        if new != again:
            raise NotTaken("again", "the two are not the same")
        if new == old:
            raise NotTaken("new", "it is the old one")
        if reason := weakness(new, person.name):
            raise NotTaken("new", reason)
        hashed = await asyncio.to_thread(hash_password, new)
        await self._store.set_password(person.name, hashed, one_time=False)
        return await self._begin(person, address, self._now())

    async def behind(self, token: str, *, is_used: bool) -> Person | None:
        """Whose session it is; `is_used` where a person did something, and not a page by itself."""
        now = self._now()
        found = await self._store.in_session(
            token, begun_after=now - self._limits.session, seen_after=now - self._limits.idle
        )
        if found is None:
            return None
        person, seen_at = found
        if is_used and now - seen_at > SEEN_EVERY:
            await self._store.seen(token, now)
        return person

    async def sign_out(self, token: str) -> None:
        await self._store.end_session(token)

    async def first_password(self) -> str | None:
        """Makes the first administrator; the password, once, or None where people are there."""
        password = made_up()
        added = await self._store.add_first(
            name=FIRST,
            full_name="First administrator",
            roles=frozenset({Role.ADMINISTRATOR}),
            hashed=await asyncio.to_thread(hash_password, password),
        )
        return password if added else None

    async def _begin(self, person: Person, address: str, now: datetime) -> str:
        token = secrets.token_urlsafe(32)
        await self._store.begin_session(
            token, person.id, address, now=now, keep=self._limits.session
        )
        return token
