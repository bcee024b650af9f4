"""Alert webhooks: set, list, remove, test."""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

from alert_desk.delivery.payload import TEST, render_body
from alert_desk.delivery.sender import WebhookSender
from alert_desk.grpc.errors import RecordNotFound
from alert_desk.postgres.audit_log import AuditLog, AuditRecord
from casino.settlement.v1.finding_pb2 import LEVEL_P1, Level
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.webhook_pb2 import Webhook, WebhookStatus
from runtime.database.query import Database, Row
from runtime.query_errors import InvalidQuery, member
from runtime.rpc.calls import caller_name
from wire.vocabulary import write_time

KINDS_MAX: Final = 50
SECRET_BYTES: Final = 32
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_SET: Final = """
INSERT INTO webhooks AS known (name, url, level, kinds, paused, secret, set_by, set_at)
VALUES (%(name)s, %(url)s, %(level)s, %(kinds)s, %(paused)s, %(secret)s, %(by)s, %(at)s)
ON CONFLICT (name) DO UPDATE
SET url = excluded.url, level = excluded.level, kinds = excluded.kinds, paused = excluded.paused,
    set_by = excluded.set_by, set_at = excluded.set_at,
    secret = CASE WHEN %(new_secret)s THEN excluded.secret ELSE known.secret END
RETURNING secret = %(secret)s AS is_new
"""
_REMOVE: Final = "DELETE FROM webhooks WHERE name = %s RETURNING name"
_ONE: Final = "SELECT url, secret FROM webhooks WHERE name = %s"
_LIST: Final = """
SELECT w.*, d.* FROM webhooks w LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE delivered_at IS NULL AND given_up_at IS NULL) AS waiting,
        count(delivered_at) AS delivered, count(given_up_at) AS given_up,
        max(delivered_at) AS delivered_at,
        (array_agg(trouble ORDER BY number DESC)
            FILTER (WHERE trouble <> '' AND delivered_at IS NULL))[1] AS trouble
    FROM deliveries WHERE webhook = w.name
) d ON true
{where} ORDER BY w.name
"""


class WebhookCommands:
    def __init__(
        self,
        database: Database,
        journal: AuditLog,
        sender: WebhookSender,
        clock: Callable[[], int],
        *,
        hosts: Sequence[str],
    ) -> None:
        self._database = database
        self._journal = journal
        self._sender = sender
        self._clock = clock
        self._hosts = frozenset(host.lower() for host in hosts)

    async def set(self, request: pb.SetWebhookRequest) -> pb.SetWebhookResponse:
        webhook = request.webhook
        self._check(webhook)
        level = webhook.level or LEVEL_P1
        secret = secrets.token_hex(SECRET_BYTES)
        async with self._journal.transaction() as desk:
            (row,) = await desk.fetch(
                _SET,
                {
                    "name": webhook.name,
                    "url": webhook.url,
                    "level": member("webhook.level", level, Level.values()),
                    "kinds": list(webhook.kinds),
                    "paused": webhook.paused,
                    "secret": secret,
                    "new_secret": request.new_secret,
                    "by": caller_name(),
                    "at": desk.now,
                },
            )
            text = f"{webhook.name}: {webhook.url}{', paused' if webhook.paused else ''}"
            await desk.append(AuditRecord(caller_name(), "set a webhook", text=text))
        return pb.SetWebhookResponse(
            status=await self._get(webhook.name), secret=secret if row["is_new"] else ""
        )

    async def remove(self, name: str) -> None:
        async with self._journal.transaction() as desk:
            if not await desk.fetch(_REMOVE, [name]):
                raise RecordNotFound("webhook", name)
            await desk.append(AuditRecord(caller_name(), "removed a webhook", text=name))

    async def every(self) -> list[WebhookStatus]:
        return [_status(row) for row in await self._database.fetch(_LIST.format(where=""))]

    async def test(self, name: str) -> pb.TestWebhookResponse:
        rows = await self._database.fetch(_ONE, [name])
        if not rows:
            raise RecordNotFound("webhook", name)
        answer = await self._sender.send(
            rows[0]["url"],
            rows[0]["secret"],
            message_id=f"test-{secrets.token_hex(8)}",
            body=render_body(TEST, None, queued_at=self._clock()),
        )
        return pb.TestWebhookResponse(
            delivered=answer.is_accepted,
            http_status=answer.http_status,
            trouble=answer.trouble,
            milliseconds=answer.milliseconds,
        )

    async def _get(self, name: str) -> WebhookStatus:
        (row,) = await self._database.fetch(_LIST.format(where="WHERE w.name = %s"), [name])
        return _status(row)

    def _check(self, webhook: Webhook) -> None:
        if not _NAME.fullmatch(webhook.name):
            raise InvalidQuery(
                "webhook.name", f'"{webhook.name}": use a to z, 0 to 9 and hyphens, at most 63'
            )
        if len(webhook.kinds) > KINDS_MAX:
            raise InvalidQuery("webhook.kinds", f"{len(webhook.kinds)}: at most {KINDS_MAX}")
        if "" in webhook.kinds:
            raise InvalidQuery("webhook.kinds", "has an empty kind: leave kinds out for all")
        try:
            parts = urlsplit(webhook.url)
            host, _ = parts.hostname or "", parts.port
        except ValueError as wrong:
            raise InvalidQuery("webhook.url", str(wrong)) from None
        if parts.scheme not in ("http", "https") or not host:
            raise InvalidQuery(
                "webhook.url", "expected a URL such as https://hooks.example.org/alerts"
            )
        if parts.username is not None or parts.fragment:
            raise InvalidQuery("webhook.url", "must not have a user or a fragment")
        if host not in self._hosts:
            raise InvalidQuery(
                "webhook.url", f'host "{host}" is not allowed: add it to WEBHOOK_HOSTS'
            )
        if parts.scheme == "http" and not _is_here(host):
            raise InvalidQuery("webhook.url", "must use https, except for this machine")


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _status(row: Row) -> WebhookStatus:
    return WebhookStatus(
        webhook=Webhook(
            name=row["name"],
            url=row["url"],
            level=row["level"],
            kinds=row["kinds"],
            paused=row["paused"],
        ),
        set_by=row["set_by"],
        set_at=write_time(row["set_at"]),
        waiting=row["waiting"],
        delivered=row["delivered"],
        given_up=row["given_up"],
        delivered_at=write_time(row["delivered_at"] or 0),
        trouble=row["trouble"] or "",
    )
