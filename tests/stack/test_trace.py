"""One trace id leads from a table's batch, through Kafka, to the finding in the logs."""

from __future__ import annotations

import json
from pathlib import Path

from confluent_kafka import Message

from blackjack.facts import Event
from blackjack.findings import Finding
from blackjack.hand_history import parse
from deploy.stack.stack import Stack
from runtime.kafka.records import header
from runtime.tracing import TRACEPARENT, trace_id_of
from tests.stack.broker import Broker
from tests.stack.reporting import enrol_and_report
from tests.table_gateway.harness import eventually
from wire import headers, topics
from wire.settlement import decode_record

DISPUTE = Path(__file__).parents[2] / "docs" / "hands" / "dispute.bj"
TABLE = "TRACED-1"


def events_of(history: str) -> list[Event]:
    return list(parse(history).events)


def of_table(stack: Stack, topic: str) -> list[Message]:
    prefix = stack.settings.topic_prefix
    found = Broker(stack.kafka_bootstrap).read(prefix + topic)
    return [message for message in found if message.key() == TABLE.encode()]


def lines_of(stack: Stack, trace: str) -> list[dict[str, object]]:
    """`grep TRACE log/*.log`"""
    logs = sorted((stack.settings.folder / "log").glob("*.log"))
    texts = [line for log in logs for line in log.read_text("utf-8").splitlines() if trace in line]
    return [json.loads(text) for text in texts]


def test_one_trace_leads_from_a_tables_batch_to_its_finding(floor: Stack, tmp_path: Path) -> None:
    events = events_of(DISPUTE.read_text("utf-8").replace("table BJ-11", f"table {TABLE}"))
    enrol_and_report(floor, TABLE, tmp_path / "journal", events)

    eventually(lambda: bool(of_table(floor, topics.SETTLED_ROUNDS)))
    facts = {
        (message.partition(), message.offset()): message
        for message in of_table(floor, "table-events")
    }
    found = of_table(floor, topics.FINDINGS)
    assert len(found) >= 2
    for message in found:
        finding = decode_record(message.value() or b"")
        assert isinstance(finding, Finding)
        carried = trace_id_of(header(message, TRACEPARENT))
        assert carried
        place = [
            int(header(message, name) or b"-1")
            for name in (headers.SOURCE_PARTITION, headers.SOURCE_OFFSET)
        ]
        assert trace_id_of(header(facts[place[0], place[1]], TRACEPARENT)) == carried
        said = {(line["service"], line["event"]): line for line in lines_of(floor, carried)}
        appended = said["table_gateway", "batch appended"]
        assert (appended["table"], appended["through_seq"]) == (TABLE, finding.seq)
        found_line = said["settlement", "found"]
        assert found_line["table"] == TABLE
        assert found_line["kind"] in {decode_kind(message) for message in found}


def decode_kind(message: Message) -> str:
    finding = decode_record(message.value() or b"")
    assert isinstance(finding, Finding)
    return finding.kind.value
