"""Patrons and dealers: where they are, and what they do for each other."""

from __future__ import annotations

from msgspec.structs import replace

from blackjack.facts import (
    DealerArrived,
    Fact,
    PatronSeated,
    WagerPaid,
)
from blackjack.findings import Kind
from blackjack.rules import MAIN
from table_simulator.domain.faults.draft import Entry
from table_simulator.domain.faults.view import CannotPlant
from table_simulator.domain.patterns.floor_log import FloorLog
from table_simulator.domain.truth import Truth

OVERLAP_US = 120_000_000
SILENCE_US = 2_400_000_000
"""Forty minutes: no dealer shuffles so long."""

DUMPED_TIMES = 3
DUMPED_CENTS = 30_00


def two_places(log: FloorLog) -> list[Truth]:
    """Who sits at one table is, at the same time, somebody who sits at another."""
    stays = list(log.stays())
    pairs = [
        (here, there)
        for here in stays
        for there in stays
        if here.table < there.table
        and min(here.until, there.until) - max(here.since, there.since) > OVERLAP_US
    ]
    here, there = log.choose(pairs)
    rename(log, there.table, there.patron, here.patron)
    tables = (here.table, there.table)
    return [Truth("patron in two places", here.table, patron=here.patron, tables=tables)]


def rename(log: FloorLog, table: str, patron: str, name: str) -> None:
    def rewritten(fact: Fact) -> Fact:
        return replace(fact, patron=name) if getattr(fact, "patron", "") == patron else fact

    log.rewrite(table, rewritten)


def excluded(log: FloorLog) -> list[Truth]:
    """A patron of the list of the excluded sits down; the list is this truth."""
    stay = log.choose(list(log.stays()))
    return [Truth("excluded patron", stay.table, patron=stay.patron, tables=(stay.table,))]


def silent_table(log: FloorLog) -> list[Truth]:
    """An open table says nothing for a long time between two rounds."""
    table = log.choose(log.shuffled_tables())
    view = log.choose(log.rounds(table))
    after = view.facts[-1][0]
    entries = log.tables[table]
    for place in range(after + 1, len(entries)):
        event, old = entries[place].event, entries[place]
        ingested_at = event.ingested_at + SILENCE_US if event.ingested_at else 0
        later = replace(event, at=event.at + SILENCE_US, ingested_at=ingested_at)
        entries[place] = Entry(later, old.is_lost, old.is_twin)
    first, last = entries[after].event.seq, entries[after + 1].event.seq
    return [Truth("silent table", table, first_seq=first, last_seq=last)]


def dealer_dumping(log: FloorLog) -> list[Truth]:
    """One dealer pays one patron too much, again and again, a little each time."""
    for table in log.shuffled_tables():
        paid: dict[tuple[str, str], list[tuple[str, int, WagerPaid]]] = {}
        who = _who_is_where(log, table)
        for view in log.rounds(table):
            dealer, patrons = who[view.facts[0][0]]
            found = [(place, fact) for place, fact in view.plain(WagerPaid) if fact.wager == MAIN]
            for place, fact in found[:1]:
                key = (dealer, patrons.get(fact.seat, ""))
                paid.setdefault(key, []).append((view.id, place, fact))
        for (dealer, patron), times in sorted(paid.items()):
            if patron and dealer and len(times) >= DUMPED_TIMES:
                dumped = times[:DUMPED_TIMES]
                changes: dict[int, Fact] = {
                    place: replace(fact, cents=fact.cents + DUMPED_CENTS)
                    for _, place, fact in dumped
                }
                log.change(table, changes)
                return [
                    Truth(
                        "dealer dumping",
                        table,
                        (Kind.OVERPAID,),
                        name,
                        fact.seat,
                        fact.wager,
                        cents=DUMPED_CENTS,
                        patron=patron,
                        dealer=dealer,
                    )
                    for name, _, fact in dumped
                ]
    raise CannotPlant


def _who_is_where(log: FloorLog, table: str) -> list[tuple[str, dict[int, str]]]:
    """The dealer and the patrons by seat, at every place of the stream."""
    dealer = ""
    patrons: dict[int, str] = {}
    found = []
    for event in log.events(table):
        match event.fact:
            case DealerArrived(licence=licence):
                dealer = licence
            case PatronSeated(seat=seat, patron=patron):
                patrons = patrons | {seat: patron}
            case _:
                pass
        found.append((dealer, patrons))
    return found
