"""What an administrator does for people: let in, give roles, give a new password, lock out.

Each is audited with who did it, from where. Nobody changes their own rights, so that there is
always somebody left who can.
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
    """Acts for one person at one place."""

    def __init__(self, store: UserStore, *, by: str, address: str) -> None:
        self._store = store
        self._by = by
        self._address = address

    async def add_user(
        self, *, name: str, full_name: str, roles: Roles, password: str | None = None
    ) -> str:
        """Adds a person; the password, which is good for one time unless it was given."""
        name = name.strip().lower()
        if NAME.fullmatch(name) is None:
            reason = "2 to 32 small letters, digits, dots and dashes, a letter first"
            raise InvalidUser("name", reason)
        if not 1 <= len(full_name) <= FULL_NAME_LENGTH_MAX or not full_name.isprintable():
            raise InvalidUser("full name", f"1 to {FULL_NAME_LENGTH_MAX} characters")
        _check(roles)
        one_time = password is None
        password = password or generate_password()
        hashed = await asyncio.to_thread(hash_password, password)
        await self._store.add(
            name=name, full_name=full_name, roles=roles, hashed=hashed, one_time=one_time
        )
        await self._record("let in", name, f"as {_said(roles)}")
        return password

    async def set_roles(self, user: User, roles: Roles) -> None:
        self._check_other(user)
        _check(roles)
        await self._store.set_roles(user.name, roles)
        await self._record("roles given", user.name, f"{_said(roles)}, before {_said(user.roles)}")

    async def reset_password(self, user: User) -> str:
        """A new one, good for one time."""
        self._check_other(user)
        password = generate_password()
        hashed = await asyncio.to_thread(hash_password, password)
        await self._store.set_password(user.name, hashed, one_time=True)
        await self._record("password given", user.name, "good for one time")
        return password

    async def lock(self, user: User, *, out: bool) -> None:
        self._check_other(user)
        await self._store.set_disabled(user.name, out)
        await self._record("locked out" if out else "let in again", user.name, "")

    def _check_other(self, user: User) -> None:
        if user.name == self._by:
            raise InvalidUser(
                "person", "nobody changes their own rights: another administrator does"
            )

    async def _record(self, what: str, subject: str, words: str) -> None:
        await self._store.record_change(
            person=self._by, address=self._address, what=what, subject=subject, words=words
        )


def _check(roles: Roles) -> None:
    if not roles:
        raise InvalidUser("roles", "choose at least one")
    if reason := conflict(roles):
        raise InvalidUser("roles", reason)


def _said(roles: Roles) -> str:
    return ", ".join(sorted(roles))
