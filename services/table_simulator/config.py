"""Settings of the simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from runtime.addresses import AddressSetting
from runtime.service import ServiceSettings
from table_simulator.days.fault_plan import read_plan
from table_simulator.days.feed import AS_FAST_AS_POSSIBLE
from table_simulator.domain.floor_plan import FLOOR_NAME


def read_speed(value: object) -> object:
    """As it is typed: a number, or `max`.

    >>> read_speed("max"), read_speed("60")
    (0.0, '60')
    """
    return AS_FAST_AS_POSSIBLE if value == "max" else value


def check_plan(path: Path | None) -> Path | None:
    """A plan that can be read and followed; `ValueError` with everything that is wrong with it."""
    if path is not None:
        try:
            read_plan(path.read_text("utf-8"))
        except OSError as error:
            raise ValueError(f"cannot be read: {error.strerror}") from None
    return path


class Settings(ServiceSettings):
    table_gateway_address: AddressSetting
    """The address of the gateway."""
    certificates_folder: Path
    """A folder with a folder for each table, by its name: its tls.key, tls.crt and ca.crt."""
    authority_folder: Path | None = None
    """The folder of the local authority, which then issues the certificates of the tables; unset
    where another authority does."""
    journal_folder: Path
    """Where each table keeps its events before they are sent. An interrupted day continues from
    there."""
    seed: int = 1
    """The same seed gives the same day."""
    tables: Annotated[int, Field(ge=1, le=1_000)] = 12
    """How many tables."""
    rounds: Annotated[int, Field(ge=1, le=10_000)] = 40
    """How many rounds each plays."""
    speed: Annotated[float, BeforeValidator(read_speed), Field(ge=0)] = 1.0
    """1 is real time, 60 a minute a second, `max` or 0 as fast as the gateway takes it. Only at
    1 does the gateway's own clock fit: at any other speed it needs SIMULATED_TIME."""
    plan: Annotated[Path | None, AfterValidator(check_plan)] = None
    """A fault plan (TOML, docs/simulator.md); unset: a day without faults."""
    truth: Path | None = None
    """Where to write the ground truth: the faults planted in the day."""
    floor_name: Annotated[str, Field(min_length=1, max_length=40)] = FLOOR_NAME
    """The prefix of the table names. A floor plays one day: the next has another name."""
