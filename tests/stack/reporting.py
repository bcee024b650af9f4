"""Events as a table reports them: with its own certificate, by the reference client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from blackjack.facts import Event
from deploy.stack.stack import Stack
from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.rpc.links import Links
from table_client.backoff import Backoff
from table_client.journal import Journal
from table_client.reporter import Reporter
from tests.pitctl.calling import process


def enrol_and_report(stack: Stack, table: str, journal: Path, events: Sequence[Event]) -> None:
    """Returns when the gateway of the stack has acknowledged all of them."""
    known = stack.operator_environment(stack.state)
    enrolled = process("enrol", table, "--json", AUTHORITY_FOLDER=known["AUTHORITY_FOLDER"])
    assert enrolled.returncode == 0, enrolled.stderr
    identity = Path(json.loads(enrolled.stdout)["folder"])
    reporting = _report(known["TABLE_GATEWAY_ADDRESS"], table, identity, journal, events)
    with ThreadPoolExecutor(1) as thread:  # a test that drives a browser has a loop of its own
        thread.submit(asyncio.run, reporting).result()


async def _report(
    address: str, table: str, identity: Path, journal_path: Path, events: Sequence[Event]
) -> None:
    credentials = Credentials(Name("table", table), identity)
    with Journal(journal_path, table) as journal:
        async with Links(credentials) as links:
            reporter = Reporter(
                journal,
                lambda: links.to("table_gateway", Address.parse(address)),
                backoff=Backoff(Random(1)),
            )
            running = asyncio.create_task(reporter.run())
            for event in events:  # one batch each, as live
                seq = reporter.tell(event.fact, at=event.at)
                arrived = asyncio.create_task(reporter.acknowledged(seq))
                await asyncio.wait({running, arrived}, return_when=asyncio.FIRST_COMPLETED)
                assert arrived.done(), running.result()
            running.cancel()
