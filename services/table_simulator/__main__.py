"""The simulator as a process: `python -m table_simulator`. It ends when its day is over."""

from __future__ import annotations

import asyncio

from runtime import logs
from runtime.process import ServicePart, Stop
from runtime.service import ServiceContext, run_service
from table_simulator.config import Settings
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.fault_plan import Plan, read_plan
from table_simulator.days.start_time import start_at
from table_simulator.days.truth_file import truth_lines
from table_simulator.grpc.floor_sender import FloorConnection, Progress, open_floor

REPORT_SECONDS = 5.0
_log = logs.logger(__name__)


async def main(settings: Settings, service: ServiceContext) -> None:
    day = play(settings)
    line = FloorConnection(
        settings.table_gateway_address,
        settings.certificates_folder,
        settings.journal_folder,
        settings.authority_folder,
    )
    events = service.metrics.gauge("acknowledged_events", "Events in the log.")
    rejected = service.metrics.gauge("rejected_events", "Events that the gateway rejected.")
    reported_at = 0.0

    def report(progress: Progress) -> None:
        nonlocal reported_at
        events.set(progress.acknowledged)
        rejected.set(progress.rejected)
        if progress.is_done or progress.seconds - reported_at >= REPORT_SECONDS:
            reported_at = progress.seconds
            log_progress("sending", progress)

    async def send(stop: Stop) -> None:
        async with open_floor(day.scripts(), line, speed=settings.speed) as floor:
            sending = asyncio.create_task(floor.run(report))
            stopped = asyncio.create_task(stop.wait())
            await asyncio.wait({sending, stopped}, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if sending.done():
                log_progress("the day is over", sending.result())
                service.stop.request()
                await stop.wait()
            else:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)

    await service.run([ServicePart("floor", send)])


def play(settings: Settings) -> SimulatedDay:
    """The day of these settings, the same one after a restart."""
    plan = read_plan(settings.plan.read_text("utf-8")) if settings.plan else Plan()
    day = simulate(
        seed=settings.seed,
        tables=settings.tables,
        rounds=settings.rounds,
        plan=plan,
        start_at=start_at(settings.journal_folder, settings.floor_name, settings.speed),
        floor_name=settings.floor_name,
    )
    for fault in day.unplanted:
        _log.warning("fault not planted", fault=fault)
    if settings.truth is not None:
        settings.truth.write_bytes(truth_lines(day.truths))
    return day


def log_progress(event: str, progress: Progress) -> None:
    _log.info(
        event,
        rounds=progress.rounds,
        acknowledged=progress.acknowledged,
        events=progress.events,
        rejected=progress.rejected,
        events_per_second=round(progress.events_per_second),
    )


if __name__ == "__main__":
    run_service("table_simulator", Settings, main)
