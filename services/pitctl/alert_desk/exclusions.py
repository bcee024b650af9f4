"""`pitctl exclude list`: exclusions in a table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from casino.surveillance.v1.service_pb2 import Exclusion, ListExclusionsRequest
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.alert_desk.labels import basis_words
from pitctl.connection.channel import Endpoint
from pitctl.connection.pages import collect_pages, print_count, print_items
from pitctl.output.text import Page, format_moment
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

_HEADINGS: Final = ("patron", "since (UTC)", "until (UTC)", "basis", "by", "reason")


def show(endpoint: Endpoint, request: ListExclusionsRequest, *, limit: int, as_json: bool) -> int:
    async def search(stub: SurveillanceServiceAsyncStub) -> tuple[list[Exclusion], bool]:
        return await collect_pages(
            stub.ListExclusions, request, lambda answer: answer.exclusions, limit=limit
        )

    exclusions, more = ALERT_DESK.call(endpoint, search)
    page = Page(sys.stdout)

    def print_page() -> None:
        if not exclusions:
            page.line(("No exclusions.", "green"))
            return
        page.table(_HEADINGS, [_row(exclusion) for exclusion in exclusions], indent=0)
        print_count(page, len(exclusions), "exclusion", more=more)

    return print_items(exclusions, print_page, as_json=as_json)


def _row(exclusion: Exclusion) -> tuple[str, ...]:
    change = exclusion.change
    ends = format_moment(read_time(exclusion.ends_at)) if exclusion.HasField("ends_at") else ""
    return (
        change.patron_excluded.patron,
        format_moment(read_time(change.valid_from)).removesuffix(" UTC"),
        ends.removesuffix(" UTC"),
        basis_words(change.patron_excluded.basis),
        change.author,
        change.reason,
    )
