"""What was found is said in the log: all of it live, the beginning of it while catching up."""

from __future__ import annotations

import json
from io import StringIO

from blackjack.findings import Finding, Kind, Level, Withdrawal
from runtime.kafka.records import Output
from runtime.tracing import TRACEPARENT
from settlement.kafka.finding_log import LINES_MAX, logged
from settlement.kafka.settler import FindingOutput

TOPIC = "floor-findings"
TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
TRACE = f"00-{TRACE_ID}-b7ad6b7169203331-01".encode()


def finding(number: int) -> Finding:
    """Its words may name a card that nobody has shown yet."""
    words = "the hole card is the ace of spades"
    return Finding(f"id-{number}", Kind.OVERPAID, Level.P2, "BJ-07", number, 1, words, "", "R-1")


def output(record: Finding | Withdrawal, traceparent: bytes | None) -> Output:
    headers = [(TRACEPARENT, traceparent)] if traceparent else []
    output = FindingOutput(TOPIC, b"not looked at", b"BJ-07", headers=[*headers])
    output.found = record
    return output


def lines(written: StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_findings_and_withdrawals_are_said_under_the_trace_of_their_cause(
    written: StringIO,
) -> None:
    outputs = [
        Output("floor-settled-rounds", b"not looked at", b"BJ-07"),
        output(finding(7), TRACE),
        output(Withdrawal("id-7", "BJ-07", 8, "corrected", "R-1"), TRACE),
        output(finding(9), None),
    ]
    assert list(logged(iter(outputs))) == outputs
    found, withdrawn, untraced = lines(written)
    assert (
        found.items()
        >= {
            "event": "found",
            "kind": "payout.overpaid",
            "finding": "id-7",
            "table": "BJ-07",
            "round": "R-1",
            "seq": 7,
            "trace_id": TRACE_ID,
        }.items()
    )
    assert (
        withdrawn.items()
        >= {
            "event": "withdrawn",
            "finding": "id-7",
            "seq": 8,
            "trace_id": TRACE_ID,
        }.items()
    )
    assert "trace_id" not in untraced
    assert "ace" not in written.getvalue().replace("trace", ""), "what is hidden stays hidden"


def test_of_a_large_batch_the_rest_is_counted(written: StringIO) -> None:
    outputs = [output(finding(number), None) for number in range(LINES_MAX + 30)]
    assert list(logged(outputs)) == outputs
    *said, last = lines(written)
    assert [line["finding"] for line in said] == [f"id-{number}" for number in range(LINES_MAX)]
    assert (last["event"], last["findings"]) == ("found more", 30)
