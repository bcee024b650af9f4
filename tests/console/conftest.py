"""One console and one browser for all tests; each test has cookies of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from console.users.roles import Role
from deploy.stack.stack import Stack
from tests.console import browser as browsing
from tests.console.console_environment import PASSWORD, Console, opened

Visiting = Callable[..., Page]
expect.set_options(timeout=browsing.SECONDS_MAX * 1000)


@pytest.fixture(scope="package")
def console(floor: Stack, tmp_path_factory: pytest.TempPathFactory) -> Console:
    return opened(floor, tmp_path_factory.mktemp("console"))


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Not for the whole run: while it is there, its loop runs in this thread, and tests of other
    packages that run one of their own could not."""
    with browsing.browser() as started:
        yield started


@pytest.fixture(scope="package")
def signed_in() -> dict[Role, StorageState]:
    """The cookies of those who have signed in already."""
    return {}


@pytest.fixture
def visiting(
    console: Console, chromium: Browser, signed_in: dict[Role, StorageState]
) -> Iterator[Visiting]:
    """A browser with no page yet, in front of which somebody of a role sits, or nobody who has
    signed in. The session is shared with other tests: who ends one signs in for it."""
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
