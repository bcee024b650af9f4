"""Between rounds: reliefs, chips, fills and credits, looks at the tray, devices that fail."""

from __future__ import annotations

from blackjack.facts import (
    ChipsExchanged,
    CreditSent,
    DealerArrived,
    DealerLeft,
    DeviceFaulted,
    DeviceRecovered,
    FillReceived,
    HeartbeatSent,
    Observation,
    SupervisorAssigned,
    TipDropped,
    TrayObserved,
)
from table_simulator.domain.play.guests import buy_again, leave, seat_guest, sell_chips
from table_simulator.domain.play.habits import wash
from table_simulator.domain.play.log import CHIPS, TRAY, inventory
from table_simulator.domain.play.pit import Pit
from table_simulator.domain.play.visits import keep_appointments

HEARTBEAT_US = 120_000_000
"""A controller that has nothing to say says so every two minutes."""


def between_rounds(pit: Pit, *, guests_move: bool, devices_fail: bool) -> None:
    rng, log = pit.rng, pit.log
    log.pass_time(rng.uniform(3, 12))
    if log.at - pit.heartbeat_at >= HEARTBEAT_US:
        pit.heartbeat_at = log.at
        log.write(HeartbeatSent())
    keep_tray_filled(pit)
    if devices_fail:
        _watch_devices(pit)
    if pit.rounds_played >= pit.relieved_at_round:
        _relieve(pit)
    chance = rng.random()
    if guests_move and chance < 0.06 and len(pit.guests) < pit.shoe.seats_max:
        seat_guest(pit)
    elif guests_move and chance < 0.1 and len(_free_to_go(pit)) > 1:
        leave(pit, rng.choice(_free_to_go(pit)))
    elif chance < 0.15:
        look_at_tray(pit)
    elif chance < 0.18:
        sell_chips(pit, rng.choice(sorted(pit.guests)))
    elif chance < 0.21:
        log.write(ChipsExchanged(rng.choice((25_00, 100_00)), "", min(pit.guests)), CHIPS)
    elif chance < 0.24:
        log.write(TipDropped(rng.choice((1_00, 5_00)), min(pit.guests)), CHIPS)
    wash(pit)
    keep_appointments(pit)
    buy_again(pit)


def _free_to_go(pit: Pit) -> list[int]:
    """Whoever has a habit goes when he is done."""
    return [seat for seat, guest in sorted(pit.guests.items()) if guest.habit is None]


def look_at_tray(pit: Pit) -> None:
    """While payments are not seen, a look at the tray would tell nothing."""
    if not pit.tray_unseen_until_round and not pit.blind_until_round:
        pit.log.write(TrayObserved(inventory(pit.tray.cents)), TRAY)


def keep_tray_filled(pit: Pit) -> None:
    """Slips run in a series without gaps, each signed by four people (15-520, 15-525)."""
    tray, log, staff = pit.tray, pit.log, pit.staff
    escort = (pit.rng.choice(staff.cashiers), pit.rng.choice(staff.guards))
    signers = (*escort, pit.dealer, pit.supervisor)
    if tray.cents < tray.opener_cents * 17 // 20:
        tray.fills += 1
        cents = (tray.opener_cents - tray.cents) // 100_00 * 100_00
        tray.cents += cents
        log.write(FillReceived(f"F-{log.table}-{tray.fills}", inventory(cents), signers), TRAY)
    elif tray.cents > tray.opener_cents * 21 // 20:
        tray.credits += 1
        cents = (tray.cents - tray.opener_cents) // 100_00 * 100_00
        tray.cents -= cents
        log.write(CreditSent(f"K-{log.table}-{tray.credits}", inventory(cents), signers), TRAY)


def _relieve(pit: Pit) -> None:
    """The next dealer of the rota; now and then the other supervisor."""
    log, staff = pit.log, pit.staff
    pit.relieved_at_round = pit.rounds_played + pit.rng.randint(12, 25)
    log.write(DealerLeft(pit.dealer))
    pit.dealer = staff.after(pit.dealer)
    log.write(DealerArrived(pit.dealer))
    if pit.rng.random() < 0.3:
        pit.supervisor = pit.rng.choice(staff.supervisors)
        log.write(SupervisorAssigned(pit.supervisor))


def mend_devices(pit: Pit) -> None:
    """What is out of order works again; what nobody saw meanwhile is in the tray or not."""
    if pit.tray_unseen_until_round:
        pit.tray_unseen_until_round = 0
        pit.log.write(DeviceRecovered(TRAY))
    if pit.blind_until_round:
        pit.blind_until_round = 0
        pit.log.write(DeviceRecovered(CHIPS))
        look_at_tray(pit)


def _watch_devices(pit: Pit) -> None:
    """A reader fails for a round or two; when the chips were not seen, the tray is looked at."""
    rng, log, played = pit.rng, pit.log, pit.rounds_played
    if played >= max(pit.blind_until_round, pit.tray_unseen_until_round):
        mend_devices(pit)
    if pit.blind_until_round or pit.tray_unseen_until_round:
        return
    chance = rng.random()
    if chance < 0.006:
        pit.blind_until_round = played + 1
        log.write(DeviceFaulted(CHIPS, "antenna", (Observation.PAYMENTS,)))
    elif chance < 0.015:
        pit.tray_unseen_until_round = played + rng.randint(1, 3)
        log.write(DeviceFaulted(TRAY, "no answer", (Observation.TRAY,)))
