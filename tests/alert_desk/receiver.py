"""A real receiver of webhooks on this machine: it takes, fails or hangs as the test says."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Received:
    message: str
    timestamp: str
    signature: str
    body: bytes
    at: float

    @property
    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass(slots=True)
class Receiver:
    """`answers` are the statuses of the first messages; 200 after them. 0 hangs."""

    port: int = 0
    answers: list[int] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/alerts?from=pit"

    def next_answer(self) -> int:
        return self.answers.pop(0) if self.answers else 200


@contextmanager
def receiving(*answers: int) -> Iterator[Receiver]:
    receiver = Receiver(answers=list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.received.append(
                Received(
                    self.headers["Pitledger-Message"],
                    self.headers["Pitledger-Timestamp"],
                    self.headers["Pitledger-Signature"],
                    body,
                    time.monotonic(),
                )
            )
            status = receiver.next_answer()
            if not status:
                receiver.released.wait(60)
                return
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", receiver.url)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.released.set()
        server.shutdown()
        server.server_close()
