"""`pitctl setting` and `pitctl webhook`."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

import typer

from pitctl.alert_desk.options import Level, Reason, alert_desk_command
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CommandApp, ListGroup

settings = CommandApp(cls=ListGroup)
webhooks = CommandApp(cls=ListGroup)

DEFAULT = "default"
NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
KindArgument = Annotated[
    str, typer.Argument(metavar="KIND", help="Kind of alert; `pitctl setting` lists all kinds.")
]
WebhookName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the webhook.")]


@settings.callback()
def setting() -> None:
    """Set thresholds, priorities and suppressions of alerts.

    A change applies from now on. Every change is kept, with its author and reason.

    \b
    Examples:
      pitctl setting                                    list current settings
      pitctl setting threshold story_gap_seconds 600 --reason "long shoes"
      pitctl setting level coupon.washing P2 --reason "this month's campaign"
      pitctl setting suppress log.low_confidence --table BJ-07 --until 23:00 --reason "new camera"
      pitctl setting history
    """


@settings.command("list", short_help="List current settings.")
@alert_desk_command
def list_settings(*, call: CommandCall) -> int:
    """List every threshold, every kind with its priority, and suppressions.

    Settings that differ from their default are marked, with the default beside them.
    """
    from casino.surveillance.v1.service_pb2 import ListSettingsRequest

    return _send(ListSettingsRequest(), call)


@settings.command(short_help="List changes, newest first.")
@alert_desk_command
def history(
    about: Annotated[str, text("--about", "NAME", "Only this threshold, kind or patron.")] = "",
    *,
    call: CommandCall,
) -> int:
    """List changes of settings and exclusions, newest first: author, time and reason."""
    from casino.surveillance.v1.service_pb2 import ListSettingChangesRequest

    return _send(ListSettingChangesRequest(about=about), call)


@settings.command(short_help="Set a threshold.")
@alert_desk_command
def threshold(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Threshold; `pitctl setting` lists them.")
    ],
    value: Annotated[str, typer.Argument(metavar="NUMBER", help="Whole number, or default.")],
    reason: Reason = "",
    *,
    call: CommandCall,
) -> int:
    """Set a threshold from now on.

    The last word of its name is its unit: story_gap_seconds. Enter cents as a whole number,
    250000, or as dollars, $2,500.
    """
    from casino.surveillance.v1.settings_pb2 import ThresholdSet

    is_default = value == DEFAULT
    number = 0 if is_default else read_threshold(name, value)
    changed = ThresholdSet(name=name, value=number, is_default=is_default)
    return _change(reason, call, threshold_set=changed)


def read_threshold(name: str, value: str) -> int:
    """Parse a threshold in the unit of its name; money may have a dollar sign."""
    from pitctl.arguments import read_cents
    from pitctl.errors import InvalidArgument

    is_money = name.endswith("_cents")
    if is_money and value.startswith("$"):
        return read_cents(name, value)
    if not NUMBER.fullmatch(value):
        money = ", an amount with its dollar sign such as $2,500" if is_money else ""
        raise InvalidArgument(
            f'{name}: Invalid value "{value}": write a whole number such as 600{money}, '
            f"or {DEFAULT}."
        )
    return int(value)


@settings.command(short_help="Set the priority of a kind of alert.")
@alert_desk_command
def level(
    kind: KindArgument,
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="P1 to P4, or default.")],
    reason: Reason = "",
    *,
    call: CommandCall,
) -> int:
    """Set the priority of a kind of alert from now on."""
    from casino.surveillance.v1.settings_pb2 import LevelSet
    from pitctl.alert_desk.labels import read_level

    number = read_level("" if level == DEFAULT else level)
    return _change(reason, call, level_set=LevelSet(kind=kind, level=number))


@settings.command(short_help="Suppress a kind of alert for a while.")
@alert_desk_command
def suppress(
    kind: KindArgument,
    until: Annotated[str, text("--until", "TIME", "End (UTC), within 30 days.")],
    table: Annotated[str, text("--table", "TABLE", "Only this table.")] = "",
    dealer: Annotated[str, text("--dealer", "LICENSE", "Only this dealer.")] = "",
    patron: Annotated[str, text("--patron", "TOKEN", "Only this patron.")] = "",
    reason: Reason = "",
    *,
    call: CommandCall,
) -> int:
    """Suppress alerts: they are recorded, but neither listed by default nor sent to webhooks."""
    from casino.surveillance.v1.settings_pb2 import AlertsSuppressed
    from pitctl.arguments import read_stamp

    suppressed = AlertsSuppressed(
        kind=kind,
        table_id=table,
        dealer=dealer,
        patron=patron,
        until=read_stamp(until, ahead=True),
    )
    return _change(reason, call, alerts_suppressed=suppressed)


@settings.command(short_help="End a suppression.")
@alert_desk_command
def lift(
    suppression: Annotated[
        str, typer.Argument(metavar="ID", help="Suppression; `pitctl setting` lists them.")
    ],
    reason: Reason = "",
    *,
    call: CommandCall,
) -> int:
    """End a suppression from now on."""
    from casino.surveillance.v1.settings_pb2 import SuppressionLifted

    lifted = SuppressionLifted(suppression=suppression)
    return _change(reason, call, suppression_lifted=lifted)


@webhooks.callback()
def webhook() -> None:
    """Manage alert webhooks; docs/alert-desk.md describes their signed messages.

    \b
    Examples:
      pitctl webhook                                    list webhooks and deliveries
      pitctl webhook set pager https://hooks.example.org/alerts --level P1
      pitctl webhook test pager
      pitctl webhook remove pager
    """


@webhooks.command("list", short_help="List webhooks and deliveries.")
@alert_desk_command
def list_webhooks(*, call: CommandCall) -> int:
    """List webhooks with delivered, waiting and abandoned messages, and the last error."""
    from casino.surveillance.v1.service_pb2 import ListWebhooksRequest

    return _send(ListWebhooksRequest(), call)


@webhooks.command("set", short_help="Create or replace a webhook.")
@alert_desk_command
def set_(
    name: WebhookName,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Address; its host must be in WEBHOOK_HOSTS.")
    ],
    level: Level = "",
    kind: Annotated[
        list[str],
        typer.Option(
            metavar="KIND",
            show_default=False,
            help="Kind of alert, or the start of it; repeatable; default: all.",
        ),
    ] = [],  # noqa: B006
    paused: Annotated[bool, typer.Option("--paused", help="Send nothing for now.")] = False,
    new_secret: Annotated[
        bool, typer.Option("--new-secret", help="Replace the signing secret.")
    ] = False,
    *,
    call: CommandCall,
) -> int:
    """Create or replace a webhook. A new secret is shown once. The default priority is P1."""
    from casino.surveillance.v1.service_pb2 import SetWebhookRequest
    from casino.surveillance.v1.webhook_pb2 import Webhook
    from pitctl.alert_desk.labels import read_level

    changed = Webhook(name=name, url=url, level=read_level(level), kinds=kind, paused=paused)
    return _send(SetWebhookRequest(webhook=changed, new_secret=new_secret), call)


@webhooks.command("test", short_help="Send a test message.")
@alert_desk_command
def try_(name: WebhookName, *, call: CommandCall) -> int:
    """Send a test message once; end with status 1 if it is not accepted."""
    from casino.surveillance.v1.service_pb2 import TestWebhookRequest

    return _send(TestWebhookRequest(name=name), call)


@webhooks.command(short_help="Remove a webhook.")
@alert_desk_command
def remove(name: WebhookName, *, call: CommandCall) -> int:
    """Remove a webhook and its waiting messages."""
    from casino.surveillance.v1.service_pb2 import RemoveWebhookRequest

    return _send(RemoveWebhookRequest(name=name), call)


def _change(reason: str, call: CommandCall, **change: Any) -> int:
    from casino.surveillance.v1.settings_pb2 import SettingChange
    from pitctl.alert_desk.responses import change_setting

    return change_setting(SettingChange(reason=reason, **change), call)


def _send(request: Any, call: CommandCall) -> int:
    from pitctl.alert_desk.responses import send

    return send(request, call)
