"""A gateway as a process of its own, on the run's real broker, and tables that call it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
from confluent_kafka import Message
from grpc_health.v1 import health_pb2

from blackjack.facts import ControllerRestarted, Event, Fact, RoundOpened
from casino.gateway.v1 import gateway_pb2 as pb
from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceStub
from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.kafka.records import headers_of
from runtime.rpc.client import connect
from tests.stack.broker import Broker
from tests.stack.ports import own_port
from wire import encode_event
from wire.chain import digest
from wire.log_file import delimited
from wire.topics import DEAD_LETTERS, TABLE_EVENTS, TABLE_HEADS

AT = 1_772_396_100_000_000
_LATER_FIELD = b"\xc2\x3e"
"""The tag of field 1000, with a length before its bytes."""
SECONDS_MAX = 30.0
MEBIBYTE = 1024 * 1024
MEMORY_GROWTH_MAX = 48 * MEBIBYTE
"""However much tables send or the log has: one fetch of the log at its worst, 16 MiB when it is
unpacked, and as much again for the messages taken out of it; 8 that wait; the rest for streams."""


def frames(table: str, count: int, *, room: int = 0) -> list[bytes]:
    """So many events of a table, each naming the one before.

    With `room`, each has so many bytes of a field that a later contract may have added: no text
    of ours may be that long.
    """
    padding = _LATER_FIELD + delimited(bytes(room)) if room else b""
    made: list[bytes] = []
    for seq in range(1, count + 1):
        fact = RoundOpened(f"R-{seq}")
        made.append(frame(table, seq, fact, made[-1] if made else None) + padding)
    return made


def frame(table: str, seq: int, fact: Fact, before: bytes | None = None) -> bytes:
    previous = b"" if before is None or isinstance(fact, ControllerRestarted) else digest(before)
    return encode_event(Event(table, seq, AT + seq, fact, previous=previous))


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS_MAX
    while not holds():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)


class GatewayProcess:
    """The gateway's process, its settings, and the log as it is."""

    def __init__(
        self, folder: Path, broker: Broker, *, name: str = "gateway", **environment: str
    ) -> None:
        self.folder = folder
        self.name = name
        self.broker = broker
        self.prefix = broker.make_named_topics()  # the same, for every gateway of one broker
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None
        self.address = Address("127.0.0.1", 0)
        self.health_address = ""
        self.metrics_address = ""

    def start(self, *, wait: bool = True) -> None:
        ports = [own_port() for _ in range(3)]
        names = ("RPC_ADDRESS", "METRICS_ADDRESS", "HEALTH_ADDRESS")
        self.address = Address("127.0.0.1", ports[0])
        settings = {
            **{name: f"127.0.0.1:{port}" for name, port in zip(names, ports, strict=True)},
            "PATH": os.environ["PATH"],
            "KAFKA_BOOTSTRAP": self.broker.bootstrap,
            "TOPIC_PREFIX": self.prefix,
            "IDENTITY_FOLDER": str(self.folder / self.name),
            "AUTHORITY_FOLDER": str(self.folder / "authority"),
            "LOG_LEVEL": "warning",
            **self.environment,
        }
        log = (self.folder / f"{self.name}.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "table_gateway"], env=settings, stderr=log
        )
        log.close()
        self.health_address = f"127.0.0.1:{ports[2]}"
        self.metrics_address = f"127.0.0.1:{ports[1]}"
        if wait:
            eventually(self.is_ready)

    def is_ready(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log
        with grpc.insecure_channel(self.health_address) as channel:
            request = health_pb2.HealthCheckRequest(service="ready")
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            try:
                answer = check(request, timeout=1)
            except grpc.RpcError:
                return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    @property
    def log(self) -> str:
        return (self.folder / f"{self.name}.log").read_text("utf-8")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS_MAX)

    def memory_bytes(self) -> int:
        return self._status_bytes("VmRSS")

    def memory_bytes_peak(self) -> int:
        """The most it ever took."""
        return self._status_bytes("VmHWM")

    def _status_bytes(self, name: str) -> int:
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        (line,) = [line for line in status.splitlines() if line.startswith(f"{name}:")]
        return int(line.split()[1]) * 1024

    def credentials(self, table: str) -> Credentials:
        return Credentials(Name("table", table), self.folder / table, self.folder / "authority")

    @asynccontextmanager
    async def stub(self, table: str) -> AsyncIterator[Any]:
        async with connect("table_gateway", self.address, self.credentials(table)) as channel:
            yield TableGatewayServiceStub(channel)

    @asynccontextmanager
    async def open_session(self, table: str) -> AsyncIterator[ReportStream]:
        async with self.stub(table) as stub:
            stream = ReportStream(stub.Report())
            await stream.hello(table)
            yield stream
            stream.call.cancel()

    def messages(self, topic: str = TABLE_EVENTS) -> list[Message]:
        return self.broker.read(self.prefix + topic)

    def logged(self, table: str) -> list[bytes]:
        """The table's bytes in the log, in its order."""
        key = table.encode()
        return [each.value() or b"" for each in self.messages() if each.key() == key]

    def dead_letters(self) -> list[dict[str, str]]:
        """Their headers."""
        return [
            {name: _text(value) for name, value in headers_of(each)}
            for each in self.messages(DEAD_LETTERS)
        ]

    def heads(self) -> list[Message]:
        return self.messages(TABLE_HEADS)


class ReportStream:
    """One stream to the gateway."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.welcome = pb.Welcome()

    async def hello(self, table: str) -> None:
        await self.call.write(pb.ReportRequest(hello=pb.Hello(table_id=table)))
        self.welcome = (await self.read()).welcome

    async def write(self, events: Iterable[bytes], waits: Iterable[int] = ()) -> None:
        batch = pb.Batch(events=events, waits_us=waits)
        await self.call.write(pb.ReportRequest(batch=batch))

    async def read(self) -> pb.ReportResponse:
        """Raises the status with which the call was ended."""
        answer = await self.call.read()
        assert isinstance(answer, pb.ReportResponse)
        return answer

    async def report(
        self, events: Iterable[bytes], waits: Iterable[int] = ()
    ) -> tuple[int, list[str]]:
        """How far the brokers have all, and the codes of what was refused."""
        await self.write(events, waits)
        codes = []
        while (answer := await self.read()).HasField("rejected"):
            codes.append(pb.RejectionCode.Name(answer.rejected.code))
        return answer.acknowledged.through_seq, codes


def _text(value: str | bytes | None) -> str:
    return value.decode() if isinstance(value, bytes) else value or ""
