"""One node of Apache Kafka in KRaft mode, broker and controller in one process."""

from __future__ import annotations

import base64
import shutil
import signal
import socket
import uuid
from collections.abc import Sequence
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from deploy.stack import java
from deploy.stack.jars import bring, read_list
from deploy.stack.ports import LOOPBACK, PATIENCE_SECONDS, choose
from deploy.stack.process import Command, ProcessId, Record, record_nowhere, run, start
from deploy.stack.settings import Settings
from deploy.stack.state import State

CLIENTS, CONTROLLER = "kafka", "kafka-controller"
"""The names of its ports."""

LOGGING = """\
status = warn
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %p %c{1}: %m%n
rootLogger.level = info
rootLogger.appenderRef.out.ref = out
"""
# Each says at every start all it knows, and buries what matters.
TALKATIVE = (
    "org.apache.kafka.common.config",
    "org.apache.kafka.common.utils.AppInfoParser",
    "org.apache.kafka.controller",
    "org.apache.kafka.image",
    "org.apache.kafka.server.config",
    "org.apache.kafka.storage.internals.log",
    "kafka.cluster",
    "kafka.log",
    "kafka.server.KafkaConfig",
    "state.change.logger",
)
LOGGING += "".join(
    f"logger.{number}.name = {name}\nlogger.{number}.level = warn\n"
    for number, name in enumerate(TALKATIVE)
)


def properties(*, port: int, controller_port: int, data: str) -> str:
    """The node's settings. Paths are relative to its folder, so that any name of that will do."""
    return f"""\
process.roles = broker,controller
node.id = 1
controller.quorum.voters = 1@{LOOPBACK}:{controller_port}
listeners = CLIENTS://{LOOPBACK}:{port},CONTROLLER://{LOOPBACK}:{controller_port}
advertised.listeners = CLIENTS://{LOOPBACK}:{port}
listener.security.protocol.map = CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name = CLIENTS
controller.listener.names = CONTROLLER
log.dirs = {data}

# A topic is made on purpose, with its partitions and its policy, or not at all.
auto.create.topics.enable = false

# One node holds the only replica of everything.
default.replication.factor = 1
offsets.topic.replication.factor = 1
transaction.state.log.replication.factor = 1
transaction.state.log.min.isr = 1
share.coordinator.state.topic.replication.factor = 1
share.coordinator.state.topic.min.isr = 1

# Fifty partitions each would be opened, checked and flushed at every start.
offsets.topic.num.partitions = 4
transaction.state.log.num.partitions = 4
share.coordinator.state.topic.num.partitions = 4

# The first member of a group need not wait for others.
group.initial.rebalance.delay.ms = 0
# After kill -9 the node is let in again when its own old session has run out.
broker.session.timeout.ms = 3000
broker.heartbeat.interval.ms = 500

# Two cores and a small heap; the cleaner alone would take 128 MiB of it.
num.network.threads = 2
num.io.threads = 4
background.threads = 2
num.recovery.threads.per.data.dir = 2
log.cleaner.dedupe.buffer.size = 33554432
"""


class Kafka:
    name = "kafka"
    stop_signal = signal.SIGTERM

    def __init__(self, settings: Settings, *, use_memory: bool = True) -> None:
        self.settings = settings
        self.jars: list[Path] = []
        self._use_memory = use_memory
        self.folder = settings.folder / "kafka"
        self.log = settings.folder / "log" / "kafka.log"
        self.given = settings.kafka_bootstrap is not None

    def address(self, state: State) -> str:
        return self.settings.kafka_bootstrap or f"{LOOPBACK}:{state.ports.get(CLIENTS, 0)}"

    def prepare(self, state: State) -> None:
        """Jars, ports, and storage that is formatted once: a half-made one is made anew."""
        self.jars = bring(
            read_list().jars,
            cache=self.settings.cache,
            maven_repository=self.settings.maven_repository,
        )
        self.folder.mkdir(0o700, exist_ok=True)
        state.ports[CLIENTS] = choose(
            wanted=self.settings.kafka_port,
            remembered=state.ports.get(CLIENTS),
            setting="STACK_KAFKA_PORT",
            patience_seconds=PATIENCE_SECONDS,
        )
        state.ports[CONTROLLER] = choose(
            wanted=self.settings.kafka_controller_port,
            remembered=state.ports.get(CONTROLLER),
            setting="STACK_KAFKA_CONTROLLER_PORT",
            avoid={state.ports[CLIENTS]},
        )
        for leftover in ("temporary", "data.new"):
            shutil.rmtree(self.folder / leftover, ignore_errors=True)
        (self.folder / "temporary").mkdir(0o700)
        (self.folder / "log4j2.properties").write_text(LOGGING, "ascii")
        if not (self.folder / "data").exists():
            self._write_properties("format.properties", state, data="data.new")
            # In one word: a name that begins with a hyphen would pass for an option.
            named = f"--cluster-id={cluster_id(uuid.uuid4())}"
            arguments = ["format", "--config=format.properties", named]
            command = self._java("kafka.tools.StorageTool", *arguments)
            run(command, directory=self.folder, environment=java.environment())
            (self.folder / "data.new").rename(self.folder / "data")
        self._write_properties("server.properties", state, data="data")

    def spawn(self, state: State, record: Record = record_nowhere) -> ProcessId:
        del state
        options = self.settings.kafka_java_options
        return start(
            self._java("kafka.Kafka", "server.properties", options=options),
            log=self.log,
            record=record,
            directory=self.folder,
            environment=java.environment(),
        )

    def is_ready(self, state: State) -> bool:
        return answers(self.address(state))

    def rejection(self) -> str | None:
        return None

    def can_try_again(self, tail: str) -> bool:
        """A port that was free a moment ago may be somebody's now; then another will do."""
        return "Address already in use" in tail

    def _write_properties(self, name: str, state: State, *, data: str) -> None:
        text = properties(
            port=state.ports[CLIENTS], controller_port=state.ports[CONTROLLER], data=data
        )
        (self.folder / name).write_text(text, "ascii")

    def _java(self, main_class: str, *arguments: str, options: Sequence[str] = ()) -> Command:
        memory = java.memory_of(self.jars, self.settings.cache) if self._use_memory else None
        words = java.command(
            self.jars,
            heap_mb=self.settings.kafka_heap_mb,
            options=options,
            memory=memory if memory and memory.is_file() else None,
        )
        return [*words, main_class, *arguments]


def cluster_id(number: uuid.UUID) -> str:
    """As Kafka writes a cluster's name: 22 characters."""
    return base64.urlsafe_b64encode(number.bytes).decode("ascii").rstrip("=")


def admin(bootstrap: str) -> AdminClient:
    """A client that keeps quiet while the broker is not there yet."""
    return AdminClient({"bootstrap.servers": bootstrap, "log_level": 0, "socket.timeout.ms": 10000})


def answers(bootstrap: str, seconds_max: float = 2.0) -> bool:
    """The brokers are known and let clients in; one that is fenced does not listen."""
    if not any(listens(address) for address in bootstrap.split(",")):
        return False  # a client would take a second to see that
    try:
        return bool(admin(bootstrap).list_topics(timeout=seconds_max).brokers)
    except KafkaException:
        return False


def listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=1).close()
    except OSError:
        return False
    return True
