"""One console and one browser for all tests; each test has its own pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from console.users.roles import Role
from deploy.stack.stack import Stack
from tests.console import browser as browsing
from tests.console.console_environment import PASSWORD, Console, open_console

Visiting = Callable[..., Page]
expect.set_options(timeout=browsing.SECONDS_MAX * 1000)


@pytest.fixture(scope="package")
def console(floor: Stack, tmp_path_factory: pytest.TempPathFactory) -> Console:
    return open_console(floor, tmp_path_factory.mktemp("console"))


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Package scope, not session: its event loop blocks other loops in this thread."""
    with browsing.browser() as started:
        yield started


@pytest.fixture(scope="package")
def signed_in() -> dict[Role, StorageState]:
    """Cookies by role, of users who are signed in."""
    return {}


@pytest.fixture
def visiting(
    console: Console, chromium: Browser, signed_in: dict[Role, StorageState]
) -> Iterator[Visiting]:
    """Open pages signed in with a role, or signed out.

    Sessions are shared between tests: a test that ends a session must sign in for itself.
    """
    with ExitStack() as visits:

        def visit(role: Role | None = None) -> Page:
            if role is not None and role not in signed_in:
                with browsing.visit(chromium, console.origin) as (context, page):
                    browsing.sign_in(page, console.name_of(role), PASSWORD)
                    page.wait_for_url(lambda url: "/sign-in" not in url)
                    signed_in[role] = context.storage_state()
            cookies = None if role is None else signed_in[role]
            found = browsing.visit(chromium, console.origin, cookies=cookies)
            return visits.enter_context(found)[1]

        yield visit
