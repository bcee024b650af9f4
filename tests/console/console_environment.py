"""The console of a whole stack, people of every role in it, and a hand that somebody disputes."""

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
"""A patron whose token would run, if a page ever let it."""
CONSOLE = "console"


@dataclass(frozen=True, slots=True)
class Console:
    stack: Stack
    suffix: str
    """What names of this worker's people and tables end with."""

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
        """Where the disputed hand is shown."""
        return f"/hands/{self.table}/{self.round}"

    def name_of(self, role: Role) -> str:
        return f"{role}-{self.suffix}"

    @property
    def _database(self) -> str:
        role = f"{CONSOLE}_application"
        return as_role(self.stack.database_url, role, self.stack.state.passwords[role])

    def users(self, *arguments: str, password: str = "") -> str:
        """`python -m console.users`, as somebody with a shell would."""
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
        words = [word for role in roles for word in ("--role", role)]
        self.users("add", name, "--full-name", full_name or name, *words, password=PASSWORD)

    async def let_in_every_role(self) -> None:
        settings = DatabaseSettings.model_validate({"database_url": SecretStr(self._database)})
        async with open_pool(CONSOLE, settings) as pool:
            office = UserAdministration(UserStore(pool), by="operator", address="shell")
            for role in Role:
                name = self.name_of(role)
                await office.add_user(
                    name=name, full_name=name, roles=frozenset({role}), password=PASSWORD
                )

    def play_the_dispute(self, folder: Path) -> None:
        """Returns when the hand can be asked for."""
        history = DISPUTE.read_text("utf-8").replace("table BJ-11", f"table {self.table}")
        history = history.replace("R-204", self.round)
        events = [_renamed(each) for each in parse(history).events]
        enrol_and_report(self.stack, self.table, folder / "journal", events)
        stack = str(self.stack.settings.folder)
        eventually(
            lambda: process("replay", self.round, "--brief", STACK_DIR=stack).returncode == 0
        )


def opened(stack: Stack, folder: Path) -> Console:
    console = Console(stack, secrets.token_hex(3))
    run_apart(console.let_in_every_role())
    console.play_the_dispute(folder)
    return console


def _renamed(event: Event) -> Event:
    fact = event.fact
    if isinstance(fact, WagerPlaced) and fact.patron == "P-312":
        return structs.replace(event, fact=structs.replace(fact, patron=EVIL))
    return event
