"""Rows of findings, which explain differences in reports."""

from __future__ import annotations

from typing import Any

from accounting.domain.entry import LogPosition
from accounting.kafka.decoder import plain, read_settled_time
from casino.settlement.v1.finding_pb2 import Finding, Withdrawal
from property_calendar.gaming_day import Calendar


def finding_row(
    found: Finding | Withdrawal, source: LogPosition, calendar: Calendar
) -> tuple[Any, ...]:
    if isinstance(found, Withdrawal):
        return (
            plain(found.table_id), plain(found.id), found.seq,
            source.partition, source.offset, True,
            None, "", 0, 0, plain(found.round), 0, plain(found.reason),
        )  # fmt: skip
    at = read_settled_time(found.at)
    return (
        plain(found.table_id), plain(found.id), found.seq,
        source.partition, source.offset, False,
        calendar.day_of(at), plain(found.kind), found.level, at, plain(found.round), found.cents,
        found.text.replace("\0", "�")[:2_000],
    )  # fmt: skip
