"""One console and one browser for all tests; each test has cookies of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from console.people.roles import Role
from deploy.stack.stack import Stack
from tests.console import browsing
from tests.console.house import PASSWORD, Console, opened

Visiting = Callable[..., Page]
expect.set_options(timeout=browsing.SECONDS_MAX * 1000)


@pytest.fixture(scope="session")
def console(floor: Stack, tmp_path_factory: pytest.TempPathFactory) -> Console:
    return opened(floor, tmp_path_factory.mktemp("console"))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Not for the whole run: while it is there, its loop runs in this thread, and tests of other
    modules that run one of their own could not."""
    with browsing.browser() as started:
        yield started


@pytest.fixture
def visiting(console: Console, chromium: Browser) -> Iterator[Visiting]:
    """A browser in front of which somebody of a role sits; or nobody who has signed in yet."""
    with ExitStack() as visits:

        def visit(role: Role | None = None, *, size: str = "desk") -> Page:
            _, page = visits.enter_context(browsing.visit(chromium, console.origin, size=size))
            if role is not None:
                browsing.sign_in(page, console.name_of(role), PASSWORD)
                page.wait_for_url(lambda url: "/sign-in" not in url)
            return page

        yield visit
