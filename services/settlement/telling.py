"""What was found is said in the log too, under the trace of the event that proves it.

So that one id, searched for in all logs, leads from a table's batch to its consequences. A line
costs as much as settling a dozen events: live batches bring forth few findings and all are said;
while catching up, a batch may hold hundreds, and the rest of them is only counted. The topic has
every one of them, once; a line may come again when a batch was not committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import SettledRound
from runtime import logs
from runtime.kafka.records import Output
from runtime.tracing import TRACEPARENT, trace_id_of
from settlement.figures import Figures
from wire.errors import NotARecord
from wire.headers import CODE
from wire.settlement import decode_record

LINES_MAX: Final = 20
"""How many findings of one batch are said."""
_log = logs.logger(__name__)


def telling(
    outputs: Iterable[Output],
    *,
    findings_topic: str,
    dead_letters_topic: str = "",
    figures: Figures | None = None,
) -> Iterator[Output]:
    """The same outputs, and a line in the log for what was found or withdrawn among them."""
    found = 0
    for output in outputs:
        if output.topic == findings_topic:
            found += 1
            try:
                record = decode_record(output.value or b"")
            except NotARecord as refused:
                # It is written all the same: the line in the log is the least of it.
                _log.error("finding not told", reason=refused.reason)
            else:
                if found <= LINES_MAX:
                    _tell(record, output)
                if figures is not None and isinstance(record, Finding):
                    figures.found(record)
        elif output.topic == dead_letters_topic and figures is not None:
            figures.set_aside(_code_of(output))
        yield output
    if found > LINES_MAX:
        _log.info("found more", findings=found - LINES_MAX)


def _code_of(letter: Output) -> str:
    codes = [value for name, value in letter.headers or () if name == CODE]
    return codes[-1].decode() if codes and isinstance(codes[-1], bytes) else ""


def _tell(record: Finding | Withdrawal | SettledRound, output: Output) -> None:
    """Without the words of the finding: they may name a card that is not shown yet."""
    trace_id = trace_id_of(dict(output.headers or ()).get(TRACEPARENT))
    traced = {"trace_id": trace_id} if trace_id else {}
    match record:
        case Finding(id=name, kind=kind, table=table, round=played, seq=seq):
            where = {"table": table, "round": played, "seq": seq}
            _log.info("found", kind=kind.value, finding=name, **where, **traced)
        case Withdrawal(id=name, table=table, round=played, seq=seq):
            where = {"table": table, "round": played, "seq": seq}
            _log.info("withdrawn", finding=name, **where, **traced)
        case SettledRound():
            pass  # it has a topic of its own
