"""`pitctl exclude`: exclude a patron, lift it, list them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitctl.alert_desk.options import Address, Basis, Limit, place_of
from pitctl.connection.options import Identity, Json, Stack, text
from pitctl.output.help_sections import Showing

Patron = Annotated[str, typer.Argument(metavar="PATRON", help="The patron's token.")]
ChangeId = Annotated[
    str,
    text("--id", "ID", "The id of the change: the same again counts once."),
]


class Excluding(Showing):
    """A group whose name with a patron excludes; alone, or with options, it lists."""

    alone = "list"
    otherwise = "patron"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] != "--help":
            args = ["list", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(add_completion=False, rich_markup_mode=None, cls=Excluding)


@app.callback()
def exclude() -> None:
    """Say who may not play here: a seat that such a patron takes is an alert of level P1.

    \b
    Examples:
      pitctl exclude P-204 --basis self --reason "asked for it" --until 2027-03-01
      pitctl exclude                     who is excluded now
      pitctl exclude list --ended        and who was
      pitctl exclude lift P-204 --reason "the term is over"
    """


@app.command(short_help="Exclude a patron: the same as pitctl exclude PATRON.")
def patron(
    patron: Patron,
    basis: Annotated[Basis, typer.Option(help="On whose wish.")] = Basis.HOUSE,
    reason: Annotated[str, text("--reason", "WORDS", "Why.")] = "",
    until: Annotated[str, text("--until", "TIME", "Until when (UTC); for good if not said.")] = "",
    id: ChangeId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Exclude a patron from now on.

    \b
    Exit status:
      0  it counts
      1  the desk refused
      2  that makes no sense, or nobody is there to ask
    """
    from casino.surveillance.v1.settings_pb2 import PatronExcluded, SettingChange
    from pitctl.accounting.arguments import read_stamp
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.exclusions import change
    from pitctl.alert_desk.labels import read_basis

    with answering(as_json=json):
        excluded = PatronExcluded(
            patron=patron,
            basis=read_basis(basis),
            until=read_stamp(until, ahead=True) if until else None,
        )
        said = SettingChange(change_id=id, reason=reason, patron_excluded=excluded)
        status = change(place_of(address, identity, stack), said, as_json=json)
    raise typer.Exit(status)


@app.command(short_help="Let a patron play again.")
def lift(
    patron: Patron,
    reason: Annotated[str, text("--reason", "WORDS", "Why.")] = "",
    id: ChangeId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Lift an exclusion from now on. What was is kept, and shown by `list --ended`."""
    from casino.surveillance.v1.settings_pb2 import ExclusionLifted, SettingChange
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.exclusions import change

    with answering(as_json=json):
        lifted = ExclusionLifted(patron=patron)
        said = SettingChange(change_id=id, reason=reason, exclusion_lifted=lifted)
        status = change(place_of(address, identity, stack), said, as_json=json)
    raise typer.Exit(status)


@app.command("list", short_help="Who is excluded.")
def list_(
    patron: Annotated[str, text("--patron", "TOKEN", "Only this one.")] = "",
    ended: Annotated[bool, typer.Option("--ended", help="Also what has ended.")] = False,
    limit: Limit = 50,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """List exclusions, the newest first. The exit status is 1 where there is none."""
    from casino.surveillance.v1.service_pb2 import ListExclusionsRequest
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.exclusions import show

    with answering(as_json=json):
        request = ListExclusionsRequest(patron=patron, with_ended=ended)
        status = show(place_of(address, identity, stack), request, limit=limit, as_json=json)
    raise typer.Exit(status)
