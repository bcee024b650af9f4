"""Debit sales to one patron at several tables, over the State's limit in 24 hours.

Sales over the limit at one table are a finding already.
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
from surveillance.domain.phrases import counted, listed
from surveillance.domain.sightings import CashMovement, Sighting

KIND: Final = "cash.debit_limit"
KEPT_US: Final = 3 * DEBIT_WINDOW_US


class DebitMemory(Memory):
    sold: list[CashMovement] = field(default_factory=list)


class DebitLimit(Detector[DebitMemory]):
    """About a patron; an alert for every sale that exceeds the limit."""

    name = "debit_limit"
    kinds = frozenset({KIND})
    sees = frozenset({CashMovement})
    memory = DebitMemory

    def fold(self, memory: DebitMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, CashMovement) or not sighting.is_debit:
            return ()
        if sighting.at < memory.since:
            return ()
        sold = sorted((*memory.sold, sighting), key=lambda sale: (sale.at, sale.table, sale.seq))
        memory.since = max(memory.since, sold[-1].at - KEPT_US)
        memory.sold = [sale for sale in sold if sale.at > memory.since - DEBIT_WINDOW_US]
        return ("",)

    def judge(self, memory: DebitMemory, key: str, settings: Settings) -> Iterator[Draft]:
        for place, last in enumerate(memory.sold):
            if last.at < memory.since:
                continue
            window = [
                sale for sale in memory.sold[: place + 1] if last.at - sale.at < DEBIT_WINDOW_US
            ]
            total = sum(sale.cents for sale in window)
            limit = settings.threshold("debit_patron_cents", last.at)
            if total > limit and len({sale.table for sale in window}) > 1:
                yield _draft(memory.about, last, window, total, limit)


def _draft(
    patron: str, last: CashMovement, window: list[CashMovement], total: int, limit: int
) -> Draft:
    return Draft(
        kind=KIND,
        identity=f"{last.table}/{last.seq}",
        level=KINDS[KIND].level,
        sentence=f"Debit sales over the limit: patron {patron} bought {format_cents(total)} in 24 "
        f"hours, {format_cents(limit)} allowed",
        rule=DEBIT_RULE,
        evidence=tuple(
            Evidence(
                at=sale.at,
                words=f"Debit sale of {format_cents(sale.cents)}",
                kind="cash",
                table=sale.table,
                first_seq=sale.seq,
                last_seq=sale.seq,
                patron=patron,
            )
            for sale in window
        ),
        table=last.table,
        patron=patron,
        cents=total,
        detail=f"{counted(len(window), 'debit sale')} at "
        f"{listed(sorted({sale.table for sale in window}), 'table')}.",
    )
