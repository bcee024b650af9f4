"""The settings of accounting."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from property_calendar.settings import PropertySettings
from runtime.addresses import AddressSetting
from runtime.database.connection import DatabaseSettings
from runtime.identity.credentials import IdentitySettings
from runtime.kafka.brokers import KafkaSettings
from runtime.rpc.server import RpcSettings
from runtime.service import ServiceSettings


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
    ledger_batch_messages_max: Annotated[int, Field(ge=1)] = 2_000
    """How many messages one transaction of the ledger takes at most, while catching up."""
    round_archive_address: AddressSetting | None = None
    """Where rounds are asked for; unset: figures are explained without them."""
    alert_desk_address: AddressSetting | None = None
    """Where open alerts are asked for; unset: a day is closed by an override only."""
    books_begin_on: date | None = None
    """The first gaming day of the books, such as 2026-03-01: nothing is entered for a day before
    it. Unset: the first that has anything in it."""
    recount_required: bool = False
    """Whether a day is closed only when a verifier has counted every box again."""
    coupon_winnings_reduce_tax: bool = True
    """Whether winnings paid on coupons reduce the net win for tax. The text of the law does not
    settle it: reports show both, and this says which one is the figure."""
    command_seconds_max: Annotated[float, Field(gt=0)] = 15.0
    """How long a caller waits for what it entered to be posted."""
