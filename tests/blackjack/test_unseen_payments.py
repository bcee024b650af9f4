"""While payments are not observed, no finding rests on a payment that may be missing."""

from __future__ import annotations

from random import Random

import pytest

from blackjack.facts import (
    ChipCount,
    DeviceFaulted,
    DeviceJoined,
    DeviceRecovered,
    Event,
    Fact,
    Observation,
    TableOpened,
    TrayObserved,
    WagerCollected,
    WagerPaid,
    WagerReturned,
)
from blackjack.findings import Kind
from blackjack.play.table import Table, fold
from table_simulator.days.randomness import play
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.specs import specs


def found(facts: list[Fact]) -> set[Kind]:
    events = [
        Event("T1", seq, 1_772_416_800_000_000 + seq, fact) for seq, fact in enumerate(facts, 1)
    ]
    return {finding.kind for step in fold(Table.new("T1"), events)[1] for finding in step.findings}


BLIND = (Observation.PAYMENTS,)
JOINED = DeviceJoined("chips", BLIND)


def tray(dollars: int) -> tuple[ChipCount, ...]:
    return (ChipCount(100, dollars),)


def test_a_tray_that_changed_while_payments_were_not_seen_is_no_finding() -> None:
    """Chips were paid between two looks at the tray, and no reader saw them go."""
    facts: list[Fact] = [
        JOINED,
        TableOpened(tray(5_000), "O-1", ("D-1", "S-1")),
        DeviceFaulted("chips", "antenna", BLIND),
        TrayObserved(tray(5_000)),
        TrayObserved(tray(4_300)),
        DeviceRecovered("chips"),
        TrayObserved(tray(4_300)),
    ]
    assert found(facts) == set()


def test_after_the_reader_works_again_the_tray_is_watched_again() -> None:
    facts: list[Fact] = [
        JOINED,
        TableOpened(tray(5_000), "O-1", ("D-1", "S-1")),
        DeviceFaulted("chips", "antenna", BLIND),
        DeviceRecovered("chips"),
        TrayObserved(tray(4_300)),
        TrayObserved(tray(4_200)),
    ]
    assert found(facts) == {Kind.TRAY_CHANGED}


@pytest.mark.parametrize("seed", range(3))
def test_cards_that_leave_after_an_unseen_settlement_were_not_removed_early(seed: int) -> None:
    """Match Madness was settled, but not observed: its cards may go."""
    spec = specs("double_action_iii")[0]
    draft = StreamDraft(play(seed=seed, table_id="T1", spec=spec, rounds=12).events, Random(seed))
    view = draft.rounds()[0]
    draft.add(view.facts[0][0] - 1, DeviceFaulted("chips-1", "antenna", BLIND))
    for place, fact in view.facts:
        if isinstance(fact, WagerPaid | WagerCollected | WagerReturned):
            draft.drop(place)
    draft.add(view.facts[-1][0], DeviceRecovered("chips-1"))
    _, steps = fold(Table.new("T1"), draft.finish())
    kinds = {finding.kind for step in steps for finding in step.findings}
    assert Kind.CARDS_REMOVED_EARLY not in kinds
