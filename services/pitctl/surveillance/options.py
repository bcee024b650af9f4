"""Options that the commands of surveillance share."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pitctl.connecting import Place

Stack = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        envvar="STACK_DIR",
        show_default=False,
        help="The folder of the stack that is up; build/stack if not said.",
    ),
]
Address = Annotated[
    str,
    typer.Option(
        metavar="HOST:PORT",
        envvar="ALERT_DESK_ADDRESS",
        show_default=False,
        help="Where the alert desk answers, if not the one of the stack.",
    ),
]
Identity = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        envvar="IDENTITY_FOLDER",
        show_default=False,
        help="The folder with our tls.key, tls.crt and ca.crt, if not the stack's.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="For programs.")]
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


def text(name: str, metavar: str, help: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        name, metavar=metavar, show_default=False, help=help
    )
    return option


def place_of(address: str, identity: str, stack: str) -> Place:
    from pitctl.surveillance.asking import DESK

    return DESK.find(address, identity, stack)
