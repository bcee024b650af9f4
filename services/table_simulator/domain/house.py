"""A table from its opening to its closing: staff, guests, fills, shoes, and rounds between."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from blackjack.facts import (
    CardBurned,
    ChipsExchanged,
    ChipsSold,
    CreditSent,
    DealerArrived,
    DealerLeft,
    DeviceJoined,
    DropBoxRemoved,
    Event,
    FillReceived,
    HeartbeatSent,
    Observation,
    PatronLeft,
    PatronSeated,
    PromotionDefined,
    RatingRecorded,
    RuleSetActivated,
    ShoeCounted,
    ShoeKind,
    ShoeLoaded,
    ShuffleCompleted,
    SupervisorAssigned,
    TableClosed,
    TableOpened,
    Tender,
    TipDropped,
    TrayObserved,
)
from blackjack.rule_set import compose
from blackjack.rules import RuleSetSpec
from tests.croupier.blackjack_round import play_blackjack
from tests.croupier.coupons import promotions
from tests.croupier.games import MATCH_MADNESS_GAME
from tests.croupier.log import CHIPS, SHOE, TERMINAL, TRAY, Log, Tray, inventory
from tests.croupier.match_round import play_match_madness
from tests.croupier.oracle import big_wins
from tests.croupier.pit import Guest, Pit
from tests.croupier.record import ExpectedRound
from tests.croupier.shoe import Shoe

START_AT = 1_772_416_800_000_000
"""2 March 2026, 02:00 UTC: an evening in Washington."""

WAGER_MAXIMUM_RAISED_AT = 1_695_625_200_000_000
"""25 September 2023 in Washington: one wager may be $400, before that $300 (15-140)."""

OPENER_CENTS = 200_000_00
FILL_BELOW_CENTS = 120_000_00
CREDIT_ABOVE_CENTS = 260_000_00


@dataclass(frozen=True, slots=True)
class Played:
    """A table's stream, and what the oracle says of every round in it."""

    events: list[Event]
    rounds: list[ExpectedRound]


def play(
    *,
    seed: int,
    table_id: str,
    spec: RuleSetSpec,
    rounds: int,
    next_spec: RuleSetSpec | None = None,
    kind: ShoeKind = ShoeKind.SHOE,
    stacked: float = 0.0,
    start_at: int = START_AT,
    seats: int = 0,
    coupons: bool = True,
    is_shuffled: bool = True,
) -> Played:
    """Play a table through. The same arguments give the same stream, byte for byte.

    `stacked` is the share of rounds dealt from a shoe with rare cards on top, `seats` the
    number of guests (0: they come and go), `next_spec` is activated at half time. Without
    `is_shuffled` the first shoe comes in a new deck's order.
    """
    rng = Random(seed)
    log = Log(rng, table=table_id, at=start_at, has_gateway=rng.random() < 0.5)
    if spec.game == MATCH_MADNESS_GAME and spec.decks == 1:
        kind = ShoeKind.DEALING_MACHINE
    shoe = Shoe(rng, decks=spec.decks, kind=kind, is_shuffled=is_shuffled)
    limit = 400_00 if start_at >= WAGER_MAXIMUM_RAISED_AT else 300_00
    pit = Pit(rng, log, Tray(OPENER_CENTS), spec, shoe, stacked, limit)
    _open(pit, coupons=coupons)
    for _ in range(seats or min(rng.randint(1, 7), shoe.seats_max)):
        _seat_guest(pit)
    for number in range(rounds):
        if next_spec is not None and number == rounds // 2:
            pit.spec = next_spec
            log.write(RuleSetActivated(compose(next_spec).hash, next_spec))
        _between_rounds(pit, guests_move=not seats)
        _play_round(pit)
    _close(pit)
    return Played(log.events, pit.expected)


def _play_round(pit: Pit) -> None:
    stand_alone = pit.spec.game == MATCH_MADNESS_GAME
    record = play_match_madness(pit) if stand_alone else play_blackjack(pit)
    wagers = tuple(record.expected)
    winners = big_wins(record.seats, record.expected)
    pit.expected.append(ExpectedRound(record.id, pit.log.table, pit.spec.game, wagers, winners))
    if pit.shoe.kind is ShoeKind.CONTINUOUS:
        pit.shoe.take_back()
    elif pit.shoe.cut_seen:
        _count_shoe(pit)
        pit.shoe.shuffle()
        _load_shoe(pit)


def _open(pit: Pit, *, coupons: bool) -> None:
    log = pit.log
    pit.dealer, pit.supervisor = _licence(pit.rng, "D"), _licence(pit.rng, "S")
    signers = (pit.dealer, pit.supervisor)
    log.write(TableOpened(inventory(pit.tray.cents), f"O-{log.table}-1", signers))
    log.write(RuleSetActivated(compose(pit.spec).hash, pit.spec))
    log.write(DeviceJoined(SHOE, (Observation.CARDS,)))
    log.write(DeviceJoined(CHIPS, (Observation.WAGERS, Observation.PAYMENTS)))
    log.write(DeviceJoined(TRAY, (Observation.TRAY,)))
    log.write(DeviceJoined(TERMINAL, (Observation.DECISIONS,)))
    log.write(DealerArrived(pit.dealer))
    log.write(SupervisorAssigned(pit.supervisor))
    if coupons and pit.spec.game != MATCH_MADNESS_GAME:
        pit.promotions = promotions(pit.spec.game, valid_from=log.at)
        for promotion, terms in pit.promotions:
            log.write(PromotionDefined(promotion, terms))
    _load_shoe(pit)


def _close(pit: Pit) -> None:
    log = pit.log
    for seat in sorted(pit.guests):
        _leave(pit, seat)
    signers = (pit.dealer, pit.supervisor)
    log.write(TrayObserved(inventory(pit.tray.cents)), TRAY)
    log.write(TableClosed(inventory(pit.tray.cents), f"C-{log.table}-1", signers))
    log.write(DropBoxRemoved(f"B-{log.table}", (_licence(pit.rng, "X"), pit.supervisor)))


def _load_shoe(pit: Pit) -> None:
    pit.shoes_loaded += 1
    shoe, log = pit.shoe, pit.log
    log.write(ShoeLoaded(f"{log.table}-s{pit.shoes_loaded}", shoe.decks, shoe.kind), SHOE)
    log.write(ShuffleCompleted(52 * shoe.decks), SHOE)
    if shoe.kind is ShoeKind.SHOE:
        log.write(CardBurned(shoe.draw(), shoe.index), SHOE)


def _count_shoe(pit: Pit) -> None:
    """Counted down after the cut card; half of the devices also say which cards were left."""
    shoe = pit.shoe
    rest = tuple(shoe.cards[shoe.position :]) if pit.rng.random() < 0.5 else ()
    pit.log.write(ShoeCounted(shoe.remaining, rest), SHOE)


def _between_rounds(pit: Pit, *, guests_move: bool) -> None:
    rng, log = pit.rng, pit.log
    log.pass_time(rng.uniform(3, 12))
    chance = rng.random()
    if guests_move and chance < 0.06 and len(pit.guests) < pit.shoe.seats_max:
        _seat_guest(pit)
    elif guests_move and chance < 0.1 and len(pit.guests) > 1:
        _leave(pit, rng.choice(sorted(pit.guests)))
    elif chance < 0.14:
        log.write(TrayObserved(inventory(pit.tray.cents)), TRAY)
    elif chance < 0.16:
        _change_staff(pit)
    elif chance < 0.2:
        _sell_chips(pit, rng.choice(sorted(pit.guests)))
    elif chance < 0.22:
        log.write(ChipsExchanged(rng.choice((25_00, 100_00)), "", min(pit.guests)), CHIPS)
    elif chance < 0.24:
        log.write(HeartbeatSent())
    elif chance < 0.26:
        log.write(TipDropped(rng.choice((1_00, 5_00)), min(pit.guests)), CHIPS)
    _keep_tray_filled(pit)


def _keep_tray_filled(pit: Pit) -> None:
    tray, log = pit.tray, pit.log
    signers = (_licence(pit.rng, "C"), _licence(pit.rng, "G"), pit.dealer, pit.supervisor)
    if tray.cents < FILL_BELOW_CENTS:
        tray.fills += 1
        cents = (OPENER_CENTS - tray.cents) // 100_00 * 100_00
        tray.cents += cents
        log.write(FillReceived(f"F-{log.table}-{tray.fills}", inventory(cents), signers), TRAY)
    elif tray.cents > CREDIT_ABOVE_CENTS or pit.rng.random() < 0.003:
        tray.credits += 1
        cents = max(tray.cents - OPENER_CENTS, 5_000_00) // 100_00 * 100_00
        tray.cents -= cents
        log.write(CreditSent(f"K-{log.table}-{tray.credits}", inventory(cents), signers), TRAY)


def _change_staff(pit: Pit) -> None:
    log = pit.log
    log.write(DealerLeft(pit.dealer))
    pit.dealer = _licence(pit.rng, "D")
    log.write(DealerArrived(pit.dealer))
    if pit.rng.random() < 0.3:
        pit.supervisor = _licence(pit.rng, "S")
        log.write(SupervisorAssigned(pit.supervisor))


def _seat_guest(pit: Pit) -> None:
    """A guest sits down and buys in; one in ten plays two spots, one in six is a stranger."""
    rng = pit.rng
    free = [seat for seat in range(1, 10) if seat not in pit.guests]
    if not free:
        return
    pit.patrons_seen += 1
    patron = f"{pit.log.table}-p{pit.patrons_seen:03d}" if rng.random() > 0.16 else ""
    room = pit.shoe.seats_max - len(pit.guests)
    spots = 2 if patron and rng.random() < 0.1 and min(len(free), room) > 1 else 1
    unit = rng.choice((5_00, 10_00, 10_00, 15_00, 25_00, 25_00, 50_00, 100_00))
    for seat in sorted(rng.sample(free, spots)):
        pit.guests[seat] = Guest(patron, unit, rng.choice((0.0, 0.3, 0.6, 0.9)))
        if patron:
            pit.log.write(PatronSeated(seat, patron))
    _sell_chips(pit, next(seat for seat, guest in pit.guests.items() if guest.patron == patron))


def _sell_chips(pit: Pit, seat: int) -> None:
    guest, rng = pit.guests[seat], pit.rng
    by_card = rng.random() < 0.15 and guest.patron != ""
    cents = 100_00 if by_card else rng.choice((20_00, 100_00, 100_00, 200_00, 500_00))
    pit.tray.cents -= cents
    tender = Tender.DEBIT if by_card else Tender.CASH
    pit.log.write(ChipsSold(cents, tender, guest.patron, seat), CHIPS)


def _leave(pit: Pit, seat: int) -> None:
    guest = pit.guests.pop(seat)
    if guest.patron:
        pit.log.write(RatingRecorded(guest.patron, seat, guest.unit_cents, pit.rng.randint(5, 240)))
        pit.log.write(PatronLeft(seat, guest.patron))


def _licence(rng: Random, kind: str) -> str:
    return f"{kind}-{rng.randint(1000, 9999)}"
