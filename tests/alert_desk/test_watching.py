"""A watch that is resumed loses nothing and repeats nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from casino.settlement.v1.finding_pb2 import LEVEL_P1, LEVEL_P2, LEVEL_P3
from casino.surveillance.v1 import service_pb2 as pb
from runtime.rpc.page_tokens import encode
from tests.alert_desk.house import House, an_alert
from tests.stack.service_house import SECONDS_MAX

Told = tuple[str, int]
ELSEWHERE = encode([[10**9] * 3, 0])
"""A token of a log that is longer."""


def watched(
    house: House,
    request: pb.WatchRequest,
    until: Callable[[list[pb.WatchResponse]], bool],
    *roles: str,
    during: Callable[[], object] = lambda: None,
) -> list[pb.WatchResponse]:
    """What a watch tells until that holds; `during` is done once it is live."""
    found: list[pb.WatchResponse] = []

    async def watch() -> None:
        metadata = [house.token(*(roles or ("surveillance",)))]
        async with asyncio.timeout(SECONDS_MAX), house.stub("service", "console") as stub:
            done = False
            async for answer in stub.Watch(request, metadata=metadata):
                found.append(answer)
                if answer.HasField("caught_up") and not done:
                    done = True
                    await asyncio.to_thread(during)
                if until(found):
                    return

    asyncio.run(watch())
    return found


def alerts(found: list[pb.WatchResponse]) -> list[Told]:
    return [(e.alert.id, e.alert.revision) for e in found if e.HasField("alert")]


def count(number: int) -> Callable[[list[pb.WatchResponse]], bool]:
    return lambda found: len(alerts(found)) >= number


def quiet(found: list[pb.WatchResponse]) -> bool:
    """Caught up, and nothing came for a while."""
    return bool(found) and found[-1].WhichOneof("what") is None


def test_an_alert_is_told_each_time_it_changes(shared: House, name: str) -> None:
    found = watched(
        shared,
        pb.WatchRequest(tables=[name]),
        count(3),
        during=lambda: shared.say(
            an_alert(name, table_id=name),
            an_alert(name, table_id=name, revision=2, evidence=2),
            an_alert(name, table_id=name, revision=2, evidence=2),  # said twice, told once
            an_alert(name, table_id=name, revision=1),  # overtaken
            an_alert(name, table_id=name, revision=3, withdrawn=True),
        ),
    )
    assert alerts(found) == [(name, 1), (name, 2), (name, 3)]


def test_a_watch_takes_levels_kinds_and_tables(shared: House, name: str) -> None:
    request = pb.WatchRequest(level=LEVEL_P2, kinds=["coupon."], tables=[name])
    found = watched(
        shared,
        request,
        quiet_after(2),
        during=lambda: shared.say(
            an_alert(f"{name}-a", table_id=name, kind="coupon.unknown", level=LEVEL_P1),
            an_alert(f"{name}-b", table_id=name, kind="coupon.unknown", level=LEVEL_P3),
            an_alert(f"{name}-c", table_id=name, kind="bet.pinch", level=LEVEL_P1),
            an_alert(f"{name}-d", table_id="other", kind="coupon.unknown", level=LEVEL_P1),
            an_alert(
                f"{name}-e", table_id=name, kind="coupon.x", level=LEVEL_P1, suppressed_by="s"
            ),
            an_alert(f"{name}-f", table_id=name, kind="coupon.void", level=LEVEL_P2),
        ),
    )
    assert sorted(alerts(found)) == [(f"{name}-a", 1), (f"{name}-f", 1)]


def quiet_after(number: int) -> Callable[[list[pb.WatchResponse]], bool]:
    return lambda found: len(alerts(found)) >= number and quiet(found)


def test_a_resumed_watch_loses_nothing_and_repeats_nothing(shared: House, name: str) -> None:
    """Cut after every single answer."""
    request = pb.WatchRequest(tables=[name], journal=True)
    start = watched(shared, request, lambda found: found[-1].HasField("caught_up"))[-1]
    shared.tell(*(an_alert(f"{name}-{each}", table_id=name) for each in range(5)))
    for each in range(3):
        shared.call(pb.AcknowledgeRequest(alert_id=f"{name}-{each}"))
    told: list[Any] = []
    token = start.resume_token
    while True:
        request.resume_token = token
        found = watched(
            shared, request, lambda f: f[-1].WhichOneof("what") in ("alert", "entry") or quiet(f)
        )
        last = found[-1]
        if last.WhichOneof("what") is None:
            break
        told.append(
            last.alert.id if last.HasField("alert") else (last.entry.action, last.entry.alert_id)
        )
        token = last.resume_token
    mine = [each for each in told if name in (each if isinstance(each, str) else each[1])]
    assert sorted(map(str, mine)) == sorted(
        [f"{name}-{each}" for each in range(5)]
        + [str(("acknowledged", f"{name}-{each}")) for each in range(3)]
    )


def test_a_watch_from_the_beginning_tells_all_there_ever_was(shared: House, name: str) -> None:
    shared.tell(an_alert(name, table_id=name), an_alert(name, table_id=name, revision=2))
    shared.call(pb.AddNoteRequest(alert_id=name, text=f"note {name}"))
    request = pb.WatchRequest(tables=[name], journal=True, from_beginning=True)
    found = watched(shared, request, quiet)
    assert alerts(found) == [(name, 1), (name, 2)]
    assert f"note {name}" in [each.entry.text for each in found]


def test_what_people_do_is_told_as_it_is_done(shared: House, name: str) -> None:
    shared.tell(an_alert(name))

    def is_told(found: list[pb.WatchResponse]) -> bool:
        return any(each.entry.alert_id == name for each in found)

    found = watched(
        shared,
        pb.WatchRequest(journal=True, tables=["none"]),
        is_told,
        during=lambda: shared.call(pb.AcknowledgeRequest(alert_id=name), by="bob"),
    )
    entry = next(each.entry for each in found if each.entry.alert_id == name)
    assert (entry.author, entry.action) == ("bob", "acknowledged")


def test_the_pit_watches_masked_and_reads_no_journal(shared: House, name: str) -> None:
    secret = "the dealer peeked at a ten"
    found = watched(
        shared,
        pb.WatchRequest(tables=[name]),
        count(2),
        "pit",
        during=lambda: shared.say(
            an_alert(name, table_id=name, sentence=secret, tells_hole_card=True),
            an_alert(name, table_id=name, sentence=secret, revision=2),
        ),
    )
    first, second = (each for each in found if each.HasField("alert"))
    assert (first.masked, secret in str(first)) == (True, False)
    assert (second.masked, second.alert.sentence) == (False, secret)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        watched(shared, pb.WatchRequest(journal=True), quiet, "pit")
    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.WatchRequest(level=99), "level: 99 is unknown"),  # type: ignore[arg-type]
        (pb.WatchRequest(resume_token="nonsense"), "resume_token: it is none of ours"),
        (pb.WatchRequest(resume_token=ELSEWHERE), "resume_token: it is of another log"),
        (
            pb.WatchRequest(resume_token="x", from_beginning=True),
            "from_beginning: set either this or resume_token",
        ),
    ],
)
def test_a_watch_that_makes_no_sense_is_refused(
    shared: House, request_: pb.WatchRequest, reason: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        watched(shared, request_, quiet)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert (refused.value.details() or "").startswith(reason)


def test_a_watch_goes_on_elsewhere_when_the_desk_stops(make_house: Callable[..., House]) -> None:
    house = make_house(WATCHES_MAX="1", WATCH_QUIET_SECONDS="0.2")
    house.start()
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        watched(house, pb.WatchRequest(), lambda _: False, during=house.stop)
    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
    house.say(an_alert("while-away"))
    house.start()
    found = watched(house, pb.WatchRequest(from_beginning=True), quiet)
    assert alerts(found) == [("while-away", 1)]


def test_an_alert_is_told_within_a_second(shared: House, name: str) -> None:
    """Of the desk's own part of the way, on an idle machine a few hundredths."""
    said: list[float] = []

    def say() -> None:
        said.append(time.monotonic())
        shared.say(an_alert(name, table_id=name))

    watched(shared, pb.WatchRequest(tables=[name]), count(1), during=say)
    assert time.monotonic() - said[0] < 10
