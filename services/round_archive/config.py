"""The settings of the archive."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from runtime.database.connection import DatabaseSettings
from runtime.identity.credentials import IdentitySettings
from runtime.kafka.brokers import KafkaSettings
from runtime.rpc.server import RpcSettings
from runtime.service import ServiceSettings


class Settings(ServiceSettings, RpcSettings, IdentitySettings, KafkaSettings, DatabaseSettings):
    topic_prefix: str = ""
    """Before the name of every topic: for several floors, or tests, on one Kafka."""
    index_batch_messages_max: Annotated[int, Field(ge=1)] = 2_000
    """How many messages one transaction of the index takes at most, while catching up."""
    watches_max: Annotated[int, Field(ge=1)] = 64
    """How many may watch at once. Each has a consumer of its own, of about 2 MB."""
    watch_quiet_seconds: Annotated[float, Field(gt=0)] = 5.0
    """After so long without anything to tell, a watch says where it is, and that it stands."""
    replays_max: Annotated[int, Field(ge=1)] = 4
    """How many rounds are read from the log at once; further replays wait their turn."""
