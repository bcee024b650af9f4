"""Options that the commands of surveillance share."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pitctl.connection.options import address

if TYPE_CHECKING:
    from pitctl.connection.channel import Place

Address = Annotated[str, address("ALERT_DESK_ADDRESS", "the alert desk")]
Limit = Annotated[int, typer.Option(min=1, help="How many are shown at most.")]
AlertId = Annotated[
    str, typer.Argument(metavar="ALERT", help="The id of the alert, or how it begins.")
]
CaseNumber = Annotated[int, typer.Argument(metavar="CASE", min=1, help="The number of the case.")]
Alerts = Annotated[
    list[str],
    typer.Option("--alert", metavar="ALERT", show_default=False, help="An alert; repeatable."),
]
People = Annotated[
    list[str],
    typer.Option(
        "--person",
        metavar="ROLE:NAME",
        show_default=False,
        help="Who is in it, such as dealer:D-17; repeatable.",
    ),
]


class Decided(StrEnum):
    CONFIRMED = "confirmed"
    ERROR = "error"
    ADVANTAGE_PLAY = "advantage-play"
    FALSE_ALARM = "false-alarm"


class State(StrEnum):
    OPEN = "open"
    NEW = "new"
    ACKNOWLEDGED = "acknowledged"
    IN_REVIEW = "in-review"
    CLOSED = "closed"
    ALL = "all"


class CaseStates(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    ALL = "all"


class Rule(StrEnum):
    HOURS_24 = "24h"
    HOURS_72 = "72h"
    BUSINESS_DAYS_3 = "3-business-days"


class Basis(StrEnum):
    SELF = "self"
    HOUSE = "house"
    REGULATOR = "regulator"
    COURT = "court"


def place_of(address: str, identity: str, stack: str) -> Place:
    from pitctl.alert_desk.client import DESK

    return DESK.find(address, identity, stack)
