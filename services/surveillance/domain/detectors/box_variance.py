"""Drop boxes whose count differs from the cash sales since the box before was removed."""

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
"""Boxes are removed at least once a day; sales of a table that reports no removal are forgotten."""


class BoxMemory(Memory):
    sold: list[CashSale] = field(default_factory=list)
    taken: list[BoxRemoved] = field(default_factory=list)
    counted: list[BoxCounted] = field(default_factory=list)
    floor_seq: int = 0
    """Events of the table up to this one are no longer judged."""
    cut_seq: int = 0
    """Sales up to this event are forgotten: the box that they went into is not judged."""


class BoxVariance(Detector[BoxMemory]):
    """About the boxes of a table; an alert for each box that was removed."""

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
                    memory.taken = sorted((*memory.taken, sighting), key=lambda box: box.seq)
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
                sold = sum(sale.cents for sale in memory.sold if begins < sale.seq < taken.seq)
                short = sold - counted.cents
                if abs(short) >= settings.threshold("drop_variance_cents", taken.at):
                    yield _draft(memory.about, taken, counted, sold, short, settings)
            begins = taken.seq


def _count_of(memory: BoxMemory, place: int) -> BoxCounted | None:
    """The last count of a box after it was removed and before it was removed again."""
    taken = memory.taken[place]
    again = [box.at for box in memory.taken[place + 1 :] if box.box == taken.box]
    until = again[0] if again else None
    counts = [
        count
        for count in memory.counted
        if count.box == taken.box and count.at >= taken.at and (until is None or count.at < until)
    ]
    return max(counts, key=lambda count: (count.again, count.at), default=None)


def _forget(memory: BoxMemory) -> None:
    """Forget the oldest boxes, and the sales that went into them."""
    while len(memory.taken) > BOXES_KEPT:
        gone = memory.taken.pop(0)
        memory.floor_seq = gone.seq
        memory.sold = [sale for sale in memory.sold if sale.seq > gone.seq]
        memory.counted = [count for count in memory.counted if count.at > gone.at]
        memory.since = max(memory.since, gone.at + 1)
    latest_at = max((sale.at for sale in memory.sold), default=0)
    old = [sale.seq for sale in memory.sold if sale.at < latest_at - KEPT_US]
    if old:
        memory.cut_seq = max(memory.cut_seq, *old)
        memory.sold = [sale for sale in memory.sold if sale.seq > memory.cut_seq]


def _draft(
    table: str, taken: BoxRemoved, counted: BoxCounted, sold: int, short: int, settings: Settings
) -> Draft:
    urgent = abs(short) >= settings.threshold("drop_variance_urgent_cents", taken.at)
    direction = "short" if short > 0 else "over"
    return Draft(
        kind=KIND,
        identity=f"{taken.box}/{taken.seq}",
        level=Level.P1 if urgent else Level.P3,
        sentence=f"Drop box {taken.box} {format_cents(abs(short))} {direction}, table {table}: "
        f"counted {format_cents(counted.cents)}, expected {format_cents(sold)}",
        rule=RULE,
        evidence=(
            Evidence(
                at=taken.at,
                words=f"Drop box {taken.box} removed after cash sales of {format_cents(sold)}",
                kind="box",
                table=table,
                first_seq=taken.seq,
                last_seq=taken.seq,
            ),
            Evidence(
                at=counted.at,
                words=f"Counted {format_cents(counted.cents)}",
                kind="count",
                table=table,
                entry_id=counted.entry_id,
            ),
        ),
        table=table,
        cents=short,
        detail=f"Cash sales since the last box: {format_cents(sold)}. Recount the box and review "
        "the video.",
    )
