"""What is done about an alert from a terminal: one call, one line."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from casino.surveillance.v1.service_pb2 import RebuildRequest
from casino.surveillance.v1.work_pb2 import WorkedAlert
from pitctl.alert_desk.client import DESK, ask
from pitctl.alert_desk.labels import level_of, state_words, where
from pitctl.connection.channel import Place
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, counted, plain

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

DONE: Final = 0


def do(
    place: Place,
    call: Callable[[SurveillanceServiceAsyncStub], Awaitable[Any]],
    *,
    as_json: bool,
) -> int:
    """The alert as it is afterwards."""
    answer = ask(place, call)
    if as_json:
        print(json.dumps(as_fields(answer), ensure_ascii=False))
    elif hasattr(answer, "alert"):
        print_state(Page(sys.stdout), answer.alert)
    else:
        Page(sys.stdout).line(f"noted by {plain(answer.entry.author)}")
    return DONE


def rebuild(place: Place, *, as_json: bool) -> int:
    """Rebuild the tables of alerts and settings, and show how far it is."""

    async def work(desk: SurveillanceServiceAsyncStub) -> AsyncIterator[tuple[int, int]]:
        async for answer in desk.Rebuild(RebuildRequest()):
            yield answer.done, answer.total

    done = DESK.follow(place, "rebuilding", work)
    if as_json:
        print(json.dumps({"messages": done}))
    else:
        print(f"alerts and settings were rebuilt from {counted(done, 'message')}")
    return DONE


def print_state(page: Page, worked: WorkedAlert) -> None:
    said = f"{state_words(worked)}, by {plain(worked.work.changed_by)}"
    if worked.work.assignee:
        said += f"; {plain(worked.work.assignee)} has it"
    page.line(
        (f"{level_of(worked).name} {plain(worked.alert.id[:8])} ", "dim"),
        f"{plain(worked.alert.kind)} {where(worked)}: ",
        (said, "bold"),
    )
