"""Debit sales to one player at several tables, over what the State allows in 24 hours.

What one table sold by itself is a finding already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from blackjack.money import format_cents
from blackjack.rulebook.state_rules import DEBIT_RULE, DEBIT_WINDOW_US
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.sightings import CashMovement, Sighting

KIND: Final = "cash.debit_limit"
KEPT_US: Final = 3 * DEBIT_WINDOW_US


class DebitMemory(Memory):
    sold: list[CashMovement] = field(default_factory=list)


class DebitLimit(Detector[DebitMemory]):
    """About a patron; an alert for every sale that passes the limit."""

    name = "debit_limit"
    kinds = frozenset({KIND})
    sees = frozenset({CashMovement})
    memory = DebitMemory

    def fold(self, memory: DebitMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, CashMovement) or not sighting.is_debit:
            return ()
        if sighting.at < memory.since:
            return ()
        sold = sorted((*memory.sold, sighting), key=lambda each: (each.at, each.table, each.seq))
        memory.since = max(memory.since, sold[-1].at - KEPT_US)
        memory.sold = [each for each in sold if each.at > memory.since - DEBIT_WINDOW_US]
        return ("",)

    def judge(self, memory: DebitMemory, key: str, settings: Settings) -> Iterator[Draft]:
        for place, last in enumerate(memory.sold):
            if last.at < memory.since:
                continue
            window = [
                each for each in memory.sold[: place + 1] if last.at - each.at < DEBIT_WINDOW_US
            ]
            total = sum(each.cents for each in window)
            limit = settings.threshold("debit_patron_cents", last.at)
            if total > limit and len({each.table for each in window}) > 1:
                yield _draft(memory.about, last, window, total, limit)


def _draft(
    patron: str, last: CashMovement, window: list[CashMovement], total: int, limit: int
) -> Draft:
    return Draft(
        kind=KIND,
        identity=f"{last.table}/{last.seq}",
        level=KINDS[KIND].level,
        sentence=f"Patron {patron} bought chips for {format_cents(total)} by debit card in 24 "
        f"hours at several tables; {format_cents(limit)} is the most.",
        rule=DEBIT_RULE,
        evidence=tuple(
            Evidence(
                at=each.at,
                words=f"a debit sale of {format_cents(each.cents)}",
                kind="cash",
                table=each.table,
                first_seq=each.seq,
                last_seq=each.seq,
                patron=patron,
            )
            for each in window
        ),
        table=last.table,
        patron=patron,
        cents=total,
    )
