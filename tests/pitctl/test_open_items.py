"""Open items of a gaming day in words."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from casino.accounting.v1 import service_pb2 as pb
from report_forms.open_items import describe, describe_all

NEWER = "an open item of a newer version"


@pytest.mark.parametrize("name", pb.OpenItemKind.keys()[1:])
def test_every_kind_of_open_item_has_words_of_its_own(name: str) -> None:
    words = describe(pb.OpenItem(kind=pb.OpenItemKind.Value(name)))
    assert words != NEWER
    assert "{" not in words


def test_an_open_item_of_a_newer_version_is_named_as_such() -> None:
    assert describe(pb.OpenItem()) == NEWER


def test_an_alert_is_named_with_its_time_by_the_clock_of_the_house() -> None:
    item = pb.OpenItem(
        kind=pb.OPEN_ITEM_KIND_ALERT,
        alert_id="94d8820d3be284e5",
        alert_kind="bet.pinch",
        table_id="BJ-07",
        raised_at=Timestamp(seconds=1_772_425_449),
    )
    zone = ZoneInfo("America/Los_Angeles")
    said = "Pinched bet at BJ-07, 2026-03-01 20:24:09 PST: open P1 alert 94d8820d"
    assert describe(item, zone) == said


def test_a_name_from_the_log_is_never_a_format() -> None:
    item = pb.OpenItem(kind=pb.OPEN_ITEM_KIND_NO_CLOSER, table_id="{0.__class__}")
    assert describe(item) == "{0.__class__}: no closer"


def test_how_many_more_there_are_is_told() -> None:
    item = pb.OpenItem(kind=pb.OPEN_ITEM_KIND_NOT_RECONCILED)
    check = pb.DayCheck(open_items=[item], open_items_more=1_200)
    assert describe_all(check) == ["not reconciled yet", "and 1,200 more"]
