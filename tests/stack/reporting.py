"""Events as a table reports them: with its own certificate, by the reference client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from blackjack.facts import Event
from casino.gateway.v1.gateway_pb2 import ReportOnceRequest, ReportOnceResponse
from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceStub
from deploy.stack.stack import Stack
from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.rpc.links import Links
from table_client.backoff import Backoff
from table_client.outbox import Outbox
from table_client.reporter import Reporter
from tests.pitctl.command import process
from tests.stack.looping import run_apart


def enrol_and_report(stack: Stack, table: str, journal: Path, events: Sequence[Event]) -> None:
    """Returns when the gateway of the stack has acknowledged all of them."""
    address, identity = _enrolled(stack, table)
    run_apart(_report(address, table, identity, journal, events))


def enrol_and_send(stack: Stack, table: str, frames: Sequence[bytes]) -> ReportOnceResponse:
    """These bytes as they are, in one call, whatever the gateway says to them."""
    address, identity = _enrolled(stack, table)
    return run_apart(_send(address, table, identity, frames))


def _enrolled(stack: Stack, table: str) -> tuple[str, Path]:
    known = stack.operator_environment(stack.state)
    enrolled = process("enroll", table, "--json", AUTHORITY_FOLDER=known["AUTHORITY_FOLDER"])
    assert enrolled.returncode == 0, enrolled.stderr
    return known["TABLE_GATEWAY_ADDRESS"], Path(json.loads(enrolled.stdout)["folder"])


async def _send(
    address: str, table: str, identity: Path, frames: Sequence[bytes]
) -> ReportOnceResponse:
    credentials = Credentials(Name("table", table), identity)
    async with Links(credentials) as links:
        stub: Any = TableGatewayServiceStub(links.to("table_gateway", Address.parse(address)))
        answer: ReportOnceResponse = await stub.ReportOnce(
            ReportOnceRequest(table_id=table, events=frames)
        )
        return answer


async def _report(
    address: str, table: str, identity: Path, journal_path: Path, events: Sequence[Event]
) -> None:
    credentials = Credentials(Name("table", table), identity)
    with Outbox(journal_path, table) as journal:
        async with Links(credentials) as links:
            reporter = Reporter(
                journal,
                lambda: links.to("table_gateway", Address.parse(address)),
                backoff=Backoff(Random(1)),
            )
            running = asyncio.create_task(reporter.run())
            for event in events:  # one batch each, as live
                seq = reporter.report(event.fact, at=event.at)
                arrived = asyncio.create_task(reporter.acknowledged(seq))
                await asyncio.wait({running, arrived}, return_when=asyncio.FIRST_COMPLETED)
                assert arrived.done(), running.result()
            running.cancel()
