"""A stack with its services, a day that is sent to it, and hands that kill parts of it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random, SystemRandom

from confluent_kafka import Message

from deploy.demo.logged import Topics
from deploy.stack.identity import Identities
from deploy.stack.service_process import USES
from deploy.stack.services import SERVICES
from deploy.stack.stack import Stack
from pitctl.engine.audit import run as audit
from runtime.addresses import Address
from runtime.kafka import topic_reader
from runtime.kafka.records import header
from table_simulator.days.day import SimulatedDay
from table_simulator.grpc.floor_sender import FloorConnection, Progress, open_floor
from wire import headers, topics
from wire.log_file import delimited, write_log

SENT_SECONDS_MAX = 240.0
"""A test that hangs says nothing; a day takes seconds, and starting what was killed more."""
KAFKA, GATEWAY, SETTLEMENT = "kafka", "table_gateway", "settlement-0"


def fixed_ports() -> dict[str, str]:
    """Settings of a stack whose servers come back where they were.

    Below the ports that the kernel gives to clients: one of those, calling in vain for a server
    that was killed, could be given that server's own port.
    """
    chance = SystemRandom()
    while True:
        first = chance.randrange(21_000, 31_000, 1_100)
        if all(_is_free(first + port) for port in (0, 1, 2, *_services())):
            return {
                "STACK_KAFKA_PORT": str(first),
                "STACK_KAFKA_CONTROLLER_PORT": str(first + 1),
                "STACK_POSTGRES_PORT": str(first + 2),
                "STACK_SERVICES_PORT": str(first + 10),
            }


def _services() -> Iterator[int]:
    for service in SERVICES:
        yield from range(10 + service.ports, 10 + service.ports + len(USES))


def _is_free(port: int) -> bool:
    with socket.socket() as trial:
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Spine:
    """The stack of one test, from its servers to what settlement has said."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        self.stack = stack
        self.folder = folder
        stack.up()
        self.topics = Topics(stack.kafka_bootstrap)
        self.killed: list[str] = []

    def line(self, journals: Path) -> FloorConnection:
        identities = Identities(self.stack.settings.folder)
        address = self.stack.addresses(self.stack.state)["TABLE_GATEWAY_ADDRESS"]
        certificates = identities.folder / "table"
        return FloorConnection(Address.parse(address), certificates, journals, identities.authority)

    def send(self, day: SimulatedDay, *, speed: float) -> Progress:
        async def run() -> Progress:
            line = self.line(self.folder / "journals")
            async with open_floor(day.scripts(), line, speed=speed) as floor:
                async with asyncio.timeout(SENT_SECONDS_MAX):
                    return await floor.run()

        return asyncio.run(run())

    def kill(self, name: str) -> None:
        """kill -9, whatever it is doing; nothing if it is dead already."""
        try:
            os.kill(self.stack.state.processes[name].pid, signal.SIGKILL)
        except (ProcessLookupError, KeyError):
            return
        self.killed.append(name)

    def settled(self) -> None:
        """Return when all that the log has is settled."""
        self.stack.up()  # whatever was killed last
        self.topics.wait_until_settled(lambda _: None)

    # What is there now -----------------------------------------------------------------

    def read(self, topic: str) -> dict[str, list[Message]]:
        """The messages of a topic by table, each in the order of the log."""
        found: dict[str, list[Message]] = {}
        bootstrap = self.stack.kafka_bootstrap
        for message in topic_reader.read(bootstrap, topic_reader.whole(bootstrap, topic)):
            found.setdefault((message.key() or b"").decode(), []).append(message)
        return found

    def said(self, topic: str) -> bytes:
        """What settlement said, table by table, as `pitctl audit` writes it to a file."""
        streams = sorted(self.read(topic).items())
        return b"".join(delimited(each.value() or b"") for _, said in streams for each in said)

    def audited(self) -> tuple[bytes, bytes]:
        """What `pitctl audit` says of the log as it is: its rounds, and its findings."""
        log, rounds, findings = (self.folder / name for name in ("log", "rounds", "findings"))
        with log.open("wb") as file:
            write_log(
                file,
                (
                    (message.value() or b"", ingested_at(message))
                    for _, stream in sorted(self.read(topics.TABLE_EVENTS).items())
                    for message in stream
                ),
            )
        audit(
            str(log),
            truth_path="",
            as_json=True,
            processes=1,
            rounds_path=str(rounds),
            findings_path=str(findings),
        )
        return rounds.read_bytes(), findings.read_bytes()


def ingested_at(message: Message) -> int:
    return headers.read_ingested_at(header(message, headers.INGESTED_AT))


class Vandal:
    """Kills parts of a spine at moments that depend on a seed, and has them started again.

    A context: at its end nobody kills any more.
    """

    def __init__(self, spine: Spine, *, seed: int, victims: Sequence[str], seconds: float) -> None:
        chance = Random(seed)
        order = list(victims)
        chance.shuffle(order)
        moments = sorted(chance.uniform(0.5, seconds) for _ in order)
        self._plan = list(zip(moments, order, strict=True))
        self._spine = spine
        self._over = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> Vandal:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        began = time.monotonic()
        try:
            for moment, victim in self._plan:
                time.sleep(max(0.0, began + moment - time.monotonic()))
                self._spine.kill(victim)
                self._spine.stack.up()
        except BaseException as error:
            self._error = error
