"""Search for a hand by approximate time, table, patron, cards and bets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Final
from zoneinfo import ZoneInfo

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from blackjack.cards.card import NotACard, cards
from blackjack.display_names import finding_name, game_name
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
    """A matching round."""

    round: RoundSummary
    opened_at: datetime
    address: str
    game: str
    level: str
    status: str


async def hands_page(request: Request) -> Response:
    services = services_of(request)
    filters = {name: request.query_params.get(name, "").strip() for name in FIELDS}
    prop = await services.property_status.current(user_of(request))
    rows: list[RoundRow] = []
    next_page, wrong, status = "", "", 200
    around: datetime | None = None
    try:
        criteria = build_find_request(filters, prop.zone, now=prop.now)
    except InvalidInput as error:
        wrong, status = str(error), 400
    else:
        criteria.page_token = request.query_params.get("page", "")
        answer = await services.clients.rounds.FindRounds(
            criteria, metadata=services.clients.metadata_for(user_of(request))
        )
        rows = [_row(summary) for summary in answer.rounds]
        around = criteria.around.ToDatetime(UTC) if filters["around"] else None
        next_page = answer.next_page_token
    return await render_page(
        request,
        "hands.html",
        status=status,
        filters=filters,
        is_filtered=any(filters[name] for name in FIELDS if name != "within"),
        rows=rows,
        around=around,
        wrong=wrong,
        next_address=_address(request.query_params, next_page) if next_page else "",
        games={name: filing.title for name, filing in FILINGS.items()},
        kinds=sorted(((kind.value, finding_name(kind)) for kind in Kind), key=itemgetter(1)),
        levels=[level.name for level in Level],
        within=WITHIN_MINUTES,
    )


def build_find_request(
    filters: dict[str, str], zone: ZoneInfo, *, now: datetime
) -> FindRoundsRequest:
    """Build the request of a filled-in form; raises `InvalidInput` naming the field."""
    criteria = FindRoundsRequest(
        table_id=filters["table"],
        round=filters["round"],
        patron=filters["patron"],
        dealer=filters["dealer"],
        seat=_whole("seat", filters["seat"]),
        cards=_cards("cards", filters["cards"]),
        dealer_cards=_cards("dealer's cards", filters["dealer_cards"]),
        stake_cents_min=_cents("least", filters["least"]),
        stake_cents_max=_cents("most", filters["most"]),
        finding_kind=filters["finding"],
        game=filters["game"],
        page_size=PAGE_SIZE,
    )
    if filters["level"] in Level.__members__:
        criteria.level = WireLevel.Value(f"LEVEL_{filters['level']}")
    if filters["around"]:
        criteria.around.CopyFrom(_moment(filters["around"], zone, now))
        minutes = _whole("within", filters["within"]) or WITHIN_MINUTES[1]
        criteria.within.CopyFrom(
            Duration(seconds=round(timedelta(minutes=minutes).total_seconds()))
        )
    return criteria


def _moment(text: str, zone: ZoneInfo, now: datetime) -> Timestamp:
    moment = Timestamp()
    moment.FromDatetime(read_rough_time("around", text, zone, now=now))
    return moment


def _cards(field: str, text: str) -> list[WireCard.ValueType]:
    try:
        return [CARD_NUMBERS[name] for name in cards(text)]
    except NotACard as error:
        raise InvalidInput(field, str(error)) from None


def _cents(field: str, text: str) -> int:
    return read_cents(field, text) if text else 0


def _whole(field: str, text: str) -> int:
    if not text:
        return 0
    if not text.isdecimal() or len(text) > 4:
        raise InvalidInput(field, f'Invalid number "{text}": enter digits only.')
    return int(text)


def _row(found: RoundSummary) -> RoundRow:
    return RoundRow(
        round=found,
        opened_at=found.opened_at.ToDatetime(UTC),
        address=hand_address(found.table_id, found.round, found.first_seq),
        game=game_name(found.game) or "Unknown game",
        level=WireLevel.Name(found.level).removeprefix("LEVEL_") if found.level else "",
        status=_STATUS.get(found.status, ""),
    )


def _address(filters: QueryParams, page: str) -> str:
    kept = [(name, value) for name, value in filters.multi_items() if name in FIELDS and value]
    return f"/hands?{QueryParams([*kept, ('page', page)])}"


ROUTES: Final = (read_route(SEE_HANDS, "/hands", hands_page),)
