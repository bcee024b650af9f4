"""Patrons and dealers: where they are, and what they do for each other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from msgspec.structs import replace

from blackjack.facts import (
    DealerArrived,
    Fact,
    PatronSeated,
    WagerPaid,
    WagerPlaced,
)
from blackjack.findings import Kind
from blackjack.rulebook.house_rules import MAIN
from table_simulator.domain.faults.draft import StreamEntry
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.patterns.floor_log import FloorLog, Stay
from table_simulator.domain.truth import Truth

OVERLAP_US = 120_000_000
SEEN_APART_US = 30_000_000
"""Less than a walk between two tables takes."""
SEEN_TIMES = 3
"""A silence that is planted later parts what came before from what comes after: some are left."""
SILENCE_US = 2_400_000_000
"""Forty minutes: no dealer shuffles so long."""

DUMPED_TIMES = 3
DUMPED_CENTS = 30_00


def two_places(log: FloorLog) -> list[Truth]:
    """A patron of one table sits, at the same time, at another.

    Neither is a patron whom a truth names already, nor one who walks from table to table. Both play
    at the same time: who only has not left a silent table is proved to be nowhere.
    """
    walked = _tables_of(log)
    wagered = _wagered(log)
    named = log.named()
    stays = [
        stay for stay in log.stays() if len(walked[stay.patron]) == 1 and stay.patron not in named
    ]
    pairs = [
        (here, there)
        for here in stays
        for there in stays
        if here.table < there.table
        and min(here.until, there.until) - max(here.since, there.since) > OVERLAP_US
        and _play_together(
            wagered.get((here.table, here.patron), ()), wagered.get((there.table, there.patron), ())
        )
    ]
    here, there = log.choose(pairs)
    rename(log, there.table, there.patron, here.patron)
    tables = (here.table, there.table)
    together_us = min(here.until, there.until) - max(here.since, there.since)
    sizes = {"seconds": float(together_us // 1_000_000)}
    name = "patron in two places"
    return [Truth(name, here.table, patron=here.patron, tables=tables, sizes=sizes)]


def _tables_of(log: FloorLog) -> dict[str, tuple[str, ...]]:
    """The tables at which each patron sits in the course of the day."""
    found: dict[str, tuple[str, ...]] = {}
    for stay in log.stays():
        before = found.get(stay.patron, ())
        found[stay.patron] = before if stay.table in before else (*before, stay.table)
    return found


def _wagered(log: FloorLog) -> dict[tuple[str, str], list[int]]:
    """The times of each patron's bets at each table, in order."""
    found: dict[tuple[str, str], list[int]] = {}
    for table in sorted(log.tables):
        for event in log.events(table):
            if isinstance(event.fact, WagerPlaced) and event.fact.patron:
                found.setdefault((table, event.fact.patron), []).append(event.at)
    return {who: sorted(times) for who, times in found.items()}


def _play_together(ones: Sequence[int], others: Sequence[int]) -> bool:
    """Whether each was seen while the other was, often enough."""
    places = ((at, bisect_left(others, at - SEEN_APART_US)) for at in ones)
    near = sum(place < len(others) and others[place] <= at + SEEN_APART_US for at, place in places)
    return near >= SEEN_TIMES


def rename(log: FloorLog, table: str, patron: str, name: str) -> None:
    def rewritten(fact: Fact) -> Fact:
        return replace(fact, patron=name) if getattr(fact, "patron", "") == patron else fact

    log.rewrite(table, rewritten)


def excluded(log: FloorLog) -> list[Truth]:
    """A patron of the list of the excluded sits down; the list is this truth."""
    stay = log.choose(list(log.stays()))
    tables = _tables_of(log)[stay.patron]
    return [Truth("excluded patron", stay.table, patron=stay.patron, tables=tables)]


def silent_table(log: FloorLog) -> list[Truth]:
    """An open table sends nothing for a long time between two rounds."""
    stays = list(log.stays())
    table = log.choose(log.shuffled_tables())
    entries = log.tables[table]
    ends = [view.facts[-1][0] for view in log.rounds(table)]
    after = log.choose(
        [end for end in ends if _leaves_walkers_apart(stays, table, entries[end].event.at)]
    )
    _put_off(entries, after + 1)
    first, last = entries[after].event.seq, entries[after + 1].event.seq
    sizes = {"seconds": SILENCE_US / 1_000_000}
    return [Truth("silent table", table, first_seq=first, last_seq=last, sizes=sizes)]


def silent_floor(log: FloorLog) -> list[Truth]:
    """All tables are open, and none of them sends anything for a long time."""
    opened = max(log.events(table)[0].at for table in log.tables)
    closed = min(log.events(table)[-1].at for table in log.tables)
    if closed - opened < OVERLAP_US:
        raise CannotPlant
    at = opened + int((closed - opened) * (0.25 + log.rng.random() / 2))
    for entries in log.tables.values():
        before = [place for place, entry in enumerate(entries) if entry.event.at <= at]
        _put_off(entries, before[-1] + 1)
    tables = tuple(sorted(log.tables))
    sizes = {"seconds": SILENCE_US / 1_000_000}
    return [Truth("silent floor", tables[0], tables=tables, sizes=sizes)]


def _put_off(entries: list[StreamEntry], first: int) -> None:
    """All from a place on comes later."""
    for place in range(first, len(entries)):
        event = entries[place].event
        ingested_at = event.ingested_at + SILENCE_US if event.ingested_at else 0
        later = replace(event, at=event.at + SILENCE_US, ingested_at=ingested_at)
        entries[place] = entries[place].with_event(later)


def _leaves_walkers_apart(stays: list[Stay], table: str, since: int) -> bool:
    """Whether no patron is in two places if everything after this moment is delayed."""
    for here in (stay for stay in stays if stay.table == table and stay.until > since):
        begins = here.since + (SILENCE_US if here.since > since else 0)
        ends = here.until + SILENCE_US
        for there in (stay for stay in stays if stay.patron == here.patron):
            is_apart = there.until + OVERLAP_US < begins or ends + OVERLAP_US < there.since
            if there.table != table and not is_apart:
                return False
    return True


def dealer_dumping(log: FloorLog) -> list[Truth]:
    """One dealer pays one patron too much, again and again, a little each time."""
    for table in log.shuffled_tables():
        paid: dict[tuple[str, str], list[tuple[str, int, WagerPaid]]] = {}
        who = who_is_where(log, table)
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
                        sizes={"times": DUMPED_TIMES},
                    )
                    for name, _, fact in dumped
                ]
    raise CannotPlant


def who_is_where(log: FloorLog, table: str) -> list[tuple[str, dict[int, str]]]:
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
