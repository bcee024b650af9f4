"""Open items of a gaming day in words, for pages, the command line and errors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, tzinfo
from typing import Final

from alerting.display_names import alert_name
from casino.accounting.v1 import service_pb2 as pb

ALERT_ID_SHOWN: Final = 8
_WORDS: Final[Mapping[pb.OpenItemKind.ValueType, str]] = {
    pb.OPEN_ITEM_KIND_UNREAD_MESSAGES: "{0.count} messages of {0.topic} not posted yet",
    pb.OPEN_ITEM_KIND_NO_CLOSER: "{0.table_id}: no closer",
    pb.OPEN_ITEM_KIND_NO_COUNT: "{0.table_id}: no drop box counted",
    pb.OPEN_ITEM_KIND_BOX_NOT_COUNTED: "{0.table_id}: box {0.box} not counted",
    pb.OPEN_ITEM_KIND_BOX_NOT_RECOUNTED: "{0.table_id}: box {0.box} not recounted by a verifier",
    pb.OPEN_ITEM_KIND_COUNT_TEAM: "{0.table_id}: box {0.box}: {0.reason}",
    pb.OPEN_ITEM_KIND_FILL_NOT_RECEIVED: "{0.table_id}: fill {0.slip} not reported by the table",
    pb.OPEN_ITEM_KIND_FILL_NOT_ISSUED: "{0.table_id}: fill {0.slip} not entered by the cage",
    pb.OPEN_ITEM_KIND_CREDIT_NOT_SENT: "{0.table_id}: credit {0.slip} not reported by the table",
    pb.OPEN_ITEM_KIND_CREDIT_NOT_ACCEPTED: "{0.table_id}: credit {0.slip} not entered by the cage",
    pb.OPEN_ITEM_KIND_ROUND: "{0.table_id}, round {0.round}: {0.reason}",
    pb.OPEN_ITEM_KIND_MORE_ALERTS: "{0.count} more open P1 alerts",
    pb.OPEN_ITEM_KIND_SURVEILLANCE_UNAVAILABLE: "alert desk unavailable: {0.reason}",
    pb.OPEN_ITEM_KIND_NOT_RECONCILED: "not reconciled yet",
    pb.OPEN_ITEM_KIND_COUNTED_SINCE: "drop box counted after the reconciliation",
    pb.OPEN_ITEM_KIND_EARLIER_DAY: "{0.gaming_day} is not closed",
}


def describe(item: pb.OpenItem, zone: tzinfo = UTC) -> str:
    """Describe an open item; times are those of the zone.

    >>> describe(pb.OpenItem(kind=pb.OPEN_ITEM_KIND_SLIPS_MISSING, slip="F-2", last_slip="F-3"))
    'slips F-2 to F-3 missing'
    """
    match item.kind:
        case pb.OPEN_ITEM_KIND_SLIPS_MISSING:
            if item.slip == item.last_slip:
                return f"slip {item.slip} missing"
            return f"slips {item.slip} to {item.last_slip} missing"
        case pb.OPEN_ITEM_KIND_ALERT:
            place = f" at {item.table_id}" if item.table_id else ""
            at = item.raised_at.ToDatetime(UTC).astimezone(zone)
            return (
                f"{alert_name(item.alert_kind)}{place}, {at:%Y-%m-%d %H:%M:%S %Z}: open P1 alert"
                f" {item.alert_id[:ALERT_ID_SHOWN]}"
            )
        case _:
            # A kind of a later version: the check that lists it names its subject.
            return _WORDS.get(item.kind, "an open item of a newer version").format(item)


def describe_all(check: pb.DayCheck, zone: tzinfo = UTC) -> list[str]:
    """Describe the open items of a check, and how many more there are."""
    more = [f"and {check.open_items_more:,} more"] if check.open_items_more else []
    return [*(describe(item, zone) for item in check.open_items), *more]
