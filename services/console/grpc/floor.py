"""The live floor: a card for each table, updated while pages are open.

Rounds arrive by a watch; win, theo and open alerts are queried every few seconds, once for all
pages. Nothing is decided here: z-scores are accounting's, priorities surveillance's.
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

from blackjack.display_names import game_name
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
"""95 of 100 days lie within this many standard deviations of theo."""
GAUGE_Z: Final = 3.0
DEVICE: Final = "log"
"""Prefix of findings about devices: gaps, clocks, unreliable readings."""
CONCURRENT_CALLS_MAX: Final = 16
DAYS_READ: Final = 2
"""Gaming days with win on the floor: a table may have closed with the previous day."""
NEVER: Final = datetime(1970, 1, 2, tzinfo=UTC)
_OPEN: Final = (
    WorkState.WORK_STATE_NEW, WorkState.WORK_STATE_ACKNOWLEDGED, WorkState.WORK_STATE_IN_REVIEW,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableCard:
    """One table as a card."""

    table: str
    game: str = ""
    dealer: str = ""
    seats: int = 0
    last_at: datetime = NEVER
    last_hand: str = ""
    day: str = ""
    """The gaming day of its last round, which win and theo belong to."""
    recent: tuple[datetime, ...] = ()
    """Opening times of the rounds of its last hour."""
    win_cents: int | None = None
    theory_cents: int | None = None
    z: float | None = None
    alerts: int = 0
    urgent: str = ""
    """The highest priority of its open alerts."""
    is_blind: bool = False
    """Whether the device that observes payments had failed in the last round."""
    device_finding: str = ""
    """A device finding of the last hour, in words."""

    @property
    def device(self) -> str:
        """The device fault, in words; empty if there is none."""
        return "payment sensor failed" if self.is_blind else self.device_finding

    @property
    def pit(self) -> str:
        """The pit: tables of one pit share the prefix of their names."""
        return self.table.rpartition("-")[0] or "Floor"

    @property
    def rounds_an_hour(self) -> int:
        """Rounds per hour at the pace of the last hour, extrapolated if play is shorter.

        A single round has no pace.
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
        """The z-score on a scale of 0 to 100."""
        bounded = max(-GAUGE_Z, min(GAUGE_Z, self.z or 0.0))
        return round(50 + 50 * bounded / GAUGE_Z, 1)

    def with_round(self, opened_at: datetime) -> TableCard:
        times = (*(time for time in self.recent if opened_at - time < HOUR), opened_at)
        return replace(self, recent=times, last_at=max(self.last_at, opened_at))


@dataclass(slots=True)
class FloorState:
    """The cards of all tables at one moment."""

    cards: dict[str, TableCard] = field(default_factory=dict)
    day: str = ""
    """The gaming day of the newest round."""
    unavailable: tuple[str, ...] = ()
    """Values left out because their service did not respond."""

    def card(self, table: str) -> TableCard:
        return self.cards.get(table) or TableCard(table)


class LiveFloor:
    """The floor, shared by all open pages."""

    def __init__(
        self, clients: ServiceClients, property_status: PropertyStatus, templates: Templates
    ) -> None:
        self._clients = clients
        self._property_status = property_status
        self._templates = templates
        self._state = FloorState()
        self._loaded_at = -REFRESH_SECONDS
        self._loading = asyncio.Lock()
        # The pit role sees all of this, and no unshown hole card.
        self._watcher = User(0, "console", "", frozenset({Role.PIT}), one_time=False)
        self.feed = SharedFeed("floor", self._follow)

    async def cards(self) -> list[TableCard]:
        """List the cards by table; reloads once for all waiting pages if they are stale."""
        async with self._loading:
            if self._is_stale:
                await self._load()
        return sorted(self._state.cards.values(), key=lambda card: card.table)

    @property
    def day(self) -> str:
        return self._state.day

    @property
    def unavailable(self) -> tuple[str, ...]:
        return self._state.unavailable

    @property
    def _is_stale(self) -> bool:
        return time.monotonic() - self._loaded_at > REFRESH_SECONDS

    async def _load(self) -> None:
        """Load the whole floor, then replace the state at once: no page shows half a floor."""
        prop = await self._property_status.current(self._watcher)
        rounds = await self._latest_rounds(PAGES_READ if self._state.cards else PAGES_READ_FIRST)
        active = {summary.table_id for summary in rounds}
        state = FloorState(
            {name: card for name, card in self._state.cards.items() if name not in active}
        )
        for summary in reversed(rounds):  # oldest first
            opened_at = summary.opened_at.ToDatetime(UTC)
            hand = hand_address(summary.table_id, summary.round, summary.first_seq)
            known = self._state.card(summary.table_id)
            is_known = known.last_hand == hand
            day = _gaming_day(prop, opened_at)
            state.day = max(state.day, day)
            state.cards[summary.table_id] = replace(
                state.card(summary.table_id).with_round(opened_at),
                game=game_name(summary.game),
                dealer=summary.dealer,
                seats=known.seats if is_known else 0,
                is_blind=known.is_blind if is_known else False,
                last_hand=hand,
                day=day,
            )
        await self._load_seats(state, [summary for summary in rounds if _is_last(state, summary)])
        await self._refresh(state)
        self._state = state

    async def _latest_rounds(self, pages: int) -> list[rounds_pb.RoundSummary]:
        """Read the newest rounds; at the start many pages, to include tables that play rarely."""
        request = rounds_pb.FindRoundsRequest(page_size=ROUNDS_READ)
        found: list[rounds_pb.RoundSummary] = []
        for _ in range(pages):
            answer = await self._clients.rounds.FindRounds(request, metadata=self._metadata())
            found += answer.rounds
            request.page_token = answer.next_page_token
            if not request.page_token:
                break
        return found

    async def _load_seats(self, state: FloorState, last: list[rounds_pb.RoundSummary]) -> None:
        """Load the seats of the last round of each table; later rounds bring their own."""
        gate = asyncio.Semaphore(CONCURRENT_CALLS_MAX)

        async def load(summary: rounds_pb.RoundSummary) -> None:
            name = rounds_pb.RoundName(
                table_id=summary.table_id, round=summary.round, first_seq=summary.first_seq
            )
            async with gate:
                answer = await self._clients.rounds.GetRound(
                    rounds_pb.GetRoundRequest(name=name), metadata=self._metadata()
                )
            state.cards[summary.table_id] = replace(
                state.card(summary.table_id), **_seats_of(answer.round)
            )

        await asyncio.gather(*(load(summary) for summary in last))

    async def _refresh(self, state: FloorState) -> None:
        """Query win, theo and alerts; values of a service that is away are left out."""
        self._loaded_at = time.monotonic()
        days = sorted({card.day for card in state.cards.values() if card.day})[-DAYS_READ:]
        alerts, devices, reports = await asyncio.gather(
            self._open_alerts(),
            self._device_findings(state),
            asyncio.gather(*map(self._report, days)),
        )
        is_missing = {
            "open alerts": alerts is None,
            "win and theo": None in reports,
            "device faults": devices is None,
        }
        state.unavailable = tuple(name for name, missing in is_missing.items() if missing)
        alerts, devices = alerts or {}, devices or {}
        wins = {day: _wins_by_table(report) for day, report in zip(days, reports, strict=True)}
        for table, card in list(state.cards.items()):
            win, theory, z = wins.get(card.day, {}).get(table, (None, None, None))
            own = alerts.get(table, [])
            state.cards[table] = replace(
                card,
                win_cents=win,
                theory_cents=theory,
                z=z,
                alerts=len(own),
                urgent=f"P{min(own)}" if own else "",
                device_finding=devices.get(table, ""),
            )

    async def _report(self, day: str) -> Report | None:
        request = GetReportRequest(name="reconciliation", from_day=day)
        try:
            answer = await self._clients.books.GetReport(request, metadata=self._metadata())
        except grpc.aio.AioRpcError:
            return None
        return answer.report

    async def _open_alerts(self) -> dict[str, list[int]] | None:
        request = ListAlertsRequest(states=_OPEN, page_size=ALERTS_READ)
        try:
            answer = await self._clients.alerts.ListAlerts(request, metadata=self._metadata())
        except grpc.aio.AioRpcError:
            return None
        found: dict[str, list[int]] = {}
        for worked in answer.alerts:
            found.setdefault(worked.alert.table_id, []).append(worked.alert.level)
        return found

    async def _device_findings(self, state: FloorState) -> dict[str, str] | None:
        since = Timestamp()
        since.FromDatetime(
            max((card.last_at for card in state.cards.values()), default=NEVER) - HOUR
        )
        request = rounds_pb.FindFindingsRequest(kind=DEVICE, page_size=ALERTS_READ)
        getattr(request, "from").CopyFrom(since)
        try:
            answer = await self._clients.rounds.FindFindings(request, metadata=self._metadata())
        except grpc.aio.AioRpcError:
            return None
        return {found.finding.table_id: found.finding.text for found in reversed(answer.findings)}

    async def _follow(self) -> AsyncIterator[FeedItem]:
        """Yield cards of new rounds; earlier rounds are loaded once the watch has caught up."""
        request = rounds_pb.WatchRequest(rounds=True)
        async for message in self._clients.rounds.Watch(request, metadata=self._metadata()):
            match message.WhichOneof("what"):
                case "round":
                    yield self._render(await self._apply_round(message.round))
                case "caught_up":
                    async for card in self._publish_changes(self._load):
                        yield card
                case _:
                    yield KEEP_ALIVE
            if self._is_stale:
                async for card in self._publish_changes(lambda: self._refresh(self._state)):
                    yield card

    async def _publish_changes(
        self, load: Callable[[], Awaitable[None]]
    ) -> AsyncIterator[FeedItem]:
        """Yield the cards that `load` changed, after a keep-alive."""
        async with self._loading:
            before = dict(self._state.cards)
            await load()
        yield KEEP_ALIVE
        for table, card in self._state.cards.items():
            if before.get(table) != card:
                yield self._render(card)

    async def _apply_round(self, settled: SettledRound) -> TableCard:
        prop = await self._property_status.current(self._watcher)
        opened_at = settled.opened_at.ToDatetime(UTC)
        day = _gaming_day(prop, opened_at)
        card = replace(
            self._state.card(settled.table_id).with_round(opened_at),
            game=game_name(settled.game),
            dealer=settled.context.dealer,
            **_seats_of(settled),
            last_hand=hand_address(settled.table_id, settled.round, settled.first_seq),
            day=day,
        )
        self._state.day = max(self._state.day, day)
        self._state.cards[settled.table_id] = card
        return card

    def _render(self, card: TableCard) -> FeedItem:
        values = {"card": card, "property": self._property_status.known, "newest": self._state.day}
        return ("table", self._templates.render("table_card.html", values))

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return self._clients.metadata_for(self._watcher)


def _wins_by_table(report: Report | None) -> dict[str, tuple[int | None, int | None, float | None]]:
    """Read win as owed, theo and z-score of each table."""
    if report is None:
        return {}
    index = {column.key: at for at, column in enumerate(report.columns)}
    found = {}
    for row in report.rows:
        cell = {key: row.cells[at] for key, at in index.items()}
        known = {key: value.WhichOneof("value") is not None for key, value in cell.items()}
        found[cell["table"].text] = (
            cell["owed"].number if known["owed"] else None,
            cell["theoretical"].number if known["theoretical"] else None,
            cell["z"].number / 1000 if known["z"] else None,
        )
    return found


def _seats_of(settled: SettledRound) -> dict[str, Any]:
    """The fields of a card that depend on its last round only."""
    return {
        "seats": len({outcome.seat for outcome in settled.outcomes}),
        "is_blind": not settled.context.payments_seen,
    }


def _is_last(state: FloorState, found: rounds_pb.RoundSummary) -> bool:
    card = state.card(found.table_id)
    return not card.seats and card.last_at == found.opened_at.ToDatetime(UTC)


def _gaming_day(prop: Property, at: datetime) -> str:
    calendar = prop.calendar
    return calendar.day_of(round(at.timestamp() * 1_000_000)).isoformat() if calendar else ""
