"""The floor as it stands: a card a table, kept up to date while somebody looks.

Rounds come by a watch; win, theory and open alerts are asked for every few seconds, once for all
who look. Nothing here is decided: z is accounting's, levels are surveillance's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from blackjack.rulebook.filings import FILINGS
from casino.accounting.v1.report_pb2 import Report
from casino.accounting.v1.service_pb2 import GetReportRequest
from casino.settlement.v1 import service_pb2 as rounds_pb
from casino.settlement.v1.settled_round_pb2 import SettledRound
from casino.surveillance.v1.service_pb2 import ListAlertsRequest
from casino.surveillance.v1.work_pb2 import WorkState
from console.grpc.clients import ServiceClients
from console.grpc.property_status import Property, PropertyStatus
from console.grpc.shared_feed import KEEP_ALIVE, FeedItem, SharedFeed
from console.users.roles import Role
from console.users.user import User
from console.web.display.addresses import hand_address
from console.web.template_engine import Templates

HOUR: Final = timedelta(hours=1)
REFRESH_SECONDS: Final = 5.0
ROUNDS_READ: Final = 500
PAGES_READ: Final = 1
PAGES_READ_FIRST: Final = 10
ALERTS_READ: Final = 500
BAND_Z: Final = 1.96
"""Within so many standard deviations of theory lie 95 of 100 days."""
GAUGE_Z: Final = 3.0
DEVICE: Final = "log"
"""Findings about what devices sent: gaps, clocks, readings that nobody can rely on."""
ASKED_AT_ONCE: Final = 16
DAYS_ASKED: Final = 2
"""Of so many gaming days figures are shown: a table may have closed with the last one."""
NEVER: Final = datetime(1970, 1, 2, tzinfo=UTC)
_OPEN: Final = (
    WorkState.WORK_STATE_NEW, WorkState.WORK_STATE_ACKNOWLEDGED, WorkState.WORK_STATE_IN_REVIEW,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableCard:
    """One table, as its card shows it."""

    table: str
    game: str = ""
    dealer: str = ""
    seats: int = 0
    last_at: datetime = NEVER
    last_hand: str = ""
    day: str = ""
    """The gaming day of its last round: what win and theory are of."""
    recent: tuple[datetime, ...] = ()
    """When the rounds of its last hour opened."""
    win_cents: int | None = None
    theory_cents: int | None = None
    z: float | None = None
    alerts: int = 0
    urgent: str = ""
    """The most urgent level of its open alerts."""
    is_blind: bool = False
    """Whether the device that sees its payments had failed in the last round."""
    read_wrong: str = ""
    """What was found about what its devices sent within the hour, in words."""

    @property
    def device(self) -> str:
        """What is wrong with its devices, in words; empty where nothing is."""
        return "the device that sees payments has failed" if self.is_blind else self.read_wrong

    @property
    def pit(self) -> str:
        """Tables of one pit share how their names begin."""
        return self.table.rpartition("-")[0] or "LiveFloor"

    @property
    def rounds_an_hour(self) -> int:
        """By the pace of its last hour; of less than that, as it would be for a whole one.

        One round has no pace.
        """
        if len(self.recent) < 2:
            return 0
        span = (max(self.recent) - min(self.recent)) / HOUR
        return round((len(self.recent) - 1) / span) if span else len(self.recent)

    @property
    def is_outside(self) -> bool:
        return self.z is not None and abs(self.z) > BAND_Z

    @property
    def needle(self) -> float:
        """Where z stands on a scale of 0 to 100."""
        bounded = max(-GAUGE_Z, min(GAUGE_Z, self.z or 0.0))
        return round(50 + 50 * bounded / GAUGE_Z, 1)

    def played(self, opened_at: datetime) -> TableCard:
        times = (*(each for each in self.recent if opened_at - each < HOUR), opened_at)
        return replace(self, recent=times, last_at=max(self.last_at, opened_at))


@dataclass(slots=True)
class FloorState:
    cards: dict[str, TableCard] = field(default_factory=dict)
    day: str = ""
    """The gaming day of the newest round."""
    unavailable: tuple[str, ...] = ()
    """Figures that are left out because whoever has them did not answer."""

    def card(self, table: str) -> TableCard:
        return self.cards.get(table) or TableCard(table)


class LiveFloor:
    def __init__(
        self, clients: ServiceClients, property_status: PropertyStatus, templates: Templates
    ) -> None:
        self._clients = clients
        self._property_status = property_status
        self._templates = templates
        self._state = FloorState()
        self._loaded_at = -REFRESH_SECONDS
        self._loading = asyncio.Lock()
        # The pit sees all of this, and nothing that would give away a hole card.
        self._watcher = User(0, "console", "", frozenset({Role.PIT}), one_time=False)
        self.feed = SharedFeed("floor", self._follow)

    async def cards(self) -> list[TableCard]:
        """By name; asked for anew where nobody has looked for a while, once for all who wait."""
        async with self._loading:
            if self._is_old:
                await self._load()
        return sorted(self._state.cards.values(), key=lambda each: each.table)

    @property
    def day(self) -> str:
        return self._state.day

    @property
    def unavailable(self) -> tuple[str, ...]:
        return self._state.unavailable

    @property
    def _is_old(self) -> bool:
        return time.monotonic() - self._loaded_at > REFRESH_SECONDS

    async def _load(self) -> None:
        """All of it, put in place when it is whole: nobody is shown half a floor."""
        prop = await self._property_status.current(self._watcher)
        rounds = await self._latest_rounds(PAGES_READ if self._state.cards else PAGES_READ_FIRST)
        begun = {each.table_id for each in rounds}
        state = FloorState(
            {name: card for name, card in self._state.cards.items() if name not in begun}
        )
        for each in reversed(rounds):  # the oldest first
            opened_at = each.opened_at.ToDatetime(UTC)
            hand = hand_address(each.table_id, each.round, each.first_seq)
            known = self._state.card(each.table_id)
            is_known = known.last_hand == hand
            day = _gaming_day(prop, opened_at)
            state.day = max(state.day, day)
            state.cards[each.table_id] = replace(
                state.card(each.table_id).played(opened_at),
                game=_title(each.game),
                dealer=each.dealer,
                seats=known.seats if is_known else 0,
                is_blind=known.is_blind if is_known else False,
                last_hand=hand,
                day=day,
            )
        await self._load_seats(state, [each for each in rounds if _is_last(state, each)])
        await self._refresh(state)
        self._state = state

    async def _latest_rounds(self, pages: int) -> list[rounds_pb.RoundSummary]:
        """The newest first. At the start many, so that a table that plays seldom is there too;
        later ones are added to what is known."""
        question = rounds_pb.FindRoundsRequest(page_size=ROUNDS_READ)
        found: list[rounds_pb.RoundSummary] = []
        for _ in range(pages):
            answer = await self._clients.rounds.FindRounds(question, metadata=self._metadata())
            found += answer.rounds
            question.page_token = answer.next_page_token
            if not question.page_token:
                break
        return found

    async def _load_seats(self, state: FloorState, last: list[rounds_pb.RoundSummary]) -> None:
        """Who sat there in the last round of each table; later rounds tell it themselves."""
        gate = asyncio.Semaphore(ASKED_AT_ONCE)

        async def find(each: rounds_pb.RoundSummary) -> None:
            name = rounds_pb.RoundName(
                table_id=each.table_id, round=each.round, first_seq=each.first_seq
            )
            async with gate:
                answer = await self._clients.rounds.GetRound(
                    rounds_pb.GetRoundRequest(name=name), metadata=self._metadata()
                )
            state.cards[each.table_id] = replace(
                state.card(each.table_id), **_seats_of(answer.round)
            )

        await asyncio.gather(*(find(each) for each in last))

    async def _refresh(self, state: FloorState) -> None:
        """What is asked for every few seconds; what does not answer leaves its figures out."""
        self._loaded_at = time.monotonic()
        days = sorted({each.day for each in state.cards.values() if each.day})[-DAYS_ASKED:]
        alerts, devices, reports = await asyncio.gather(
            self._open_alerts(),
            self._device_trouble(state),
            asyncio.gather(*map(self._report, days)),
        )
        unknown = {
            "open alerts": alerts is None,
            "wins": None in reports,
            "faults of devices": devices is None,
        }
        state.unavailable = tuple(each for each, is_unknown in unknown.items() if is_unknown)
        alerts, devices = alerts or {}, devices or {}
        figures = {day: _wins_by_table(each) for day, each in zip(days, reports, strict=True)}
        for table, card in list(state.cards.items()):
            win, theory, z = figures.get(card.day, {}).get(table, (None, None, None))
            own = alerts.get(table, [])
            state.cards[table] = replace(
                card,
                win_cents=win,
                theory_cents=theory,
                z=z,
                alerts=len(own),
                urgent=f"P{min(own)}" if own else "",
                read_wrong=devices.get(table, ""),
            )

    async def _report(self, day: str) -> Report | None:
        question = GetReportRequest(name="reconciliation", from_day=day)
        try:
            answer = await self._clients.books.GetReport(question, metadata=self._metadata())
        except grpc.aio.AioRpcError:
            return None
        return answer.report

    async def _open_alerts(self) -> dict[str, list[int]] | None:
        question = ListAlertsRequest(states=_OPEN, page_size=ALERTS_READ)
        try:
            answer = await self._clients.alerts.ListAlerts(question, metadata=self._metadata())
        except grpc.aio.AioRpcError:
            return None
        found: dict[str, list[int]] = {}
        for each in answer.alerts:
            found.setdefault(each.alert.table_id, []).append(each.alert.level)
        return found

    async def _device_trouble(self, state: FloorState) -> dict[str, str] | None:
        since = Timestamp()
        since.FromDatetime(max((e.last_at for e in state.cards.values()), default=NEVER) - HOUR)
        question = rounds_pb.FindFindingsRequest(kind=DEVICE, page_size=ALERTS_READ)
        getattr(question, "from").CopyFrom(since)
        try:
            answer = await self._clients.rounds.FindFindings(question, metadata=self._metadata())
        except grpc.aio.AioRpcError:
            return None
        return {each.finding.table_id: each.finding.text for each in reversed(answer.findings)}

    async def _follow(self) -> AsyncIterator[FeedItem]:
        """Rounds from the moment on at which the watch stands; what came before it is loaded."""
        question = rounds_pb.WatchRequest(rounds=True)
        async for said in self._clients.rounds.Watch(question, metadata=self._metadata()):
            match said.WhichOneof("what"):
                case "round":
                    yield self._render(await self._apply_round(said.round))
                case "caught_up":
                    async for card in self._publish_changes(self._load):
                        yield card
                case _:
                    yield KEEP_ALIVE
            if self._is_old:
                async for card in self._publish_changes(lambda: self._refresh(self._state)):
                    yield card

    async def _publish_changes(self, ask: Callable[[], Awaitable[None]]) -> AsyncIterator[FeedItem]:
        """The cards that are other ones after clients; that the connection stands, in any case."""
        async with self._loading:
            before = dict(self._state.cards)
            await ask()
        yield KEEP_ALIVE
        for table, card in self._state.cards.items():
            if before.get(table) != card:
                yield self._render(card)

    async def _apply_round(self, played: SettledRound) -> TableCard:
        prop = await self._property_status.current(self._watcher)
        opened_at = played.opened_at.ToDatetime(UTC)
        day = _gaming_day(prop, opened_at)
        card = replace(
            self._state.card(played.table_id).played(opened_at),
            game=_title(played.game),
            dealer=played.context.dealer,
            **_seats_of(played),
            last_hand=hand_address(played.table_id, played.round, played.first_seq),
            day=day,
        )
        self._state.day = max(self._state.day, day)
        self._state.cards[played.table_id] = card
        return card

    def _render(self, card: TableCard) -> FeedItem:
        values = {"card": card, "property": self._property_status.known, "newest": self._state.day}
        return ("table", self._templates.render("table_card.html", values))

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return self._clients.metadata_for(self._watcher)


def _wins_by_table(report: Report | None) -> dict[str, tuple[int | None, int | None, float | None]]:
    """Win as owed, theory and z of each table."""
    if report is None:
        return {}
    places = {each.key: at for at, each in enumerate(report.columns)}
    found = {}
    for row in report.rows:
        cell = {key: row.cells[at] for key, at in places.items()}
        known = {key: each.WhichOneof("value") is not None for key, each in cell.items()}
        found[cell["table"].text] = (
            cell["owed"].number if known["owed"] else None,
            cell["theoretical"].number if known["theoretical"] else None,
            cell["z"].number / 1000 if known["z"] else None,
        )
    return found


def _seats_of(played: SettledRound) -> dict[str, Any]:
    """What a card tells of its last round alone."""
    return {
        "seats": len({each.seat for each in played.outcomes}),
        "is_blind": not played.context.payments_seen,
    }


def _is_last(state: FloorState, found: rounds_pb.RoundSummary) -> bool:
    card = state.card(found.table_id)
    return not card.seats and card.last_at == found.opened_at.ToDatetime(UTC)


def _gaming_day(prop: Property, at: datetime) -> str:
    calendar = prop.calendar
    return calendar.day_of(round(at.timestamp() * 1_000_000)).isoformat() if calendar else ""


def _title(game: str) -> str:
    filing = FILINGS.get(game)
    return filing.title if filing is not None else game
