"""The adapter on the page about ingest is a real one: its feed arrives in the log."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blackjack.cards.card import card
from blackjack.facts import BetsClosed, CardDealt, WagerPlaced
from runtime.identity.names import Name
from tests.stack.broker import Broker
from tests.table_gateway.harness import GatewayProcess
from wire import decode_event
from wire.chain import verify

PAGE = Path(__file__).resolve().parents[2] / "docs/ingest.md"


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    return str(found)


@pytest.fixture
def gateway(tmp_path: Path, broker: Broker) -> Iterator[GatewayProcess]:
    made = GatewayProcess(tmp_path, broker)
    made.start()
    yield made
    made.kill()


def test_the_adapter_on_the_page_works(gateway: GatewayProcess, tmp_path: Path) -> None:
    gateway.credentials("BJ-07")  # issued into a folder of that name
    folder = tmp_path / "adapter"
    folder.mkdir()
    (tmp_path / "BJ-07").rename(folder / "identity")
    (folder / "adapter.py").write_text(block("python"), "utf-8")
    subprocess.run(
        [sys.executable, "adapter.py", "BJ-07", str(gateway.address), str(folder)],
        cwd=folder,
        input=block("jsonl").encode(),
        env={"PATH": os.environ["PATH"]},
        timeout=60,
        check=True,
    )
    log = gateway.logged("BJ-07")
    assert verify(log) == ()
    events = [decode_event(each) for each in log]
    assert [event.fact for event in events] == [
        WagerPlaced(3, "main", 1000),
        BetsClosed(),
        CardDealt(3, card("KH")),
        CardDealt(0, None),
    ]
    assert [event.confidence for event in events] == [1000, 1000, 998, 310]
    assert events[0].at == 1_772_396_100_250_000
    assert {event.device for event in events} == {"tray", "shoe"}


def test_the_page_names_tables_as_certificates_do() -> None:
    assert Name("table", "BJ-07").uri in PAGE.read_text("utf-8")
    assert Name("service", "table_gateway").host in PAGE.read_text("utf-8")
