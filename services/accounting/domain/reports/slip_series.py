"""Slips in series: missing numbers, unmatched halves, missing signatures."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from accounting.domain.reports.inputs import SlipRecord

FILL, CREDIT, OPENER, CLOSER, BOX = "fill", "credit", "opener", "closer", "box"
KINDS: Final = {
    "fill_received": FILL, "fill_issued": FILL, "credit_sent": CREDIT, "credit_accepted": CREDIT,
    "opener": OPENER, "closer": CLOSER, "box_removed": BOX, "drop_counted": BOX,
}  # fmt: skip
TWO_HALVES: Final = frozenset({FILL, CREDIT, BOX})
"""Kinds that have a half at the table and one in the cage or the count room."""
NUMBERED: Final = frozenset({FILL, CREDIT, OPENER, CLOSER})
SIGNERS: Final = {FILL: 4, CREDIT: 4, OPENER: 2, CLOSER: 2, BOX: 2}
"""A fill: cashier, security, dealer, supervisor (230-15-520); others are signed by two."""

FIRST_MAX: Final = 9
"""A new series begins at 1, unless its first number is larger: then it began elsewhere."""

_NUMBER: Final = re.compile(r"\d+$", re.ASCII)
Range = tuple[int, int]


class Series(Struct, frozen=True):
    """One series of one kind, over some days."""

    kind: str
    name: str
    used: tuple[int, ...]
    missing: tuple[Range, ...]
    explained: tuple[Range, ...]
    voids: tuple[int, ...]

    @property
    def first(self) -> int:
        return self.used[0]

    @property
    def last(self) -> int:
        return self.used[-1]


def split(slip: str) -> tuple[str, int | None]:
    """The series of a slip, and its number.

    >>> split("F-T004-12"), split("F")
    (('F-T004-', 12), ('F', None))
    """
    found = _NUMBER.search(slip)
    return (slip, None) if found is None else (slip[: found.start()], int(found.group()))


def all_series(slips: Iterable[SlipRecord]) -> list[Series]:
    """Every series that was used; numbers used before determine where it continues."""
    used: dict[tuple[str, str], set[int]] = {}
    before: dict[tuple[str, str], int] = {}
    voids: dict[str, set[int]] = {}
    explained: dict[str, list[Range]] = {}
    for slip in slips:
        if slip.kind == "slips_explained":
            explained.setdefault(slip.name, []).append((slip.first, slip.last))
            continue
        name, number = split(slip.name)
        if number is None:
            continue
        if slip.kind == "slip_voided":
            voids.setdefault(name, set()).add(number)
        elif (kind := KINDS.get(slip.kind)) in NUMBERED and kind is not None:
            if slip.is_before:
                before[kind, name] = max(number, before.get((kind, name), 0))
            else:
                used.setdefault((kind, name), set()).add(number)
    return [
        _series(
            kind, name, numbers, before.get((kind, name)), voids.get(name, set()),
            explained.get(name, []),
        )
        for (kind, name), numbers in sorted(used.items())
    ]  # fmt: skip


def _series(
    kind: str,
    name: str,
    used: set[int],
    before: int | None,
    voids: set[int],
    explained: list[Range],
) -> Series:
    first, last = min(used), max(used)
    if before is None and first <= FIRST_MAX:
        since = 0
    else:
        since = before if before is not None and before < first else first
    inside = {void for void in voids if since < void < last}
    gaps = _gaps(sorted({since, *used, *inside}))
    left = _without(gaps, explained)
    return Series(
        kind=kind,
        name=name,
        used=tuple(sorted(used)),
        missing=tuple(left),
        explained=tuple(_without(gaps, left)),
        voids=tuple(sorted(inside | (voids & used))),
    )


def _gaps(numbers: list[int]) -> list[Range]:
    return [(low + 1, high - 1) for low, high in itertools.pairwise(numbers) if high - low > 1]


def _without(gaps: list[Range], explained: list[Range]) -> list[Range]:
    """Gaps minus the explained numbers."""
    for first, last in explained:
        left: list[Range] = []
        for low, high in gaps:
            if last < low or first > high:
                left.append((low, high))
                continue
            if low < first:
                left.append((low, first - 1))
            if last < high:
                left.append((last + 1, high))
        gaps = left
    return gaps


def size(ranges: Iterable[Range]) -> int:
    return sum(high - low + 1 for low, high in ranges)


def words(ranges: Iterable[Range]) -> str:
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in ranges)


def halves(slips: list[SlipRecord]) -> list[tuple[SlipRecord, str]]:
    """Slips without their other half, with different halves, or with a number used twice."""
    known: dict[tuple[str, str, str], dict[str, list[SlipRecord]]] = {}
    for slip in slips:
        kind = KINDS.get(slip.kind)
        if kind is not None:
            sides = known.setdefault((kind, slip.table, slip.name), {"table": [], "cage": []})
            sides[slip.side].append(slip)
    found: list[tuple[SlipRecord, str]] = []
    for (kind, _, _), sides in sorted(known.items()):
        table, cage = sides["table"], sides["cage"]
        if all(half.is_before for half in (*table, *cage)):
            continue
        if kind in NUMBERED:
            # A house may restart the numbers of its inventories each day.
            of_now = [half for half in table if not half.is_before]
            found += [(half, "number used before") for half in of_now[1:]]
        if kind not in TWO_HALVES:
            continue
        if not cage:
            defect = "removed but not counted" if kind == BOX else "no half in the cage"
            found.append((table[0], defect))
        elif not table:
            if not cage[0].is_before:
                defect = "counted but not removed" if kind == BOX else "no half at the table"
                found.append((cage[0], defect))
        elif kind != BOX and len(table) == 1 and table[0].cents != cage[0].cents:
            found.append((table[0], "different amount in the cage"))
    return found


def unsigned(slips: list[SlipRecord]) -> list[tuple[SlipRecord, str]]:
    """Slips without a required signature, or signed twice by one person."""
    found: list[tuple[SlipRecord, str]] = []
    for slip in slips:
        kind = KINDS.get(slip.kind)
        if kind is None or slip.is_before:
            continue
        named = [signer for signer in slip.signers if signer]
        distinct = len(set(named))
        if distinct < len(named):
            found.append((slip, "signed twice by one person"))
        elif distinct < SIGNERS[kind]:
            found.append((slip, f"{distinct} of {SIGNERS[kind]} signatures"))
    return found
