"""The console of a stack with a user of every role and a disputed hand."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs
from pydantic import SecretStr

from blackjack.facts import Event, WagerPlaced
from blackjack.hand_history import parse
from console.postgres.user_store import UserStore
from console.users.administration import UserAdministration
from console.users.roles import Role
from deploy.stack.service_process import as_role
from deploy.stack.stack import Stack
from runtime.database.connection import DatabaseSettings
from runtime.database.pools import open_pool
from tests.pitctl.command import process
from tests.stack.looping import run_apart
from tests.stack.reporting import enrol_and_report
from tests.stack.service_house import eventually

DISPUTE = Path(__file__).parents[2] / "docs" / "hands" / "dispute.bj"
PASSWORD = "lantern-copper-sail-onward"
EVIL = "<script>document.title='broken'</script>"
"""A patron token that would run as a script if a page did not escape it."""
CONSOLE = "console"


@dataclass(frozen=True, slots=True)
class Console:
    stack: Stack
    suffix: str
    """The suffix of user and table names of this test worker."""

    @property
    def origin(self) -> str:
        return f"http://{self.stack.addresses(self.stack.state)['CONSOLE_ADDRESS']}"

    @property
    def table(self) -> str:
        return f"EVIL-{self.suffix}"

    @property
    def round(self) -> str:
        return f"R-{self.suffix}"

    @property
    def hand(self) -> str:
        """The address of the disputed hand."""
        return f"/hands/{self.table}/{self.round}"

    def name_of(self, role: Role) -> str:
        return f"{role}-{self.suffix}"

    @property
    def _database(self) -> str:
        role = f"{CONSOLE}_application"
        return as_role(self.stack.database_url, role, self.stack.state.passwords[role])

    def users(self, *arguments: str, password: str = "") -> str:
        """Run `python -m console.users`."""
        environment = {**os.environ, "DATABASE_URL": self._database, "PERSON_PASSWORD": password}
        done = subprocess.run(
            [sys.executable, "-m", "console.users", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def add_user(self, name: str, *roles: Role, full_name: str = "") -> None:
        options = [option for role in roles for option in ("--role", role)]
        self.users("add", name, "--full-name", full_name or name, *options, password=PASSWORD)

    async def add_every_role(self) -> None:
        settings = DatabaseSettings.model_validate({"database_url": SecretStr(self._database)})
        async with open_pool(CONSOLE, settings) as pool:
            administration = UserAdministration(UserStore(pool), by="operator", address="shell")
            for role in Role:
                name = self.name_of(role)
                await administration.add_user(
                    name=name, full_name=name, roles=frozenset({role}), password=PASSWORD
                )

    def play_the_dispute(self, folder: Path) -> None:
        """Report the disputed hand, and wait until it can be replayed."""
        history = DISPUTE.read_text("utf-8").replace("table BJ-11", f"table {self.table}")
        history = history.replace("R-204", self.round)
        events = [_with_script_token(event) for event in parse(history).events]
        enrol_and_report(self.stack, self.table, folder / "journal", events)
        stack = str(self.stack.settings.folder)
        eventually(
            lambda: process("replay", self.round, "--brief", STACK_DIR=stack).returncode == 0
        )


def open_console(stack: Stack, folder: Path) -> Console:
    console = Console(stack, secrets.token_hex(3))
    run_apart(console.add_every_role())
    console.play_the_dispute(folder)
    return console


def _with_script_token(event: Event) -> Event:
    fact = event.fact
    if isinstance(fact, WagerPlaced) and fact.patron == "P-312":
        return structs.replace(event, fact=structs.replace(fact, patron=EVIL))
    return event
