"""What is kept of a fact on its way to the subject that it is about.

A sighting says all that a detector may need and nothing else: states are made of them. Each is
about one subject; a fact that is about several is several sightings.
"""

from __future__ import annotations

from msgspec import Struct

from surveillance.domain.statistics.evidence import Entry


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


class Mispaid(Struct, frozen=True, tag=True):
    """The wagers of a round that a dealer paid wrongly; a later version may have none."""

    table: str
    round: str
    version: int
    at: int
    first_seq: int
    last_seq: int
    amounts: tuple[Amount, ...]


class Contributed(Struct, frozen=True, tag=True):
    """What a round says about a subject to the statistics."""

    entry: Entry


class Present(Struct, frozen=True, tag=True, gc=False):
    """Proof that a patron was at a table: he sat down, bought chips or had wagers there."""

    gaming_day: str
    table: str
    since: int
    until: int
    first_seq: int
    last_seq: int
    words: str


class SatDown(Struct, frozen=True, tag=True, gc=False):
    table: str
    seq: int
    at: int


class Rose(Struct, frozen=True, tag=True, gc=False):
    """The patron left the table."""

    table: str
    seq: int
    at: int


class Played(Struct, frozen=True, tag=True, gc=False):
    """A round of a patron. A round that only pushed has decided nothing."""

    table: str
    round: str
    version: int
    first_seq: int
    last_seq: int
    at: int
    has_coupon: bool
    is_decided: bool


class CashMoved(Struct, frozen=True, tag=True, gc=False):
    """A patron bought chips, or (negative) turned chips into cash at the cage."""

    gaming_day: str
    at: int
    cents: int
    table: str = ""
    seq: int = 0
    entry_id: str = ""
    is_debit: bool = False


class Barred(Struct, frozen=True, tag=True, gc=False):
    """From a moment on a patron may not play, or (`lifted`) may again."""

    change_id: str
    valid_from: int
    valid_until: int = 0
    lifted: bool = False


class Issued(Struct, frozen=True, tag=True, gc=False):
    """The coupon was issued; to nobody in particular where `patron` is empty."""

    at: int
    patron: str
    entry_id: str


class Ended(Struct, frozen=True, tag=True, gc=False):
    """The coupon was declared void or expired."""

    at: int
    words: str
    entry_id: str


class Shown(Struct, frozen=True, tag=True, gc=False):
    """The coupon was presented at a table, or (`is_dropped`) went into its box."""

    table: str
    seq: int
    at: int
    seat: int
    patron: str = ""
    is_dropped: bool = False


class Used(Struct, frozen=True, tag=True, gc=False):
    """The coupon was part of a wager, or was redeemed at an office (`entry_id`).

    `is_spent`: it was taken, and must not come again; after a push it may.
    """

    at: int
    until: int
    version: int
    is_spent: bool
    patron: str = ""
    table: str = ""
    round: str = ""
    seat: int = 0
    wager: str = ""
    dealer: str = ""
    first_seq: int = 0
    last_seq: int = 0
    cents: int = 0
    entry_id: str = ""


class Limited(Struct, frozen=True, tag=True, gc=False):
    """A patron may use so many coupons of a promotion in a day."""

    limit: int
    name: str


class UsedOf(Struct, frozen=True, tag=True, gc=False):
    """A coupon of a promotion was used by a patron, on a day."""

    patron: str
    gaming_day: str
    serial: str
    used: Used


class PaperSeen(Struct, frozen=True, tag=True):
    """A paper that must be signed, at the table (`seq`) or at an office (`entry_id`)."""

    kind: str
    slip: str
    at: int
    table: str
    signers: tuple[str, ...]
    seq: int = 0
    entry_id: str = ""


class NumberVoided(Struct, frozen=True, tag=True, gc=False):
    number: int


class NumbersExplained(Struct, frozen=True, tag=True, gc=False):
    first: int
    last: int


class SoldForCash(Struct, frozen=True, tag=True, gc=False):
    """Money went into the box of the table."""

    seq: int
    at: int
    cents: int


class BoxTaken(Struct, frozen=True, tag=True, gc=False):
    box: str
    seq: int
    at: int


class BoxCounted(Struct, frozen=True, tag=True, gc=False):
    """What the count team found; a verifier's count stands in the place of the first."""

    box: str
    at: int
    cents: int
    entry_id: str
    again: bool


class Spoke(Struct, frozen=True, tag=True, gc=False):
    """A table spoke from one moment to another, without a pause that matters."""

    table: str
    since: int
    until: int
    first_seq: int
    last_seq: int


class Turned(Struct, frozen=True, tag=True, gc=False):
    """A table was opened or closed."""

    table: str
    seq: int
    at: int
    is_open: bool


class Listened(Struct, frozen=True, tag=True, gc=False):
    """All that the table has said was read, and by this moment there was nothing more."""

    table: str
    at: int


class Refused(Struct, frozen=True, tag=True, gc=False):
    """Something was refused, and kept where `id` says."""

    id: str
    at: int
    code: str
    reason: str
    table: str
    sender: str
    by_hand: bool
    """Whether a person entered it at an office."""


Sighting = (
    Found
    | FoundNoMore
    | RoundMoney
    | Mispaid
    | Contributed
    | Present
    | SatDown
    | Rose
    | Played
    | CashMoved
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
