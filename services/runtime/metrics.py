"""Numbers for Prometheus, on a port of their own that is never that of the service.

A metric of a service is named `<service>_<name>`, with the unit last (`_seconds`, `_bytes`);
counters end in `_total`. The usual metrics of the process (memory, open files, collections)
are always there. Each `Metrics` has a registry of its own, so that tests stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)

from runtime.addresses import Address

# From a loopback call to a slow report; Prometheus' own end at ten seconds too.
SECONDS_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The metrics of one service in one process."""

    def __init__(self, service: str, *, version: str = "") -> None:
        self.service = service
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        Info("service", "Which service this is.", registry=self.registry).info(
            {"service": service, "version": version}
        )

    def counter(self, name: str, help: str, labels: Sequence[str] = ()) -> Counter:
        return Counter(name, help, labels, namespace=self.service, registry=self.registry)

    def gauge(self, name: str, help: str, labels: Sequence[str] = ()) -> Gauge:
        return Gauge(name, help, labels, namespace=self.service, registry=self.registry)

    def histogram(
        self,
        name: str,
        help: str,
        labels: Sequence[str] = (),
        buckets: Sequence[float] = SECONDS_BUCKETS,
    ) -> Histogram:
        return Histogram(
            name, help, labels, namespace=self.service, registry=self.registry, buckets=buckets
        )

    @contextmanager
    def served(self, address: Address) -> Iterator[Address]:
        """Answers `GET /metrics` at `address` while open; port 0 takes a free one."""
        server, thread = start_http_server(address.port, address.host, self.registry)
        try:
            yield Address(address.host, server.server_port)
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
