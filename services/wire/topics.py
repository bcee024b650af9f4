"""The topics, by name, size and policy: the single source for every service, script and test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TABLE_EVENTS: Final = "table-events"
"""What tables reported, keyed by table."""

SETTLED_ROUNDS: Final = "settled-rounds"
"""Rounds as judged, keyed by table."""

FINDINGS: Final = "findings"
"""Findings and their withdrawals, keyed by table."""

PROMOTION_EVENTS: Final = "promotion-events"
"""Promotions defined, coupons issued, voided, expired."""

CAGE_EVENTS: Final = "cage-events"
"""What the cage and the count room reported."""

ALERTS: Final = "alerts"
"""What surveillance says."""

SURVEILLANCE_SETTINGS: Final = "surveillance-settings"
"""What people set for surveillance: exclusions, thresholds, levels, suppressions."""

SURVEILLANCE_SIGHTINGS: Final = "surveillance-sightings"
"""Surveillance's own: what was seen, keyed by whom it is about."""

SURVEILLANCE_STATES: Final = "surveillance-states-changelog"
"""Surveillance's own: what it remembers, keyed by whom it is about. The name is Faust's."""

SURVEILLANCE_DEFINITIONS: Final = "surveillance-definitions"
"""Surveillance's own: rule sets that came along with a table's events, by their hash."""

TABLE_SNAPSHOTS: Final = "table-snapshots"
"""The state of each table, in the transaction that moved its offset."""

TABLE_HEADS: Final = "table-heads"
"""How far each table was, by partition of table-events: the gateway's shortcut to the log's end."""

CATALOGUE: Final = "catalogue"
"""Rule sets and promotion terms by their hash."""

READ_LOGS: Final = "read-logs"
"""Which topics services without a database have read, by id and position."""

DEAD_LETTERS: Final = "dead-letters"
"""Bytes that no codec accepted, with the reason."""

KEPT_FOR_EVER: Final = frozenset(
    {
        TABLE_EVENTS,
        SETTLED_ROUNDS,
        FINDINGS,
        PROMOTION_EVENTS,
        CAGE_EVENTS,
        ALERTS,
        SURVEILLANCE_SETTINGS,
    }
)
COMPACTED: Final = frozenset(
    {
        TABLE_SNAPSHOTS,
        TABLE_HEADS,
        CATALOGUE,
        SURVEILLANCE_STATES,
        SURVEILLANCE_DEFINITIONS,
        READ_LOGS,
    }
)
NEVER_RECREATED: Final = KEPT_FOR_EVER | {CATALOGUE, DEAD_LETTERS}
"""Once anything has read them: they hold what nothing else holds. The others are made from these,
and docs/operations.md says how each one is."""
ALL: Final = KEPT_FOR_EVER | COMPACTED | {DEAD_LETTERS, SURVEILLANCE_SIGHTINGS}

PARTITIONS: Final[Mapping[str, int]] = {
    # Read together, table by table: the same number, so that a table is in the same one of each.
    TABLE_EVENTS: 12,
    SETTLED_ROUNDS: 12,
    FINDINGS: 12,
    # Typed by people, and each checked against all before it: one order.
    PROMOTION_EVENTS: 1,
    CAGE_EVENTS: 1,
    SURVEILLANCE_SETTINGS: 1,
    ALERTS: 3,
    # A subject's state is where its sightings are.
    SURVEILLANCE_SIGHTINGS: 12,
    SURVEILLANCE_STATES: 12,
    SURVEILLANCE_DEFINITIONS: 1,
    # Every partition that a transaction touches costs milliseconds: see settlement.
    TABLE_SNAPSHOTS: 1,
    TABLE_HEADS: 1,
    CATALOGUE: 1,
    READ_LOGS: 1,
    DEAD_LETTERS: 1,
}
"""How many a topic is made with. More later would move a table's facts to another partition."""

MESSAGE_BYTES_MAX: Final = 4 * 1024 * 1024
"""What the brokers take as one message where we write more than an event: the default is one
mebibyte, and the state of a table with a very long round has more. No producer of ours writes
more; settlement sets a table aside that would (`settlement.kafka.settler`)."""
LARGE: Final = frozenset(
    {
        SETTLED_ROUNDS,
        FINDINGS,
        TABLE_SNAPSHOTS,
        DEAD_LETTERS,
        ALERTS,
        SURVEILLANCE_SIGHTINGS,
        SURVEILLANCE_STATES,
    }
)
_DAY_MS: Final = 24 * 60 * 60 * 1000
KEPT_MS: Final[Mapping[str, int]] = {
    DEAD_LETTERS: 90 * _DAY_MS,
    # Read within a second; all of it can be made anew from the other topics.
    SURVEILLANCE_SIGHTINGS: 7 * _DAY_MS,
}


STAMPED: Final[Mapping[str, str]] = {"message.timestamp.type": "LogAppendTime"}
"""The broker says when a message was appended: how long it waits must not depend on the clock of
its writer. What devices and the gateway say of time is in the message and its headers."""


def configuration(topic: str) -> dict[str, str]:
    """What the brokers are told of a topic, in their own words."""
    large = {"max.message.bytes": str(MESSAGE_BYTES_MAX)} if topic in LARGE else {}
    return {**_kept(topic), **large, **STAMPED}


def _kept(topic: str) -> dict[str, str]:
    if topic in KEPT_FOR_EVER:
        return {"cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1"}
    if topic in COMPACTED:
        # Only closed segments are compacted; small ones close soon, and a reader has less to read.
        return {"cleanup.policy": "compact", "segment.bytes": str(16 * 1024 * 1024)}
    return {"cleanup.policy": "delete", "retention.ms": str(KEPT_MS[topic])}
