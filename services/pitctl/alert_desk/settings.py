"""`pitctl setting` and `pitctl webhook`: settings of surveillance and webhooks in tables."""

from __future__ import annotations

from alerting.display_names import alert_name
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.settings_pb2 import SettingChange
from casino.surveillance.v1.webhook_pb2 import WebhookStatus
from pitctl.output.text import Page, escape, format_moment
from wire.vocabulary import read_time


def print_settings(page: Page, answer: pb.ListSettingsResponse) -> None:
    page.table(
        ("threshold", "value", "default", "from", "to", "description"),
        [
            (t.name, f"{t.value:,}", "" if not t.HasField("change") else f"{t.default_value:,}",
             f"{t.least:,}", f"{t.most:,}", t.words)
            for t in answer.thresholds
        ],
        indent=0, align="lrrrrl",
        styles=["bold" if t.HasField("change") else "" for t in answer.thresholds],
    )  # fmt: skip
    page.blank()
    page.table(
        ("kind_code", "kind", "priority", "default", "description"),
        [
            (k.kind, alert_name(k.kind), f"P{k.level}",
             "" if not k.HasField("change") else f"P{k.default_level}", k.words)
            for k in answer.kinds
        ],
        indent=0,
        styles=["bold" if k.HasField("change") else "" for k in answer.kinds],
    )  # fmt: skip
    for change in answer.suppressions:
        page.blank()
        page.line((f"{change_words(change)}  ", "yellow"), (change.change_id, "dim"))


def print_changes(page: Page, answer: pb.ListSettingChangesResponse) -> None:
    if not answer.changes:
        page.line(("No changes.", "green"))
        return
    rows = [
        (
            format_moment(read_time(change.recorded_at)).removesuffix(" UTC"),
            change.author,
            change_words(change),
            change.reason,
        )
        for change in answer.changes
    ]
    page.table(("entered (UTC)", "by", "change", "reason"), rows, indent=0)


def print_change(page: Page, answer: pb.ChangeSettingResponse) -> None:
    since = format_moment(read_time(answer.change.valid_from))
    page.line(f"{change_words(answer.change)}, from {since} on")
    for remark in answer.remarks:
        page.line((escape(remark), "yellow"), hang=2)


def change_words(change: SettingChange) -> str:
    match change.WhichOneof("what"):
        case "threshold_set":
            set_ = change.threshold_set
            words = f"{set_.name} is {'its default' if set_.is_default else f'{set_.value:,}'}"
        case "level_set":
            level = f"P{change.level_set.level}" if change.level_set.level else "its default"
            words = f"priority of {alert_name(change.level_set.kind)} is {level}"
        case "alerts_suppressed":
            quiet = change.alerts_suppressed
            of = filter(None, (alert_name(quiet.kind), quiet.table_id, quiet.dealer, quiet.patron))
            words = f"{' '.join(of)} suppressed until {format_moment(read_time(quiet.until))}"
        case "suppression_lifted":
            words = f"suppression {change.suppression_lifted.suppression} lifted"
        case "patron_excluded":
            words = f"{change.patron_excluded.patron} excluded"
        case "exclusion_lifted":
            words = f"exclusion of {change.exclusion_lifted.patron} lifted"
        case _:
            words = "surveillance rebuilt"
    return escape(words)


def print_webhooks(page: Page, answer: pb.ListWebhooksResponse) -> None:
    if not answer.webhooks:
        page.line(("No webhooks.", "yellow"))
        return
    page.table(
        ("webhook", "priority", "kinds", "delivered", "waiting", "abandoned", "address"),
        [_webhook(status) for status in answer.webhooks],
        indent=0,
        align="lllrrrl",
        styles=["red" if status.trouble else "" for status in answer.webhooks],
        notes=[status.trouble for status in answer.webhooks],
    )


def _webhook(status: WebhookStatus) -> tuple[str, ...]:
    hook = status.webhook
    return (
        hook.name,
        f"P{hook.level}" + (" paused" if hook.paused else ""),
        ", ".join(hook.kinds) or "all",
        str(status.delivered),
        str(status.waiting),
        str(status.given_up),
        hook.url,
    )


def print_webhook(page: Page, answer: pb.SetWebhookResponse) -> None:
    hook = answer.status.webhook
    page.line(f"{escape(hook.name)} receives alerts at {escape(hook.url)}")
    if answer.secret:
        page.line("secret ", (answer.secret, "bold"))
        page.line(("It is not shown again: the receiver checks signatures with it.", "yellow"))


def print_test(page: Page, answer: pb.TestWebhookResponse) -> None:
    if answer.delivered:
        page.line((f"delivered in {answer.milliseconds} ms", "green"))
    else:
        page.line((f"not delivered: {escape(answer.trouble)}", "bold red"))


def print_removed(page: Page, answer: pb.RemoveWebhookResponse) -> None:
    del answer
    page.line("webhook removed")
