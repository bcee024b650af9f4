"""The gateway on a real broker, over real mutual TLS."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import grpc
import pytest
from cryptography import x509

from blackjack.facts import ControllerRestarted, GapDeclared, RoundOpened
from casino.gateway.v1 import gateway_pb2 as pb
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import header
from runtime.tracing import TRACEPARENT, trace_id_of
from table_gateway.domain.stream import RejectionCode
from tests.scraping import scrape
from tests.table_gateway.harness import GatewayProcess, eventually, frame, frames
from wire import decode_event
from wire.chain import digest
from wire.headers import INGESTED_AT, KIND, read_ingested_at, write_kind
from wire.topics import DEAD_LETTERS, PARTITIONS, TABLE_EVENTS

Codes = grpc.StatusCode


def test_what_is_acknowledged_is_in_the_log_as_it_was_sent_and_in_order(
    gateway: GatewayProcess,
) -> None:
    sent = frames("BJ-07", 500)

    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream:
            assert (stream.welcome.resume_after, stream.welcome.hash) == (0, b"")
            for start in range(0, 500, 50):
                assert await stream.report(sent[start : start + 50]) == (start + 50, [])
        async with gateway.open_session("BJ-07") as stream:
            assert stream.welcome.resume_after == 500
            assert stream.welcome.hash == digest(sent[-1])

    asyncio.run(scenario())
    assert gateway.logged("BJ-07") == sent
    for message in gateway.messages():
        assert read_ingested_at(header(message, INGESTED_AT)) > 1_700_000_000_000_000
        assert header(message, KIND) == write_kind(decode_event(message.value() or b"").fact)
        assert trace_id_of(header(message, TRACEPARENT))
        assert message.partition() == partition_of(b"BJ-07", PARTITIONS[TABLE_EVENTS])
    assert gateway.stop() == 0


def test_what_is_sent_again_is_acknowledged_and_not_written_twice(gateway: GatewayProcess) -> None:
    sent = frames("BJ-07", 20)

    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream:
            await stream.report(sent)
            await stream.write(sent[10:])
            again = (await stream.read()).acknowledged
            assert (again.through_seq, again.duplicates) == (20, 10)

    asyncio.run(scenario())
    assert gateway.logged("BJ-07") == sent


def test_what_is_wrong_is_refused_by_code_and_kept_while_others_go_on(
    gateway: GatewayProcess,
) -> None:
    good, other = frames("BJ-07", 3), frames("BJ-08", 4)
    large = b"\x00" * 70_000
    wrong = {
        "REJECTION_CODE_MALFORMED": b"\xff\xff",
        "REJECTION_CODE_OVERSIZED": large,
        "REJECTION_CODE_FOREIGN": other[0],
        "REJECTION_CODE_CHAIN_BROKEN": frame("BJ-07", 2, RoundOpened("R-2"), good[2]),
        "REJECTION_CODE_OUT_OF_ORDER": good[2],
        "REJECTION_CODE_CONFLICT": frame("BJ-07", 1, RoundOpened("forged")),
        "REJECTION_CODE_GAP_TOO_LARGE": frame("BJ-07", 9**9, GapDeclared(2, 9**9 - 1), good[0]),
    }

    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream, gateway.open_session("BJ-08") as beside:
            assert await stream.report(good[:1]) == (1, [])
            for number, (code, bad) in enumerate(wrong.items()):
                assert await stream.report([bad]) == (1, [code])
                assert await beside.report(other[number : number + 1]) == (min(number + 1, 4), [])
            assert await stream.report([b"", *good[1:]]) == (3, ["REJECTION_CODE_MALFORMED"])

    asyncio.run(scenario())
    assert (gateway.logged("BJ-07"), gateway.logged("BJ-08")) == (good, other)
    letters = gateway.dead_letters()
    expected = [code.removeprefix("REJECTION_CODE_").lower() for code in wrong]
    assert [each["code"] for each in letters] == [*expected, "malformed"]
    assert {each["table"] for each in letters} == {"BJ-07"}
    assert {each["peer"] for each in letters} == {"table/BJ-07"}
    assert letters[2]["reason"] == "event of table BJ-08 in the stream of table BJ-07"
    assert letters[1]["length"] == "70000"
    assert letters[1]["sha256"] == digest(large).hex()
    kept = [message.value() or b"" for message in gateway.messages(DEAD_LETTERS)]
    assert kept == [*(bad[:65536] for bad in wrong.values()), b""]


def test_a_message_that_no_batch_can_be_is_not_even_received(
    make_gateway: Callable[..., GatewayProcess],
) -> None:
    """A batch at its limit is; one byte in an event more than allowed is refused by its code."""
    gateway = make_gateway(BATCH_BYTES_MAX="200000")
    good = frames("BJ-07", 3, room=65_000)

    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream:
            assert stream.welcome.batch_bytes_max == 200_000
            assert await stream.report(good) == (3, [])
            large = [*good[1:], b"\x00" * 65_537]
            assert await stream.report(large) == (3, ["REJECTION_CODE_OVERSIZED"])
            await stream.write([*good, *good])
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await stream.read()
            assert ended.value.code() is Codes.RESOURCE_EXHAUSTED
            assert "larger than max" in (ended.value.details() or "")
        async with gateway.open_session("BJ-07") as stream:
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await stream.report([*good, good[0]])
            assert ended.value.code() is Codes.INVALID_ARGUMENT
            assert "at most 200000 are allowed" in (ended.value.details() or "")

    asyncio.run(scenario())
    assert gateway.logged("BJ-07") == good


def test_a_declared_gap_and_a_restart_are_taken(gateway: GatewayProcess) -> None:
    good = frames("BJ-07", 3)
    gap = frame("BJ-07", 10, GapDeclared(4, 9, "disk"), good[2])
    restart = frame("BJ-07", 11, ControllerRestarted("power"))
    after = frame("BJ-07", 12, RoundOpened("R-12"), restart)

    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream:
            assert await stream.report([*good, gap, restart, after]) == (12, [])

    asyncio.run(scenario())
    assert gateway.logged("BJ-07") == [*good, gap, restart, after]


def test_a_certificate_speaks_for_its_own_table_only(gateway: GatewayProcess) -> None:
    async def scenario() -> None:
        async with gateway.stub("BJ-08") as stub:
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await stub.ReportOnce(pb.ReportOnceRequest(table_id="BJ-07"))
            assert refused.value.code() is Codes.PERMISSION_DENIED
            call = stub.Report()
            await call.write(pb.ReportRequest(hello=pb.Hello(table_id="BJ-07")))
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await call.read()
            assert refused.value.code() is Codes.PERMISSION_DENIED

    asyncio.run(scenario())
    assert gateway.messages() == []


def test_who_reports_seldom_reports_once(gateway: GatewayProcess) -> None:
    sent = frames("BJ-07", 4)

    async def scenario() -> None:
        async with gateway.stub("BJ-07") as stub:
            for number, each in enumerate(sent, 1):
                request = pb.ReportOnceRequest(table_id="BJ-07", events=[each, b"?"])
                answer = await stub.ReportOnce(request)
                assert answer.acknowledged.through_seq == number
                assert [(each.index, each.code) for each in answer.rejected] == [
                    (1, pb.REJECTION_CODE_MALFORMED)
                ]
            where = await stub.ReportOnce(pb.ReportOnceRequest(table_id="BJ-07"))
            assert where.acknowledged.hash == digest(sent[-1])

    asyncio.run(scenario())
    assert gateway.logged("BJ-07") == sent


def test_the_newer_stream_of_a_table_wins_and_the_older_is_told_why(
    gateway: GatewayProcess,
) -> None:
    sent = frames("BJ-07", 10)

    async def scenario() -> None:
        async with gateway.open_session("BJ-08") as beside, gateway.open_session("BJ-07") as older:
            await older.report(sent[:5])
            async with gateway.open_session("BJ-07") as newer:
                assert newer.welcome.resume_after == 5
                with pytest.raises(grpc.aio.AioRpcError) as ended:
                    await older.read()
                assert ended.value.code() is Codes.ABORTED
                assert ended.value.details() == "a newer call reports for table BJ-07"
                assert await newer.report(sent[5:]) == (10, [])
            assert await beside.report(frames("BJ-08", 1)) == (1, [])

    asyncio.run(scenario())
    assert gateway.logged("BJ-07") == sent


@pytest.mark.parametrize("first", [pb.ReportRequest(), pb.ReportRequest(batch=pb.Batch())])
def test_a_stream_begins_with_a_hello(gateway: GatewayProcess, first: pb.ReportRequest) -> None:
    async def scenario() -> None:
        async with gateway.stub("BJ-07") as stub:
            call = stub.Report()
            await call.write(first)
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await call.read()
            assert refused.value.code() is Codes.INVALID_ARGUMENT

    asyncio.run(scenario())


def test_a_stop_tells_open_streams_to_come_again(gateway: GatewayProcess) -> None:
    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream:
            stopped = asyncio.create_task(asyncio.to_thread(gateway.stop))
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await stream.read()
            assert ended.value.code() is Codes.UNAVAILABLE
            assert await stopped == 0

    asyncio.run(scenario())


def test_a_restart_goes_on_from_what_was_written_down_and_what_came_after(
    make_gateway: Callable[..., GatewayProcess],
) -> None:
    gateway = make_gateway(TABLE_HEADS_SECONDS="0.2")
    sent = frames("BJ-07", 30)

    async def send(first: int, last: int) -> None:
        async with gateway.open_session("BJ-07") as stream:
            assert stream.welcome.resume_after == first
            assert await stream.report(sent[first:last]) == (last, [])

    asyncio.run(send(0, 10))
    eventually(lambda: len(gateway.heads()) > 0)
    gateway.environment["TABLE_HEADS_SECONDS"] = "3600"
    gateway.kill()
    gateway.start()
    asyncio.run(send(10, 20))
    gateway.kill()
    gateway.start()
    asyncio.run(send(20, 30))
    assert gateway.logged("BJ-07") == sent


@pytest.mark.parametrize("key", [b"BJ-08", b"\xff\xfe", None])
def test_an_event_under_another_key_is_not_in_its_tables_stream(
    gateway: GatewayProcess, key: bytes | None
) -> None:
    """Settlement goes by the key: were it counted here, the real one would never be folded."""
    table = "BJ-07"
    sent = frames(table, 3)
    partition = partition_of(table.encode(), PARTITIONS[TABLE_EVENTS])
    gateway.broker.write(gateway.prefix + TABLE_EVENTS, sent[:2], key=key, partition=partition)

    async def scenario() -> None:
        async with gateway.open_session(table) as stream:
            assert stream.welcome.resume_after == 0
            assert await stream.report(sent) == (3, [])
        async with gateway.open_session(table) as stream:
            assert stream.welcome.resume_after == 3

    asyncio.run(scenario())
    assert gateway.logged(table) == sent


def test_what_was_taken_and_refused_and_when_is_told(gateway: GatewayProcess) -> None:
    sent = frames("BJ-07", 5)
    before = scrape(gateway.metrics_address)
    assert before.value("table_gateway_events_total") == 0
    assert before.value("table_gateway_last_acknowledged_timestamp_seconds") == 0

    async def scenario() -> None:
        async with gateway.open_session("BJ-07") as stream:
            assert await stream.report([*sent, b"no event"]) == (5, ["REJECTION_CODE_MALFORMED"])
            told = scrape(gateway.metrics_address)
            assert told.value("table_gateway_sessions") == 1
            assert told.value("table_gateway_events_total", outcome="accepted") == 5
            assert (
                told.value("table_gateway_events_total", outcome=RejectionCode.MALFORMED.value) == 1
            )
            assert told.value("table_gateway_events_total") == 6
            last = told.value("table_gateway_last_acknowledged_timestamp_seconds")
            # A duplicate is acknowledged too, but nothing new has come.
            assert await stream.report(sent) == (5, [])
            told = scrape(gateway.metrics_address)
            assert told.value("table_gateway_last_acknowledged_timestamp_seconds") == last > 0

    asyncio.run(scenario())
    own = x509.load_pem_x509_certificate((gateway.folder / gateway.name / "tls.crt").read_bytes())
    expiry = scrape(gateway.metrics_address).value(
        "table_gateway_certificate_expiry_timestamp_seconds"
    )
    assert expiry == own.not_valid_after_utc.timestamp()
