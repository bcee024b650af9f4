"""What is kept of a fact on its way to the subject that it is about.

A sighting says all that a detector may need and nothing else: states are made of them. Each is
about one subject; a fact that is about several is several sightings.
"""

from __future__ import annotations

from msgspec import Struct


class Found(Struct, frozen=True, tag=True, gc=False):
    """A finding of settlement. The same id again replaces what it said before."""

    id: str
    kind: str
    level: int
    table: str
    seq: int
    at: int
    text: str
    rule: str
    round: str = ""
    seat: int = 0
    hand: int = 0
    wager: str = ""
    patron: str = ""
    dealer: str = ""
    cents: int = 0
    tells_hole_card: bool = False


class FoundNoMore(Struct, frozen=True, tag=True, gc=False):
    """A finding was withdrawn."""

    id: str


class Amount(Struct, frozen=True, array_like=True, gc=False):
    """What was owed and paid on one wager."""

    seat: int
    hand: int
    wager: str
    owed_cents: int
    paid_cents: int


class RoundMoney(Struct, frozen=True, tag=True):
    """Owed and paid of a round in which something was found."""

    round: str
    version: int
    at: int
    first_seq: int
    last_seq: int
    amounts: tuple[Amount, ...]


class CashMoved(Struct, frozen=True, tag=True, gc=False):
    """A patron bought chips, or turned chips into cash at the cage."""

    gaming_day: str
    at: int
    cents: int
    table: str = ""
    seq: int = 0
    event_id: str = ""
    is_debit: bool = False


Sighting = Found | FoundNoMore | RoundMoney | CashMoved


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
