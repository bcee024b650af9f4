"""What is kept of a fact on its way to the subject that it is about.

A sighting says all that a detector may need and nothing else: states are made of them. Each is
about one subject; a fact that is about several is several sightings.
"""

from __future__ import annotations

from msgspec import Struct

from surveillance.domain.sightings.coupons import (
    CouponAppearance,
    CouponInvalidation,
    CouponIssue,
    CouponUsage,
    PromotionLimit,
    PromotionUse,
)
from surveillance.domain.sightings.findings import (
    FindingRaised,
    FindingWithdrawn,
    FloatShortage,
    FloatShortageWithdrawn,
    PeerCounts,
    RoundMispays,
    RoundMoney,
    StatisticsEntry,
    WagerAmounts,
)
from surveillance.domain.sightings.floor import (
    MessageRejected,
    TableActivity,
    TableCaughtUp,
    TableStatus,
)
from surveillance.domain.sightings.papers import (
    BoxCounted,
    BoxRemoved,
    CashSale,
    SignedPaper,
    SlipNumbersExplained,
    SlipNumberVoided,
)
from surveillance.domain.sightings.patrons import (
    CashMovement,
    PatronArrival,
    PatronBar,
    PatronDeparture,
    PatronPresence,
    PatronRound,
    UnnamedCash,
    UnusedCoupon,
)

__all__ = [
    "BoxCounted",
    "BoxRemoved",
    "CashMovement",
    "CashSale",
    "CouponAppearance",
    "CouponInvalidation",
    "CouponIssue",
    "CouponUsage",
    "FindingRaised",
    "FindingWithdrawn",
    "FloatShortage",
    "FloatShortageWithdrawn",
    "MessageRejected",
    "PatronArrival",
    "PatronBar",
    "PatronDeparture",
    "PatronPresence",
    "PatronRound",
    "PeerCounts",
    "PromotionLimit",
    "PromotionUse",
    "RoundMispays",
    "RoundMoney",
    "Sighting",
    "SignedPaper",
    "SlipNumberVoided",
    "SlipNumbersExplained",
    "SourcedSighting",
    "StatisticsEntry",
    "SubjectSighting",
    "TableActivity",
    "TableCaughtUp",
    "TableStatus",
    "UnnamedCash",
    "UnusedCoupon",
    "WagerAmounts",
]

Sighting = (
    FindingRaised
    | FindingWithdrawn
    | FloatShortage
    | FloatShortageWithdrawn
    | RoundMoney
    | RoundMispays
    | StatisticsEntry
    | PeerCounts
    | PatronPresence
    | PatronArrival
    | PatronDeparture
    | PatronRound
    | UnusedCoupon
    | CashMovement
    | UnnamedCash
    | PatronBar
    | CouponIssue
    | CouponInvalidation
    | CouponAppearance
    | CouponUsage
    | PromotionLimit
    | PromotionUse
    | SignedPaper
    | SlipNumberVoided
    | SlipNumbersExplained
    | CashSale
    | BoxRemoved
    | BoxCounted
    | TableActivity
    | TableStatus
    | TableCaughtUp
    | MessageRejected
)


class SubjectSighting(Struct, frozen=True):
    """A sighting and whom it is about."""

    subject: str
    sighting: Sighting


class SourcedSighting(Struct, frozen=True):
    """A sighting and where it comes from.

    `source` names a topic's partition, `offset` a message in it, and `ordinal` counts what was
    made of that message: what one source says of one subject comes in this order.
    """

    source: str
    offset: int
    ordinal: int
    seen: SubjectSighting
