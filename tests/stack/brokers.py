"""Several Kafka brokers with a controller of their own, for tests of what one broker cannot show.

With broker and controller in one process a pause stops both, and the controller never misses the
broker. Here the controller goes on: a broker that stands still for longer than its session is
fenced, its partitions get other leaders, and when it wakes it believes to lead them for a moment.
"""

from __future__ import annotations

import signal
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from deploy.stack import java
from deploy.stack.jars import bring, read_list
from deploy.stack.kafka import LOGGING, admin, answers, cluster_id
from deploy.stack.ports import LOOPBACK
from deploy.stack.process import Command, ProcessId, is_alive, run, send, start, tail, wait_for_end
from tests.stack.plugin import settings_in
from tests.stack.ports import own_port

CONTROLLER: Final = 100
SESSION_SECONDS: Final = 3.0
START_SECONDS_MAX: Final = 240.0
HEAP_MB: Final = 256
FENCING: Final = """\
logger.fencing.name = org.apache.kafka.controller.ReplicationControlManager
logger.fencing.level = info
"""


class Brokers:
    """Numbered from 1; the controller is never touched."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        settings = settings_in(folder)
        self._jars = bring(
            read_list().jars, cache=settings.cache, maven_repository=settings.maven_repository
        )
        self._memory = java.memory_of(self._jars, settings.cache)
        self._controller_port, *ports = (own_port() for _ in range(count + 1))
        self.ports = dict(enumerate(ports, 1))
        self._name = cluster_id(uuid.uuid4())
        self.processes: dict[int, ProcessId] = {}

    @property
    def bootstrap(self) -> str:
        return ",".join(f"{LOOPBACK}:{port}" for port in self.ports.values())

    @property
    def admin(self) -> AdminClient:
        return admin(self.bootstrap)

    def up(self) -> None:
        for node in (CONTROLLER, *self.ports):
            self._format(node)
            self.start(node)
        self.wait_until_all_serve()

    def start(self, node: int) -> None:
        """A node that was killed registers again, as another incarnation of itself."""
        self.processes[node] = start(
            self._java("kafka.Kafka", "server.properties"),
            log=self.folder / f"{node}.log",
            directory=self._home(node),
            environment=java.environment(),
        )

    def pause(self, node: int) -> None:
        send(self.processes[node], signal.SIGSTOP)

    def pause_until_fenced(self, node: int) -> None:
        """Until the controller has noticed: its log tells so."""
        told = f"Fencing broker {node} "
        log = self.folder / f"{CONTROLLER}.log"
        before = log.read_text().count(told)
        self.pause(node)
        wait_for(lambda: log.read_text().count(told) > before)

    def resume(self, node: int) -> None:
        send(self.processes[node], signal.SIGCONT)

    def kill(self, node: int) -> None:
        send(self.processes[node], signal.SIGKILL)
        assert wait_for_end(self.processes[node], 30)

    def down(self) -> None:
        for node, process in self.processes.items():
            if is_alive(process):
                self.kill(node)

    def leader(self, topic: str, partition: int) -> int:
        """As the brokers that answer have it; -1: none."""
        found = self.admin.list_topics(topic, timeout=10).topics[topic].partitions[partition]
        return found.leader

    def wait_until_all_serve(self) -> None:
        """Every broker is registered and not fenced, and has what the leaders have."""

        def all_serve() -> bool:
            for node, process in self.processes.items():
                assert is_alive(process), tail(self.folder / f"{node}.log")
            if not all(answers(f"{LOOPBACK}:{port}") for port in self.ports.values()):
                return False
            try:
                known = self.admin.list_topics(timeout=10)
            except KafkaException:
                return False
            partitions = [
                partition
                for topic in known.topics.values()
                for partition in topic.partitions.values()
            ]
            complete = all(
                set(partition.isrs) == set(partition.replicas) for partition in partitions
            )
            return set(known.brokers) == set(self.ports) and complete

        wait_for(all_serve)

    def _format(self, node: int) -> None:
        home = self._home(node)
        (home / "temporary").mkdir(0o700, parents=True)
        (home / "log4j2.properties").write_text(LOGGING + FENCING, "ascii")
        (home / "server.properties").write_text(self._properties(node), "ascii")
        arguments = ["format", "--config=server.properties", f"--cluster-id={self._name}"]
        run(
            self._java("kafka.tools.StorageTool", *arguments),
            directory=home,
            environment=java.environment(),
        )

    def _properties(self, node: int) -> str:
        roles = "controller" if node == CONTROLLER else "broker"
        listener = (
            f"CONTROLLER://{LOOPBACK}:{self._controller_port}"
            if node == CONTROLLER
            else f"CLIENTS://{LOOPBACK}:{self.ports[node]}"
        )
        copies = len(self.ports)
        return f"""\
process.roles = {roles}
node.id = {node}
controller.quorum.voters = {CONTROLLER}@{LOOPBACK}:{self._controller_port}
listeners = {listener}
listener.security.protocol.map = CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT
{"" if node == CONTROLLER else "inter.broker.listener.name = CLIENTS"}
controller.listener.names = CONTROLLER
log.dirs = data
auto.create.topics.enable = false
default.replication.factor = {copies}
min.insync.replicas = {max(1, copies - 1)}
offsets.topic.replication.factor = {copies}
offsets.topic.num.partitions = 1
transaction.state.log.replication.factor = {copies}
transaction.state.log.min.isr = {max(1, copies - 1)}
transaction.state.log.num.partitions = 1
group.initial.rebalance.delay.ms = 0
broker.session.timeout.ms = {int(SESSION_SECONDS * 1_000)}
broker.heartbeat.interval.ms = 500
num.network.threads = 2
num.io.threads = 2
log.cleaner.dedupe.buffer.size = 33554432
"""

    def _java(self, main_class: str, *arguments: str) -> Command:
        memory = self._memory if self._memory.is_file() else None
        words = java.command(self._jars, heap_mb=HEAP_MB, memory=memory)
        return [*words, main_class, *arguments]

    def _home(self, node: int) -> Path:
        return self.folder / str(node)


@contextmanager
def several_brokers(folder: Path, count: int) -> Iterator[Brokers]:
    brokers = Brokers(folder, count)
    try:
        brokers.up()
        yield brokers
    finally:
        brokers.down()


def wait_for(condition: Callable[[], bool], *, seconds_max: float = START_SECONDS_MAX) -> None:
    until = time.monotonic() + seconds_max
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.2)
