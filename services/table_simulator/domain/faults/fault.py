"""A fault by its name: what it must be found as, where it fits, what comes with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from blackjack.findings import Kind
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.stations import Station


class Claim(StrEnum):
    """A part of a table that only one of its faults may change."""

    SHOE = "shoe"
    TRAY = "tray"


class Preparation(StrEnum):
    """Preparations before the table is played."""

    NONE = ""
    UNSHUFFLED = "unshuffled"
    WINDFALL = "windfall"


@dataclass(frozen=True, slots=True)
class Fault:
    """`planter` changes a draft, and names the round or, for what lies between rounds, nothing.

    `companions` are findings that may be due as well, each with the reason. A fault without
    a planter is brought about by how the table is played.
    """

    name: str
    kinds: tuple[Kind, ...]
    planter: Callable[[StreamDraft], str] | None
    stations: tuple[Station, ...]
    companions: dict[Kind, str] = field(default_factory=dict)
    claims: frozenset[Claim] = frozenset()
    preparation: Preparation = Preparation.NONE
    rejected_as: str = ""
    """The code with which a gateway rejects the fault's message: no finding is due then."""
