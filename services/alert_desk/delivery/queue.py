"""Messages for webhooks, sent until they are accepted or given up.

At least once: an attempt is recorded before it is made, with the time of the next, so the instance
that takes over after a crash sends again the messages that were in progress. Several instances
share the work: each claims messages that no other has claimed. A receiver that hangs does not delay
the others: a fixed number of messages is in progress at once, and no webhook has more than its
share of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

from alert_desk.config import Settings
from alert_desk.delivery.sender import WebhookSender
from runtime import logs
from runtime.database.pools import AsyncPool
from runtime.database.query import LEND_SECONDS_MAX, DatabaseSnapshot, Row, in_plain_words
from runtime.metrics import Metrics
from runtime.process import ServicePart, Stop
from runtime.query_errors import QueryError

PLACES: Final = 16
SHARE: Final = 4
LOOK_SECONDS: Final = 0.25
AWAY_SECONDS: Final = 1.0
PAUSE_SECONDS_MAX: Final = 600.0
CLAIMED_SECONDS: Final = 5
"""Beyond the time that a receiver has: an instance that has claimed a message and recorded no
result by then is gone, and another sends it."""
KEPT_SECONDS: Final = 30 * 24 * 3600
"""How long sent messages are kept: the same message is not sent again meanwhile."""
CLEAN_SECONDS: Final = 3600.0
_SECOND: Final = 1_000_000
_log = logs.logger(__name__)

_CLAIM: Final = """
UPDATE deliveries d SET attempts = attempts + 1, due_at = %(again_at)s
FROM webhooks w
WHERE d.webhook = w.name AND d.number IN (
    SELECT q.number FROM deliveries q JOIN webhooks v ON v.name = q.webhook
    WHERE q.delivered_at IS NULL AND q.given_up_at IS NULL AND q.due_at <= %(now)s
        AND NOT v.paused AND NOT q.webhook = ANY(%(busy)s)
    ORDER BY q.due_at, q.number LIMIT %(places)s FOR UPDATE OF q SKIP LOCKED
)
RETURNING d.number, d.webhook, d.body, d.attempts, d.queued_at, w.url, w.secret,
    concat_ws('.', d.alert_id, d.event, d.generation, d.revision) AS message_id
"""
_DONE: Final = """
UPDATE deliveries SET delivered_at = %(at)s, trouble = '' WHERE number = %(number)s
"""
_FAILED: Final = """
UPDATE deliveries SET trouble = %(trouble)s, given_up_at = %(given_up_at)s, due_at = %(due_at)s
WHERE number = %(number)s
"""
_CLEAN: Final = """
DELETE FROM deliveries WHERE greatest(delivered_at, given_up_at) < %(before)s
"""


class DeliveryQueue:
    def __init__(
        self,
        pool: AsyncPool,
        sender: WebhookSender,
        settings: Settings,
        metrics: Metrics,
        clock: Callable[[], int],
    ) -> None:
        self._pool = pool
        self._sender = sender
        self._clock = clock
        self._again = round(settings.webhook_again_seconds * _SECOND)
        self._within = round(settings.webhook_seconds_max * _SECOND)
        self._give_up = round(settings.webhook_give_up_seconds * _SECOND)
        self._sent = metrics.counter("webhook_messages", "Messages to webhooks.", ["result"])
        self._under_way: dict[asyncio.Task[None], str] = {}

    def part(self) -> ServicePart:
        return ServicePart("webhooks", self.run)

    async def run(self, stop: Stop) -> None:
        clean_at = 0.0
        loop = asyncio.get_running_loop()
        while not stop.requested:
            pause = LOOK_SECONDS
            try:
                for row in await self._claim():
                    task = asyncio.create_task(self._deliver(row))
                    self._under_way[task] = row["webhook"]
                    task.add_done_callback(lambda done: self._under_way.pop(done, None))
                if loop.time() >= clean_at:
                    before = self._clock() - KEPT_SECONDS * _SECOND
                    await self._write(_CLEAN, before=before)
                    clean_at = loop.time() + CLEAN_SECONDS
            except QueryError:
                pause = AWAY_SECONDS
            await stop.wait(pause)
        for task in self._under_way:  # another instance sends the messages again
            task.cancel()

    async def _claim(self) -> list[Row]:
        """Claim due messages, as many as there is room for; each is due again a little later."""
        places = PLACES - len(self._under_way)
        if places <= 0:
            return []
        shares = Counter(self._under_way.values())
        now = self._clock()
        return await self._write(
            _CLAIM,
            now=now,
            again_at=now + self._within + CLAIMED_SECONDS * _SECOND,
            busy=[name for name, count in shares.items() if count >= SHARE],
            places=min(places, SHARE),
        )

    async def _deliver(self, row: Row) -> None:
        result = await self._sender.send(
            row["url"], row["secret"], message_id=row["message_id"], body=row["body"]
        )
        now = self._clock()
        self._sent.labels("accepted" if result.is_accepted else "rejected").inc()
        try:
            if result.is_accepted:
                await self._write(_DONE, number=row["number"], at=now)
                return
            is_given_up = now - row["queued_at"] >= self._give_up
            _log.warning(
                "webhook message given up" if is_given_up else "webhook message not accepted",
                webhook=row["webhook"],
                message=row["message_id"],
                attempts=row["attempts"],
                trouble=result.trouble,
            )
            await self._write(
                _FAILED,
                number=row["number"],
                trouble=result.trouble,
                given_up_at=now if is_given_up else None,
                due_at=now + self._pause(row["attempts"]),
            )
        except QueryError:
            return  # the message is sent again: at least once

    def _pause(self, attempts: int) -> int:
        """The pause after this many attempts: twice as long each time, up to a limit."""
        doubled = self._again << min(attempts - 1, 30)
        return min(doubled, round(PAUSE_SECONDS_MAX * _SECOND))

    async def _write(self, query: str, **values: object) -> list[Row]:
        with in_plain_words():
            async with (
                self._pool.connection(timeout=LEND_SECONDS_MAX) as connection,
                connection.transaction(),
            ):
                if "RETURNING" in query:
                    return await DatabaseSnapshot(connection).fetch(query, values)
                await connection.execute(query.encode(), values)
                return []
