"""`pitctl alerts --watch`: alerts and what people do about them as it comes, one line each."""

from __future__ import annotations

import json
import sys

from rich.text import Text

from alerting.kinds import format_amount
from casino.surveillance.v1.alert_pb2 import ALERT_STATE_WITHDRAWN, Alert
from casino.surveillance.v1.service_pb2 import WatchRequest, WatchResponse
from casino.surveillance.v1.work_pb2 import WorkedAlert
from pitctl.alert_desk.alert_page import entry_parts
from pitctl.alert_desk.client import DESK
from pitctl.alert_desk.labels import level_of, where
from pitctl.connection.channel import Place
from pitctl.connection.watch import Asides, follow
from pitctl.output.json_out import as_fields
from pitctl.output.round_page import LEVEL_STYLES
from pitctl.output.text import Page, clock, plain, styled
from wire.vocabulary import read_time


def run(place: Place, request: WatchRequest, *, as_json: bool) -> int:
    """Watch until Ctrl-C, or until nobody reads any more; the exit status."""
    asides = Asides()
    return follow(DESK, place, request, _Teller(asides, as_json=as_json), asides)


class _Teller:
    """Prints what comes, one line each."""

    def __init__(self, asides: Asides, *, as_json: bool) -> None:
        self._as_json = as_json
        self._page = Page(sys.stdout)
        self._asides = asides

    def tell(self, answer: WatchResponse) -> None:
        what = answer.WhichOneof("what")
        if what is None:
            return
        if self._as_json:
            print(json.dumps(as_fields(answer), ensure_ascii=False), flush=True)
        elif what == "caught_up":
            self._asides.say("all that was there has been told; what follows is live")
        elif what == "alert":
            self._page.line(alert_line(answer.alert), hang=13)
        else:
            self._page.line("              ", *entry_parts(answer.entry), hang=13)
        self._page.flush()


def alert_line(alert: Alert) -> Text:
    worked = WorkedAlert(alert=alert)
    level = level_of(worked)
    line = Text.assemble(
        (clock(read_time(alert.changed_at)), "dim"),
        " ",
        (f" {level.name} ", LEVEL_STYLES[level]),
        (f" {plain(alert.id[:8])} ", "dim"),
        f"{where(worked)}  ",
        (plain(alert.kind), "bold"),
        f"  {plain(alert.sentence)}",
    )
    if alert.cents:
        line.append("  ").append_text(styled(format_amount(alert.cents, alert.kind)))
    if alert.label:
        line.append(f"  {plain(alert.label)}", "cyan")
    if alert.state == ALERT_STATE_WITHDRAWN:
        line.append("  withdrawn", "yellow")
    elif alert.revision > 1:
        line.append(f"  revision {alert.revision}", "dim")
    return line
