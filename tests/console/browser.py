"""A real Chromium with isolated sessions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, StorageState, sync_playwright

from deploy.browser import find

SECONDS_MAX = 30.0
SIZES = {"desk": (1280, 800), "wall": (1920, 1080), "tablet": (820, 1180)}


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # The sandbox needs rights that root and containers often do not have; all pages are ours.
        started = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()


@contextmanager
def visit(
    browser: Browser,
    origin: str,
    *,
    size: str = "desk",
    scale: float = 1.0,
    cookies: StorageState | None = None,
) -> Iterator[tuple[BrowserContext, Page]]:
    """Open a browser context with only the given cookies."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=origin,
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        accept_downloads=True,
        storage_state=cookies,
    )
    context.set_default_timeout(SECONDS_MAX * 1000)
    try:
        yield context, context.new_page()
    finally:
        context.close()


def sign_in(page: Page, name: str, password: str) -> None:
    """Sign in by the form."""
    page.goto("/sign-in")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
