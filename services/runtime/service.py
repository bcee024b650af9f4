"""The door of a service: settings, logs, metrics, health, then the service itself.

`python -m <service>` runs it; `python -m <service> --settings` lists its variables. A service's
`__main__.py` has `run_service("settlement", Settings, main)` and nothing else; `main` is the
composition root, the one place where parts are put together.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.metadata import version
from typing import Literal, NoReturn, TypeVar

from runtime import logs, tracing
from runtime.addresses import Address, AddressSetting
from runtime.health import Health
from runtime.metrics import Metrics
from runtime.process import ExitCode, ServicePart, Stop, run, supervise
from runtime.settings import BadSettings, Settings, print_settings

DISTRIBUTION = "pitledger"
"""The installed package: its version is that of every service in it."""
_log = logs.logger(__name__)


class ServiceSettings(Settings):
    """Settings that every service has."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least level that is logged."""
    metrics_address: AddressSetting = Address("127.0.0.1", 9464)
    """Where Prometheus finds the metrics: loopback, or the cluster's own network."""
    health_address: AddressSetting = Address("127.0.0.1", 9465)
    """Where probes learn over plain gRPC whether the service is live ("") and ready ("ready")."""
    otel_exporter_otlp_endpoint: str = ""
    """Where spans are exported over OTLP (gRPC), such as http://collector:4317; empty: nowhere."""
    stop_seconds_max: float = 20.0
    """How long a stop may take before the parts that are not done are abandoned."""


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """The input of a composition root: the name, and the endpoints that are served already."""

    name: str
    metrics: Metrics
    health: Health
    stop: Stop
    stop_seconds_max: float

    async def run(self, parts: Sequence[ServicePart]) -> None:
        """Runs the parts until the stop; not ready from the moment the stop is requested."""

        async def set_not_ready(stop: Stop) -> None:
            await stop.wait()
            await self.health.stop()

        # The last is the first to be stopped.
        await supervise(
            [*parts, ServicePart("readiness", set_not_ready)],
            stop=self.stop,
            stop_seconds_max=self.stop_seconds_max,
        )


COLLECT_AFTER = (50_000, 20, 100)
"""New objects before the youngest are looked through, and how often the older ones are too."""


def tune_gc() -> None:
    """Let the collector of cycles look seldom: nearly everything is freed without it.

    Objects loaded by now stay for good and need not be scanned again. What a service
    makes of its inputs holds no cycles; at the library's own pace, of 700 new objects, looking
    through a batch without effect takes a tenth of settlement's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


S = TypeVar("S", bound=ServiceSettings)
Main = Callable[[S, ServiceContext], Awaitable[None]]


def run_service(
    name: str,
    settings_class: type[S],
    main: Main[S],
    *,
    conditions: Iterable[str] = (),
    arguments: Sequence[str] | None = None,
) -> NoReturn:
    """Reads the settings, runs `main`, and ends the process with an `ExitCode`."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if list(arguments) == ["--settings"]:
        print(print_settings(settings_class))
        sys.exit(0)
    if arguments:
        print(f"{name} takes no argument but --settings", file=sys.stderr)
        sys.exit(ExitCode.BAD_SETTINGS)
    try:
        settings = settings_class.from_environment()
    except BadSettings as bad:
        print(f"{name}: {bad}", file=sys.stderr)
        sys.exit(ExitCode.BAD_SETTINGS)
    logs.configure(name, level=settings.log_level)
    tracing.configure(name, endpoint=settings.otel_exporter_otlp_endpoint)
    # A fault in native code ends the process without a word: then at least where, in every thread.
    faulthandler.enable()
    code = run(lambda stop: _serve(name, settings, main, tuple(conditions), stop))
    tracing.flush()
    sys.stdout.flush()
    sys.stderr.flush()
    # Not sys.exit: an abandoned thread may hold what the interpreter's own ending waits for.
    os._exit(code)


async def _serve(
    name: str, settings: S, main: Main[S], conditions: tuple[str, ...], stop: Stop
) -> None:
    async with AsyncExitStack() as stack:
        metrics = Metrics(name, version=version(DISTRIBUTION))
        metrics_at = stack.enter_context(metrics.served(settings.metrics_address))
        health = Health(conditions)
        health_at = await stack.enter_async_context(health.served(settings.health_address))
        _log.info("starting", metrics=str(metrics_at), health=str(health_at), process=os.getpid())
        tune_gc()
        await main(settings, ServiceContext(name, metrics, health, stop, settings.stop_seconds_max))
