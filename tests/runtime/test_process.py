"""Parts run side by side, stop in turn, and never die silently."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest

from runtime.process import ExitCode, PartDied, PartsStuck, ServicePart, Stop, run, supervise


async def wait(stop: Stop) -> None:
    await stop.wait()


def wait_in_thread(stop: Stop) -> None:
    while not stop.sleep(10):
        pass


async def supervised(*parts: ServicePart, stop_after: float = 0.02, seconds_max: float = 5) -> None:
    stop = Stop()
    asyncio.get_running_loop().call_later(stop_after, stop.request)
    await supervise(parts, stop=stop, stop_seconds_max=seconds_max)


def test_parts_are_stopped_one_after_the_other_the_last_first() -> None:
    ended: list[str] = []

    def in_thread(stop: Stop) -> None:
        wait_in_thread(stop)
        ended.append("store")

    async def in_loop(stop: Stop) -> None:
        await stop.wait()
        await asyncio.sleep(0.05)
        ended.append("server")

    asyncio.run(supervised(ServicePart("store", in_thread), ServicePart("server", in_loop)))
    assert ended == ["server", "store"]


@pytest.mark.parametrize("in_thread", [True, False])
def test_a_part_that_raises_ends_the_others_and_is_named(in_thread: bool) -> None:
    stopped = threading.Event()

    async def other(stop: Stop) -> None:
        await stop.wait()
        stopped.set()

    def raise_in_thread(_: Stop) -> None:
        raise ValueError("broken")

    async def raise_in_loop(_: Stop) -> None:
        raise ValueError("broken")

    bad = ServicePart("bad", raise_in_thread if in_thread else raise_in_loop)
    with pytest.raises(PartDied, match=r"bad: ValueError\('broken'\)"):
        asyncio.run(supervised(bad, ServicePart("other", other), stop_after=60))
    assert stopped.is_set()


def test_a_part_that_returns_though_nobody_asked_is_dead() -> None:
    with pytest.raises(PartDied, match="idle ended by itself"):
        asyncio.run(
            supervised(
                ServicePart("idle", lambda _: None), ServicePart("other", wait), stop_after=60
            )
        )


@pytest.mark.parametrize("error", [SystemExit(0), StopIteration()])
def test_a_thread_cannot_end_without_being_noticed(error: BaseException) -> None:
    def leave(_: Stop) -> None:
        raise error

    with pytest.raises(PartDied, match="leaver: RuntimeError"):
        asyncio.run(supervised(ServicePart("leaver", leave), stop_after=60))


def test_a_part_that_fails_while_stopping_is_not_overlooked() -> None:
    async def fail_late(stop: Stop) -> None:
        await stop.wait()
        raise ValueError("could not flush")

    with pytest.raises(PartDied, match="could not flush"):
        asyncio.run(supervised(ServicePart("producer", fail_late)))


@pytest.mark.parametrize("in_thread", [True, False])
def test_who_is_not_done_within_the_limit_is_named_and_abandoned(in_thread: bool) -> None:
    released = threading.Event()

    def stuck_in_thread(_: Stop) -> None:
        released.wait()

    async def stuck_in_loop(_: Stop) -> None:
        await asyncio.Event().wait()

    part = ServicePart("stuck", stuck_in_thread if in_thread else stuck_in_loop)
    with pytest.raises(PartsStuck) as caught:
        asyncio.run(supervised(part, seconds_max=0.1))
    released.set()
    assert caught.value.parts == ("stuck",)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_process_cleanly(number: signal.Signals) -> None:
    async def main(stop: Stop) -> None:
        asyncio.get_running_loop().call_later(0.02, os.kill, os.getpid(), number)
        await supervise([ServicePart("other", wait)], stop=stop, stop_seconds_max=5)

    assert run(main) is ExitCode.STOPPED


def test_how_it_ended_is_the_exit_code() -> None:
    async def fail(_: Stop) -> None:
        raise ValueError("no pool")

    async def die(stop: Stop) -> None:
        await supervise([ServicePart("idle", lambda _: None)], stop=stop, stop_seconds_max=5)

    async def stick(stop: Stop) -> None:
        stop.request()
        await supervise([ServicePart("stuck", be_stuck)], stop=stop, stop_seconds_max=0.05)

    released = threading.Event()

    def be_stuck(_: Stop) -> None:
        released.wait()

    assert run(fail) is ExitCode.FAILED
    assert run(die) is ExitCode.FAILED
    assert run(stick) is ExitCode.STUCK
    released.set()
