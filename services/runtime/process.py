"""A process is parts that run side by side; when one dies, the process ends and reports it.

A part is a coroutine function or, for libraries that block, a function in a thread of its
own; both are given a `Stop` and return soon after it is requested. Parts are stopped one
after the other, the last first, so that what serves callers ends before what it stands on.

- A part that raises, or returns before the stop, is dead: it is logged with its cause, the
  others are stopped, and the exit code is `FAILED`. Nothing dies silently.
- SIGTERM and SIGINT request the stop. A part that is not done within the limit is named in the
  log and abandoned, with exit code `STUCK`.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum

from runtime import logs

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_log = logs.logger(__name__)


class ExitCode(IntEnum):
    """How a process ended, for its parent."""

    STOPPED = 0
    """It stopped on request."""
    FAILED = 1
    """A part died."""
    STUCK = 3
    """It was stopping, but a part was not done within the limit."""
    BAD_SETTINGS = 78
    """The environment is wrong; a restart does not help (EX_CONFIG of sysexits)."""


class Stop:
    """The wish that a part ends: seen from threads, awaited in tasks."""

    def __init__(self) -> None:
        self._requested = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._requested_in_loop = asyncio.Event()

    def request(self) -> None:
        self._requested.set()
        self._loop.call_soon_threadsafe(self._requested_in_loop.set)

    @property
    def requested(self) -> bool:
        return self._requested.is_set()

    def sleep(self, seconds: float) -> bool:
        """In a thread: waits, but not longer than until the stop; true once the stop is
        requested."""
        return self._requested.wait(seconds)

    async def wait(self, seconds_max: float | None = None) -> bool:
        """In a task: the same; without a limit it waits until the stop."""
        try:
            async with asyncio.timeout(seconds_max):
                await self._requested_in_loop.wait()
        except TimeoutError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class ServicePart:
    """One of the things a process does until it is stopped."""

    name: str
    work: Callable[[Stop], Awaitable[None]] | Callable[[Stop], None]
    """A coroutine function runs in the event loop, any other in a thread of its own."""


class PartDied(Exception):
    """A part raised, or returned before the stop."""

    def __init__(self, part: str, cause: BaseException | None) -> None:
        self.part = part
        super().__init__(f"{part} ended by itself" if cause is None else f"{part}: {cause!r}")


class PartsStuck(Exception):
    """These parts were not done within the limit."""

    def __init__(self, parts: tuple[str, ...], seconds_max: float) -> None:
        self.parts = parts
        super().__init__(f"still running after {seconds_max:g} s: {', '.join(parts)}")


async def supervise(parts: Sequence[ServicePart], *, stop: Stop, stop_seconds_max: float) -> None:
    """Runs the parts until `stop` is requested or one dies; then stops them, the last first.

    Raises `PartDied` or `PartsStuck`. A thread that is stuck is abandoned and goes on, so the
    process must end soon, as that of `service.run_service` does.
    """
    running: dict[ServicePart, tuple[asyncio.Task[None], Stop]] = {}
    for part in parts:
        own = Stop()
        running[part] = (asyncio.create_task(_work(part, own), name=part.name), own)
    requested = asyncio.create_task(stop.wait(), name="stop")
    tasks = [task for task, _ in running.values()]
    try:
        await asyncio.wait([requested, *tasks], return_when=asyncio.FIRST_COMPLETED)
        died = _first_dead(running)
        if died is not None:
            _log.critical("part died", part=died.part, exc_info=died.__cause__)
        await _stop_in_turn(running, stop_seconds_max)
    finally:
        requested.cancel()
        for task in tasks:
            task.cancel()
    died = died or _first_raised(running)
    if died is not None:
        raise died


def run(main: Callable[[Stop], Awaitable[None]]) -> ExitCode:
    """Runs `main` to its end, with the stop signals requesting its `Stop`; returns how it ended."""

    async def with_signals() -> None:
        stop = Stop()
        with _stop_on_signals(stop):
            await main(stop)

    try:
        asyncio.run(with_signals())
    except PartsStuck as stuck:
        _log.critical("stuck while stopping", parts=stuck.parts)
        return ExitCode.STUCK
    except PartDied:  # already logged, with its cause
        return ExitCode.FAILED
    except Exception:
        _log.critical("failed", exc_info=True)
        return ExitCode.FAILED
    _log.info("stopped")
    return ExitCode.STOPPED


@contextmanager
def _stop_on_signals(stop: Stop) -> Iterator[None]:
    loop = asyncio.get_running_loop()

    def request_stop(number: signal.Signals) -> None:
        _log.info("stopping", signal=number.name)
        stop.request()

    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, request_stop, number)
    try:
        yield
    finally:
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)


async def _work(part: ServicePart, stop: Stop) -> None:
    if inspect.iscoroutinefunction(part.work):
        await part.work(stop)
        return
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()
    context = contextvars.copy_context()

    def finish(error: BaseException | None) -> None:
        if done.done():  # abandoned
            return
        if error is None:
            done.set_result(None)
        elif isinstance(error, StopIteration):  # which no future takes
            done.set_exception(RuntimeError(f"the thread raised {error!r}"))
        else:
            done.set_exception(error)

    def work() -> None:
        error: BaseException | None = None
        try:
            context.run(part.work, stop)
        except Exception as raised:
            error = raised
        except BaseException as raised:  # SystemExit: the thread's end, not the loop's
            error = RuntimeError(f"the thread ended with {raised!r}")
        # The loop is closed when this thread was abandoned: nothing waits any more.
        if not loop.is_closed():
            loop.call_soon_threadsafe(finish, error)

    # A daemon: an abandoned thread must not keep the process alive.
    threading.Thread(target=work, name=part.name, daemon=True).start()
    await done


async def _stop_in_turn(
    running: dict[ServicePart, tuple[asyncio.Task[None], Stop]], seconds_max: float
) -> None:
    """Each part is stopped when the one after it in the list has ended."""
    try:
        async with asyncio.timeout(seconds_max):
            for part in reversed(running):
                task, own = running[part]
                own.request()
                await asyncio.wait([task])
    except TimeoutError:
        left = tuple(part.name for part, (task, _) in running.items() if not task.done())
        raise PartsStuck(left, seconds_max) from None


def _first_dead(running: dict[ServicePart, tuple[asyncio.Task[None], Stop]]) -> PartDied | None:
    for part, (task, own) in running.items():
        if task.done() and not own.requested:
            return _died(part, None if task.cancelled() else task.exception())
    return None


def _first_raised(running: dict[ServicePart, tuple[asyncio.Task[None], Stop]]) -> PartDied | None:
    for part, (task, _) in running.items():
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.critical("part failed while stopping", part=part.name, exc_info=error)
            return _died(part, error)
    return None


def _died(part: ServicePart, cause: BaseException | None) -> PartDied:
    died = PartDied(part.name, cause)
    died.__cause__ = cause
    return died
