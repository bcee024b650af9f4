"""A simulated day sent to a gateway, table by table, while somebody watches."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from pitctl.output.progress import meter
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
"""A gateway that has acknowledged nothing for so long is perhaps not there."""


class CannotSend(Exception):
    """The day cannot be sent, and why."""


@dataclass(frozen=True, slots=True)
class Live:
    """Where a day is sent, as it was typed."""

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
            raise CannotSend(f"a speed of {self.speed_text!r}: write a number of times, or `max`")
        return speed

    @property
    def line(self) -> FloorConnection:
        try:
            address = Address.parse(self.gateway)
        except ValueError as error:
            raise CannotSend(f"--gateway: {error}") from None
        folder = Path(self.folder)
        certificates = folder / "certificates"
        authority = Path(self.authority) if self.authority else None
        if authority is None and not certificates.is_dir():
            raise CannotSend(
                f"no table has a certificate for {address}: --authority names the folder of "
                f"whoever issues them, or put them into {certificates}, a folder for each table"
            )
        return FloorConnection(address, certificates, folder / "journals", authority)

    def start_at(self) -> int:
        self._check_floor()
        return start_at(self.line.journal_folder, self.floor, self.speed)

    def _check_floor(self) -> None:
        """Its name begins those of the tables, and these are in their certificates."""
        try:
            Name("table", f"{self.floor}001")
        except NotAName:
            raise CannotSend(
                f"--floor {self.floor!r} is no name for tables: letters A to Z, a to z, digits "
                "and . _ - are, because a table's certificate carries it; choose another"
            ) from None


def local_authority(gateway: str) -> str:
    """The authority of the local stack, if this is its gateway: another one's tables have
    certificates already, and those stay."""
    known = environment()
    try:
        is_own = Address.parse(gateway) == Address.parse(known.get(GATEWAY, ""))
    except ValueError:
        return ""
    return known.get(AUTHORITY, "") if is_own else ""


def send(day: SimulatedDay, live: Live) -> Progress:
    """Until all of it is acknowledged, however long a gateway is away."""
    return send_over(day, live.line, live.speed)


def send_over(
    day: SimulatedDay,
    line: FloorConnection,
    speed: float,
    *,
    stalled_seconds_max: float = float("inf"),
) -> Progress:
    """Until all of it is acknowledged; `CannotSend` if that will never be.

    Or if nothing more was acknowledged for longer than whoever asks has patience for.
    """
    try:
        return asyncio.run(_send(day, line, speed, stalled_seconds_max))
    except (ClientError, NotRejected) as error:
        hint = (
            "; a floor plays one day: try another --floor" if isinstance(error, ClientError) else ""
        )
        raise CannotSend(f"{error}{hint}") from error
    except grpc.aio.AioRpcError as error:
        raise CannotSend(f"the gateway answers {error.code().name}: {error.details()}") from error
    except NoAuthority as error:
        raise CannotSend(f"{error}; --authority names the folder of whoever issues them") from error
    except IdentityError as error:
        raise CannotSend(str(error)) from error


async def _send(
    day: SimulatedDay, line: FloorConnection, speed: float, stalled_seconds_max: float
) -> Progress:
    scripts = day.scripts()
    events = sum(len(script.frames) for script in scripts)
    watched = Watched(line, stalled_seconds_max)
    async with open_floor(scripts, line, speed=speed) as floor:
        with meter("sending", events) as tell:
            return await floor.run(lambda now: tell(now.acknowledged, watched.words(now)))


@dataclass(slots=True)
class Watched:
    """How a day goes, in words, and whether it goes on at all."""

    line: FloorConnection
    stalled_seconds_max: float
    acknowledged: int = -1
    moved_at: float = 0.0

    def words(self, now: Progress) -> str:
        if now.acknowledged > self.acknowledged or now.recorded <= now.acknowledged:
            self.acknowledged, self.moved_at = now.acknowledged, now.seconds
        stalled = now.seconds - self.moved_at
        if stalled > self.stalled_seconds_max:
            raise CannotSend(
                f"the gateway at {self.line.gateway} has acknowledged nothing for {stalled:.0f} s: "
                "pitctl status says how it is"
            )
        if stalled > PATIENCE_SECONDS:
            return f"waiting for {self.line.gateway}"
        rate = f"{now.events_per_second:,.0f} events/s"
        return f"{now.rounds:,} rounds, {now.rejected} refused, {rate}"
