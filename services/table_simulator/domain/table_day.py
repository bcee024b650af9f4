"""A table from its opening to its closing, as its controller reports it."""

from __future__ import annotations

from dataclasses import dataclass, field

from blackjack.facts import (
    CardBurned,
    DealerArrived,
    DeviceJoined,
    DropBoxRemoved,
    Event,
    Observation,
    PromotionDefined,
    RuleSetActivated,
    ShoeCounted,
    ShoeKind,
    ShoeLoaded,
    ShuffleCompleted,
    SupervisorAssigned,
    TableClosed,
    TableOpened,
)
from blackjack.rulebook.house_rules import RuleSetSpec
from table_simulator.domain.chance import RandomStream
from table_simulator.domain.games import MATCH_MADNESS_GAME
from table_simulator.domain.habit import Habit, Trace
from table_simulator.domain.oracle.hands import big_wins
from table_simulator.domain.play.blackjack_round import play_blackjack
from table_simulator.domain.play.chores import (
    between_rounds,
    keep_tray_filled,
    look_at_tray,
    restore_devices,
)
from table_simulator.domain.play.controller_log import (
    CHIPS,
    SHOE,
    TERMINAL,
    TRAY,
    ControllerLog,
    SimulatedTray,
    inventory,
)
from table_simulator.domain.play.coupons import promotions
from table_simulator.domain.play.habits import seat_habits, traces_of
from table_simulator.domain.play.match_round import play_match_madness
from table_simulator.domain.play.patrons import leave, seat_patron
from table_simulator.domain.play.shoe import SimulatedShoe
from table_simulator.domain.play.staff import Staff, staff_of
from table_simulator.domain.play.table_in_play import TableInPlay, Visit
from table_simulator.domain.record import ExpectedRound

START_AT = 1_772_416_800_000_000
"""2 March 2026, 02:00 UTC: an evening in Washington."""

WAGER_MAXIMUM_RAISED_AT = 1_695_625_200_000_000
"""25 September 2023 in Washington: one wager may be $400, before that $300 (15-140)."""


@dataclass(frozen=True, slots=True)
class PostedRules:
    """Rules on the table, and the name that the catalogue has for them."""

    spec: RuleSetSpec
    name: str


@dataclass(frozen=True, slots=True)
class TablePlan:
    """The plan of one table's day.

    `stacked` is the share of rounds dealt from a shoe with rare cards on top, `seats` the
    number of patrons (0: they come and go), `next_rules` are activated at half time. Without
    `is_shuffled` the first shoe comes in a new deck's order. In `lucky_round` a patron wins
    big, if cards and paytable let him.
    """

    table: str
    rules: PostedRules
    rounds: int
    next_rules: PostedRules | None = None
    kind: ShoeKind = ShoeKind.SHOE
    stacked: float = 0.0
    start_at: int = START_AT
    seats: int = 0
    coupons: bool = True
    coupon_share: float = 0.08
    is_shuffled: bool = True
    opener_cents: int = 200_000_00
    has_gateway: bool = True
    devices_fail: bool = False
    lucky_round: int = 0
    habits: frozenset[Habit] = frozenset()
    visits: tuple[Visit, ...] = ()
    staff: Staff = field(default_factory=lambda: staff_of(0))


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table's stream, and the oracle's result of every round in it.

    `habits` names who was there for something else than the game.
    """

    events: list[Event]
    rounds: list[ExpectedRound]
    habits: dict[Habit, Trace] = field(default_factory=dict)
    stacked_rounds: int = 0
    """Rounds that were dealt with rare cards on top."""


def play_table(rng: RandomStream, evening: TablePlan) -> PlayedTable:
    """Play a table through. The same chance gives the same stream, byte for byte."""
    spec = evening.rules.spec
    log = ControllerLog(
        rng, table=evening.table, at=evening.start_at, has_gateway=evening.has_gateway
    )
    is_machine = spec.game == MATCH_MADNESS_GAME and spec.decks == 1
    kind = ShoeKind.DEALING_MACHINE if is_machine else evening.kind
    shoe = SimulatedShoe(rng, decks=spec.decks, kind=kind, is_shuffled=evening.is_shuffled)
    limit = 400_00 if evening.start_at >= WAGER_MAXIMUM_RAISED_AT else 300_00
    table = TableInPlay(
        rng, log, SimulatedTray(evening.opener_cents), spec, shoe, evening.stacked, limit
    )
    table.staff, table.lucky_round = evening.staff, evening.lucky_round
    table.coupon_share, table.visits = evening.coupon_share, evening.visits
    _open(table, evening)
    seat_habits(table, evening.habits, rounds=evening.rounds)
    for _ in range(evening.seats or min(rng.randint(1, 7), shoe.seats_max)):
        seat_patron(table)
    for number in range(evening.rounds):
        if evening.next_rules is not None and number == evening.rounds // 2:
            table.spec = evening.next_rules.spec
            log.write(RuleSetActivated(evening.next_rules.name, table.spec))
        between_rounds(table, patrons_move=not evening.seats, devices_fail=evening.devices_fail)
        _play_round(table)
    _close(table)
    return PlayedTable(log.events, table.expected, traces_of(table), table.stacked_rounds)


def _play_round(table: TableInPlay) -> None:
    stand_alone = table.spec.game == MATCH_MADNESS_GAME
    record = play_match_madness(table) if stand_alone else play_blackjack(table)
    wagers = tuple(record.expected)
    winners = big_wins(record.seats, record.expected, record.other_cents)
    if table.is_blind:
        winners = frozenset()  # payments are not seen
    table.expected.append(
        ExpectedRound(record.id, table.log.table, table.spec.game, wagers, winners)
    )
    if table.shoe.kind is ShoeKind.CONTINUOUS:
        table.shoe.take_back()
    elif table.shoe.cut_seen:
        _count_shoe(table)
        table.shoe.shuffle()
        _load_shoe(table)


def _open(table: TableInPlay, evening: TablePlan) -> None:
    log, staff = table.log, table.staff
    table.dealer, table.supervisor = staff.dealers[0], table.rng.choice(staff.supervisors)
    table.relieved_at_round = table.rng.randint(8, 20)
    table.heartbeat_at = log.at
    signers = (table.dealer, table.supervisor)
    log.write(TableOpened(inventory(table.tray.cents), f"O-{log.table}-1", signers))
    log.write(RuleSetActivated(evening.rules.name, table.spec))
    log.write(DeviceJoined(SHOE, (Observation.CARDS,)))
    log.write(DeviceJoined(CHIPS, (Observation.WAGERS, Observation.PAYMENTS)))
    log.write(DeviceJoined(TRAY, (Observation.TRAY,)))
    log.write(DeviceJoined(TERMINAL, (Observation.DECISIONS,)))
    log.write(DealerArrived(table.dealer))
    log.write(SupervisorAssigned(table.supervisor))
    if evening.coupons and table.spec.game != MATCH_MADNESS_GAME:
        table.promotions = promotions(table.spec, valid_from=log.at)
        for promotion, terms in table.promotions:
            log.write(PromotionDefined(promotion, terms))
    _load_shoe(table)


def _close(table: TableInPlay) -> None:
    """Patrons leave, the shoe is counted down, the tray is counted, the box goes to the count."""
    log = table.log
    for seat in sorted(table.patrons):
        leave(table, seat)
    if table.shoe.kind is ShoeKind.SHOE:
        _count_shoe(table)
    keep_tray_filled(table)
    restore_devices(table)
    look_at_tray(table)
    signers = (table.dealer, table.supervisor)
    log.write(TableClosed(inventory(table.tray.cents), f"C-{log.table}-1", signers))
    log.write(DropBoxRemoved(f"B-{log.table}", (table.staff.counters[0], table.supervisor)))


def _load_shoe(table: TableInPlay) -> None:
    table.shoes_loaded += 1
    shoe, log = table.shoe, table.log
    log.write(ShoeLoaded(f"{log.table}-s{table.shoes_loaded}", shoe.decks, shoe.kind), SHOE)
    log.write(ShuffleCompleted(52 * shoe.decks), SHOE)
    if shoe.kind is ShoeKind.SHOE:
        log.write(CardBurned(shoe.draw(), shoe.index), SHOE)


def _count_shoe(table: TableInPlay) -> None:
    """Counted down after the cut card; half of the devices also report which cards were left."""
    shoe = table.shoe
    rest = tuple(shoe.cards[shoe.position :]) if table.rng.random() < 0.5 else ()
    table.log.write(ShoeCounted(shoe.remaining, rest), SHOE)
