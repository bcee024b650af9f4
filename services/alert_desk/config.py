"""The settings of the alert desk."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from property_calendar.settings import PropertySettings
from runtime.addresses import AddressSetting
from runtime.database.connection import DatabaseSettings
from runtime.identity.credentials import IdentitySettings
from runtime.kafka.brokers import KafkaSettings
from runtime.rpc.server import RpcSettings
from runtime.service import ServiceSettings
from runtime.settings import split_commas


class Settings(
    ServiceSettings,
    RpcSettings,
    IdentitySettings,
    KafkaSettings,
    DatabaseSettings,
    PropertySettings,
):
    topic_prefix: str = ""
    """Prefix of all topic names: for several floors, or tests, on one Kafka."""
    alert_batch_messages_max: Annotated[int, Field(ge=1)] = 500
    """Maximum number of messages of one transaction, while catching up."""
    round_archive_address: AddressSetting | None = None
    """Address of the round archive, which replays rounds; unset: alerts have no replay."""
    watches_max: Annotated[int, Field(ge=1)] = 64
    """Maximum number of open watches. Each has a consumer of its own, of about 2 MB."""
    watch_quiet_seconds: Annotated[float, Field(gt=0)] = 5.0
    """A watch without news sends its position this often, as a sign of life."""
    command_seconds_max: Annotated[float, Field(gt=0)] = 15.0
    """How long a caller waits for its setting to be read back."""
    simulated_time: bool = False
    """Whether the times of facts are those of a simulated day. If not, alerts about old facts are
    not sent to webhooks."""
    webhook_hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "::1")
    """Hosts that may receive webhooks, such as hooks.example.org. Other machines than this one
    must use https."""
    webhook_seconds_max: Annotated[float, Field(gt=0)] = 10.0
    """How long a receiver may take to respond to one message."""
    webhook_fresh_seconds: Annotated[float, Field(gt=0)] = 300.0
    """Maximum age of an alert that is sent to webhooks: older ones are backlog, not news."""
    webhook_again_seconds: Annotated[float, Field(gt=0)] = 1.0
    """The pause before a message is sent again; it doubles each time, up to ten minutes."""
    webhook_give_up_seconds: Annotated[float, Field(gt=0)] = 24 * 3600.0
    """How long a message is retried before it is given up."""

    _hosts_are_separated_by_commas = field_validator("webhook_hosts", mode="before")(split_commas)
