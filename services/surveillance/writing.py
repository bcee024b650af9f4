"""What the brokers must have before anything that builds on it happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from runtime import logs
from runtime.kafka.producing import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output
from runtime.positions import Position

AGAIN_SECONDS: Final = 1.0
EARLY_SECONDS: Final = 0.1
"""What a batch has brought about by then is written while it goes on: who watches does not wait
for the end of a long one."""
_log = logs.logger(__name__)


class Writer:
    """Sends until it is taken: everything that surveillance writes may be written twice."""

    def __init__(self, producer: AcknowledgedProducer) -> None:
        self._producer = producer

    async def write(self, outputs: Sequence[Output]) -> tuple[Position, ...]:
        """Where each was written, once the brokers have all of them.

        A producer that does not come back ends the process through its own part.
        """
        while True:
            try:
                return await self._producer.send(outputs)
            except NotWritten as failed:
                _log.warning("not written, sent again", topic=failed.topic, reason=str(failed))
                await asyncio.sleep(AGAIN_SECONDS)


class Due:
    """Of a batch under way: when to write what it has brought about so far."""

    def __init__(self) -> None:
        self._at = time.monotonic() + EARLY_SECONDS

    def is_now(self) -> bool:
        """Once in a while."""
        now = time.monotonic()
        if now < self._at:
            return False
        self._at = now + EARLY_SECONDS
        return True
