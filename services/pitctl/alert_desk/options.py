"""Options that commands of the alert desk share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pitctl.connection.options import service_command, text

alert_desk_command = service_command("ALERT_DESK_ADDRESS", "the alert desk")
"""Adds the options of a call to the alert desk."""

Limit = Annotated[int, typer.Option(metavar="N", min=1, help="Maximum number to show.")]
AlertId = Annotated[
    str, typer.Argument(metavar="ALERT", help="Id of the alert, or the start of it.")
]
CaseNumber = Annotated[int, typer.Argument(metavar="CASE", min=1, help="Number of the case.")]
Alerts = Annotated[
    list[str],
    typer.Option("--alert", metavar="ALERT", show_default=False, help="Alert; repeatable."),
]
People = Annotated[
    list[str],
    typer.Option(
        "--person",
        metavar="ROLE:NAME",
        show_default=False,
        help="Person involved, such as dealer:D-17; repeatable.",
    ),
]
Level = Annotated[
    str, text("--level", "LEVEL", "Minimum priority, P1 to P4; P1 is the most urgent.")
]
Reason = Annotated[str, text("--reason", "TEXT", "Reason.")]
Note = Annotated[str, text("--note", "TEXT", "Note.")]
NoteArgument = Annotated[str, typer.Argument(metavar="TEXT", help="Text of the note.")]


class OutcomeName(StrEnum):
    CONFIRMED = "confirmed"
    ERROR = "error"
    ADVANTAGE_PLAY = "advantage-play"
    FALSE_ALARM = "false-alarm"


OutcomeArgument = Annotated[
    OutcomeName, typer.Argument(metavar="OUTCOME", help=f"One of {', '.join(OutcomeName)}.")
]


class AlertStatus(StrEnum):
    OPEN = "open"
    NEW = "new"
    ACKNOWLEDGED = "acknowledged"
    IN_REVIEW = "in-review"
    CLOSED = "closed"
    ALL = "all"


class CaseStatus(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    ALL = "all"


class DeadlineRuleName(StrEnum):
    HOURS_24 = "24h"
    HOURS_72 = "72h"
    BUSINESS_DAYS_3 = "3-business-days"


class BasisName(StrEnum):
    SELF = "self"
    HOUSE = "house"
    REGULATOR = "regulator"
    COURT = "court"
