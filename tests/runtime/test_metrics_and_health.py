"""Metrics and health answer on ports of their own."""

from __future__ import annotations

import asyncio
import threading
import urllib.request

import grpc
import pytest
from grpc_health.v1 import health_pb2

from runtime.addresses import Address
from runtime.health import LIVE, READY, Health, UnknownCondition
from runtime.metrics import Metrics

SECONDS_MAX = 30.0
ANY_PORT = Address("127.0.0.1", 0)
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def test_metrics_of_the_service_and_of_the_process_are_served() -> None:
    metrics = Metrics("example", version="1")
    metrics.counter("guests", "Who came.", ["door"]).labels("front").inc(3)
    metrics.histogram("waiting_seconds", "How long.").observe(0.2)
    metrics.gauge("inside", "Who is there.").set(2)
    with metrics.served(ANY_PORT) as at:
        page = urllib.request.urlopen(f"http://{at}/metrics", timeout=SECONDS_MAX).read().decode()
    assert 'example_guests_total{door="front"} 3.0' in page
    assert 'example_waiting_seconds_bucket{le="0.25"} 1.0' in page
    assert "example_inside 2.0" in page
    assert 'service_info{service="example",version="1"} 1.0' in page
    assert "process_resident_memory_bytes" in page


async def check(address: Address, service: str) -> int:
    async with grpc.aio.insecure_channel(str(address)) as channel:
        call = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        answer = await call(health_pb2.HealthCheckRequest(service=service), timeout=SECONDS_MAX)
        return answer.status


async def wait_until(address: Address, expected: int) -> None:
    async with asyncio.timeout(SECONDS_MAX):
        while await check(address, READY) != expected:
            await asyncio.sleep(0.01)


def test_live_at_once_but_ready_only_when_every_condition_is_met() -> None:
    async def scenario() -> None:
        health = Health(["database", "kafka"])
        async with health.served(ANY_PORT) as at:
            assert await check(at, LIVE) == SERVING
            assert await check(at, READY) == NOT_SERVING
            health.met("database")
            assert await check(at, READY) == NOT_SERVING
            reporter = threading.Thread(target=health.met, args=["kafka"])
            reporter.start()
            reporter.join()
            await wait_until(at, SERVING)
            health.not_met("kafka", "the broker is away")
            await wait_until(at, NOT_SERVING)
            assert health.unmet == {"kafka": "the broker is away"}
            assert await check(at, LIVE) == SERVING

    asyncio.run(scenario())


def test_a_service_without_conditions_is_ready_until_it_stops() -> None:
    async def scenario() -> None:
        health = Health()
        async with health.served(ANY_PORT) as at:
            await wait_until(at, SERVING)
            await health.stop()
            await wait_until(at, NOT_SERVING)

    asyncio.run(scenario())


def test_a_condition_nobody_named_is_a_mistake() -> None:
    async def scenario() -> None:
        with pytest.raises(UnknownCondition):
            Health(["kafka"]).met("kafak")

    asyncio.run(scenario())
