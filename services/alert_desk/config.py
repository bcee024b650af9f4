"""The settings of the desk."""

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
    """Before the name of every topic: for several floors, or tests, on one Kafka."""
    alert_batch_messages_max: Annotated[int, Field(ge=1)] = 500
    """How many messages one transaction takes at most, while catching up."""
    round_archive_address: AddressSetting | None = None
    """Where rounds are replayed; unset: alerts are shown without them."""
    watches_max: Annotated[int, Field(ge=1)] = 64
    """How many may watch at once. Each has a consumer of its own, of about 2 MB."""
    watch_quiet_seconds: Annotated[float, Field(gt=0)] = 5.0
    """After so long without anything to tell, a watch says where it is, and that it stands."""
    command_seconds_max: Annotated[float, Field(gt=0)] = 15.0
    """How long a caller waits for what it set to be read back."""
    simulated_time: bool = False
    """Whether the times of facts are those of a simulated day. If not, an alert whose facts are
    old is not told to webhooks, whenever it was said."""
    webhook_hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "::1")
    """Hosts that may be told of alerts, such as hooks.example.org. All but those of this machine
    must be told over https."""
    webhook_seconds_max: Annotated[float, Field(gt=0)] = 10.0
    """How long a receiver may take to answer one message."""
    webhook_fresh_seconds: Annotated[float, Field(gt=0)] = 300.0
    """An alert that was said longer ago is not told any more: it is caught up with, not new."""
    webhook_again_seconds: Annotated[float, Field(gt=0)] = 1.0
    """The pause before a message is sent again; it doubles each time, up to ten minutes."""
    webhook_give_up_seconds: Annotated[float, Field(gt=0)] = 24 * 3600.0
    """After so long a message that was never taken is given up."""

    _hosts_are_separated_by_commas = field_validator("webhook_hosts", mode="before")(split_commas)
