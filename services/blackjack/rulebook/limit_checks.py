"""The problems of the limits that a house posts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from blackjack.money import format_cents
from blackjack.rulebook.filings import Filing, Paytable
from blackjack.rulebook.house_rules import INSURANCE, PostedLimits, WagerLimit
from blackjack.rulebook.state_rules import (
    AGGREGATE_ODDS,
    AGGREGATE_RULE,
    WAGER_CENTS_MAX,
    WAGER_RULE,
    aggregate_cents_min,
    may_have_aggregate,
)

AGGREGATE_CENTS_MAX: Final = 10**12
"""Far beyond any bankroll: a larger number is a unit gone wrong."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


def limit_problems(
    limits: PostedLimits, filing: Filing, tables: Mapping[str, Paytable]
) -> Iterator[str]:
    """Posted limits lie within the State's, and are for wagers that the game has."""
    if not 0 < limits.smallest_chip_cents <= WAGER_CENTS_MAX:
        yield (
            f"the smallest chip is {limits.smallest_chip_cents} cents; "
            f"1 to {WAGER_CENTS_MAX} is allowed"
        )
    known = (*filing.base_wagers, *filing.side_bets)
    names = ", ".join(known)
    for wager in sorted(limits.wagers):
        if wager not in known:
            yield f"a limit names the wager {wager!r}; {filing.title} has {names}"
            continue
        limit = limits.wagers[wager]
        yield from _wager_limit_problems(wager, limit)
        if limit.aggregate_cents and wager in filing.base_wagers:
            yield _no_aggregate(wager)
        elif limit.aggregate_cents and wager in tables:
            yield from _aggregate_problems(wager, limit, tables[wager])
    yield from _other_wager_problems(limits.other_wagers, filing, known)


def _wager_limit_problems(wager: str, limit: WagerLimit) -> Iterator[str]:
    if not 0 <= limit.cents_max <= WAGER_CENTS_MAX:
        allowed = f"0 to {WAGER_CENTS_MAX} is allowed ({WAGER_RULE})"
        yield f"the largest {wager} wager is {limit.cents_max} cents; {allowed}"
    most = _posted_max(limit)
    if not 0 <= limit.cents_min <= most:
        yield f"the least {wager} wager is {limit.cents_min} cents; 0 to {most} is allowed"


def _aggregate_problems(wager: str, limit: WagerLimit, table: Paytable) -> Iterator[str]:
    if not may_have_aggregate(table.top):
        yield _no_aggregate(wager)
        return
    least = aggregate_cents_min(wager_cents_max=_posted_max(limit), top=table.top)
    if not least <= limit.aggregate_cents <= AGGREGATE_CENTS_MAX:
        posted = format_cents(limit.aggregate_cents)
        allowed = f"{format_cents(least)} to {format_cents(AGGREGATE_CENTS_MAX)}"
        yield f"the aggregate limit of {wager} is {posted}; {allowed} is allowed ({AGGREGATE_RULE})"


def _posted_max(limit: WagerLimit) -> int:
    """What may be wagered at most; where the posted maximum is none, the State's."""
    return limit.cents_max if 0 < limit.cents_max <= WAGER_CENTS_MAX else WAGER_CENTS_MAX


def _no_aggregate(wager: str) -> str:
    odds = f"{AGGREGATE_ODDS} to 1 ({AGGREGATE_RULE})"
    return f"{wager} may have no aggregate limit: its odds stay under {odds}"


def _other_wager_problems(
    others: tuple[str, ...], filing: Filing, known: tuple[str, ...]
) -> Iterator[str]:
    if others and filing.more_wagers is None:
        yield f"the filing of {filing.title} has no other wagers; name none"
    for wager in others:
        if wager in known or wager == INSURANCE:
            yield f"other wager {wager!r} is {filing.title}'s own; name it another way"
        elif not _NAME.fullmatch(wager):
            yield f"other wager {wager!r} is no name; write small letters, digits and _"
    if len(set(others)) != len(others):
        yield "an other wager is named twice; name each once"
