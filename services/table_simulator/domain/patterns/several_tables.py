"""Patterns of people at several tables, of which each table alone sees too little."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

from msgspec.structs import replace

from blackjack.facts import (
    ChipsSold,
    CouponPresented,
    DealerArrived,
    DealerLeft,
    Fact,
    PatronLeft,
    PatronSeated,
    Tender,
    WagerPaid,
)
from blackjack.rulebook.house_rules import MAIN
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns.errors import ERROR_CENTS, err
from table_simulator.domain.patterns.floor_log import FloorLog, Stay
from table_simulator.domain.patterns.people import OVERLAP_US, rename, who_is_where
from table_simulator.domain.truth import Truth

DEBIT_SALES = 6
DEBIT_CENTS = 500_00
"""As much as one debit sale may be; six of them are more than a player may have in 24 hours."""

DEBIT_SALES_AT_A_TABLE = 5
"""Which is the limit, and not over it."""

DEBIT_STAYS_MAX = 4
FOR_GOOD = 2**62
"""The departure of a patron who never leaves."""
ERRORS_BEFORE, ERRORS_BEHIND = 2, 1


def errs_at_several_tables(log: FloorLog) -> list[Truth]:
    """A dealer who is moved to another table pays wrongly at both, three times in all.

    Another dealer of the second table, who comes after he has left the first, becomes him.
    """
    named = log.named()
    paid = _paid(log)
    stints = [stint for stint in _stints(log) if stint[1] not in named]
    pairs = [
        (table, dealer, there, other)
        for table, dealer, _, until in stints
        for there, other, since, _ in stints
        if table != there
        and until < since
        and len(paid.get((table, dealer), ())) >= ERRORS_BEFORE
        and len(paid.get((there, other), ())) >= ERRORS_BEHIND
    ]
    table, dealer, there, other = log.choose(pairs)
    rename_dealer(log, there, other, dealer)
    name = "errs at several tables"
    truths = []
    for where, who, count in ((table, dealer, ERRORS_BEFORE), (there, other, ERRORS_BEHIND)):
        chosen = sorted(log.rng.sample(paid[where, who], count), key=lambda each: each[1])
        sizes = {"errors": float(ERRORS_BEFORE + ERRORS_BEHIND)}
        truths += err(log, name, where, dealer, chosen, sizes=sizes)
    return [replace(truth, tables=(table, there)) for truth in truths]


def _paid(log: FloorLog) -> dict[tuple[str, str], list[tuple[str, int, WagerPaid]]]:
    """By table and dealer: one payment of a main wager of each round that has any."""
    found: dict[tuple[str, str], list[tuple[str, int, WagerPaid]]] = {}
    for table in sorted(log.tables):
        who = who_is_where(log, table)
        for view in log.rounds(table):
            dealer, _ = who[view.facts[0][0]]
            for place, fact in view.plain(WagerPaid):
                if fact.wager == MAIN and fact.cents > max(ERROR_CENTS):
                    found.setdefault((table, dealer), []).append((view.id, place, fact))
                    break
    return found


def _stints(log: FloorLog) -> list[tuple[str, str, int, int]]:
    """Table, dealer, from when, until when; of those who came and left once."""
    found = []
    for table in sorted(log.tables):
        came: dict[str, list[int]] = {}
        left: dict[str, list[int]] = {}
        events = log.events(table)
        for event in events:
            match event.fact:
                case DealerArrived(licence=licence):
                    came.setdefault(licence, []).append(event.at)
                case DealerLeft(licence=licence):
                    left.setdefault(licence, []).append(event.at)
                case _:
                    pass
        for licence, (since, *again) in came.items():
            if not again:
                found.append((table, licence, since, left.get(licence, [events[-1].at])[-1]))
    return found


def rename_dealer(log: FloorLog, table: str, licence: str, name: str) -> None:
    """At the table, and on the papers that he signs there."""

    def rewritten(fact: Fact) -> Fact:
        if getattr(fact, "licence", "") == licence:
            return replace(fact, licence=name)
        signers = getattr(fact, "signers", ())
        if licence in signers:
            return replace(
                fact, signers=tuple(name if signer == licence else signer for signer in signers)
            )
        return fact

    log.rewrite(table, rewritten)


def debit_over_the_limit(log: FloorLog) -> list[Truth]:
    """A patron buys by debit card at one table after the other; nowhere too much at once."""
    stays = _without_coupons(log)
    sales = {stay: _sales(log, stay) for stay in stays}
    able = [stay for stay in stays if sales[stay]]
    log.rng.shuffle(able)
    for count in range(2, DEBIT_STAYS_MAX + 1):
        for chain in combinations(able, count):
            if (chosen := _chosen(log, chain, sales)) is not None:
                return _buy(log, chosen)
    raise CannotPlant


_Sales = list[tuple[int, ChipsSold]]


def _without_coupons(log: FloorLog) -> list[Stay]:
    """Of those who sit at one table and bring no coupon: their limits are their own.

    From when they first sat down to when they last left, whatever seats they had; a patron who
    never left stays for good."""
    barred = log.named()
    seated: Counter[str] = Counter()
    since: dict[str, dict[str, int]] = {}
    for table in sorted(log.tables):
        for event in log.events(table):
            match event.fact:
                case CouponPresented(patron=patron):
                    barred.add(patron)
                case PatronSeated(patron=patron):
                    seated[patron] += 1
                    since.setdefault(patron, {}).setdefault(table, event.at)
                case PatronLeft(patron=patron):
                    seated[patron] -= 1
                case _:
                    pass
    return [
        Stay(table, patron, at, FOR_GOOD if seated[patron] else _last_left(log, table, patron))
        for patron, tables in since.items()
        for table, at in tables.items()
        if len(tables) == 1 and patron not in barred
    ]


def _last_left(log: FloorLog, table: str, patron: str) -> int:
    return max(
        event.at
        for event in log.events(table)
        if isinstance(event.fact, PatronLeft) and event.fact.patron == patron
    )


def _sales(log: FloorLog, stay: Stay) -> _Sales:
    """All that were made at the table; none where so many could be too much there alone."""
    made = [
        (place, fact)
        for place, fact in log.facts(stay.table, ChipsSold)
        if fact.patron == stay.patron
    ]
    return made if len(made) <= DEBIT_SALES_AT_A_TABLE else []


def _chosen(
    log: FloorLog, chain: tuple[Stay, ...], sales: dict[Stay, _Sales]
) -> list[tuple[Stay, _Sales]] | None:
    """Stays one after the other, a walk apart, with as many sales as it takes; or None."""
    ordered = sorted(chain, key=lambda each: each.since)
    if len({stint.table for stint in ordered}) < len(ordered):
        return None
    for before, after in pairwise(ordered):
        if before.until + OVERLAP_US >= after.since:
            return None
    left = DEBIT_SALES - len(ordered)
    chosen: list[tuple[Stay, _Sales]] = []
    for stay in ordered:
        more = min(left, len(sales[stay]) - 1)
        left -= more
        chosen.append((stay, sales[stay][: 1 + more]))
    if left or any(log.least_in_tray(at.table) < len(of) * DEBIT_CENTS for at, of in chosen):
        return None
    return chosen


def _buy(log: FloorLog, chosen: list[tuple[Stay, _Sales]]) -> list[Truth]:
    patron = chosen[0][0].patron
    for stay, sales in chosen:
        changes: dict[int, Fact] = {
            place: replace(fact, cents=DEBIT_CENTS, tender=Tender.DEBIT) for place, fact in sales
        }
        log.change(stay.table, changes)
        rename(log, stay.table, stay.patron, patron)
    last_table, (*_, (place, _)) = chosen[-1][0].table, chosen[-1][1]
    seq = log.tables[last_table][place].event.seq
    return [
        Truth(
            "debit over the limit",
            last_table,
            first_seq=seq,
            last_seq=seq,
            cents=DEBIT_SALES * DEBIT_CENTS,
            patron=patron,
            tables=tuple(stay.table for stay, _ in chosen),
            sizes={"sales": DEBIT_SALES},
        )
    ]
