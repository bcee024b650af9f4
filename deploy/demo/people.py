"""One user of every role for the console of the demonstration, and a tour of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from console.users.passwords import generate_password
from console.users.roles import ROLE_DESCRIPTIONS, Role
from deploy.demo.tour import Stop
from deploy.stack.service_process import as_role
from deploy.stack.stack import Stack
from pitctl.output.text import Page
from runtime.identity.files import write_private

FILE = "console-people.json"
FULL_NAMES = {
    Role.SURVEILLANCE: "Sue Okafor",
    Role.ACCOUNTING: "Ada Lindqvist",
    Role.PIT: "Pete Moreno",
    Role.CAGE: "Cai Brandt",
    Role.AUDITOR: "Aya Nakamura",
    Role.ADMINISTRATOR: "Robin Tate",
}
_APPLICATION = "console_application"


def ensure_people(stack: Stack) -> dict[str, str]:
    """Return user names and passwords, one per role; those of an earlier run are kept."""
    path = stack.settings.folder / FILE
    known: dict[str, str] = msgspec.json.decode(path.read_bytes()) if path.exists() else {}
    for role in Role:
        if (name := _name(role)) not in known:
            password = generate_password()
            if _add_user(stack, role, password):
                known[name] = password
    write_private(path, msgspec.json.encode(known))
    return known


def print_console(page: Page, stack: Stack, tour: Sequence[Stop], *, tables: int) -> None:
    """Print the address, the users and a tour of the planted faults."""
    origin = f"http://{stack.addresses(stack.state)['CONSOLE_ADDRESS']}"
    people = ensure_people(stack)
    page.blank()
    page.line(("Console: ", "bold"), origin)
    page.table(
        ("user name", "password", "role"),
        [(name, password, ROLES[name]) for name, password in people.items()],
    )
    page.line(
        f"Tour of the console. {tables} more tables open now and play in real time until "
        "`make down`:",
        indent=2,
    )
    for stop in tour:
        page.line(f"{origin}{stop.path}", indent=4)
        page.line((f"as {stop.who}: {stop.words}", "dim"), indent=6)


def _name(role: Role) -> str:
    """The name of the first administrator is taken: its password is shown only once."""
    return "office" if role is Role.ADMINISTRATOR else role.value


ROLES = {_name(role): words for role, words in ROLE_DESCRIPTIONS.items()}


def _add_user(stack: Stack, role: Role, password: str) -> bool:
    """Add a user; False if the name is taken by a user from elsewhere."""
    url = as_role(stack.database_url, _APPLICATION, stack.state.passwords[_APPLICATION])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "console.users", "add", _name(role), "--role", role.value),
            *("--full-name", FULL_NAMES[role]),
        ],
        env={**os.environ, "DATABASE_URL": url, "PERSON_PASSWORD": password},
        cwd=Path.cwd(),
        capture_output=True,
        check=False,
    )
    return done.returncode == 0
