"""Surveillance that is slow to learn where to begin: `python -m tests.surveillance.seeking_slowly`.

Whatever it reads in the meantime is read from somewhere else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from faust.types import TP

import surveillance.kafka.transport
from runtime.service import run_service
from surveillance.__main__ import main
from surveillance.config import Settings
from surveillance.kafka.faust_app import SIEVE
from surveillance.kafka.worker import KAFKA

SECONDS: Final = 2.0


class Thread(surveillance.kafka.transport.CommittedConsumerThread):
    async def seek_to_committed(self) -> Mapping[TP, int]:
        found = await super().seek_to_committed()
        await asyncio.sleep(SECONDS)
        return found


if __name__ == "__main__":
    vars(surveillance.kafka.transport)["CommittedConsumerThread"] = Thread
    run_service("surveillance", Settings, main, conditions=[KAFKA, SIEVE])
