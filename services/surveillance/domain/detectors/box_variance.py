"""A box that does not hold what was sold for cash since the one before it was taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.alert import Evidence
from alerting.settings import Settings
from blackjack.findings import Level
from blackjack.money import format_cents
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.sightings import BoxCounted, BoxRemoved, CashSale, Sighting

KIND: Final = "box.variance"
RULE: Final = "WAC 230-15-590, 230-15-615; drop variance = counted less sold for cash"
BOXES_KEPT: Final = 14
KEPT_US: Final = 14 * 86_400_000_000
"""Boxes are taken once a day at least; of a table that does not report it, sales are forgotten."""


class BoxMemory(Memory):
    sold: list[CashSale] = field(default_factory=list)
    taken: list[BoxRemoved] = field(default_factory=list)
    counted: list[BoxCounted] = field(default_factory=list)
    floor_seq: int = 0
    """Up to here the table's events are not judged any more."""
    cut_seq: int = 0
    """Up to here sales are forgotten: a box that they went into is not judged."""


class BoxVariance(Detector[BoxMemory]):
    """About the boxes of a table; an alert for each box that was taken."""

    name = "box_variance"
    kinds = frozenset({KIND})
    sees = frozenset({CashSale, BoxRemoved, BoxCounted})
    memory = BoxMemory

    def fold(self, memory: BoxMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        match sighting:
            case CashSale(seq=seq):
                if seq > memory.floor_seq:
                    memory.sold.append(sighting)
            case BoxRemoved(seq=seq):
                if seq > memory.floor_seq:
                    memory.taken = sorted((*memory.taken, sighting), key=lambda each: each.seq)
            case BoxCounted():
                memory.counted.append(sighting)
            case _:
                return ()
        _forget(memory)
        return ("",)

    def judge(self, memory: BoxMemory, key: str, settings: Settings) -> Iterator[Draft]:
        begins = memory.floor_seq
        for place, taken in enumerate(memory.taken):
            counted = _count_of(memory, place)
            if counted is not None and begins >= memory.cut_seq:
                sold = sum(each.cents for each in memory.sold if begins < each.seq < taken.seq)
                short = sold - counted.cents
                if abs(short) >= settings.threshold("drop_variance_cents", taken.at):
                    yield _draft(memory.about, taken, counted, sold, short, settings)
            begins = taken.seq


def _count_of(memory: BoxMemory, place: int) -> BoxCounted | None:
    """The last count of a box after it was taken and before it was taken again."""
    taken = memory.taken[place]
    again = [each.at for each in memory.taken[place + 1 :] if each.box == taken.box]
    until = again[0] if again else None
    counts = [
        each
        for each in memory.counted
        if each.box == taken.box and each.at >= taken.at and (until is None or each.at < until)
    ]
    return max(counts, key=lambda each: (each.again, each.at), default=None)


def _forget(memory: BoxMemory) -> None:
    """The oldest boxes; what was sold into them goes with them."""
    while len(memory.taken) > BOXES_KEPT:
        gone = memory.taken.pop(0)
        memory.floor_seq = gone.seq
        memory.sold = [each for each in memory.sold if each.seq > gone.seq]
        memory.counted = [each for each in memory.counted if each.at > gone.at]
        memory.since = max(memory.since, gone.at + 1)
    latest_at = max((each.at for each in memory.sold), default=0)
    old = [each.seq for each in memory.sold if each.at < latest_at - KEPT_US]
    if old:
        memory.cut_seq = max(memory.cut_seq, *old)
        memory.sold = [each for each in memory.sold if each.seq > memory.cut_seq]


def _draft(
    table: str, taken: BoxRemoved, counted: BoxCounted, sold: int, short: int, settings: Settings
) -> Draft:
    urgent = abs(short) >= settings.threshold("drop_variance_urgent_cents", taken.at)
    what = "less" if short > 0 else "more"
    return Draft(
        kind=KIND,
        identity=f"{taken.box}/{taken.seq}",
        level=Level.P1 if urgent else Level.P3,
        sentence=f"Box {taken.box} of table {table} holds {format_cents(abs(short))} {what} than "
        f"the {format_cents(sold)} that were sold for cash: count again, and look at the video.",
        rule=RULE,
        evidence=(
            Evidence(
                at=taken.at,
                words=f"box {taken.box} was taken, after {format_cents(sold)} of sales",
                kind="box",
                table=table,
                first_seq=taken.seq,
                last_seq=taken.seq,
            ),
            Evidence(
                at=counted.at,
                words=f"{format_cents(counted.cents)} were counted",
                kind="count",
                table=table,
                entry_id=counted.entry_id,
            ),
        ),
        table=table,
        cents=short,
    )
