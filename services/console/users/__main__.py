"""User administration from a shell: `python -m console.users --help`.

For the first users, and for the day the last administrator has lost the password. It reads
DATABASE_URL as the console does; changes are in the audit log.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from typing import Final

from console.postgres.user_store import UserStore
from console.users.administration import UserAdministration
from console.users.errors import InvalidUser
from console.users.passwords import password_weakness
from console.users.roles import Role, parse_roles
from console.users.user import User
from runtime.database.connection import DatabaseSettings
from runtime.database.errors import DatabaseError
from runtime.database.pools import open_pool
from runtime.process import ExitCode
from runtime.settings import BadSettings

OPERATOR: Final = "operator"
PASSWORD: Final = "PERSON_PASSWORD"
SERVICE: Final = "console"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        settings = DatabaseSettings.from_environment()
        asyncio.run(_run(options, settings))
    except BadSettings as bad:
        print(f"console.users: {bad}", file=sys.stderr)
        return ExitCode.BAD_SETTINGS
    except (InvalidUser, DatabaseError) as error:
        print(f"console.users: {error}", file=sys.stderr)
        return ExitCode.FAILED
    return 0


async def _run(options: argparse.Namespace, settings: DatabaseSettings) -> None:
    async with open_pool(SERVICE, settings) as pool:
        store = UserStore(pool)
        administration = UserAdministration(store, by=OPERATOR, address="shell")
        match options.command:
            case "list":
                for user in await store.list_users():
                    print(_line(user))
            case "add":
                await _add(administration, options)
            case "password":
                user = await _find(store, options.name)
                print(f"{user.name} {await administration.reset_password(user)}")
            case _:
                user = await _find(store, options.name)
                await administration.set_locked(user, locked=options.command == "lock")


async def _add(administration: UserAdministration, options: argparse.Namespace) -> None:
    password = os.environ.get(PASSWORD) or None
    if password is not None and (reason := password_weakness(password, options.name)):
        raise InvalidUser(PASSWORD, reason)
    given = await administration.add_user(
        name=options.name,
        full_name=options.full_name or options.name,
        roles=parse_roles(options.role),
        password=password,
    )
    print(options.name if password is not None else f"{options.name} {given}")


async def _find(store: UserStore, name: str) -> User:
    found = await store.find(name)
    if found is None:
        raise InvalidUser("name", f"user {name} not found")
    return found[0]


def _line(user: User) -> str:
    state = "locked" if user.disabled else "one-time password" if user.one_time else "active"
    return f"{user.name:<20}  {', '.join(sorted(user.roles)):<30}  {state}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m console.users",
        description="Manage users of the console. Set DATABASE_URL to the console's database.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    commands.add_parser("list", help="list users")
    add = commands.add_parser(
        "add",
        help="add a user and print a one-time password",
        epilog=f"{PASSWORD} sets a permanent password instead",
    )
    add.add_argument("name", help="user name")
    add.add_argument("--full-name", default="", help="full name")
    add.add_argument(
        "--role",
        action="append",
        required=True,
        choices=[role.value for role in Role],
        help="role; repeat for several roles",
    )
    for name, words in (
        ("password", "reset the password and print a one-time password"),
        ("lock", "lock a user"),
        ("unlock", "unlock a user"),
    ):
        commands.add_parser(name, help=words).add_argument("name")
    return parser


if __name__ == "__main__":
    sys.exit(main())
