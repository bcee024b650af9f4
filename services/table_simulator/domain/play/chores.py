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
from table_simulator.domain.play.controller_log import CHIPS, TRAY, inventory
from table_simulator.domain.play.habits import wash
from table_simulator.domain.play.patrons import buy_again, leave, seat_patron, sell_chips
from table_simulator.domain.play.table_in_play import TableInPlay
from table_simulator.domain.play.visits import keep_appointments

HEARTBEAT_US = 120_000_000
"""An idle controller sends a heartbeat every two minutes."""


def between_rounds(table: TableInPlay, *, patrons_move: bool, devices_fail: bool) -> None:
    rng, log = table.rng, table.log
    log.pass_time(rng.uniform(3, 12))
    if log.at - table.heartbeat_at >= HEARTBEAT_US:
        table.heartbeat_at = log.at
        log.write(HeartbeatSent())
    keep_tray_filled(table)
    if devices_fail:
        _watch_devices(table)
    if table.rounds_played >= table.relieved_at_round:
        _relieve(table)
    chance = rng.random()
    if patrons_move and chance < 0.06 and len(table.patrons) < table.shoe.seats_max:
        seat_patron(table)
    elif patrons_move and chance < 0.1 and len(_free_to_go(table)) > 1:
        leave(table, rng.choice(_free_to_go(table)))
    elif chance < 0.15:
        look_at_tray(table)
    elif chance < 0.18:
        sell_chips(table, rng.choice(sorted(table.patrons)))
    elif chance < 0.21:
        log.write(ChipsExchanged(rng.choice((25_00, 100_00)), "", min(table.patrons)), CHIPS)
    elif chance < 0.24:
        log.write(TipDropped(rng.choice((1_00, 5_00)), min(table.patrons)), CHIPS)
    wash(table)
    keep_appointments(table)
    buy_again(table)


def _free_to_go(table: TableInPlay) -> list[int]:
    """A patron with a habit leaves when it is done."""
    return [seat for seat, player in sorted(table.patrons.items()) if player.habit is None]


def look_at_tray(table: TableInPlay) -> None:
    """While payments are not seen, a look at the tray would prove nothing."""
    if not table.tray_unseen_until_round and not table.blind_until_round:
        table.log.write(TrayObserved(inventory(table.tray.cents)), TRAY)


def keep_tray_filled(table: TableInPlay) -> None:
    """Slips run in a series without gaps, each signed by four people (15-520, 15-525)."""
    tray, log, staff = table.tray, table.log, table.staff
    escort = (table.rng.choice(staff.cashiers), table.rng.choice(staff.guards))
    signers = (*escort, table.dealer, table.supervisor)
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


def _relieve(table: TableInPlay) -> None:
    """The next dealer of the rota; now and then the other supervisor."""
    log, staff = table.log, table.staff
    table.relieved_at_round = table.rounds_played + table.rng.randint(12, 25)
    log.write(DealerLeft(table.dealer))
    table.dealer = staff.after(table.dealer)
    log.write(DealerArrived(table.dealer))
    if table.rng.random() < 0.3:
        table.supervisor = table.rng.choice(staff.supervisors)
        log.write(SupervisorAssigned(table.supervisor))


def restore_devices(table: TableInPlay) -> None:
    """Restore failed devices; payments unseen meanwhile are in the tray or not."""
    if table.tray_unseen_until_round:
        table.tray_unseen_until_round = 0
        table.log.write(DeviceRecovered(TRAY))
    if table.blind_until_round:
        table.blind_until_round = 0
        table.log.write(DeviceRecovered(CHIPS))
        look_at_tray(table)


def _watch_devices(table: TableInPlay) -> None:
    """A reader fails for a round or two; when the chips were not seen, the tray is looked at."""
    rng, log, played = table.rng, table.log, table.rounds_played
    if played >= max(table.blind_until_round, table.tray_unseen_until_round):
        restore_devices(table)
    if table.blind_until_round or table.tray_unseen_until_round:
        return
    chance = rng.random()
    if chance < 0.006:
        table.blind_until_round = played + 1
        log.write(DeviceFaulted(CHIPS, "antenna", (Observation.PAYMENTS,)))
    elif chance < 0.015:
        table.tray_unseen_until_round = played + rng.randint(1, 3)
        log.write(DeviceFaulted(TRAY, "no answer", (Observation.TRAY,)))
