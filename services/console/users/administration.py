"""User administration: add users, change roles, reset passwords, lock.

Every change is logged with its author and address. No administrator changes their own account, so
an active administrator always remains.
"""

from __future__ import annotations

import asyncio
import re
from typing import Final

from console.postgres.user_store import UserStore
from console.users.errors import InvalidUser
from console.users.passwords import generate_password, hash_password
from console.users.roles import Roles, conflict
from console.users.user import User

NAME: Final = re.compile(r"[a-z][a-z0-9._-]{1,31}")
FULL_NAME_LENGTH_MAX: Final = 80


class UserAdministration:
    """Acts on behalf of one administrator at one address."""

    def __init__(self, store: UserStore, *, by: str, address: str) -> None:
        self._store = store
        self._by = by
        self._address = address

    async def add_user(
        self, *, name: str, full_name: str, roles: Roles, password: str | None = None
    ) -> str:
        """Add a user and return the password, a one-time password unless one is given."""
        name = name.strip().lower()
        if NAME.fullmatch(name) is None:
            reason = (
                "enter 2 to 32 lower-case letters, digits, dots and dashes, starting with a letter"
            )
            raise InvalidUser("name", reason)
        if not 1 <= len(full_name) <= FULL_NAME_LENGTH_MAX or not full_name.isprintable():
            raise InvalidUser("full name", f"enter 1 to {FULL_NAME_LENGTH_MAX} characters")
        _check(roles)
        one_time = password is None
        password = password or generate_password()
        hashed = await asyncio.to_thread(hash_password, password)
        await self._store.add(
            name=name, full_name=full_name, roles=roles, hashed=hashed, one_time=one_time
        )
        await self._record("user added", name, f"as {_list(roles)}")
        return password

    async def set_roles(self, user: User, roles: Roles) -> None:
        self._check_other(user)
        _check(roles)
        await self._store.set_roles(user.name, roles)
        await self._record(
            "roles changed", user.name, f"{_list(roles)}, previously {_list(user.roles)}"
        )

    async def reset_password(self, user: User) -> str:
        """Set a one-time password, and return it."""
        self._check_other(user)
        password = generate_password()
        hashed = await asyncio.to_thread(hash_password, password)
        await self._store.set_password(user.name, hashed, one_time=True)
        await self._record("password reset", user.name, "one-time password")
        return password

    async def set_locked(self, user: User, *, locked: bool) -> None:
        """Lock or unlock the user; a locked user is signed out at once."""
        self._check_other(user)
        await self._store.set_disabled(user.name, locked)
        await self._record("user locked" if locked else "user unlocked", user.name, "")

    def _check_other(self, user: User) -> None:
        if user.name == self._by:
            raise InvalidUser("user", "another administrator must change your own account")

    async def _record(self, what: str, subject: str, words: str) -> None:
        await self._store.record_change(
            person=self._by, address=self._address, what=what, subject=subject, words=words
        )


def _check(roles: Roles) -> None:
    if not roles:
        raise InvalidUser("roles", "select at least one")
    if reason := conflict(roles):
        raise InvalidUser("roles", reason)


def _list(roles: Roles) -> str:
    return ", ".join(sorted(roles))
