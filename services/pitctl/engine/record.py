"""The log of a running stack as a file: for `audit`, for `replay`, and to keep."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from confluent_kafka import KafkaException, Message

from pitctl.output.exit import called
from pitctl.output.json_out import write_json
from pitctl.output.progress import Advance, bar
from pitctl.output.waiting import telling_wait
from pitctl.stack.local_stack import environment
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Brokers, KafkaSettings
from runtime.kafka.errors import error_of
from runtime.kafka.records import header
from runtime.settings import BadSettings
from wire import headers, topics
from wire.log_file import Received, write_log

BOOTSTRAP: Final = "KAFKA_BOOTSTRAP"
PREFIX: Final = "TOPIC_PREFIX"


class CannotRecord(Exception):
    """The log cannot be read, or the file cannot be written; the text says what to do."""


def run(out: str, *, bootstrap: str, tables: Collection[str], as_json: bool) -> None:
    """Everything that is in the log when the command begins."""
    known = environment()
    servers = bootstrap or known.get(BOOTSTRAP, "")
    if not servers:
        raise CannotRecord(
            f"no Kafka is known: name one by {BOOTSTRAP}, or start one ({called()} up)"
        )
    target = Path(out)
    partial = target.with_name(target.name + ".part")
    try:
        brokers = KafkaSettings.from_environment(kafka_bootstrap=servers).brokers
    except BadSettings as bad:
        raise CannotRecord(str(bad)) from None
    try:
        count = _copy(partial, brokers, known.get(PREFIX, "") + topics.TABLE_EVENTS, tables)
        partial.replace(target)
    except (KafkaException, topic_reader.ReadingStuck, topic_reader.NoSuchTopic) as error:
        partial.unlink(missing_ok=True)
        why = error_of(error).str() if isinstance(error, KafkaException) else error
        raise CannotRecord(
            f"the log at {servers} could not be read: {why}; is the stack up? ({called()} up)"
        ) from None
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise CannotRecord(f"{out} could not be written: {error.strerror}") from None
    if as_json:
        write_json(sys.stdout.buffer, {"file": out, "events": count})
    else:
        print(f"{count:,} events in {out}")


def _copy(file_path: Path, servers: Brokers, topic: str, tables: Collection[str]) -> int:
    with telling_wait("the brokers"):
        stretches = topic_reader.whole(servers, topic)
    total = sum(each.end - each.begin for each in stretches)
    with file_path.open("wb") as file, bar("Reading the log", total) as advance:
        count = write_log(file, _wanted(topic_reader.read(servers, stretches), tables, advance))
        file.flush()
        os.fsync(file.fileno())
    return count


def _wanted(
    messages: Iterable[Message], tables: Collection[str], advance: Advance
) -> Iterator[Received]:
    keys = {each.encode() for each in tables}
    for message in messages:
        advance(1)
        value = message.value()
        if isinstance(value, bytes) and (not keys or message.key() in keys):
            ingested_at = headers.read_ingested_at(header(message, headers.INGESTED_AT))
            yield value, ingested_at, headers.read_waited_us(header(message, headers.WAITED_US))
