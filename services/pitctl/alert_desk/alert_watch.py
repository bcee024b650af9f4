"""`pitctl alerts --watch`: alerts and the work on them, live, one line each."""

from __future__ import annotations

from rich.text import Text

from alerting.display_names import alert_name
from alerting.kinds import format_amount
from casino.surveillance.v1.alert_pb2 import ALERT_STATE_WITHDRAWN, Alert
from casino.surveillance.v1.service_pb2 import WatchRequest, WatchResponse
from casino.surveillance.v1.work_pb2 import WorkedAlert
from pitctl.alert_desk.alert_page import activity_parts
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.alert_desk.labels import level_of, where
from pitctl.connection.channel import Endpoint
from pitctl.connection.watch import LineParts, WatchPrinter, watch
from pitctl.output.round_page import LEVEL_STYLES
from pitctl.output.text import escape, format_clock, styled
from wire.vocabulary import read_time


def watch_alerts(endpoint: Endpoint, request: WatchRequest, *, as_json: bool) -> int:
    """Watch until Ctrl-C, or until the output is closed; return the exit status."""
    printer = WatchPrinter(_line_of, hang=13, as_json=as_json)
    return watch(ALERT_DESK, endpoint, request, printer)


def _line_of(answer: WatchResponse) -> LineParts:
    if answer.WhichOneof("what") == "alert":
        return [alert_line(answer.alert)]
    return ["              ", *activity_parts(answer.entry)]


def alert_line(alert: Alert) -> Text:
    worked = WorkedAlert(alert=alert)
    level = level_of(worked)
    line = Text.assemble(
        (format_clock(read_time(alert.changed_at)), "dim"),
        " ",
        (f" {level.name} ", LEVEL_STYLES[level]),
        (f" {escape(alert.id[:8])} ", "dim"),
        f"{where(worked)}  ",
        (escape(alert_name(alert.kind)), "bold"),
        f"  {escape(alert.sentence)}",
    )
    if alert.cents:
        line.append("  ").append_text(styled(format_amount(alert.cents, alert.kind)))
    if alert.label:
        line.append(f"  {escape(alert.label)}", "cyan")
    if alert.state == ALERT_STATE_WITHDRAWN:
        line.append("  withdrawn", "yellow")
    elif alert.revision > 1:
        line.append(f"  revision {alert.revision}", "dim")
    return line
