"""The settings of accounting."""

from __future__ import annotations

from datetime import time
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from accounting.gaming_day import Calendar
from runtime.addresses import AddressSetting
from runtime.database.connecting import DatabaseSettings
from runtime.identity.credentials import IdentitySettings
from runtime.kafka.brokers import KafkaSettings
from runtime.rpc.server import RpcSettings
from runtime.service import ServiceSettings


class Settings(ServiceSettings, RpcSettings, IdentitySettings, KafkaSettings, DatabaseSettings):
    topic_prefix: str = ""
    """Before the name of every topic: for several floors, or tests, on one Kafka."""
    property_name: str = "Pitledger Casino"
    """What stands on reports."""
    property_time_zone: str = "America/Los_Angeles"
    """Where the property is, as the time zone database names it."""
    gaming_day_roll_over: time = time(6)
    """When a gaming day begins, by the clock on the wall. Neither it nor the time zone is changed
    while a ledger is kept: rows are dated by them; make the ledger anew afterwards."""
    ledger_batch_messages_max: Annotated[int, Field(ge=1)] = 2_000
    """How many messages one transaction of the ledger takes at most, while catching up."""
    round_archive_address: AddressSetting | None = None
    """Where rounds are asked for; unset: figures are explained without them."""
    surveillance_address: AddressSetting | None = None
    """Where open alerts are asked for; unset: a day is closed by an override only."""
    recount_required: bool = False
    """Whether a day is closed only when a verifier has counted every box again."""
    coupon_winnings_reduce_tax: bool = True
    """Whether winnings paid on coupons reduce the net win for tax. The text of the law does not
    settle it: reports show both, and this says which one is the figure."""
    command_seconds_max: Annotated[float, Field(gt=0)] = 15.0
    """How long a caller waits for what it entered to be posted."""

    @field_validator("property_time_zone")
    @classmethod
    def _is_a_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(f"{name!r} is no time zone such as America/Los_Angeles") from None
        return name

    @property
    def calendar(self) -> Calendar:
        return Calendar(ZoneInfo(self.property_time_zone), self.gaming_day_roll_over)
