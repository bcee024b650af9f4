"""Every page warns that surveillance is behind: a real alert desk measures it for a console.

Neither surveillance nor the other services run here: pages show that they are unavailable, and
still warn.
"""

from __future__ import annotations

import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

from pydantic import SecretStr

from console.postgres.user_store import UserStore
from console.users.administration import UserAdministration
from console.users.roles import Role
from console.web.display.navigation import links_for
from runtime.database.connection import DatabaseSettings
from runtime.database.pools import open_pool
from tests.alert_desk.house import SERVICE as DESK
from tests.alert_desk.house import House as Desk
from tests.alert_desk.test_lag_alert import read_by_surveillance, read_up_to
from tests.console.console_environment import PASSWORD
from tests.stack.broker import Broker
from tests.stack.databases import Database, Databases
from tests.stack.houses import making
from tests.stack.looping import run_apart
from tests.stack.ports import own_port
from tests.stack.service_house import SECONDS_MAX, ServiceHouse, eventually, urls_of
from wire import topics

CONSOLE = "console"
WARNING = re.compile(
    r'role="status"[^>]*><p class="lag-warning">'
    r"Surveillance is [\d,]+ seconds behind. Alerts may be late.</p></div>"
)


class Console(ServiceHouse):
    def __init__(
        self, folder: Path, broker: Broker, database: Database, **environment: str
    ) -> None:
        self.origin = f"http://127.0.0.1:{own_port()}"
        web = {"WEB_ADDRESS": self.origin.removeprefix("http://")}
        super().__init__(CONSOLE, folder, broker, database, sizes={}, environment=environment | web)
        self._visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def page(self, path: str, **form: str) -> str:
        """Load a page, an error page included."""
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(self.origin + path, data, {"Origin": self.origin})
        try:
            with self._visitor.open(request, timeout=SECONDS_MAX) as response:
                return str(response.read().decode())
        except urllib.error.HTTPError as error:
            return error.read().decode()

    def sign_in(self, role: Role) -> None:
        async def add_user() -> None:
            url = SecretStr(urls_of(CONSOLE, self.database.url)[0])
            settings = DatabaseSettings.model_validate({"database_url": url})
            async with open_pool(CONSOLE, settings) as pool:
                administration = UserAdministration(UserStore(pool), by="operator", address="shell")
                await administration.add_user(
                    name=role, full_name=role, roles=frozenset({role}), password=PASSWORD
                )

        run_apart(add_user())
        token = re.search(r'name="form_token" value="([^"]+)"', self.page("/sign-in"))
        assert token is not None
        self.page("/sign-in", name=role, password=PASSWORD, form_token=token[1])


@contextmanager
def watched(folder: Path, broker: Broker, databases: Databases) -> Iterator[tuple[Desk, Console]]:
    with (
        making(Desk, DESK, folder, broker, databases) as make_desk,
        making(Console, CONSOLE, folder, broker, databases) as make_console,
    ):
        desk = make_desk()
        read_by_surveillance(desk)
        desk.start()
        away = f"127.0.0.1:{own_port()}"
        others = ("ROUND_ARCHIVE_ADDRESS", "ACCOUNTING_ADDRESS", "TABLE_GATEWAY_ADDRESS")
        console = make_console(ALERT_DESK_ADDRESS=str(desk.address), **dict.fromkeys(others, away))
        console.start()
        yield desk, console


def test_every_page_warns_while_surveillance_is_behind(
    tmp_path: Path, broker: Broker, databases: Databases
) -> None:
    with watched(tmp_path, broker, databases) as (desk, console):
        assert "behind" not in console.page("/sign-in")
        console.sign_in(Role.SURVEILLANCE)
        assert not WARNING.search(console.page("/system"))
        assert console.page("/live/lag") == ""
        desk.broker.write(desk.topic(topics.FINDINGS), [b"x"])
        eventually(lambda: "lag-warning" in console.page("/live/lag"))
        for link in links_for(frozenset({Role.SURVEILLANCE})):
            assert WARNING.search(console.page(link.path)), link.path
        system = console.page("/system")
        row = re.search(r'<tr>.*?<td[^>]*title="findings"[^>]*>Findings</td>(.*?)</tr>', system)
        assert row is not None
        assert ">1<" in row[1]
        assert "Accounting is unavailable." in system
        read_up_to(desk, 1)
        eventually(lambda: console.page("/live/lag") == "")
        assert not WARNING.search(console.page("/system"))
