"""Finding a hand by what is remembered of it: roughly when, where, who, which cards, how much."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from blackjack.cards.card import NotACard, cards
from blackjack.findings import Kind, Level
from blackjack.rulebook.filings import FILINGS
from casino.settlement.v1.finding_pb2 import Level as WireLevel
from casino.settlement.v1.service_pb2 import FindRoundsRequest, RoundSummary
from casino.table.v1.cards_pb2 import Card as WireCard
from console.users.roles import SEE_HANDS
from console.web.display.addresses import hand_address
from console.web.errors import InvalidInput
from console.web.form_fields import read_cents, read_rough_time
from console.web.guard import read_route, services_of, user_of
from console.web.page import render_page
from wire.vocabulary import CARD_NUMBERS

PAGE_SIZE: Final = 50
WITHIN_MINUTES: Final = (10, 30, 60, 180, 720)
FIELDS: Final = (
    "around", "within", "table", "round", "patron", "dealer", "seat", "cards", "dealer_cards",
    "least", "most", "finding", "level", "game",
)  # fmt: skip
_STATUS: Final = {2: "void", 3: "incomplete", 4: "unresolved"}


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round that fits."""

    round: RoundSummary
    opened_at: datetime
    address: str
    game: str
    level: str
    status: str


async def hands_page(request: Request) -> Response:
    services = services_of(request)
    asked = {name: request.query_params.get(name, "").strip() for name in FIELDS}
    prop = await services.property_status.current(user_of(request))
    rows: list[RoundRow] = []
    next_page, wrong, status = "", "", 200
    around: datetime | None = None
    try:
        question = build_find_request(asked, prop.zone, now=prop.now)
    except InvalidInput as error:
        wrong, status = str(error), 400
    else:
        question.page_token = request.query_params.get("page", "")
        answer = await services.clients.rounds.FindRounds(
            question, metadata=services.clients.metadata_for(user_of(request))
        )
        rows = [_row(each) for each in answer.rounds]
        around = question.around.ToDatetime(UTC) if asked["around"] else None
        next_page = answer.next_page_token
    return await render_page(
        request,
        "hands.html",
        status=status,
        asked=asked,
        is_asked=any(asked[name] for name in FIELDS if name != "within"),
        rows=rows,
        around=around,
        wrong=wrong,
        next_address=_address(request.query_params, next_page) if next_page else "",
        games={name: filing.title for name, filing in FILINGS.items()},
        kinds=sorted(each.value for each in Kind),
        levels=[each.name for each in Level],
        within=WITHIN_MINUTES,
    )


def build_find_request(
    asked: dict[str, str], zone: ZoneInfo, *, now: datetime
) -> FindRoundsRequest:
    """What was typed as a question, or `InvalidInput` with what cannot be read."""
    question = FindRoundsRequest(
        table_id=asked["table"],
        round=asked["round"],
        patron=asked["patron"],
        dealer=asked["dealer"],
        seat=_whole("seat", asked["seat"]),
        cards=_cards("cards", asked["cards"]),
        dealer_cards=_cards("dealer's cards", asked["dealer_cards"]),
        stake_cents_min=_cents("least", asked["least"]),
        stake_cents_max=_cents("most", asked["most"]),
        finding_kind=asked["finding"],
        game=asked["game"],
        page_size=PAGE_SIZE,
    )
    if asked["level"] in Level.__members__:
        question.level = WireLevel.Value(f"LEVEL_{asked['level']}")
    if asked["around"]:
        question.around.CopyFrom(_moment(asked["around"], zone, now))
        minutes = _whole("within", asked["within"]) or WITHIN_MINUTES[1]
        question.within.CopyFrom(
            Duration(seconds=round(timedelta(minutes=minutes).total_seconds()))
        )
    return question


def _moment(text: str, zone: ZoneInfo, now: datetime) -> Timestamp:
    moment = Timestamp()
    moment.FromDatetime(read_rough_time("around", text, zone, now=now))
    return moment


def _cards(field: str, text: str) -> list[WireCard.ValueType]:
    try:
        return [CARD_NUMBERS[each] for each in cards(text)]
    except NotACard as error:
        raise InvalidInput(field, str(error)) from None


def _cents(field: str, text: str) -> int:
    return read_cents(field, text) if text else 0


def _whole(field: str, text: str) -> int:
    if not text:
        return 0
    if not text.isdecimal() or len(text) > 4:
        raise InvalidInput(field, f"{text!r} is no number")
    return int(text)


def _row(found: RoundSummary) -> RoundRow:
    filing = FILINGS.get(found.game)
    return RoundRow(
        round=found,
        opened_at=found.opened_at.ToDatetime(UTC),
        address=hand_address(found.table_id, found.round, found.first_seq),
        game=filing.title if filing is not None else found.game or "not known",
        level=WireLevel.Name(found.level).removeprefix("LEVEL_") if found.level else "",
        status=_STATUS.get(found.status, ""),
    )


def _address(asked: QueryParams, page: str) -> str:
    kept = [(name, value) for name, value in asked.multi_items() if name in FIELDS and value]
    return f"/hands?{QueryParams([*kept, ('page', page)])}"


ROUTES: Final = (read_route(SEE_HANDS, "/hands", hands_page),)
