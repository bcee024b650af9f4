"""What somebody does more often than peers, with nobody having to say how often is usual.

Rounds of one game, dealt in the same few minutes, are a *block*. If all who deal in it err alike,
then of the errors that the block has any are as likely anybody's as his payments are of all of
them: given the two totals, his number follows the hypergeometric law, whatever the rate may be
and however it changes from block to block. The likelihood ratio of one whose odds are so many
times as high against that law is a ticket that is worth exactly one on average.

Where too few others deal, there is no such law, and a rate that was set stands in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import exp, lgamma, log
from typing import Final, NamedTuple

from msgspec import Struct

from surveillance.domain.statistics.conduct import ALL_WAGERS
from surveillance.domain.statistics.evidence import Evidence, Kind, Ticket

ODDS_RATIOS: Final = (1.5, 2.2, 3.5, 6.0, 12.0)
"""How many times as high the odds of one may be who is to be seen; the best is never far."""

_LOG_MIN: Final = -700.0


class Dealt(Struct, frozen=True, array_like=True, gc=False):
    """What a version of a round counts for those who are compared with each other."""

    opened_at: int
    table: str
    round: str
    version: int
    dealer: str
    payments: int
    wrong: int
    """Of the payments."""
    bets: int
    coupons: int
    """Of the bets on the base game."""


class Usual(NamedTuple):
    """What is taken where there are too few peers, and how many are enough."""

    errors: float
    coupons: float
    peers: int


class Compared(NamedTuple):
    """What a block says about one of those who dealt in it."""

    stream: str
    """`errors/dealer:D`, `coupons/dealer:D` or `coupons/table:T`."""
    evidence: Evidence
    last: Dealt
    """The last of his rounds, of those in which it happened if there are any."""
    rounds: int


class _Count(NamedTuple):
    happened: int
    of: int


class _Question(NamedTuple):
    kind: Kind
    whose: str

    def who(self, dealt: Dealt) -> str:
        return dealt.dealer if self.whose == "dealer" else dealt.table

    def number(self, dealt: Dealt) -> _Count:
        if self.kind is Kind.ERRORS:
            return _Count(dealt.wrong, dealt.payments)
        return _Count(dealt.coupons, dealt.bets)


_QUESTIONS: Final = (
    _Question(Kind.ERRORS, "dealer"),
    _Question(Kind.COUPONS, "dealer"),
    _Question(Kind.COUPONS, "table"),
)


def compared(block: Iterable[Dealt], usual: Usual) -> Iterator[Compared]:
    """What a block says, by stream. Of several versions of a round the highest counts."""
    rounds: dict[tuple[str, str], Dealt] = {}
    for each in block:
        known = rounds.get((each.table, each.round))
        if known is None or known.version < each.version:
            rounds[each.table, each.round] = each
    played = sorted(rounds.values(), key=lambda each: (each.opened_at, each.table, each.round))
    for question in _QUESTIONS:
        yield from _answered(question, played, usual)


def _answered(question: _Question, played: list[Dealt], usual: Usual) -> Iterator[Compared]:
    by_name: dict[str, list[Dealt]] = {}
    for each in played:
        if question.number(each).of:
            by_name.setdefault(question.who(each), []).append(each)
    counts = {name: _sum(map(question.number, own)) for name, own in by_name.items()}
    everybody = _sum(counts.values())
    baseline = usual.errors if question.kind is Kind.ERRORS else usual.coupons
    peers = len(counts) - 1 - ("" in counts)
    for name in sorted(counts.keys() - {""}):
        own, rounds = counts[name], by_name[name]
        if peers >= usual.peers:
            logs = against_peers(own.happened, own.of, everybody.happened, everybody.of)
            rate = (everybody.happened - own.happened) / (everybody.of - own.of)
        else:
            logs = against_rate(own.happened, own.of, baseline)
            rate = baseline
        yield Compared(
            f"{question.kind.value}/{question.whose}:{name}",
            Evidence(
                question.kind,
                ALL_WAGERS,
                tuple([(Ticket(exp(max(each, _LOG_MIN))),) for each in logs]),
                observed=own.happened,
                expected=own.of * rate,
            ),
            last=([each for each in rounds if question.number(each).happened] or rounds)[-1],
            rounds=len(rounds),
        )


def _sum(counts: Iterable[_Count]) -> _Count:
    listed = list(counts)
    return _Count(sum([each.happened for each in listed]), sum([each.of for each in listed]))


def against_peers(
    own: int, own_of: int, all_: int, all_of: int, ratios: Sequence[float] = ODDS_RATIOS
) -> tuple[float, ...]:
    """The logarithm of the likelihood ratio, by odds ratio, given how often it happened in all.

    >>> [round(each, 3) for each in against_peers(1, 10, 1, 40)]
    [0.288, 0.526, 0.767, 0.981, 1.163]
    """
    least, most = max(0, all_ - (all_of - own_of)), min(all_, own_of)
    numbers = range(least, most + 1)
    ways = [_ways(own_of, each) + _ways(all_of - own_of, all_ - each) for each in numbers]
    total = _sum_of_logs(ways)
    return tuple(
        own * log(ratio)
        + total
        - _sum_of_logs([way + each * log(ratio) for way, each in zip(ways, numbers, strict=True)])
        for ratio in ratios
    )


def against_rate(own: int, own_of: int, rate: float) -> tuple[float, ...]:
    """The same against something that happens so often at most."""
    return tuple(own * log(ratio) - own_of * log(1 - rate + rate * ratio) for ratio in ODDS_RATIOS)


def _ways(of: int, chosen: int) -> float:
    return lgamma(of + 1) - lgamma(chosen + 1) - lgamma(of - chosen + 1)


def _sum_of_logs(logs: list[float]) -> float:
    most = max(logs)
    return most + log(sum([exp(each - most) for each in logs]))
