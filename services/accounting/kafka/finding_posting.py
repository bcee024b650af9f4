"""What settlement found, beside the ledger: it explains differences."""

from __future__ import annotations

from typing import Any

from accounting.domain.entry import Source
from accounting.kafka.decoding import plain, read_said_time
from casino.settlement.v1.record_pb2 import SettlementRecord
from property_calendar.gaming_day import Calendar


def finding_row(record: SettlementRecord, source: Source, calendar: Calendar) -> tuple[Any, ...]:
    if record.WhichOneof("record") == "withdrawal":
        taken_back = record.withdrawal
        return (
            plain(taken_back.table_id), plain(taken_back.id), taken_back.seq,
            source.partition, source.offset, True,
            None, "", 0, 0, plain(taken_back.round), 0, plain(taken_back.reason),
        )  # fmt: skip
    found = record.finding
    at = read_said_time(found.at)
    return (
        plain(found.table_id), plain(found.id), found.seq,
        source.partition, source.offset, False,
        calendar.day_of(at), plain(found.kind), found.level, at, plain(found.round), found.cents,
        found.text.replace("\0", "�")[:2_000],
    )  # fmt: skip
