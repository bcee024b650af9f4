"""Settlement that stands still in mid-transaction: `python -m tests.settlement.pausing`.

`PAUSE` says where: `outputs`, when the broker has some of a transaction's outputs, or `commit`,
when it has all of them and the offsets. It logs `paused`, and how many outputs the transactions
before this one had, and goes on once the file exists that `PAUSE_UNTIL` names; that happens once in
the life of the process.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from confluent_kafka import Producer

import runtime.kafka.worker_identity
from runtime import logs
from runtime.kafka.records import Output
from runtime.kafka.transactions import Transactions
from runtime.service import run_service
from settlement.__main__ import KAFKA, main
from settlement.config import Settings
from wire import topics

OUTPUTS_BEFORE: Final = 3
_log = logs.logger(__name__)


class Pausing(Transactions):
    def __init__(self, make: Callable[[], Producer]) -> None:
        super().__init__(make)
        self._place = os.environ["PAUSE"]
        self._until = Path(os.environ["PAUSE_UNTIL"])
        self._count = 0
        """Outputs of the transaction under way that anybody is told of."""
        self._committed = 0

    def _produce(self, producer: Producer, output: Output, *report: Any) -> None:
        super()._produce(producer, output, *report)
        self._count += output.topic.endswith((topics.SETTLED_ROUNDS, topics.FINDINGS))
        if self._place == "outputs" and self._count == OUTPUTS_BEFORE:
            producer.flush(10)
            self._pause()

    def _insist(self, operation: Callable[..., None], *arguments: Any) -> None:
        ends = operation.__name__ == "commit_transaction"
        if ends and self._place == "commit" and self._count:
            self._pause()
        super()._insist(operation, *arguments)
        if ends:
            self._committed += self._count
            self._count = 0

    def _pause(self) -> None:
        self._place = ""
        _log.info("paused", committed=self._committed)
        while not self._until.exists():
            time.sleep(0.02)


if __name__ == "__main__":
    vars(runtime.kafka.worker_identity)["Transactions"] = Pausing
    run_service("settlement", Settings, main, conditions=[KAFKA])
