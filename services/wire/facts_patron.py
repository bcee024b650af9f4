"""Facts of patrons, from the wire and back."""

from __future__ import annotations

from typing import Final

from blackjack.facts import PatronLeft, PatronSeated, RatingRecorded
from casino.table.v1 import facts_patron_pb2 as pb
from wire.codec import Codec


def read_patron_seated(message: pb.PatronSeated) -> PatronSeated:
    return PatronSeated(message.seat, message.patron)


def write_patron_seated(fact: PatronSeated) -> pb.PatronSeated:
    return pb.PatronSeated(seat=fact.seat, patron=fact.patron)


def read_patron_left(message: pb.PatronLeft) -> PatronLeft:
    return PatronLeft(message.seat, message.patron)


def write_patron_left(fact: PatronLeft) -> pb.PatronLeft:
    return pb.PatronLeft(seat=fact.seat, patron=fact.patron)


def read_rating_recorded(message: pb.RatingRecorded) -> RatingRecorded:
    return RatingRecorded(
        message.patron, message.seat, message.average_wager_cents, message.minutes
    )


def write_rating_recorded(fact: RatingRecorded) -> pb.RatingRecorded:
    return pb.RatingRecorded(
        patron=fact.patron,
        seat=fact.seat,
        average_wager_cents=fact.average_wager_cents,
        minutes=fact.minutes,
    )


CODECS: Final = (
    Codec(PatronSeated, read_patron_seated, write_patron_seated),
    Codec(PatronLeft, read_patron_left, write_patron_left),
    Codec(RatingRecorded, read_rating_recorded, write_rating_recorded),
)
