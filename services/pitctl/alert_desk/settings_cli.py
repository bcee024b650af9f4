"""`pitctl setting` and `pitctl webhook`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from pitctl.alert_desk.options import Address, place_of
from pitctl.connection.options import Identity, Json, Stack, text
from pitctl.output.help_sections import Listing

settings = typer.Typer(add_completion=False, rich_markup_mode=None, cls=Listing)
webhooks = typer.Typer(add_completion=False, rich_markup_mode=None, cls=Listing)

DEFAULT = "default"
NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
Reason = Annotated[str, text("--reason", "WORDS", "Why.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the webhook.")]


@settings.callback()
def setting() -> None:
    """What surveillance goes by: thresholds, levels of kinds, suppressions.

    A change counts from now on; every one is kept, with who made it and why.

    \b
    Examples:
      pitctl setting                                    what counts now
      pitctl setting threshold story_gap_seconds 600 --reason "long shoes"
      pitctl setting level coupon.washing P2 --reason "this month's campaign"
      pitctl setting suppress log.low_confidence --table BJ-07 --until 23:00 --reason "new camera"
      pitctl setting history
    """


@settings.command("list", short_help="What counts now.")
def list_settings(
    json: Json = False, stack: Stack = "", address: Address = "", identity: Identity = ""
) -> None:
    """List every threshold and kind; what somebody has set stands out, with the product's own."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import ListSettingsRequest

        return ListSettingsRequest()

    _do(request, json, stack, address, identity)


@settings.command(short_help="Every change, the newest first.")
def history(
    about: Annotated[str, text("--about", "NAME", "A threshold, kind or patron.")] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """List the last changes, exclusions among them: who, when and why."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import ListSettingChangesRequest

        return ListSettingChangesRequest(about=about)

    _do(request, json, stack, address, identity)


@settings.command(short_help="Set a number by which alerts are judged.")
def threshold(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `pitctl setting` lists it.")],
    value: Annotated[str, typer.Argument(metavar="NUMBER", help="A whole number, or default.")],
    reason: Reason = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Set a threshold from now on; its unit is the last word of its name.

    Money may be given in cents, 250000, or with a dollar sign, $2,500.
    """

    def request() -> Any:
        from casino.surveillance.v1.settings_pb2 import ThresholdSet

        is_default = value == DEFAULT
        number = 0 if is_default else read_threshold(name, value)
        made = ThresholdSet(name=name, value=number, is_default=is_default)
        return _change(reason, threshold_set=made)

    _do(request, json, stack, address, identity)


def read_threshold(name: str, value: str) -> int:
    """A threshold in the unit of its name; money may be typed in dollars, with the sign."""
    from pitctl.accounting.arguments import read_cents
    from pitctl.accounting.client import NotTyped

    is_money = name.endswith("_cents")
    if is_money and value.startswith("$"):
        return read_cents(name, value)
    if not NUMBER.fullmatch(value):
        money = ", an amount with its dollar sign such as $2,500" if is_money else ""
        raise NotTyped(
            f'{name}: Invalid value "{value}": write a whole number such as 600{money}, '
            f"or {DEFAULT}."
        )
    return int(value)


@settings.command(short_help="Set how urgent a kind is.")
def level(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="As `pitctl setting` lists it.")],
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="P1 to P4, or default.")],
    reason: Reason = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Set the level of a kind of alert from now on."""

    def request() -> Any:
        from casino.surveillance.v1.settings_pb2 import LevelSet
        from pitctl.alert_desk.labels import read_level

        number = read_level("" if level == DEFAULT else level)
        return _change(reason, level_set=LevelSet(kind=kind, level=number))

    _do(request, json, stack, address, identity)


@settings.command(short_help="Be called by no alert of a kind for a while.")
def suppress(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="As `pitctl setting` lists it.")],
    until: Annotated[str, text("--until", "TIME", "Until when (UTC), within 30 days.")],
    table: Annotated[str, text("--table", "TABLE", "Only of this table.")] = "",
    dealer: Annotated[str, text("--dealer", "LICENCE", "Only of this dealer.")] = "",
    patron: Annotated[str, text("--patron", "TOKEN", "Only of this patron.")] = "",
    reason: Reason = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Suppress alerts: they are recorded and marked, not listed by default, and told to nobody."""

    def request() -> Any:
        from casino.surveillance.v1.settings_pb2 import AlertsSuppressed
        from pitctl.accounting.arguments import read_stamp

        quiet = AlertsSuppressed(
            kind=kind,
            table_id=table,
            dealer=dealer,
            patron=patron,
            until=read_stamp(until, ahead=True),
        )
        return _change(reason, alerts_suppressed=quiet)

    _do(request, json, stack, address, identity)


@settings.command(short_help="End a suppression.")
def lift(
    suppression: Annotated[str, typer.Argument(metavar="ID", help="As `pitctl setting` shows it.")],
    reason: Reason = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """End a suppression from now on."""

    def request() -> Any:
        from casino.surveillance.v1.settings_pb2 import SuppressionLifted

        return _change(reason, suppression_lifted=SuppressionLifted(suppression=suppression))

    _do(request, json, stack, address, identity)


@webhooks.callback()
def webhook() -> None:
    """Whom alerts are told over HTTP, signed: docs/alert-desk.md says what is sent.

    \b
    Examples:
      pitctl webhook                                    whom, and how it goes
      pitctl webhook set pager https://hooks.example.org/alerts --level P1
      pitctl webhook test pager
      pitctl webhook remove pager
    """


@webhooks.command("list", short_help="Whom, and how it goes.")
def list_webhooks(
    json: Json = False, stack: Stack = "", address: Address = "", identity: Identity = ""
) -> None:
    """List webhooks: what was delivered, waits, was given up, and what went wrong last."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import ListWebhooksRequest

        return ListWebhooksRequest()

    _do(request, json, stack, address, identity)


@webhooks.command("set", short_help="Tell an address.")
def set_(
    name: Name,
    url: Annotated[str, typer.Argument(metavar="URL", help="Its host is in WEBHOOK_HOSTS.")],
    level: Annotated[str, text("--level", "LEVEL", "This urgent or more so; P1 if not said.")] = "",
    kind: Annotated[
        list[str], typer.Option(metavar="KIND", show_default=False, help="Or how it begins.")
    ] = [],  # noqa: B006
    paused: Annotated[bool, typer.Option("--paused", help="Told nothing for now.")] = False,
    new_secret: Annotated[bool, typer.Option("--new-secret", help="Sign with another.")] = False,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Set a webhook, or set one of that name anew. The secret of a new one is shown once."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import SetWebhookRequest
        from casino.surveillance.v1.webhook_pb2 import Webhook
        from pitctl.alert_desk.labels import read_level

        made = Webhook(name=name, url=url, level=read_level(level), kinds=kind, paused=paused)
        return SetWebhookRequest(webhook=made, new_secret=new_secret)

    _do(request, json, stack, address, identity)


@webhooks.command("test", short_help="Send a message that is about nothing.")
def try_(
    name: Name,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Send a test, once. The exit status is 1 where it is not taken."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import TestWebhookRequest

        return TestWebhookRequest(name=name)

    _do(request, json, stack, address, identity)


@webhooks.command(short_help="Tell it no more.")
def remove(
    name: Name,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Take a webhook away, with what waits for it."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import RemoveWebhookRequest

        return RemoveWebhookRequest(name=name)

    _do(request, json, stack, address, identity)


def _change(reason: str, **what: Any) -> Any:
    from casino.surveillance.v1.service_pb2 import ChangeSettingRequest
    from casino.surveillance.v1.settings_pb2 import SettingChange

    return ChangeSettingRequest(change=SettingChange(reason=reason, **what))


def _do(make: Callable[[], Any], as_json: bool, stack: str, address: str, identity: str) -> None:
    """The call that is named after the request."""
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.settings_page import do

    with answering(as_json=as_json):
        request = make()
        method = type(request).__name__.removesuffix("Request")
        place = place_of(address, identity, stack)
        status = do(place, lambda desk: getattr(desk, method)(request), as_json=as_json)
    raise typer.Exit(status)
