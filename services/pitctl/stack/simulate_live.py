"""A simulated day sent to a gateway, table by table, with its progress."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from pitctl.errors import CommandError
from pitctl.output.progress import progress_meter
from pitctl.stack.local_stack import environment
from runtime.addresses import Address
from runtime.identity.errors import IdentityError, NoAuthority, NotAName
from runtime.identity.names import Name
from table_client.errors import ClientError
from table_simulator.days.day import SimulatedDay
from table_simulator.days.feed import AS_FAST_AS_POSSIBLE
from table_simulator.days.start_time import start_at
from table_simulator.grpc.controller import NotRejected
from table_simulator.grpc.floor_sender import FloorConnection, Progress, open_floor

GATEWAY: Final = "TABLE_GATEWAY_ADDRESS"
AUTHORITY: Final = "AUTHORITY_FOLDER"
PATIENCE_SECONDS = 2.0
"""A gateway without an acknowledgment for so long may be down."""


class SendingFailed(CommandError):
    """The day cannot be sent."""


@dataclass(frozen=True, slots=True)
class LiveTarget:
    """The destination of a day, as typed."""

    gateway: str
    floor: str
    speed_text: str
    folder: str
    authority: str

    @property
    def speed(self) -> float:
        if self.speed_text == "max":
            return AS_FAST_AS_POSSIBLE
        try:
            speed = float(self.speed_text)
        except ValueError:
            speed = -1.0
        if not 0 <= speed < float("inf"):
            raise SendingFailed(f'Invalid --speed "{self.speed_text}": expected a number, or max.')
        return speed

    @property
    def line(self) -> FloorConnection:
        try:
            address = Address.parse(self.gateway)
        except ValueError as error:
            raise SendingFailed(f"--gateway: {error}") from None
        folder = Path(self.folder)
        certificates = folder / "certificates"
        authority = Path(self.authority) if self.authority else None
        if authority is None and not certificates.is_dir():
            raise SendingFailed(
                f"no table certificates for {address}: name the authority with --authority, or put "
                f"the certificates into {certificates}, a folder for each table"
            )
        return FloorConnection(address, certificates, folder / "journals", authority)

    def start_at(self) -> int:
        self._check_floor()
        return start_at(self.line.journal_folder, self.floor, self.speed)

    def _check_floor(self) -> None:
        """Its name begins the names of tables, which are in their certificates."""
        try:
            Name("table", f"{self.floor}001")
        except NotAName:
            raise SendingFailed(
                f"Invalid --floor {self.floor!r}: a table's certificate carries it; use only "
                "A to Z, a to z, digits and . _ -"
            ) from None


def local_authority(gateway: str) -> str:
    """The authority of the local stack, if this is its gateway.

    Tables of another gateway have certificates already, which stay.
    """
    known = environment()
    try:
        is_own = Address.parse(gateway) == Address.parse(known.get(GATEWAY, ""))
    except ValueError:
        return ""
    return known.get(AUTHORITY, "") if is_own else ""


def send(day: SimulatedDay, live: LiveTarget) -> Progress:
    """Send until everything is acknowledged, however long the gateway is down."""
    return send_over(day, live.line, live.speed)


def send_over(
    day: SimulatedDay,
    line: FloorConnection,
    speed: float,
    *,
    stalled_seconds_max: float = float("inf"),
) -> Progress:
    """Send until everything is acknowledged; `SendingFailed` if that is impossible.

    Or if nothing was acknowledged for `stalled_seconds_max`.
    """
    try:
        return asyncio.run(_send(day, line, speed, stalled_seconds_max))
    except (ClientError, NotRejected) as error:
        hint = (
            "; a floor plays one day: choose another --floor"
            if isinstance(error, ClientError)
            else ""
        )
        raise SendingFailed(f"{error}{hint}") from error
    except grpc.aio.AioRpcError as error:
        raise SendingFailed(
            f"the gateway answers {error.code().name}: {error.details()}"
        ) from error
    except NoAuthority as error:
        raise SendingFailed(f"{error}; name the certificate authority with --authority") from error
    except IdentityError as error:
        raise SendingFailed(str(error)) from error


async def _send(
    day: SimulatedDay, line: FloorConnection, speed: float, stalled_seconds_max: float
) -> Progress:
    scripts = day.scripts()
    events = sum(len(script.frames) for script in scripts)
    watched = SendMonitor(line, stalled_seconds_max)
    async with open_floor(scripts, line, speed=speed) as floor:
        with progress_meter("sending", events) as report:
            return await floor.run(lambda now: report(now.acknowledged, watched.words(now)))


@dataclass(slots=True)
class SendMonitor:
    """Describes the progress of a day, and ends one that has stalled."""

    line: FloorConnection
    stalled_seconds_max: float
    acknowledged: int = -1
    moved_at: float = 0.0

    def words(self, now: Progress) -> str:
        if now.acknowledged > self.acknowledged or now.recorded <= now.acknowledged:
            self.acknowledged, self.moved_at = now.acknowledged, now.seconds
        stalled = now.seconds - self.moved_at
        if stalled > self.stalled_seconds_max:
            raise SendingFailed(
                f"the gateway at {self.line.gateway} has acknowledged nothing for {stalled:.0f} s: "
                "see pitctl status"
            )
        if stalled > PATIENCE_SECONDS:
            return f"waiting for {self.line.gateway}"
        rate = f"{now.events_per_second:,.0f} events/s"
        return f"{now.rounds:,} rounds, {now.rejected} rejected, {rate}"
