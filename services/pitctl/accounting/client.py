"""The accounting service, as one of those that are asked; and how a refusal ends a command."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import grpc
import typer

from casino.accounting.v1.service_pb2_grpc import AccountingServiceStub
from pitctl.connection.channel import NoAnswer, Refused, Service
from pitctl.output.exit import refusing
from pitctl.output.text import plain

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

DONE: Final = 0
NOT_DONE: Final = 1
"""The service has answered, and not done what was asked, or something is lacking."""


class NotTyped(ValueError):
    """What was typed makes no sense; the text says what does."""


def _stub(channel: grpc.aio.Channel) -> AccountingServiceAsyncStub:
    return AccountingServiceStub(channel)


ACCOUNTING: Final = Service(
    name="accounting",
    noun="accounting service",
    address_setting="ACCOUNTING_ADDRESS",
    stub=_stub,
    commands={
        "GetReport": "report",
        "ListReports": "report --list",
        "Explain": "explain",
        "FindEntries": "journal",
        "GetBalances": "balances",
        "GetDay": "day",
        "CloseDay": "day close",
        "GetCoupon": "coupon show",
        "ListPromotions": "promotion list",
        "ImportCounts": "count --import",
        "ExpireCoupons": "coupon expire",
        "FindRefusals": "ledger refusals",
        "Rebuild": "ledger rebuild",
    },
)


@contextmanager
def answering(*errors: type[Exception], as_json: bool = False) -> Iterator[None]:
    """Nonsense and silence end a command with 2, a refusal with 1 and its code and reason."""
    with refusing(NotTyped, NoAnswer, *errors):
        try:
            yield
        except Refused as refused:
            reason = str(refused)
            if as_json:
                said = {"refused": {"code": refused.code, "reason": reason}}
                print(json.dumps(said, ensure_ascii=False))
            print(f"pitctl: refused: {plain(f'{refused.code}: {reason}')}", file=sys.stderr)
            raise typer.Exit(NOT_DONE) from None
