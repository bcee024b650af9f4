"""A correction of a round that is no longer at hand: the chips moved all the same."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from blackjack.facts import (
    ChipCount,
    Event,
    RoundClosed,
    RoundOpened,
    SettlementCorrected,
    TableClosed,
    TrayObserved,
)
from blackjack.findings import Kind
from blackjack.play.table import ROUNDS_KEPT, Table, fold
from table_simulator.days.randomness import play
from table_simulator.domain.specs import specs


@pytest.mark.parametrize("cents", [25_000, -25_000])
def test_it_is_reported_with_its_amount_and_the_tray_follows_it(cents: int) -> None:
    events = play(seed=5, table_id="T1", spec=specs("skweezit")[0], rounds=ROUNDS_KEPT + 4).events
    rounds = [event.fact.round for event in events if isinstance(event.fact, RoundOpened)]
    last = max(at for at, event in enumerate(events) if isinstance(event.fact, RoundClosed))
    correction = SettlementCorrected(rounds[0], 1, "main", cents, "it was agreed", "S-101")
    changed: list[Event] = []
    for at, event in enumerate(events):
        fact = event.fact
        if at > last and isinstance(fact, TableClosed):
            counted = (*fact.inventory, ChipCount(100, -cents // 100))
            worth = sum(chips.denomination_cents * chips.count for chips in counted)
            event = replace(event, fact=replace(fact, inventory=(ChipCount(1, worth),)))
        if at <= last or not isinstance(fact, TrayObserved):
            changed.append(event)
        if at == last:
            changed.append(replace(event, fact=correction))
    numbered = [replace(event, seq=number) for number, event in enumerate(changed, 1)]
    _, steps = fold(Table.new("T1"), numbered)
    found = [finding for step in steps for finding in step.findings]
    late = [finding for finding in found if finding.kind is Kind.OUT_OF_REACH]
    assert [(finding.cents, finding.seat, finding.wager) for finding in late] == [
        (cents, 1, "main")
    ]
    assert not [finding for finding in found if finding.kind is Kind.TRAY_VARIANCE]
