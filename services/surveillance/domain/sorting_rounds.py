"""A settled round to whom it is about: its table, its patrons, their coupons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from blackjack.outcomes import Payment, Result, SettledRound, WagerOutcome
from surveillance.domain import subjects
from surveillance.domain.facts import Judged
from surveillance.domain.sightings import (
    Amount,
    Mispaid,
    Played,
    Present,
    RoundMoney,
    Seen,
    Used,
    UsedOf,
)

_NOTHING_DECIDED = (Result.PUSHED, Result.VOID, Result.RETURNED)


def sort_round(fact: Judged, day_of: Callable[[int], str]) -> Iterator[Seen]:
    settled = fact.settled
    day = day_of(settled.opened_at)
    if settled.findings or settled.version > 1:
        yield Seen(subjects.table(settled.table), _money(settled))
    bets = [each for each in settled.outcomes if not each.tip]
    dealer = settled.context.dealer
    wrong = [each for each in bets if each.payment in (Payment.WRONG, Payment.UNPAID)]
    if dealer and (wrong or settled.version > 1):
        yield Seen(subjects.dealer(dealer), _mispaid(settled, wrong))
    patrons = dict.fromkeys(each.patron for each in bets if each.patron)
    for patron in patrons:
        own = [each for each in bets if each.patron == patron]
        yield Seen(subjects.patron(patron), _present(settled, day))
        yield Seen(subjects.patron(patron), _played(settled, own))
    for bet in bets:
        if bet.coupon:
            used = _used(settled, bet)
            yield Seen(subjects.coupon(bet.coupon), used)
            if bet.patron and bet.coupon_promotion:
                part = subjects.promotion(bet.coupon_promotion, bet.patron)
                yield Seen(part, UsedOf(bet.patron, day, bet.coupon, used))


def _money(settled: SettledRound) -> RoundMoney:
    return RoundMoney(
        round=settled.round,
        version=settled.version,
        at=settled.closed_at,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        amounts=_amounts(each for each in settled.outcomes if not each.tip),
    )


def _mispaid(settled: SettledRound, wrong: Sequence[WagerOutcome]) -> Mispaid:
    return Mispaid(
        table=settled.table,
        round=settled.round,
        version=settled.version,
        at=settled.closed_at,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        amounts=_amounts(wrong),
    )


def _amounts(bets: Iterable[WagerOutcome]) -> tuple[Amount, ...]:
    return tuple(
        Amount(each.seat, each.hand, each.wager, each.owed_cents, each.paid_cents) for each in bets
    )


def _present(settled: SettledRound, day: str) -> Present:
    return Present(
        gaming_day=day,
        table=settled.table,
        since=settled.opened_at,
        until=settled.closed_at,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        words=f"had wagers in round {settled.round}",
    )


def _played(settled: SettledRound, own: Sequence[WagerOutcome]) -> Played:
    return Played(
        table=settled.table,
        round=settled.round,
        version=settled.version,
        first_seq=settled.first_seq,
        last_seq=settled.last_seq,
        at=settled.opened_at,
        has_coupon=any(each.coupon for each in own),
        is_decided=any(each.result not in _NOTHING_DECIDED for each in own),
    )


def _used(settled: SettledRound, bet: WagerOutcome) -> Used:
    return Used(
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
