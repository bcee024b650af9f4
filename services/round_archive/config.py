"""The settings of the round archive."""

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
    """Prefix of all topic names: for several floors, or tests, on one Kafka."""
    index_batch_messages_max: Annotated[int, Field(ge=1)] = 2_000
    """Maximum number of messages of one transaction of the index, while catching up."""
    watches_max: Annotated[int, Field(ge=1)] = 64
    """Maximum number of open watches. Each has a consumer of its own, of about 2 MB."""
    watch_quiet_seconds: Annotated[float, Field(gt=0)] = 5.0
    """A watch without news sends its position this often, as a sign of life."""
    replays_max: Annotated[int, Field(ge=1)] = 4
    """Maximum number of rounds that are read from the log at once; further replays wait."""
