"""What settlement can be told."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from runtime.kafka.worker_identity import WorkerSettings
from runtime.service import ServiceSettings


class Settings(ServiceSettings, WorkerSettings):
    refold_max: Annotated[int, Field(ge=0)] = 10_000
    """How many messages of its partition a table's snapshot may be behind. More: fewer
    snapshots to write, but so many messages a partition are read again after a restart, and
    about half of them folded."""
    topic_prefix: str = ""
    """What the names of all topics, and of the consumer group, begin with."""
