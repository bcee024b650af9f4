"""The gRPC server and channels, over real mutual TLS on a loopback port."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from prometheus_client import generate_latest

from runtime import logs
from runtime.addresses import Address
from runtime.health import Health
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.identity.tokens import PUBLIC_KEY, open_token_issuer, read_token_verifier
from runtime.metrics import Metrics
from runtime.rpc.access import Access, bearer
from runtime.rpc.calls import current_peer, current_person
from runtime.rpc.client import connect
from runtime.rpc.errors import error_info
from runtime.rpc.links import Links
from runtime.rpc.server import MESSAGE_BYTES_MAX, RpcServer, Servicer
from runtime.tracing import current_trace_id, new_trace

SERVICE = "greeting.v1.GreetingService"
CONSOLE = Name("service", "console")


class OutOfTurn(Exception):
    """A domain error: a noun with fields."""

    def __init__(self, *, seat: int, expected_seat: int) -> None:
        self.seat = seat
        self.expected_seat = expected_seat
        super().__init__(f"seat {seat} acted, but it was seat {expected_seat}'s turn")


@dataclass
class House:
    """A running server, and what is needed to call it."""

    folder: Path
    greeting: Any
    server: RpcServer
    address: Address
    credentials: Credentials

    def caller(self, name: Name) -> Credentials:
        return Credentials(name, self.folder / name.name, self.folder / "authority")

    def token(self, *roles: str, age: timedelta = timedelta(0)) -> tuple[str, str]:
        issuer = open_token_issuer(self.folder / "authority", issuer="console")
        return bearer(issuer.issue("ada", frozenset(roles), now=datetime.now(UTC) - age))

    @asynccontextmanager
    async def stub(self, name: Name = CONSOLE, service: str = "greeter") -> AsyncIterator[Any]:
        async with connect(
            service,
            self.address,
            self.caller(name),
            repeatable=[f"{SERVICE}/Greet"],
            deadline_seconds=5,
        ) as channel:
            yield self.greeting.service.GreetingServiceStub(channel)

    def request(self, name: str) -> Any:
        return self.greeting.messages.GreetRequest(name=name)


def make_servicer(greeting: Any) -> Any:
    answer = greeting.messages.GreetResponse

    class Greeter(greeting.service.GreetingServiceServicer):  # type: ignore[misc]
        async def Greet(self, request: Any, context: Any) -> Any:  # noqa: N802
            match request.name:
                case "out of turn":
                    raise OutOfTurn(seat=3, expected_seat=2)
                case "broken":
                    raise RuntimeError("the password of the database is hunter2")
                case "own words":
                    await context.abort(grpc.StatusCode.OUT_OF_RANGE, "by myself")
                case "slow":
                    await asyncio.sleep(30)
                case "a while":
                    await asyncio.sleep(0.3)
                case "peer":
                    return answer(text=str(current_peer()))
                case "person":
                    return answer(text=current_person().subject)
                case "trace":
                    return answer(text=current_trace_id())
                case "once more" if not hasattr(self, "asked"):
                    self.asked = True
                    await context.abort(grpc.StatusCode.UNAVAILABLE, "not yet")
            return answer(text=f"hello {request.name}")

        async def Count(self, request: Any, _: Any) -> AsyncIterator[Any]:  # noqa: N802
            for number in range(3):
                yield answer(text=f"{request.name} {number}")
            if request.name == "out of turn":
                raise OutOfTurn(seat=1, expected_seat=2)

        async def Gather(self, requests: Any, _: Any) -> Any:  # noqa: N802
            return answer(text=" ".join([request.name async for request in requests]))

        async def Talk(self, requests: Any, context: Any) -> None:  # noqa: N802
            async for request in requests:
                await context.write(answer(text=f"hello {request.name}"))

    return Greeter()


POLICY = {
    f"/{SERVICE}/Greet": Access(peers={"service/*", "table/*"}),
    f"/{SERVICE}/Count": Access(peers={"service/console"}),
    f"/{SERVICE}/Gather": Access(peers={"service/console"}, roles={"auditor", "pit"}),
    f"/{SERVICE}/Talk": Access(peers={"table/*"}),
}


@pytest.fixture
def in_house(greeting: Any, tmp_path: Path) -> Callable[[Callable[[House], Awaitable[None]]], None]:
    """Runs a scenario with a server of its own."""

    async def run(scenario: Callable[[House], Awaitable[None]]) -> None:
        authority = tmp_path / "authority"
        credentials = Credentials(Name("service", "greeter"), tmp_path / "greeter", authority)
        open_token_issuer(authority, issuer="console")
        servicer = make_servicer(greeting)
        server = RpcServer(
            address=Address("127.0.0.1", 0),
            credentials=credentials,
            metrics=Metrics("greeter"),
            health=Health(["kafka"]),
            servicers=[
                Servicer(
                    SERVICE,
                    lambda to: greeting.service.add_GreetingServiceServicer_to_server(servicer, to),
                )
            ],
            policy=POLICY,
            codes={OutOfTurn: grpc.StatusCode.FAILED_PRECONDITION},
            verifier=read_token_verifier(authority / PUBLIC_KEY),
            grace_seconds=0.2,
        )
        async with server.served() as at:
            await scenario(House(tmp_path, greeting, server, at, credentials))

    return lambda scenario: asyncio.run(run(scenario))


InHouse = Callable[[Callable[[House], Awaitable[None]]], None]


def test_all_four_kinds_of_calls_are_answered(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with house.stub() as stub:
            assert (await stub.Greet(house.request("Ada"))).text == "hello Ada"
            counted = [answer.text async for answer in stub.Count(house.request("Ada"))]
            assert counted == ["Ada 0", "Ada 1", "Ada 2"]
            names = [house.request(name) for name in "abc"]
            gathered = await stub.Gather(iter(names), metadata=[house.token("pit")])
            assert gathered.text == "a b c"
        async with house.stub(Name("table", "BJ-07")) as stub:
            talked = [answer.text async for answer in stub.Talk(iter(names))]
            assert talked == ["hello a", "hello b", "hello c"]

    in_house(scenario)


def test_the_peer_is_who_its_certificate_says(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with house.stub(Name("table", "BJ-07")) as stub:
            assert (await stub.Greet(house.request("peer"))).text == "table/BJ-07"

    in_house(scenario)


def test_without_a_certificate_of_ours_there_is_no_connection(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        pair = house.credentials.pair
        foreign = Credentials(
            CONSOLE, house.folder / "foreign", house.folder / "other_authority"
        ).pair
        for credentials in (
            grpc.ssl_channel_credentials(pair.authority),
            grpc.ssl_channel_credentials(pair.authority, foreign.key, foreign.certificate),
        ):
            options = [("grpc.ssl_target_name_override", Name("service", "greeter").host)]
            async with grpc.aio.secure_channel(str(house.address), credentials, options) as channel:
                stub = house.greeting.service.GreetingServiceStub(channel)
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await stub.Greet(house.request("Ada"))
                assert caught.value.code() is grpc.StatusCode.UNAVAILABLE

    in_house(scenario)


def test_a_service_that_is_not_the_one_meant_is_not_spoken_to(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with house.stub(service="accounting") as stub:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.Greet(house.request("Ada"), timeout=1)
            assert caught.value.code() in (
                grpc.StatusCode.UNAVAILABLE,
                grpc.StatusCode.DEADLINE_EXCEEDED,
            )

    in_house(scenario)


def test_a_renewed_certificate_is_taken_up_without_a_restart(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        before = await served_certificate(house)
        (house.folder / "greeter/tls.key").unlink()
        assert house.credentials.refresh(datetime.now(UTC))
        assert await served_certificate(house) != before
        async with house.stub() as stub:
            assert (await stub.Greet(house.request("Ada"))).text == "hello Ada"

    in_house(scenario)


def test_a_second_server_on_the_same_port_does_not_start(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        second = replace(house.server, address=house.address, metrics=Metrics("second"))
        with pytest.raises(RuntimeError, match="Failed to bind"):
            await second.served().__aenter__()
        async with Health().served(Address("127.0.0.1", 0)) as at:
            with pytest.raises(RuntimeError, match="Failed to bind"):
                await Health().served(at).__aenter__()

    in_house(scenario)


def test_a_link_is_made_anew_when_our_certificate_was_renewed(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        credentials = house.caller(CONSOLE)
        async with Links(credentials, deadline_seconds=5) as links:
            first = links.to("greeter", house.address)
            assert links.to("greeter", house.address) is first
            slow = house.greeting.service.GreetingServiceStub(first).Greet(house.request("a while"))
            (house.folder / "console/tls.key").unlink()
            assert credentials.refresh(datetime.now(UTC))
            second = links.to("greeter", house.address)
            assert second is not first
            stub = house.greeting.service.GreetingServiceStub(second)
            assert (await stub.Greet(house.request("Ada"))).text == "hello Ada"
            assert (await slow).text == "hello a while"

    in_house(scenario)


async def served_certificate(house: House) -> bytes:
    context = ssl.create_default_context(cadata=house.credentials.pair.authority.decode())
    context.load_cert_chain(house.folder / "greeter/tls.crt", house.folder / "greeter/tls.key")
    context.set_alpn_protocols(["h2"])
    host = Name("service", "greeter").host
    _, writer = await asyncio.open_connection(*house.address, ssl=context, server_hostname=host)
    shown: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    return shown


def test_a_domain_error_has_its_status_its_sentence_and_its_fields(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with house.stub() as stub:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.Greet(house.request("out of turn"))
            error = caught.value
            assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
            assert error.details() == "seat 3 acted, but it was seat 2's turn"
            info = error_info(error)
            assert info is not None
            assert (info.reason, info.domain) == ("OUT_OF_TURN", "greeter")
            assert dict(info.metadata) == {"seat": "3", "expected_seat": "2"}

            with pytest.raises(grpc.aio.AioRpcError) as caught:
                _ = [answer async for answer in stub.Count(house.request("out of turn"))]
            assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION

            with pytest.raises(grpc.aio.AioRpcError, match="by myself") as caught:
                await stub.Greet(house.request("own words"))
            assert caught.value.code() is grpc.StatusCode.OUT_OF_RANGE

    in_house(scenario)


def test_an_unexpected_error_tells_the_caller_its_trace_and_nothing_else(
    in_house: InHouse,
) -> None:
    async def scenario(house: House) -> None:
        async with house.stub() as stub:
            with new_trace("test"):
                trace_id = current_trace_id()
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await stub.Greet(house.request("broken"))
        assert caught.value.code() is grpc.StatusCode.INTERNAL
        told = f"{caught.value} {caught.value.trailing_metadata()}"
        assert trace_id in told
        assert "hunter2" not in told
        assert "RuntimeError" not in told

    in_house(scenario)


def test_the_callers_trace_goes_on_in_the_service(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with house.stub() as stub:
            with new_trace("test"):
                assert (await stub.Greet(house.request("trace"))).text == current_trace_id()
            assert len((await stub.Greet(house.request("trace"))).text) == 32

    in_house(scenario)


def test_what_no_rule_allows_is_refused(in_house: InHouse) -> None:
    async def rejection(call: Any) -> tuple[grpc.StatusCode, str]:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        return caught.value.code(), caught.value.details() or ""

    async def scenario(house: House) -> None:
        denied, unknown = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED
        names = [house.request("a")]
        async with house.stub() as stub:
            talking = stub.Talk(iter(names))
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await talking.read()
            assert caught.value.details() == "permission denied: service/console may not"
            assert await rejection(stub.Gather(iter(names))) == (
                unknown,
                "a token of a person who is auditor or pit is needed",
            )
            gather = stub.Gather(iter(names), metadata=[house.token("cage")])
            assert await rejection(gather) == (
                denied,
                "permission denied: ada is not auditor or pit",
            )
            old = house.token("pit", age=timedelta(hours=1))
            code, details = await rejection(stub.Gather(iter(names), metadata=[old]))
            assert code is unknown
            assert details.startswith("the token expired at")
            basic = [("authorization", "Basic YWRh")]
            code, _ = await rejection(stub.Greet(house.request("Ada"), metadata=basic))
            assert code is unknown
            person = stub.Greet(house.request("person"))
            assert await rejection(person) == (unknown, "a signed token of a person is needed")
            known = await stub.Greet(house.request("person"), metadata=[house.token("cage")])
            assert known.text == "ada"

    in_house(scenario)


def test_a_call_without_a_deadline_gets_one(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with connect(
            "greeter", house.address, house.caller(CONSOLE), deadline_seconds=0.2
        ) as channel:
            stub = house.greeting.service.GreetingServiceStub(channel)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.Greet(house.request("slow"))
            assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED

    in_house(scenario)


@pytest.mark.parametrize(
    ("waits", "code"),
    [(True, grpc.StatusCode.DEADLINE_EXCEEDED), (False, grpc.StatusCode.UNAVAILABLE)],
)
def test_who_does_not_wait_learns_at_once_that_nobody_is_there(
    in_house: InHouse, waits: bool, code: grpc.StatusCode
) -> None:
    async def scenario(house: House) -> None:
        with socket.socket() as held:  # bound, and nobody listens
            held.bind(("127.0.0.1", 0))
            nobody = Address("127.0.0.1", held.getsockname()[1])
            async with connect(
                "greeter", nobody, house.caller(CONSOLE), deadline_seconds=5, waits=waits
            ) as channel:
                stub = house.greeting.service.GreetingServiceStub(channel)
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await stub.Greet(house.request("ada"))
                assert caught.value.code() is code

    in_house(scenario)


def test_what_may_be_repeated_is_retried(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with house.stub() as stub:
            assert (await stub.Greet(house.request("once more"))).text == "hello once more"

    in_house(scenario)


def test_a_message_that_is_too_large_is_refused(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with house.stub() as stub:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.Greet(house.request("x" * (MESSAGE_BYTES_MAX + 1)))
            assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED

    in_house(scenario)


def test_health_and_reflection_are_there_for_whoever_has_a_certificate(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        credentials = house.caller(CONSOLE)
        async with connect("greeter", house.address, credentials) as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            answer = await check(health_pb2.HealthCheckRequest(service="ready"))
            assert answer.status == health_pb2.HealthCheckResponse.NOT_SERVING
        services = await asyncio.to_thread(reflected, str(house.address), credentials)
        assert SERVICE in services

    in_house(scenario)


def reflected(address: str, credentials: Credentials) -> list[str]:
    options = [("grpc.ssl_target_name_override", Name("service", "greeter").host)]
    with grpc.secure_channel(address, credentials.client(), options) as channel:
        return list(ProtoReflectionDescriptorDatabase(channel).get_services())


def test_every_call_leaves_a_line_and_its_figures(
    in_house: InHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scenario(house: House) -> None:
        logs.configure("greeter")
        async with house.stub() as stub:
            await stub.Greet(house.request("Ada"), metadata=[house.token("pit")])
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.Greet(house.request("out of turn"))
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.Greet(house.request("own words"))
        # A caller has its answer a moment before the call is counted.
        labels = f'grpc_method="Greet",grpc_service="{SERVICE}"'
        for code in ("OK", "FAILED_PRECONDITION", "OUT_OF_RANGE"):
            counted = f'grpc_server_handled_total{{grpc_code="{code}",{labels}}} 1.0'
            await figure(house, re.escape(counted))
        await figure(house, re.escape(f"grpc_server_under_way{{{labels}}} 0.0"))

    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        in_house(scenario)
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.captureWarnings(False)
    written = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    calls = [line for line in written if line["event"] == "call"]
    assert [call["code"] for call in calls] == ["OK", "FAILED_PRECONDITION", "OUT_OF_RANGE"]
    assert calls[0]["peer"] == "service/console"
    assert calls[0]["person"] == "ada"
    assert len(calls[0]["trace_id"]) == 32


async def figure(house: House, wanted: str) -> None:
    """Waits until the metrics say so."""
    metrics = ""
    for _ in range(500):
        metrics = generate_latest(house.server.metrics.registry).decode()
        if re.search(wanted, metrics):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(metrics)


def test_a_caller_that_goes_away_is_counted_as_cancelled(in_house: InHouse) -> None:
    async def scenario(house: House) -> None:
        async with house.stub() as stub:
            call = stub.Greet(house.request("slow"))
            await figure(house, r"grpc_server_under_way\{.*\} 1\.0")
            call.cancel()
            await figure(house, 'grpc_code="CANCELLED"')

    in_house(scenario)


def test_a_trusted_peer_needs_no_person_and_whom_the_row_names_still_does() -> None:
    access = Access(peers={"service/console"}, roles={"auditor"}, trusted={"service/*"})
    assert access.roles_for("service/console") == frozenset({"auditor"})
    assert access.roles_for("service/accounting") == frozenset()
    assert access.roles_for("table/BJ-07") is None
