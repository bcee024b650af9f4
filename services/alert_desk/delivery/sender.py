"""One signed HTTP request to one receiver, and its result.

    POST <url>
    Content-Type: application/json
    Pitledger-Message: <id, the same each time the message is sent>
    Pitledger-Timestamp: <seconds since 1970, of this attempt>
    Pitledger-Signature: v1=<hex of HMAC-SHA256(secret, "<timestamp>.<body>")>

A receiver compares the signature, rejects an old timestamp and drops an id that it has had. Any 2xx
status accepts the message. Redirects are not followed: no other host receives the alert.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import aiohttp

MESSAGE: Final = "Pitledger-Message"
TIMESTAMP: Final = "Pitledger-Timestamp"
SIGNATURE: Final = "Pitledger-Signature"
ANSWER_BYTES_MAX: Final = 1_024
"""How much of a response is read: its status is all that counts."""


@dataclass(frozen=True, slots=True)
class WebhookResult:
    http_status: int
    trouble: str
    milliseconds: int

    @property
    def is_accepted(self) -> bool:
        return not self.trouble


def sign(secret: str, timestamp: str, body: bytes) -> str:
    signed = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256)
    return f"v1={signed.hexdigest()}"


class WebhookSender:
    """A context: at its end connections are closed."""

    def __init__(self, seconds_max: float) -> None:
        self._seconds_max = seconds_max
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        # No cookies, no proxy of the environment, and no connection that is kept: a receiver that
        # restarts must not cost a message its first attempt.
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=self._seconds_max),
            cookie_jar=aiohttp.DummyCookieJar(),
            connector=aiohttp.TCPConnector(force_close=True),
            trust_env=False,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def send(self, url: str, secret: str, *, message_id: str, body: bytes) -> WebhookResult:
        """Send a message; never raises for any behavior of the receiver."""
        assert self._session is not None
        timestamp = str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            MESSAGE: message_id,
            TIMESTAMP: timestamp,
            SIGNATURE: sign(secret, timestamp, body),
        }
        began = time.monotonic()
        status, trouble = 0, ""
        try:
            async with self._session.post(
                url, data=body, headers=headers, allow_redirects=False
            ) as response:
                status = response.status
                await response.content.read(ANSWER_BYTES_MAX)
                if not 200 <= status < 300:
                    trouble = f"status {status}"
        except TimeoutError:
            status, trouble = 0, f"no response within {self._seconds_max:g} s"
        except (aiohttp.ClientError, OSError, ValueError) as failed:
            status, trouble = 0, " ".join(str(failed).split())[:300] or type(failed).__name__
        return WebhookResult(status, trouble, round((time.monotonic() - began) * 1_000))
