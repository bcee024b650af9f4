"""What the exactly-once loop counts."""

from __future__ import annotations

from runtime.metrics import Metrics

BATCH_BUCKETS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000)


class LoopMetrics:
    """Batches, messages, outputs and failures of one loop."""

    def __init__(self, metrics: Metrics) -> None:
        self._messages = metrics.counter("messages", "Inputs whose batch was committed.")
        self._outputs = metrics.counter("outputs", "Outputs whose batch was committed.")
        self._batches = metrics.histogram(
            "batch_messages", "Inputs in a committed batch.", buckets=BATCH_BUCKETS
        )
        self._failures = metrics.counter(
            "batches_failed", "Batches that were set back.", ["producer_lost"]
        )

    def committed(self, *, messages: int, outputs: int) -> None:
        self._messages.inc(messages)
        self._outputs.inc(outputs)
        self._batches.observe(messages)

    def failed(self, *, producer_lost: bool) -> None:
        self._failures.labels(str(producer_lost).lower()).inc()
