"""People from a shell, for whoever holds the console's database: `python -m console.users --help`.

For a first set of people, and for the day on which the last administrator has lost a password. It
reads DATABASE_URL as the console does, and what it does stands in the record of changes.
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
    asked = _parser().parse_args(arguments)
    try:
        settings = DatabaseSettings.from_environment()
        asyncio.run(_carry_out(asked, settings))
    except BadSettings as bad:
        print(f"console.users: {bad}", file=sys.stderr)
        return ExitCode.BAD_SETTINGS
    except (InvalidUser, DatabaseError) as error:
        print(f"console.users: {error}", file=sys.stderr)
        return ExitCode.FAILED
    return 0


async def _carry_out(asked: argparse.Namespace, settings: DatabaseSettings) -> None:
    async with open_pool(SERVICE, settings) as pool:
        store = UserStore(pool)
        office = UserAdministration(store, by=OPERATOR, address="shell")
        match asked.command:
            case "list":
                for user in await store.list_users():
                    print(_line(user))
            case "add":
                await _add(office, asked)
            case "password":
                user = await _named(store, asked.name)
                print(f"{user.name} {await office.reset_password(user)}")
            case _:
                await office.lock(await _named(store, asked.name), out=asked.command == "lock")


async def _add(office: UserAdministration, asked: argparse.Namespace) -> None:
    password = os.environ.get(PASSWORD) or None
    if password is not None and (reason := password_weakness(password, asked.name)):
        raise InvalidUser(PASSWORD, reason)
    given = await office.add_user(
        name=asked.name,
        full_name=asked.full_name or asked.name,
        roles=parse_roles(asked.role),
        password=password,
    )
    print(asked.name if password is not None else f"{asked.name} {given}")


async def _named(store: UserStore, name: str) -> User:
    found = await store.find(name)
    if found is None:
        raise InvalidUser("name", f"there is no {name}")
    return found[0]


def _line(user: User) -> str:
    state = "locked out" if user.disabled else "one-time password" if user.one_time else "in use"
    return f"{user.name:<20}  {', '.join(sorted(user.roles)):<30}  {state}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m console.users",
        description="Let people in, from a shell. DATABASE_URL is that of the console.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    commands.add_parser("list", help="who there is")
    add = commands.add_parser(
        "add",
        help="let somebody in; prints a one-time password",
        epilog=f"with {PASSWORD} set, that is the password, and it stays",
    )
    add.add_argument("name", help="to sign in with")
    add.add_argument("--full-name", default="", help="as others know the person")
    add.add_argument(
        "--role",
        action="append",
        required=True,
        choices=[each.value for each in Role],
        help="may be said several times",
    )
    for name, words in (
        ("password", "give a new one-time password, and print it"),
        ("lock", "lock somebody out"),
        ("unlock", "let somebody in again"),
    ):
        commands.add_parser(name, help=words).add_argument("name")
    return parser


if __name__ == "__main__":
    sys.exit(main())
