"""What was found is said in the log too, under the trace of the event that proves it.

So that one id, searched for in all logs, leads from a table's batch to its consequences. A line
costs as much as settling a dozen events: live batches bring forth few findings and all are said;
while catching up, a batch may hold hundreds, and the rest of them is only counted. The topic has
every one of them, once; a line may come again when a batch was not committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from blackjack.findings import Finding
from runtime import logs
from runtime.kafka.records import Output
from runtime.tracing import TRACEPARENT, trace_id_of
from settlement.kafka.settler import FindingOutput
from settlement.metrics import SettlementMetrics
from wire.headers import CODE

LINES_MAX: Final = 20
"""How many findings of one batch are said."""
_log = logs.logger(__name__)


def logged(
    outputs: Iterable[Output],
    *,
    dead_letters_topic: str = "",
    metrics: SettlementMetrics | None = None,
) -> Iterator[Output]:
    """The same outputs, and a line in the log for what was found or withdrawn among them."""
    found = 0
    for output in outputs:
        if isinstance(output, FindingOutput):
            found += 1
            if found <= LINES_MAX:
                _log_finding(output)
            if metrics is not None and isinstance(output.found, Finding):
                metrics.found(output.found)
        elif output.topic == dead_letters_topic and metrics is not None:
            metrics.rejected_messages(_code_of(output))
        yield output
    if found > LINES_MAX:
        _log.info("found more", findings=found - LINES_MAX)


def _code_of(letter: Output) -> str:
    codes = [value for name, value in letter.headers or () if name == CODE]
    return codes[-1].decode() if codes and isinstance(codes[-1], bytes) else ""


def _log_finding(output: FindingOutput) -> None:
    """Without the words of the finding: they may name a card that is not shown yet."""
    found = output.found
    fields = {"table": found.table, "round": found.round, "seq": found.seq}
    if trace_id := trace_id_of(dict(output.headers or ()).get(TRACEPARENT)):
        fields["trace_id"] = trace_id
    if isinstance(found, Finding):
        _log.info("found", kind=found.kind.value, finding=found.id, **fields)
    else:
        _log.info("withdrawn", finding=found.id, **fields)
