"""`pitctl exclude`: exclude a patron, lift an exclusion, list exclusions."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitctl.alert_desk.options import BasisName, Limit, Reason, alert_desk_command
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CommandApp, ShowGroup

Patron = Annotated[str, typer.Argument(metavar="PATRON", help="Token of the patron.")]
ChangeId = Annotated[
    str,
    text("--id", "ID", "Change id: a change with the same id is recorded once."),
]


class ExcludeGroup(ShowGroup):
    """A group whose name with a patron excludes; alone, or with options, it lists."""

    alone = "list"
    otherwise = "patron"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] != "--help":
            args = ["list", *args]
        return super().parse_args(ctx, args)


app = CommandApp(cls=ExcludeGroup)


@app.callback()
def exclude() -> None:
    """Exclude patrons; list and lift exclusions. An excluded patron at a table raises a P1 alert.

    \b
    Examples:
      pitctl exclude P-204 --basis self --reason "own request" --until 2027-03-01
      pitctl exclude                     list exclusions in force
      pitctl exclude list --ended        list ended exclusions too
      pitctl exclude lift P-204 --reason "the term is over"
    """


@app.command(short_help="Exclude a patron; `pitctl exclude PATRON` is the same.")
@alert_desk_command
def patron(
    patron: Patron,
    basis: Annotated[BasisName, typer.Option(help="Authority that decided it.")] = BasisName.HOUSE,
    reason: Reason = "",
    until: Annotated[str, text("--until", "TIME", "End (UTC); default: indefinite.")] = "",
    id: ChangeId = "",
    *,
    call: CommandCall,
) -> int:
    """Exclude a patron from now on.

    \b
    Exit status:
      0  the exclusion is in force
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable
    """
    from casino.surveillance.v1.settings_pb2 import PatronExcluded, SettingChange
    from pitctl.alert_desk.labels import read_basis
    from pitctl.alert_desk.responses import change_setting
    from pitctl.arguments import read_stamp

    excluded = PatronExcluded(
        patron=patron,
        basis=read_basis(basis),
        until=read_stamp(until, ahead=True) if until else None,
    )
    change = SettingChange(change_id=id, reason=reason, patron_excluded=excluded)
    return change_setting(change, call)


@app.command(short_help="Lift an exclusion.")
@alert_desk_command
def lift(
    patron: Patron,
    reason: Reason = "",
    id: ChangeId = "",
    *,
    call: CommandCall,
) -> int:
    """Lift an exclusion from now on. `pitctl exclude list --ended` still shows it."""
    from casino.surveillance.v1.settings_pb2 import ExclusionLifted, SettingChange
    from pitctl.alert_desk.responses import change_setting

    lifted = ExclusionLifted(patron=patron)
    change = SettingChange(change_id=id, reason=reason, exclusion_lifted=lifted)
    return change_setting(change, call)


@app.command("list", short_help="List exclusions.")
@alert_desk_command
def list_(
    patron: Annotated[str, text("--patron", "TOKEN", "Only this patron.")] = "",
    ended: Annotated[bool, typer.Option("--ended", help="Include ended exclusions.")] = False,
    limit: Limit = 50,
    *,
    call: CommandCall,
) -> int:
    """List exclusions, newest first.

    \b
    Exit status:
      0  exclusions are listed
      1  there are none, or the service rejected the request
      2  invalid arguments, or the service is unavailable
    """
    from casino.surveillance.v1.service_pb2 import ListExclusionsRequest
    from pitctl.alert_desk.client import ALERT_DESK
    from pitctl.alert_desk.exclusions import show

    request = ListExclusionsRequest(patron=patron, with_ended=ended)
    return show(ALERT_DESK.find(*call.where), request, limit=limit, as_json=call.as_json)
