"""A surveillance that answers how many alerts are open: as many as the test says."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from casino.surveillance.v1.service_pb2 import (
    CountUrgentAlertsRequest,
    CountUrgentAlertsResponse,
    UrgentAlert,
)
from casino.surveillance.v1.service_pb2_grpc import (
    SurveillanceServiceServicer,
    add_SurveillanceServiceServicer_to_server,
)
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name


class Surveillance(SurveillanceServiceServicer):
    def __init__(self) -> None:
        self.open: list[UrgentAlert] = []
        self.asked: list[CountUrgentAlertsRequest] = []

    def CountUrgentAlerts(  # noqa: N802
        self, request: CountUrgentAlertsRequest, context: Any
    ) -> CountUrgentAlertsResponse:
        del context
        self.asked.append(request)
        return CountUrgentAlertsResponse(
            open=len(self.open), alert_ids=[alert.id for alert in self.open], alerts=self.open
        )


@contextmanager
def answering(folder: Path, port: int) -> Iterator[Surveillance]:
    """A server at that port, with the certificate of the desk."""
    found = Surveillance()  # type: ignore[abstract] # accounting asks nothing else
    credentials = Credentials(
        Name("service", "alert_desk"), folder / "alert_desk", folder / "authority"
    )
    server = grpc.server(ThreadPoolExecutor(2))
    add_SurveillanceServiceServicer_to_server(found, server)
    assert server.add_secure_port(f"127.0.0.1:{port}", credentials.server()) == port
    server.start()
    try:
        yield found
    finally:
        server.stop(None).wait()
