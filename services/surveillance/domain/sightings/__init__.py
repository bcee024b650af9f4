"""What is kept of a fact on its way to the subject that it is about.

A sighting says all that a detector may need and nothing else: states are made of them. Each is
about one subject; a fact that is about several is several sightings.
"""

from __future__ import annotations

from msgspec import Struct

from surveillance.domain.sightings.coupons import Ended, Issued, Limited, Shown, Used, UsedOf
from surveillance.domain.sightings.findings import (
    Amount,
    Contributed,
    Counted,
    Found,
    FoundNoMore,
    Mispaid,
    RoundMoney,
    Shortage,
    ShortageWithdrawn,
)
from surveillance.domain.sightings.floor import Listened, Refused, Spoke, Turned
from surveillance.domain.sightings.papers import (
    BoxCounted,
    BoxTaken,
    NumbersExplained,
    NumberVoided,
    PaperSeen,
    SoldForCash,
)
from surveillance.domain.sightings.patrons import (
    Barred,
    CashMoved,
    Played,
    Present,
    Rose,
    SatDown,
    Tried,
    UnnamedCash,
)

__all__ = [
    "Amount",
    "Barred",
    "BoxCounted",
    "BoxTaken",
    "CashMoved",
    "Contributed",
    "Counted",
    "Ended",
    "Found",
    "FoundNoMore",
    "Issued",
    "Limited",
    "Listened",
    "Mispaid",
    "NumberVoided",
    "NumbersExplained",
    "PaperSeen",
    "Placed",
    "Played",
    "Present",
    "Refused",
    "Rose",
    "RoundMoney",
    "SatDown",
    "Seen",
    "Shortage",
    "ShortageWithdrawn",
    "Shown",
    "Sighting",
    "SoldForCash",
    "Spoke",
    "Tried",
    "Turned",
    "UnnamedCash",
    "Used",
    "UsedOf",
]

Sighting = (
    Found
    | FoundNoMore
    | Shortage
    | ShortageWithdrawn
    | RoundMoney
    | Mispaid
    | Contributed
    | Counted
    | Present
    | SatDown
    | Rose
    | Played
    | Tried
    | CashMoved
    | UnnamedCash
    | Barred
    | Issued
    | Ended
    | Shown
    | Used
    | Limited
    | UsedOf
    | PaperSeen
    | NumberVoided
    | NumbersExplained
    | SoldForCash
    | BoxTaken
    | BoxCounted
    | Spoke
    | Turned
    | Listened
    | Refused
)


class Seen(Struct, frozen=True):
    """A sighting and whom it is about."""

    subject: str
    sighting: Sighting


class Placed(Struct, frozen=True):
    """A sighting and where it comes from.

    `source` names a topic's partition, `offset` a message in it, and `ordinal` counts what was
    made of that message: what one source says of one subject comes in this order.
    """

    source: str
    offset: int
    ordinal: int
    seen: Seen
