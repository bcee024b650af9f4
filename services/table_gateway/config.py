"""The settings of the gateway."""

from __future__ import annotations

from runtime.identity.credentials import IdentitySettings
from runtime.kafka.brokers import KafkaSettings
from runtime.kafka.configuration import Configuration, producer_configuration
from runtime.rpc.server import RpcSettings
from runtime.service import ServiceSettings
from wire import topics
from wire.events import EVENT_BYTES_MAX


class Settings(ServiceSettings, RpcSettings, IdentitySettings, KafkaSettings):
    topic_prefix: str = ""
    """Prefix of all topic names: for several floors, or tests, on one Kafka."""
    batch_bytes_max: int = 262_144
    """Maximum size of a batch: its bytes, and half a kilobyte more for each event."""
    in_flight_bytes_max: int = 33_554_432
    """Maximum size of all batches on their way to the brokers; further streams wait."""
    table_heads_seconds: float = 30.0
    """How often the heads of all tables are written to table-heads: a restart reads the events
    after that."""

    simulated_time: bool = False
    """Whether senders may state when their events were received: for simulated days, which pass
    faster than the clock. Never where real tables report: they could hide a wrong clock, or
    events that were held back."""

    @property
    def events_topic(self) -> str:
        return self.topic_prefix + topics.TABLE_EVENTS

    @property
    def dead_letters_topic(self) -> str:
        return self.topic_prefix + topics.DEAD_LETTERS

    @property
    def table_heads_topic(self) -> str:
        return self.topic_prefix + topics.TABLE_HEADS

    @property
    def message_bytes_max(self) -> int:
        """A batch, and room for one event that is too large: so it is rejected by its code."""
        return self.batch_bytes_max + 2 * EVENT_BYTES_MAX

    def producer(self) -> Configuration:
        """Producer settings: the library's own queue is no larger than the budget."""
        return {
            **producer_configuration(self.brokers),
            "queue.buffering.max.kbytes": max(2 * self.in_flight_bytes_max // 1024, 1024),
        }
