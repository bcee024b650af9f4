"""The service on the page about operations is a real one: it starts, works and stops."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2

from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import header
from runtime.process import ExitCode
from runtime.rpc.client import connect
from runtime.tracing import TRACEPARENT
from tests.runtime.collector import collecting
from tests.runtime.kafka import eventually, mock_broker, read_all
from tests.stack.ports import own_port

KNOWN = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
PAGE = Path(__file__).resolve().parent.parent.parent / "docs/operations.md"


def example() -> str:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    return str(code)


@pytest.fixture
def ports() -> dict[str, str]:
    names = ("METRICS_ADDRESS", "HEALTH_ADDRESS", "RPC_ADDRESS")
    return {name: f"127.0.0.1:{own_port()}" for name in names}


@contextmanager
def running(folder: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    (folder / "greeter.py").write_text(example(), "utf-8")
    with subprocess.Popen(
        [sys.executable, "greeter.py"],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def is_ready(address: str) -> bool:
    with grpc.insecure_channel(address) as channel:
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        try:
            answer = check(health_pb2.HealthCheckRequest(service="ready"), timeout=1)
        except grpc.RpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def test_the_service_on_the_page_works(
    greeting: Any, tmp_path: Path, ports: dict[str, str]
) -> None:
    with mock_broker() as bootstrap, collecting() as collector:
        environment = {
            **ports,
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(greeting.folder),
            "KAFKA_BOOTSTRAP": bootstrap,
            "IDENTITY_FOLDER": str(tmp_path / "greeter"),
            "AUTHORITY_FOLDER": str(tmp_path / "authority"),
            **collector.environment,
            "OTEL_BSP_SCHEDULE_DELAY": "600000",  # not before it stops
        }
        producer = make_producer(producer_configuration(bootstrap))
        producer.produce("names", b"Ada", b"1", headers=[(TRACEPARENT, KNOWN)])
        assert producer.flush(10) == 0
        producer.close()
        with running(tmp_path, environment) as process:
            eventually(lambda: is_ready(ports["HEALTH_ADDRESS"]))
            eventually(lambda: len(read_all(bootstrap, "greetings")) == 1)
            (message,) = read_all(bootstrap, "greetings")
            assert message.value() == b"hello Ada"
            assert header(message, TRACEPARENT) == KNOWN
            assert asyncio.run(greet(greeting, tmp_path, ports)) == "hello Bob at table/BJ-07"
            process.send_signal(signal.SIGTERM)
            _, stderr = process.communicate(timeout=30)
    assert process.returncode == ExitCode.STOPPED, stderr
    assert '"event": "stopped"' in stderr
    (processed,) = collector.spans("greeter", "process names")
    assert f"00-{processed.trace_id}-{processed.parent_id}-01".encode() == KNOWN
    (called,) = collector.spans("greeter", "greeting.v1.GreetingService/Greet")
    assert not called.parent_id


async def greet(greeting: Any, folder: Path, ports: dict[str, str]) -> str:
    table = Credentials(Name("table", "BJ-07"), folder / "table", folder / "authority")
    async with connect("greeter", Address.parse(ports["RPC_ADDRESS"]), table) as channel:
        stub = greeting.service.GreetingServiceStub(channel)
        answer = await stub.Greet(greeting.messages.GreetRequest(name="Bob"))
        return str(answer.text)
