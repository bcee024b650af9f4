"""Conditions on rounds that the indexes answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from psycopg.types.json import Jsonb

from casino.settlement.v1.finding_pb2 import Level
from casino.settlement.v1.service_pb2 import FindRoundsRequest
from casino.settlement.v1.settled_round_pb2 import RoundStatus
from round_archive.domain.search_terms import (
    CARD_MAX,
    SEAT_MAX,
    copies,
    dealer_marks,
    hand_marks,
    seat_mark,
)
from runtime.database.column_values import column_text, micros
from runtime.query_errors import InvalidQuery, member
from runtime.rpc.page_tokens import RowLimit
from wire.vocabulary import SECONDS_MAX

PAGES: Final = RowLimit(usual=50, most=500)
WITHIN_SECONDS: Final = 30 * 60
CARDS_MAX: Final = 24
"""No hand holds more without a bust: 21 aces of eight decks."""


class Conditions:
    """Conditions that must all hold, and the values they name."""

    def __init__(self) -> None:
        self.where: list[str] = []
        self.values: dict[str, Any] = {}

    def __call__(self, condition: str, **given: Any) -> None:
        self.where.append(condition)
        self.values.update(given)


def conditions(
    request: FindRoundsRequest, kinds: Sequence[str]
) -> tuple[list[str], dict[str, Any]]:
    """Conditions that must all hold, on `r`, a round.

    `kinds` are the known kinds that begin with the requested one.
    """
    must = Conditions()
    if request.table_id:
        must("r.table_id = %(table_id)s", table_id=column_text(request.table_id))
    if request.round:
        must("r.round ^@ %(round)s", round=column_text(request.round))
    _times(request, must)
    if request.patron:
        must("r.names @> ARRAY[%(patron_name)s]", patron_name=f"p:{column_text(request.patron)}")
    if request.dealer:
        must("r.dealer = %(dealer)s", dealer=column_text(request.dealer))
    if request.game:
        must("r.game = %(game)s", game=column_text(request.game))
    if request.status:
        status = member("status", request.status, RoundStatus.values())
        must("r.status = %(status)s", status=status)
    _marks(request, must)
    _wagers(request, must)
    _findings(request, kinds, must)
    return must.where, must.values


def time_of(field: str, time: Timestamp) -> int:
    if not (0 <= time.seconds <= SECONDS_MAX and 0 <= time.nanos <= 999_999_999):
        raise InvalidQuery(field, "expected a time between 1970 and 9999")
    return micros(time)


def _times(request: FindRoundsRequest, must: Conditions) -> None:
    if request.HasField("around"):
        around = time_of("around", request.around)
        within = _within(request.within) if request.HasField("within") else WITHIN_SECONDS * 10**6
        must(
            "r.opened_at BETWEEN %(around_least)s AND %(around_most)s",
            around_least=around - within,
            around_most=around + within,
        )
    elif request.HasField("within"):
        raise InvalidQuery("within", "set it together with around")
    if request.HasField("from"):
        must("r.opened_at >= %(from)s", **{"from": time_of("from", getattr(request, "from"))})
    if request.HasField("until"):
        must("r.opened_at < %(until)s", until=time_of("until", request.until))


def _within(duration: Duration) -> int:
    if duration.seconds < 0 or duration.nanos < 0 or duration.seconds > SECONDS_MAX:
        raise InvalidQuery("within", "must not be negative")
    return duration.seconds * 10**6 + duration.nanos // 1000


def _marks(request: FindRoundsRequest, must: Conditions) -> None:
    marks: set[int] = set()
    if request.seat > SEAT_MAX:
        raise InvalidQuery("seat", f"{request.seat} is out of range: at most {SEAT_MAX}")
    if request.seat:
        marks.add(seat_mark(request.seat))
    cards = _cards("cards", list(request.cards))
    if cards:
        marks.update(hand_marks(cards))
        hand: dict[str, Any] = {"c": copies(cards)}
        if request.seat:
            hand["s"] = request.seat
        if request.seat or len(cards) > 2:  # up to two, the marks decide already
            must("r.hands @> %(hand)s", hand=Jsonb([hand]))
    marks.update(dealer_marks(_cards("dealer_cards", list(request.dealer_cards))))
    if marks:
        must("r.marks @> %(marks)s::integer[]", marks=sorted(marks))


def _cards(field: str, cards: list[int]) -> list[int]:
    if len(cards) > CARDS_MAX:
        raise InvalidQuery(field, f"{len(cards)} cards: a hand has at most {CARDS_MAX}")
    for card in cards:
        if not 1 <= card <= CARD_MAX:
            raise InvalidQuery(
                field, f"{card} is not a card: expected a value of casino.table.v1.Card"
            )
    return cards


def _wagers(request: FindRoundsRequest, must: Conditions) -> None:
    """The stakes belong to one wager: of that name, seat and patron, where these are given."""
    least, most = request.stake_cents_min, request.stake_cents_max
    if least < 0 or most < 0:
        raise InvalidQuery(
            "stake_cents_min" if least < 0 else "stake_cents_max", "must not be negative"
        )
    if most and most < least:
        raise InvalidQuery("stake_cents_max", f"{most} is less than stake_cents_min, {least}")
    if request.wager:
        must("r.names @> ARRAY[%(wager_name)s]", wager_name=f"w:{column_text(request.wager)}")
    if least:
        must("r.greatest_stake_cents >= %(least)s", least=least)
    bound = []
    if least:
        bound.append("w.c >= %(least)s")
    if most:
        bound.append("w.c <= %(most)s")
        must.values["most"] = most
    if request.wager and (bound or request.seat or request.patron):
        bound.append("w.w = %(wager)s")
        must.values["wager"] = column_text(request.wager)
    if not bound:
        return
    if request.seat:
        bound.append("w.s = %(seat)s")
        must.values["seat"] = request.seat
    if request.patron:
        bound.append("w.p = %(patron)s")
        must.values["patron"] = column_text(request.patron)
    must(
        "EXISTS (SELECT FROM jsonb_to_recordset(r.wagers) AS w (s bigint, w text, c bigint, p text)"
        f" WHERE {' AND '.join(bound)})"
    )


def _findings(request: FindRoundsRequest, kinds: Sequence[str], must: Conditions) -> None:
    if request.finding_kind:
        must("r.kinds && %(kinds)s::text[]", kinds=list(kinds))
    if request.level:
        level = member("level", request.level, Level.values())
        must("r.level BETWEEN 1 AND %(level)s", level=level)
