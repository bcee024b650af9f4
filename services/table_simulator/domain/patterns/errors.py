"""A dealer who is bad at paying, and not dishonest: small mistakes, either way, to anybody."""

from __future__ import annotations

from msgspec.structs import replace

from blackjack.facts import Fact, WagerPaid
from blackjack.findings import Kind
from blackjack.rulebook.house_rules import MAIN
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.patterns.people import who_is_where
from table_simulator.domain.truth import Truth

ERRORS = 6
ERROR_CENTS = (1_00, 2_00, 5_00)
"""Each far below the $25 from which a mismatch is looked at live."""


def dealer_error_rate(log: FloorLog) -> list[Truth]:
    """One mistake a round, each a finding of its own; together they are the pattern."""
    for table in log.shuffled_tables():
        who = who_is_where(log, table)
        rounds: dict[str, int] = {}
        paid: dict[str, list[tuple[str, int, WagerPaid]]] = {}
        for view in log.rounds(table):
            dealer, _ = who[view.facts[0][0]]
            rounds[dealer] = rounds.get(dealer, 0) + 1
            mains = [
                (view.id, place, fact)
                for place, fact in view.plain(WagerPaid)
                if fact.wager == MAIN and fact.cents > max(ERROR_CENTS)
            ]
            if mains:
                paid.setdefault(dealer, []).append(log.rng.choice(mains))
        able = [name for name in sorted(paid) if len(paid[name]) >= ERRORS]
        fitting = [dealer for dealer in able if dealer not in log.named()]
        if fitting:
            dealer = log.rng.choice(fitting)
            chosen = sorted(log.rng.sample(paid[dealer], ERRORS), key=lambda each: each[1])
            sizes = {"errors": float(len(chosen)), "rounds": float(rounds[dealer])}
            return err(log, "dealer error rate", table, dealer, chosen, sizes=sizes)
    raise CannotPlant


def err(
    log: FloorLog,
    name: str,
    table: str,
    dealer: str,
    chosen: list[tuple[str, int, WagerPaid]],
    *,
    sizes: dict[str, float],
) -> list[Truth]:
    """Too much and too little in turn."""
    patrons = who_is_where(log, table)
    changes: dict[int, Fact] = {}
    truths = []
    for number, (played, place, fact) in enumerate(chosen):
        cents = log.rng.choice(ERROR_CENTS) * (1 if number % 2 else -1)
        changes[place] = replace(fact, cents=fact.cents + cents)
        truths.append(
            Truth(
                name,
                table,
                (Kind.OVERPAID if cents > 0 else Kind.UNDERPAID,),
                played,
                fact.seat,
                fact.wager,
                cents=cents,
                patron=patrons[place][1].get(fact.seat, ""),
                dealer=dealer,
                sizes=sizes,
            )
        )
    log.change(table, changes)
    return truths
