"""`pitctl setting` and `pitctl webhook`: what surveillance goes by, and whom it tells."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.settings_pb2 import SettingChange
from casino.surveillance.v1.webhook_pb2 import WebhookStatus
from pitctl.alert_desk.client import ask
from pitctl.connection.channel import Place
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, moment, plain
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

DONE: Final = 0
NOT_DONE: Final = 1
Call = Callable[["SurveillanceServiceAsyncStub"], Awaitable[Any]]


def do(place: Place, call: Call, *, as_json: bool) -> int:
    """Ask, and print what was answered as it is best read."""
    answer = ask(place, call)
    if as_json:
        print(json.dumps(as_fields(answer), ensure_ascii=False, indent=2))
    else:
        _PRINTERS[type(answer)](Page(sys.stdout), answer)
    is_failed = isinstance(answer, pb.TestWebhookResponse) and not answer.delivered
    return NOT_DONE if is_failed else DONE


def _print_settings(page: Page, answer: pb.ListSettingsResponse) -> None:
    page.table(
        ("threshold", "value", "own", "from", "to", "what it means"),
        [
            (e.name, f"{e.value:,}", "" if not e.HasField("change") else f"{e.default_value:,}",
             f"{e.least:,}", f"{e.most:,}", e.words)
            for e in answer.thresholds
        ],
        indent=0, align="lrrrrl",
        styles=["bold" if each.HasField("change") else "" for each in answer.thresholds],
    )  # fmt: skip
    page.blank()
    page.table(
        ("kind", "level", "own", "what it means"),
        [
            (e.kind, f"P{e.level}", "" if not e.HasField("change") else f"P{e.default_level}",
             e.words)
            for e in answer.kinds
        ],
        indent=0,
        styles=["bold" if each.HasField("change") else "" for each in answer.kinds],
    )  # fmt: skip
    for each in answer.suppressions:
        page.blank()
        page.line((f"suppressed: {change_words(each)}  ", "yellow"), (each.change_id, "dim"))


def _print_changes(page: Page, answer: pb.ListSettingChangesResponse) -> None:
    if not answer.changes:
        page.line(("nothing was set", "green"))
        return
    rows = [
        (moment(read_time(e.recorded_at)).removesuffix(" UTC"), e.author, change_words(e), e.reason)
        for e in answer.changes
    ]
    page.table(("entered (UTC)", "by", "what", "why"), rows, indent=0)


def _print_change(page: Page, answer: pb.ChangeSettingResponse) -> None:
    since = moment(read_time(answer.change.valid_from))
    page.line(f"{change_words(answer.change)}, from {since} on")
    for remark in answer.remarks:
        page.line((plain(remark), "yellow"), hang=2)


def change_words(change: SettingChange) -> str:
    match change.WhichOneof("what"):
        case "threshold_set":
            set_ = change.threshold_set
            words = f"{set_.name} is {'its own' if set_.is_default else f'{set_.value:,}'}"
        case "level_set":
            level = f"P{change.level_set.level}" if change.level_set.level else "of its own level"
            words = f"{change.level_set.kind} is {level}"
        case "alerts_suppressed":
            quiet = change.alerts_suppressed
            of = " ".join(filter(None, (quiet.kind, quiet.table_id, quiet.dealer, quiet.patron)))
            words = f"{of} is quiet until {moment(read_time(quiet.until))}"
        case "suppression_lifted":
            words = f"suppression {change.suppression_lifted.suppression} is lifted"
        case "patron_excluded":
            words = f"{change.patron_excluded.patron} is excluded"
        case "exclusion_lifted":
            words = f"{change.exclusion_lifted.patron} may play again"
        case _:
            words = "surveillance was made anew"
    return plain(words)


def _print_webhooks(page: Page, answer: pb.ListWebhooksResponse) -> None:
    if not answer.webhooks:
        page.line(("nobody is told", "yellow"))
        return
    page.table(
        ("webhook", "level", "kinds", "delivered", "waiting", "given up", "address"),
        [_webhook(each) for each in answer.webhooks],
        indent=0,
        align="lllrrrl",
        styles=["red" if each.trouble else "" for each in answer.webhooks],
        notes=[each.trouble for each in answer.webhooks],
    )


def _webhook(each: WebhookStatus) -> tuple[str, ...]:
    hook = each.webhook
    return (
        hook.name,
        f"P{hook.level}" + (" paused" if hook.paused else ""),
        ", ".join(hook.kinds) or "all",
        str(each.delivered),
        str(each.waiting),
        str(each.given_up),
        hook.url,
    )


def _print_set(page: Page, answer: pb.SetWebhookResponse) -> None:
    page.line(f"{plain(answer.status.webhook.name)} is told at {plain(answer.status.webhook.url)}")
    if answer.secret:
        page.line("secret ", (answer.secret, "bold"))
        page.line(("it is not shown again: the receiver checks signatures with it", "yellow"))


def _print_test(page: Page, answer: pb.TestWebhookResponse) -> None:
    if answer.delivered:
        page.line((f"taken, in {answer.milliseconds} ms", "green"))
    else:
        page.line((f"not taken: {plain(answer.trouble)}", "bold red"))


def _print_removed(page: Page, answer: pb.RemoveWebhookResponse) -> None:
    del answer
    page.line("it is told no more")


_PRINTERS: Final[dict[type, Callable[[Page, Any], None]]] = {
    pb.ListSettingsResponse: _print_settings,
    pb.ListSettingChangesResponse: _print_changes,
    pb.ChangeSettingResponse: _print_change,
    pb.ListWebhooksResponse: _print_webhooks,
    pb.SetWebhookResponse: _print_set,
    pb.TestWebhookResponse: _print_test,
    pb.RemoveWebhookResponse: _print_removed,
}
