"""A real Kafka for benchmarks, and processes that measure themselves on it."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from deploy.stack.kafka import admin
from deploy.stack.process import send as send_signal
from deploy.stack.settings import NAMES, read_settings
from deploy.stack.stack import Stack
from provisioning.kafka.topics import ensure_topics, named_topics
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import Headers
from wire import topics
from wire.headers import INGESTED_AT, write_ingested_at

T = TypeVar("T")
ROOT: Final = Path(__file__).parents[2]
COMPILED: Final = ROOT / "build" / "compiled"
SECONDS_MAX: Final = 240.0
"""How long one measuring process may take before it is taken for stuck."""


class Servers(NamedTuple):
    bootstrap: str
    database_url: str
    replace_broker: Callable[[], None]
    """Kills the broker with SIGKILL and starts it again; returns when it answers."""


@contextmanager
def running() -> Iterator[Servers]:
    """The servers of `deploy/stack` in a folder of their own; ended with their data."""
    folder = ROOT / "build" / "bench-stack" / str(os.getpid())
    kept = {"STACK_CACHE_DIR", "STACK_NOBODY_DIR", "MAVEN_REPOSITORY", "PG_BIN"}
    around = {name: value for name, value in os.environ.items() if name not in {*NAMES} - kept}
    ports = ("STACK_KAFKA_PORT", "STACK_KAFKA_CONTROLLER_PORT", "STACK_POSTGRES_PORT")
    settings = read_settings({**around, **dict.fromkeys(ports, "0"), "STACK_DIR": str(folder)})
    stack = Stack(settings, services=())
    try:
        stack.up(servers_only=True)
        yield Servers(stack.kafka_bootstrap, stack.database_url, lambda: _replace_broker(stack))
    finally:
        stack.down(remove_data=True)
        shutil.rmtree(folder, ignore_errors=True)


def _replace_broker(stack: Stack) -> None:
    send_signal(stack.state.processes["kafka"], signal.SIGKILL)
    stack.up(servers_only=True)


def make_topics(bootstrap: str) -> str:
    """Every topic of ours under a prefix of its own, as large as in service."""
    prefix = f"bench-{secrets.token_hex(4)}-"
    ensure_topics(admin(bootstrap), named_topics(prefix))
    return prefix


def send(bootstrap: str, prefix: str, frames: Iterable[tuple[str, bytes, int]]) -> None:
    """Events into the topic, each with its table and ingest time, as the gateway writes them."""
    producer = make_producer(producer_configuration(bootstrap))
    topic = prefix + topics.TABLE_EVENTS
    for table, data, ingested_at in frames:
        known: Headers = [(INGESTED_AT, write_ingested_at(ingested_at))]
        while True:
            try:
                producer.produce(topic, data, table.encode(), headers=known)
            except BufferError:
                producer.poll(0.05)
            else:
                break
    if producer.flush(60):
        raise RuntimeError("the broker did not take all events")
    producer.close()


def program(
    module: str, arguments: msgspec.Struct, *, compiled: bool = False
) -> subprocess.Popen[bytes]:
    """A module of ours as a process of its own; what it is told is one argument."""
    environment = dict(os.environ)
    if compiled:
        environment["PYTHONPATH"] = str(COMPILED)
    return subprocess.Popen(
        [sys.executable, "-m", module, msgspec.json.encode(arguments).decode()],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def answer(process: subprocess.Popen[bytes], kind: type[T]) -> T:
    """What a process found out, which is the last line it prints."""
    try:
        printed, complaints = process.communicate(timeout=SECONDS_MAX)
    except BaseException:
        process.kill()
        process.communicate()
        raise
    if process.returncode:
        raise RuntimeError(complaints.decode()[-4_000:])
    return msgspec.json.decode(printed.splitlines()[-1], type=kind)
