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
    """Prefix of every topic name: for several floors, or tests, on one Kafka."""
    ledger_batch_messages_max: Annotated[int, Field(ge=1)] = 2_000
    """The most messages that one ledger transaction posts while it catches up."""
    round_archive_address: AddressSetting | None = None
    """Address of the round archive. Unset: drill-downs show no rounds."""
    alert_desk_address: AddressSetting | None = None
    """Address of the alert desk. Unset: a day can be closed only with an override."""
    books_begin_on: date | None = None
    """The first gaming day of the books, such as 2026-03-01; entries for earlier days are rejected.
    Unset: the first day with any record."""
    recount_required: bool = False
    """Whether a verifier must recount every drop box before a day can be closed."""
    coupon_winnings_reduce_tax: bool = True
    """Whether winnings paid on coupons reduce the net win for tax. The law leaves it open: reports
    show both amounts, and this setting selects the one that is stated first."""
    command_seconds_max: Annotated[float, Field(gt=0)] = 15.0
    """The longest wait of a caller until its entry is posted."""
