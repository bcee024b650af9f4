"""Settings of surveillance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from property_calendar.settings import PropertySettings
from runtime.kafka.worker_identity import WorkerSettings
from runtime.service import ServiceSettings


class Settings(ServiceSettings, WorkerSettings, PropertySettings):
    topic_prefix: str = ""
    """Prefix of the names of all topics and consumer groups."""
    state_folder: Path | None = None
    """Where this worker keeps a copy of its states, so that it need not read all of them from
    Kafka when it starts again. No other worker's; unset: they are kept in memory."""
    recovery_seconds_max: Annotated[float, Field(gt=0)] = 60.0
    """How long states may be read from Kafka without any progress before the worker gives up."""
    simulated_time: bool = False
    """Whether tables report simulated time: then the wall clock is not used."""
