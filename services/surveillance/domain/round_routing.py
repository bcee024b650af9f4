"""A settled round to whom it is about: its table, its patrons, their coupons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from blackjack.outcomes import Payment, Result, SettledRound, WagerOutcome
from surveillance.domain import subjects
from surveillance.domain.facts import JudgedRound
from surveillance.domain.sightings import (
    CouponUsage,
    PatronPresence,
    PatronRound,
    PeerCounts,
    PromotionUse,
    RoundMispays,
    RoundMoney,
    StatisticsEntry,
    SubjectSighting,
    WagerAmounts,
)
from surveillance.domain.statistics import contributions, dealt, withdrawals

_NOTHING_DECIDED = (Result.PUSHED, Result.VOID, Result.RETURNED)


def route_round(fact: JudgedRound, day_of: Callable[[int], str]) -> Iterator[SubjectSighting]:
    settled = fact.settled
    day = day_of(settled.opened_at)
    if settled.findings or settled.version > 1:
        yield SubjectSighting(subjects.table(settled.table), _money(settled))
    bets = [each for each in settled.outcomes if not each.tip]
    dealer = settled.context.dealer
    wrong = [each for each in bets if each.payment in (Payment.WRONG, Payment.UNPAID)]
    if dealer and (wrong or settled.version > 1):
        yield SubjectSighting(subjects.dealer(dealer), _mispaid(settled, wrong))
    patrons = dict.fromkeys(each.patron for each in bets if each.patron)
    yield from _contributed(fact, list(patrons))
    for patron in patrons:
        own = [each for each in bets if each.patron == patron]
        yield SubjectSighting(subjects.patron(patron), _present(settled, day))
        yield SubjectSighting(subjects.patron(patron), _played(settled, own))
    for bet in bets:
        if bet.coupon:
            used = _used(settled, bet)
            yield SubjectSighting(subjects.coupon(bet.coupon), used)
            if bet.patron and bet.coupon_promotion:
                part = subjects.promotion(bet.coupon_promotion, bet.patron)
                yield SubjectSighting(part, PromotionUse(bet.patron, day, bet.coupon, used))


def _contributed(fact: JudgedRound, patrons: Sequence[str]) -> Iterator[SubjectSighting]:
    """What the round says to the statistics. A later version may have nothing more to say of those
    of whom an earlier one spoke: they are told."""
    settled = fact.settled
    if fact.rules is None:
        return
    said = contributions(settled, fact.rules)
    if settled.version > 1:
        said += withdrawals(_spoken_of(settled, patrons), settled, said)
    for each in said:
        yield SubjectSighting(each.subject, StatisticsEntry(each.entry))
    counted = dealt(settled, fact.rules)
    if counted.payments or counted.bets or settled.version > 1:
        yield SubjectSighting(subjects.peers(fact.rules.spec.game), PeerCounts(counted))


def _spoken_of(settled: SettledRound, patrons: Sequence[str]) -> Iterator[str]:
    """Of whom any version of a round may speak."""
    table, dealer = settled.table, settled.context.dealer
    yield subjects.table(table)
    yield subjects.shoe(table, settled.context.shoe)
    if dealer:
        yield subjects.dealer(dealer)
    for patron in patrons:
        yield subjects.patron(patron)
        if dealer:
            yield subjects.pair(dealer, patron)


def _money(settled: SettledRound) -> RoundMoney:
    return RoundMoney(
        round=settled.round,
        version=settled.version,
        at=settled.closed_at,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        amounts=_amounts(each for each in settled.outcomes if not each.tip),
    )


def _mispaid(settled: SettledRound, wrong: Sequence[WagerOutcome]) -> RoundMispays:
    return RoundMispays(
        table=settled.table,
        round=settled.round,
        version=settled.version,
        at=settled.closed_at,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        amounts=_amounts(wrong),
    )


def _amounts(bets: Iterable[WagerOutcome]) -> tuple[WagerAmounts, ...]:
    return tuple(
        WagerAmounts(each.seat, each.hand, each.wager, each.owed_cents, each.paid_cents)
        for each in bets
    )


def _present(settled: SettledRound, day: str) -> PatronPresence:
    return PatronPresence(
        gaming_day=day,
        table=settled.table,
        since=settled.opened_at,
        until=settled.closed_at,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        words=f"had wagers in round {settled.round}",
    )


def _played(settled: SettledRound, own: Sequence[WagerOutcome]) -> PatronRound:
    return PatronRound(
        table=settled.table,
        round=settled.round,
        version=settled.version,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        at=settled.opened_at,
        has_coupon=any(each.coupon for each in own),
        is_decided=any(each.result not in _NOTHING_DECIDED for each in own),
    )


def _used(settled: SettledRound, bet: WagerOutcome) -> CouponUsage:
    return CouponUsage(
        at=settled.opened_at,
        until=settled.closed_at,
        version=settled.version,
        is_spent=bet.coupon_spent,
        patron=bet.patron,
        table=settled.table,
        round=settled.round,
        seat=bet.seat,
        wager=bet.wager,
        dealer=settled.context.dealer,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        cents=bet.coupon_cents,
    )
