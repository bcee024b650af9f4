"""A fact to whom it is about.

Sorting keeps nothing in mind: the same fact is always about the same subjects, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from alerting.office import ChipsRedeemed
from blackjack.facts import ChipsSold, Event, Tender
from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import SettledRound
from surveillance.domain import subjects
from surveillance.domain.facts import Judged, SortedFact
from surveillance.domain.sightings import Amount, CashMoved, Found, FoundNoMore, RoundMoney, Seen

DayOf = Callable[[int], str]
"""The gaming day of a moment, such as 2026-03-01, by the calendar of the property."""


def sort(fact: SortedFact, *, day_of: DayOf) -> tuple[Seen, ...]:
    """What is to be told to which subjects; nothing where surveillance has no use for it."""
    return tuple(_sorted(fact, day_of))


def _sorted(fact: SortedFact, day_of: DayOf) -> Iterator[Seen]:
    match fact:
        case Finding():
            yield Seen(subjects.table(fact.table), _found(fact))
        case Withdrawal():
            yield Seen(subjects.table(fact.table), FoundNoMore(fact.id))
        case Judged(settled=settled):
            if settled.findings or settled.version > 1:
                yield Seen(subjects.table(settled.table), _money(settled))
        case Event():
            yield from _of_event(fact, day_of)
        case ChipsRedeemed(patron=patron) if patron:
            cash = CashMoved(fact.gaming_day, fact.at, -fact.cents, event_id=fact.event_id)
            yield Seen(subjects.patron(patron), cash)
        case _:
            return


def _of_event(event: Event, day_of: DayOf) -> Iterator[Seen]:
    match event.fact:
        case ChipsSold(patron=patron, cents=cents, tender=tender) if patron:
            sold = CashMoved(
                day_of(event.at),
                event.at,
                cents,
                table=event.table,
                seq=event.seq,
                is_debit=tender is Tender.DEBIT,
            )
            yield Seen(subjects.patron(patron), sold)
        case _:
            return


def _found(finding: Finding) -> Found:
    return Found(
        id=finding.id,
        kind=finding.kind.value,
        level=finding.level.value,
        table=finding.table,
        seq=finding.seq,
        at=finding.at,
        text=finding.text,
        rule=finding.rule,
        round=finding.round,
        seat=finding.seat,
        hand=finding.hand,
        wager=finding.wager,
        patron=finding.patron,
        dealer=finding.dealer,
        cents=finding.cents,
        tells_hole_card=finding.tells_hole_card,
    )


def _money(settled: SettledRound) -> RoundMoney:
    return RoundMoney(
        round=settled.round,
        version=settled.version,
        at=settled.closed_at,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        amounts=tuple(
            Amount(each.seat, each.hand, each.wager, each.owed_cents, each.paid_cents)
            for each in settled.outcomes
            if not each.tip
        ),
    )
