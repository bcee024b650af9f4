"""`pitctl record`: the log of a running stack as a file, for `audit` and `replay`."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from confluent_kafka import KafkaException, Message

from pitctl.errors import CommandError
from pitctl.output.exit import command_name
from pitctl.output.json_out import write_json
from pitctl.output.progress import Advance, progress_bar
from pitctl.output.wait_notice import wait_notice
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


class RecordingFailed(CommandError):
    """The log cannot be read, or the file cannot be written."""


def run(out: str, *, bootstrap: str, tables: Collection[str], as_json: bool) -> None:
    """Copy all events that are in the log when the command begins."""
    known = environment()
    servers = bootstrap or known.get(BOOTSTRAP, "")
    if not servers:
        raise RecordingFailed(
            f"no Kafka address: set {BOOTSTRAP}, or start the stack ({command_name()} up)"
        )
    target = Path(out)
    partial = target.with_name(target.name + ".part")
    try:
        brokers = KafkaSettings.from_environment(kafka_bootstrap=servers).brokers
    except BadSettings as bad:
        raise RecordingFailed(str(bad)) from None
    try:
        count = _copy(partial, brokers, known.get(PREFIX, "") + topics.TABLE_EVENTS, tables)
        partial.replace(target)
    except (KafkaException, topic_reader.ReadingStuck, topic_reader.NoSuchTopic) as error:
        partial.unlink(missing_ok=True)
        why = error_of(error).str() if isinstance(error, KafkaException) else error
        raise RecordingFailed(
            f"the log at {servers} could not be read: {why}; is the stack up? ({command_name()} up)"
        ) from None
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise RecordingFailed(f"{out} could not be written: {error.strerror}") from None
    if as_json:
        write_json(sys.stdout.buffer, {"file": out, "events": count})
    else:
        print(f"{count:,} events in {out}")


def _copy(file_path: Path, servers: Brokers, topic: str, tables: Collection[str]) -> int:
    with wait_notice("the brokers"):
        stretches = topic_reader.whole(servers, topic)
    total = sum(stretch.end - stretch.begin for stretch in stretches)
    with file_path.open("wb") as file, progress_bar("Reading the log", total) as advance:
        count = write_log(file, _selected(topic_reader.read(servers, stretches), tables, advance))
        file.flush()
        os.fsync(file.fileno())
    return count


def _selected(
    messages: Iterable[Message], tables: Collection[str], advance: Advance
) -> Iterator[Received]:
    keys = {table.encode() for table in tables}
    for message in messages:
        advance(1)
        value = message.value()
        if isinstance(value, bytes) and (not keys or message.key() in keys):
            ingested_at = headers.read_ingested_at(header(message, headers.INGESTED_AT))
            yield value, ingested_at, headers.read_waited_us(header(message, headers.WAITED_US))
