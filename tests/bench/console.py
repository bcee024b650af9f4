"""The console on a whole stack, in a real Chromium: what somebody in front of it waits for.

An alert is written to its topic, and seen in the list of a page; a watch of the alert desk sees the
same alert in the same run, and is what the page is held against. A hand's page is asked for with a
thousand rounds in the index and with a million around it. Two hundred look at live pages at once,
and the memory of the console's process is held against that with nobody there. What a first visit
loads is counted for every page.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

from casino.surveillance.v1.service_pb2 import WatchRequest
from console.users.roles import Role
from deploy.stack.settings import NAMES, read_settings
from deploy.stack.stack import Stack
from pitctl.alert_desk.client import ALERT_DESK
from tests.bench.archive import FEW, MANY, MANY_QUICK, synthesise
from tests.bench.measure import Measurement, compared_at_most, limited
from tests.console import browser as browsing
from tests.console.alert_publisher import alert_publisher, make_alerts, publish_alerts
from tests.console.console_environment import PASSWORD, Console

VIEWERS: Final = 200
ALERTS: Final = 40
ALERTS_QUICK: Final = 12
PAUSE_SECONDS: Final = 0.25
ASKED: Final = 20
SEEN_AIM: Final = 3.0
"""A page may take so many times as long as a program that watches the alert feed."""
STORED_AIM: Final = 2.0
NO_STORE: Final = "/games/skweezit"
"""A page of exact odds, which are in the program itself."""
MEMORY_AIM: Final = 1.5
"""Two hundred who look may make the process so many times as large as nobody does."""
WEIGHT_AIM: Final = 300.0
KILOBYTE: Final = 1000
WEIGHED: Final = {
    Role.SURVEILLANCE: ("/floor", "/alerts", "/cases", "/hands", "HAND", "/system"),
    Role.ACCOUNTING: (
        "/day", "/cash", "/reports", "/reports/reconciliation", "/hold", "/promotions",
        "/promotions/new", "/games/skweezit",
    ),
}  # fmt: skip
_SEEN: Final = """() => {
    window.seen = {};
    new MutationObserver((changes) => {
        for (const change of changes) for (const node of change.addedNodes)
            if (node.dataset && node.dataset.id) window.seen[node.dataset.id] ??= Date.now();
    }).observe(document.getElementById("alerts"), {childList: true});
}"""
_WEIGHT: Final = """() => [performance.getEntriesByType("navigation")[0],
    ...performance.getEntriesByType("resource")]
    .reduce((sum, each) => sum + each.encodedBodySize, 0)"""


@contextmanager
def house() -> Iterator[Console]:
    """A whole stack of our own with two people and a hand in it; ended with its data."""
    folder = Path(tempfile.mkdtemp(prefix="bench-console-"))
    kept = {"STACK_CACHE_DIR", "STACK_NOBODY_DIR", "MAVEN_REPOSITORY", "PG_BIN"}
    around = {name: value for name, value in os.environ.items() if name not in {*NAMES} - kept}
    ports = ("KAFKA", "KAFKA_CONTROLLER", "POSTGRES", "SERVICES")
    free = {f"STACK_{name}_PORT": "0" for name in ports}
    stack = Stack(read_settings({**around, **free, "STACK_DIR": str(folder / "stack")}))
    try:
        stack.up()
        console = Console(stack, "bench")
        for role in WEIGHED:
            console.add_user(console.name_of(role), role)
        console.play_the_dispute(folder)
        yield console
    finally:
        stack.down(remove_data=True)
        shutil.rmtree(folder, ignore_errors=True)


async def watched(console: Console, ids: set[str], seen: dict[str, float]) -> None:
    """When a watch of the desk has each of these, in seconds since 1970."""
    environment = console.stack.operator_environment(console.stack.state)
    place = ALERT_DESK.find(environment["ALERT_DESK_ADDRESS"], environment["IDENTITY_FOLDER"])
    async with ALERT_DESK.connected(place) as desk, asyncio.timeout(120):
        async for said in desk.Watch(WatchRequest()):
            if said.WhichOneof("what") == "alert" and said.alert.id in ids:
                seen[said.alert.id] = time.time()
            if seen.keys() >= ids:
                return


def see_alerts(console: Console, page: Page, count: int) -> list[Measurement]:
    page.goto("/alerts")
    page.wait_for_function("document.getElementById('link-state').dataset.state === 'live'")
    page.evaluate(_SEEN)
    alerts = make_alerts(console, count)
    ids = {alert.id for alert in alerts}
    by_watch: dict[str, float] = {}
    said: dict[str, float] = {}
    with ThreadPoolExecutor(1) as thread:
        watching = thread.submit(asyncio.run, watched(console, ids, by_watch))
        page.wait_for_timeout(2_000)  # the watch stands
        with alert_publisher(console) as publish:
            for alert in alerts:
                said[alert.id] = time.time()
                publish([alert])
                page.wait_for_timeout(PAUSE_SECONDS * 1000)
        watching.result()
    page.wait_for_function("(ids) => ids.every((id) => id in window.seen)", arg=sorted(ids))
    on_screen = {name: at / 1000 for name, at in page.evaluate("window.seen").items()}
    base = Measurement(
        "alert on the wire to a watch of the desk, median", _median(said, by_watch), "ms"
    )
    name = "alert on the wire to the screen, median"
    return [base, compared_at_most(name, _median(said, on_screen), "ms", base, aim=SEEN_AIM)]


def _median(said: dict[str, float], seen: dict[str, float]) -> float:
    return statistics.median((seen[name] - at) * 1000 for name, at in said.items())


def open_hands(console: Console, page: Page, many: int) -> list[Measurement]:
    """A hand's page turn about with one that asks no store: minutes lie between few and many,
    and what the machine does otherwise by then falls on both alike."""
    synthesise(console.stack.database_url, 1, FEW)
    few, other_then = _waited(console, page)
    synthesise(console.stack.database_url, FEW, many)
    value, other = _waited(console, page)
    ratio = (value / other) / (few / other_then)
    base = f"a hand's page, {FEW:,} rounds stored"
    return [
        Measurement(base, few, "ms"),
        Measurement(
            f"a hand's page, {many:,} rounds stored", value, "ms",
            f"{base}; both against {NO_STORE}", round(ratio, 3), STORED_AIM, ratio <= STORED_AIM,
        ),
    ]  # fmt: skip


def _waited(console: Console, page: Page) -> tuple[float, float]:
    """Milliseconds for a hand's page and the other: the lower quartiles, for neighbours disturb."""
    took: dict[str, list[float]] = {console.hand: [], NO_STORE: []}
    for number in range(ASKED + 1):
        for path, times in took.items():
            began = time.perf_counter()
            assert page.request.get(path).ok
            if number:  # the first one warms up
                times.append((time.perf_counter() - began) * 1000)
    hand, other = (statistics.quantiles(times, n=4)[0] for times in took.values())
    return hand, other


def look_at_once(console: Console, cookie: str) -> list[Measurement]:
    """Half of them at alerts, half at the floor; a hundred alerts come while they look."""
    base = Measurement("memory of the console, nobody looks", _memory(console), "MB")
    looking = asyncio.run(_look(console, cookie))
    title = f"memory of the console, {VIEWERS} look at live pages"
    return [base, compared_at_most(title, looking, "MB", base, aim=MEMORY_AIM)]


async def _look(console: Console, cookie: str) -> float:
    address = console.origin.removeprefix("http://")
    host, _, port = address.partition(":")

    async def view(path: str, lines: AsyncExitStack) -> asyncio.Task[None]:
        reader, writer = await asyncio.open_connection(host, int(port))
        lines.callback(writer.close)
        asked = f"GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n\r\n"
        writer.write(asked.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.splitlines()[0], head
        return asyncio.create_task(_drain(reader))

    async with AsyncExitStack() as lines:
        readers = [
            await view("/live/alerts" if number % 2 else "/live/floor", lines)
            for number in range(VIEWERS)
        ]
        await asyncio.to_thread(publish_alerts, console, make_alerts(console, 100))
        await asyncio.sleep(5)
        found = _memory(console)
        for page in readers:
            assert not page.done(), "a page was let go"
            page.cancel()
    return found


async def _drain(reader: asyncio.StreamReader) -> None:
    while await reader.read(65_536):
        pass


def _memory(console: Console) -> float:
    pid = console.stack.state.processes["console"].pid
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) * 1024 / KILOBYTE**2


def weigh(console: Console, browser: Any) -> list[Measurement]:
    found: dict[str, float] = {}
    for role, paths in WEIGHED.items():
        with browsing.visit(browser, console.origin) as (_, page):
            browsing.sign_in(page, console.name_of(role), PASSWORD)
            page.wait_for_url(lambda url: "/sign-in" not in url)
            for path in paths:
                page.goto(console.hand if path == "HAND" else path)
                page.wait_for_timeout(500)
                found[path] = page.evaluate(_WEIGHT) / KILOBYTE
    heaviest = max(found, key=found.__getitem__)
    name = f"weight of {len(found)} pages at a first visit, the heaviest ({heaviest.lower()})"
    return [limited(name, found[heaviest], "kB", aim=WEIGHT_AIM)]


def measure(*, quick: bool) -> list[Measurement]:
    with house() as console, browsing.browser() as browser:
        with browsing.visit(browser, console.origin) as (_, page):
            browsing.sign_in(page, console.name_of(Role.SURVEILLANCE), PASSWORD)
            page.wait_for_url(lambda url: "/sign-in" not in url)
            found = see_alerts(console, page, ALERTS_QUICK if quick else ALERTS)
            found += open_hands(console, page, MANY_QUICK if quick else MANY)
            page.goto("/games")
            (session,) = (e for e in page.context.cookies() if e["name"].endswith("session"))
            cookie = f"{session['name']}={session['value']}"
            with ThreadPoolExecutor(1) as thread:  # the browser's loop runs in this one
                found += thread.submit(look_at_once, console, cookie).result()
        return [*found, *weigh(console, browser)]
