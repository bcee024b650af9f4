"""The words that facts are made of: places, actions, rulings, observations."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

DEALER: Final = 0
"""The seat number of the dealer."""

CERTAIN: Final = 1000
"""Confidence, in parts of a thousand, of a reading without doubt."""


class ShoeKind(StrEnum):
    SHOE = "shoe"
    CONTINUOUS = "continuous"
    DEALING_MACHINE = "dealing_machine"


class Place(StrEnum):
    """Where on the layout a card was put."""

    HAND = "hand"
    MATCH_ME = "match_me"
    MATCH_ME_2 = "match_me_2"
    DISCARD = "discard"


class Action(StrEnum):
    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"


class Tender(StrEnum):
    CASH = "cash"
    DEBIT = "debit"
    TICKET = "ticket"
    CHECK = "check"


class Irregularity(StrEnum):
    """What went wrong at the table, as the supervisor names it."""

    MISDEAL = "misdeal"
    CARD_EXPOSED = "card_exposed"
    CARD_SKIPPED = "card_skipped"
    DEALER_DREW_TOO_MANY = "dealer_drew_too_many"
    PAYMENT_CORRECTED = "payment_corrected"
    VIDEO_UNCLEAR = "video_unclear"


class Ruling(StrEnum):
    """The decision of the supervisor, which determines the amounts owed."""

    PLAY_ON = "play_on"
    VOID_ROUND = "void_round"
    VOID_HAND = "void_hand"
    CARD_DEAD = "card_dead"
    FOR_PLAYER = "for_player"


class Observation(StrEnum):
    """What a device can see."""

    CARDS = "cards"
    WAGERS = "wagers"
    PAYMENTS = "payments"
    TRAY = "tray"
    DECISIONS = "decisions"


class ChipCount(Struct, frozen=True, gc=False):
    denomination_cents: int
    count: int


Inventory = tuple[ChipCount, ...]
