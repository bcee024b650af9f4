"""Screenshots of every page at each width, in the theme of the role: `make screens`.

At the first width in the other theme, too. They show the running stack, which `make demo` has
filled. A user of each role is added for this, and locked afterwards.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page

from console.users.roles import Role
from deploy.stack.errors import StackError
from deploy.stack.settings import read_settings
from deploy.stack.stack import Stack, without_own
from tests.console import browser as browsing
from tests.console.console_environment import PASSWORD, Console

FOLDER = Path("build/screens")
WAIT_MS = 600
"""Time for live updates and fonts to load."""
HAND, DAY = "HAND", "DAY"
NAMES = {
    Role.SURVEILLANCE: "Sue Okafor",
    Role.ACCOUNTING: "Ada Lindqvist",
    Role.PIT: "Pete Moreno",
    Role.ADMINISTRATOR: "Robin Tate",
}
PAGES: dict[Role | None, dict[str, str]] = {
    None: {"sign-in": "/sign-in"},
    Role.SURVEILLANCE: {
        "floor": "/floor",
        "alerts": "/alerts",
        "alert": "ALERT",
        "cases": "/cases",
        "case": "CASE",
        "hands": "/hands?finding=payout",
        "hand": HAND,
        "system": "/system",
    },
    Role.ACCOUNTING: {
        "day": f"/day?day={DAY}",
        "cash": f"/cash?kind=count&day={DAY}",
        "reports": f"/reports?day={DAY}",
        "reconciliation": f"/reports/reconciliation?from={DAY}",
        "master-games": f"/reports/master_games?from={DAY}",
        "promotions": "/promotions",
        "terms": "/promotions/new",
        "hand-light": HAND,
    },
    Role.PIT: {
        "games": "/games",
        "game": "/games/skweezit",
        "certificate": "/games/skweezit/skweezit/6/1",
    },
    Role.ADMINISTRATOR: {
        "users": "/users",
        "audit-log": "/users/audit-log",
        "password": "/password",
    },
}


def main() -> int:
    stack = Stack(without_own(read_settings(os.environ)))
    try:
        console = Console(stack, f"screens-{secrets.token_hex(3)}")
        origin = console.origin
    except (StackError, KeyError) as error:
        print(f"screens: {error}; `make demo` starts a stack and fills it", file=sys.stderr)
        return 1
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    roles = [role for role in PAGES if role is not None]
    for role in roles:
        console.add_user(console.name_of(role), role, full_name=NAMES[role])
    with browsing.browser() as browser:
        for size in browsing.SIZES:
            for user_role, pages in PAGES.items():
                with browsing.visit(browser, origin, size=size) as (_, page):
                    if user_role is not None:
                        browsing.sign_in(page, console.name_of(user_role), PASSWORD)
                        page.wait_for_url(lambda url: "/sign-in" not in url)
                    addresses = {name: _resolve(page, path) for name, path in pages.items()}
                    for name, path in addresses.items():
                        take_screenshot(page, path, FOLDER / f"{name}-{size}.png")
                    if user_role is not None and size == next(iter(browsing.SIZES)):
                        page.get_by_role("button", name="Switch to").click()
                        for name, path in addresses.items():
                            take_screenshot(page, path, FOLDER / f"{name}-{size}-other.png")
    for role in roles:
        console.users("lock", console.name_of(role))
    print(f"{len(list(FOLDER.glob('*.png')))} screenshots in {FOLDER}")
    return 0


def take_screenshot(page: Page, path: str, file: Path) -> None:
    page.goto(path)
    page.wait_for_timeout(WAIT_MS)
    page.screenshot(path=file)


def _resolve(page: Page, path: str) -> str:
    """The address of a page that depends on the data of the stack."""
    if path == HAND:
        page.goto("/hands?finding=payout")
        link = page.locator(".hands-table tbody th a").first
        return str(link.get_attribute("href")) if link.count() else "/hands"
    if path == "ALERT":
        page.goto("/alerts?text=payout")
        link = page.locator("#alerts .sentence").first
        return str(link.get_attribute("href")) if link.count() else "/alerts"
    if path == "CASE":
        page.goto("/cases")
        link = page.locator("tbody th a").first
        return str(link.get_attribute("href")) if link.count() else "/cases"
    if DAY in path:
        page.goto("/day")
        worked = page.locator(".day-tabs a").filter(has_not_text="open").last
        tab = worked if worked.count() else page.locator(".day-tabs a").last
        return path.replace(DAY, str(tab.get_attribute("href")).partition("day=")[2])
    return path


if __name__ == "__main__":
    sys.exit(main())
