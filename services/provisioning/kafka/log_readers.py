"""Which stores have read which topics, so that none of these is silently created again, empty.

Services with a database keep positions and topic ids there, in a schema each; the others keep them
in the topic `read-logs`. A Kafka that was lost as a whole is remembered by the databases.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import psycopg
from confluent_kafka.admin import AdminClient
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from provisioning.errors import LogsLost, StoresUnreadable
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.log_identity import LogMark, find_logs, find_problem
from runtime.kafka.log_marks import StoredMark, read_marks
from runtime.kafka.topic_reader import NoSuchTopic
from wire import topics as named

_SCHEMAS = """
SELECT schemaname FROM pg_tables WHERE tablename = 'consumed_positions' ORDER BY schemaname
"""


def find_readers(bootstrap: Bootstrap, administrator_url: str, prefix: str) -> list[StoredMark]:
    """The topics under this prefix that each store has read."""
    try:
        in_kafka = read_marks(bootstrap, prefix + named.READ_LOGS)
    except NoSuchTopic:  # a first start, or a Kafka that was lost
        in_kafka = []
    return [*in_kafka, *find_readers_in_database(administrator_url)]


def find_readers_in_database(administrator_url: str) -> list[StoredMark]:
    try:
        with psycopg.connect(administrator_url) as connection:
            schemas = [row[0] for row in connection.execute(_SCHEMAS).fetchall()]
            return [log for schema in schemas for log in _read_schema(connection, schema)]
    except psycopg.Error as failed:
        raise StoresUnreadable(" ".join(str(failed).split())) from failed


def _read_schema(connection: Connection[Any], schema: str) -> Iterable[StoredMark]:
    known = connection.execute(
        "SELECT 1 FROM pg_tables WHERE tablename = 'read_logs' AND schemaname = %s", [schema]
    ).fetchone()
    ids: dict[str, str] = {}
    if known is not None:  # otherwise of a version that did not remember them
        query = SQL("SELECT topic, topic_id FROM {}.read_logs").format(Identifier(schema))
        ids = dict(connection.execute(query).fetchall())
    query = SQL(
        "SELECT topic, partition, next_offset FROM {}.consumed_positions WHERE next_offset > 0"
    ).format(Identifier(schema))
    positions: dict[str, dict[int, int]] = {topic: {} for topic in ids}
    for topic, partition, next_offset in connection.execute(query).fetchall():
        positions.setdefault(topic, {})[partition] = next_offset
    for topic, of in positions.items():
        yield StoredMark(schema, LogMark(topic, ids.get(topic, ""), of))


def check_logs(
    client: AdminClient,
    prefix: str,
    remembered: Sequence[StoredMark],
    *,
    accepted: Collection[str] = (),
) -> list[str]:
    """Raise `LogsLost` for missing topics that stores have read, unless their loss is accepted.

    Returns which stores will reject which existing logs: for people; the services themselves
    report what to do about it.
    """
    facts = {prefix + name for name in named.NEVER_RECREATED}
    marks = [log for log in remembered if log.mark.topic in facts]
    found = find_logs(client, {log.mark.topic for log in marks})
    lost: dict[str, list[str]] = {}
    rejected = []
    for reader, mark in marks:
        log = found[mark.topic]
        expires = mark.topic == prefix + named.DEAD_LETTERS
        problem = find_problem(mark, log, expires=expires)
        if problem is None:
            continue
        if log is not None:
            rejected.append(f"{reader} will reject {mark.topic}: {problem}")
        elif not {mark.topic, mark.topic.removeprefix(prefix)} & set(accepted):
            lost.setdefault(mark.topic, []).append(reader)
    if lost:
        raise LogsLost(lost)
    return rejected
