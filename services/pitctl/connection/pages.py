"""Searches that answer page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from pitctl.output.exit import NEGATIVE, OK
from pitctl.output.json_out import print_fields
from pitctl.output.text import Page, count_noun

T = TypeVar("T")

PAGE_SIZE_MAX: Final = 500


async def collect_pages(
    fetch: Callable[[Any], Awaitable[Any]],
    request: Any,
    items: Callable[[Any], Iterable[T]],
    *,
    limit: int,
) -> tuple[list[T], bool]:
    """Collect items of as many pages as `limit` needs; return them, and whether there are more."""
    found: list[T] = []
    while True:
        request.page_size = min(limit - len(found), PAGE_SIZE_MAX)
        answer = await fetch(request)
        found += items(answer)
        request.page_token = answer.next_page_token
        if not request.page_token or len(found) >= limit:
            return found[:limit], bool(request.page_token)


def print_items(items: Iterable[Message], print_page: Callable[[], None], *, as_json: bool) -> int:
    """Print items as JSON lines or as a page; the status is 1 where there are none."""
    items = list(items)
    if as_json:
        for item in items:
            print_fields(item)
    else:
        print_page()
    return OK if items else NEGATIVE


def print_count(page: Page, count: int, noun: str, *, more: bool) -> None:
    """The number of rows below a table, and whether --limit leaves some out."""
    page.blank()
    words = count_noun(count, noun) + (", and there are more: --limit" if more else "")
    page.line((words, "dim"))
