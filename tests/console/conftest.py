"""One console and one browser for all tests; each test has cookies of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from console.people.roles import Role
from deploy.stack.stack import Stack
from tests.console import browsing
from tests.console.house import PASSWORD, Console, opened

Visiting = Callable[..., Page]
STARTED = pytest.StashKey[tuple[Browser, ExitStack]]()
expect.set_options(timeout=browsing.SECONDS_MAX * 1000)


@pytest.fixture(scope="session")
def console(floor: Stack, tmp_path_factory: pytest.TempPathFactory) -> Console:
    return opened(floor, tmp_path_factory.mktemp("console"))


@pytest.fixture
def chromium(request: pytest.FixtureRequest) -> Browser:
    """Started by the first test that looks through it."""
    stash = request.config.stash
    if STARTED not in stash:
        ending = ExitStack()
        stash[STARTED] = ending.enter_context(browsing.browser()), ending
    return stash[STARTED][0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """While the browser is there its loop runs in this thread, and tests of other folders that run
    one of their own could not: it ends with the last of these."""
    is_last = nextitem is None or Path(__file__).parent not in nextitem.path.parents
    if is_last and STARTED in item.config.stash:
        item.config.stash[STARTED][1].close()
        del item.config.stash[STARTED]


@pytest.fixture(scope="session")
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
