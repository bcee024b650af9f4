"""Who sits where."""

from __future__ import annotations

from msgspec import Struct


class PatronSeated(Struct, frozen=True, gc=False):
    seat: int
    patron: str


class PatronLeft(Struct, frozen=True, gc=False):
    seat: int
    patron: str = ""


class RatingRecorded(Struct, frozen=True, gc=False):
    patron: str
    seat: int = 0
    average_wager_cents: int = 0
    minutes: int = 0


PatronFact = PatronSeated | PatronLeft | RatingRecorded
