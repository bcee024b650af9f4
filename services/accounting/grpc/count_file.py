"""A count room's CSV file with a header row, read into counts of boxes.

    gaming_day,table,box,kind,denomination,count,team,verifier
    2026-03-01,BJ-07,B-12,currency,100,34,C-1;C-2;C-3,
    2026-03-01,BJ-07,B-12,currency,20,120,C-1;C-2;C-3,
    2026-03-01,BJ-07,B-12,currency,100,34,,V-9

A line is one kind and denomination, in dollars, of one box. Lines with a verifier are the recount
of the box. Columns may be in any order; `gaming_day` may be missing if the request states it or
the box is known, `team` on all lines of a box but one, and `verifier` altogether.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import Final

from accounting.domain.cage import COUPONS
from blackjack.money import InvalidAmount, parse_cents
from bookkeeping.transfers import CENTS_MAX
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.table.v1.facts_money_pb2 import DropCount
from runtime.query_errors import InvalidQuery

NEEDED: Final = ("table", "box", "kind", "denomination", "count")
OPTIONAL: Final = ("gaming_day", "team", "verifier")
LINES_MAX: Final = 50_000


@dataclass(slots=True)
class BoxCount:
    """The count of one box in a file, by its count team or by its verifier."""

    line: int
    day: str
    table: str
    box: str
    verifier: str
    team: list[str] = field(default_factory=list)
    counts: list[DropCount] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def cents(self) -> int:
        """The drop in the count: everything but coupons."""
        return sum(
            count.denomination_cents * count.count for count in self.counts if count.kind != COUPONS
        )

    def event(self) -> CageEvent:
        event = CageEvent(table_id=self.table, gaming_day=self.day)
        if self.verifier:
            event.drop_recounted.box = self.box
            event.drop_recounted.verifier = self.verifier
            event.drop_recounted.counts.extend(self.counts)
        else:
            event.drop_counted.box = self.box
            event.drop_counted.team.extend(self.team)
            event.drop_counted.counts.extend(self.counts)
        return event


def read_counts(text: str, gaming_day: str) -> list[BoxCount]:
    """The boxes in the order of the file, each with the problems of its lines."""
    lines = csv.reader(StringIO(text.removeprefix("\ufeff")), strict=True)
    boxes: dict[tuple[str, str, str, bool], BoxCount] = {}
    try:
        titles = [title.strip().lower() for title in next(lines, [])]
        _check_titles(titles)
        for cells in lines:
            number = lines.line_num
            if number > LINES_MAX:
                raise InvalidQuery("csv", f"more than {LINES_MAX} lines")
            if any(cell.strip() for cell in cells):
                _read_line(boxes, number, titles, cells, gaming_day)
    except csv.Error as broken:
        raise InvalidQuery("csv", f"line {lines.line_num}: {broken}") from None
    if not boxes:
        raise InvalidQuery("csv", "no lines below the header")
    return list(boxes.values())


def _check_titles(titles: Sequence[str]) -> None:
    missing = [title for title in NEEDED if title not in titles]
    if missing:
        raise InvalidQuery("csv", f"line 1: missing columns {', '.join(missing)}")
    unknown = [title for title in titles if title not in (*NEEDED, *OPTIONAL)]
    if unknown or len(set(titles)) != len(titles):
        raise InvalidQuery("csv", f"line 1: repeated or unknown columns {', '.join(unknown)}")


def _read_line(
    boxes: dict[tuple[str, str, str, bool], BoxCount],
    number: int,
    titles: Sequence[str],
    cells: Sequence[str],
    gaming_day: str,
) -> None:
    fields = dict.fromkeys(OPTIONAL, "") | dict.fromkeys(NEEDED, "")
    fields |= {title: cell.strip() for title, cell in zip(titles, cells, strict=False)}
    day = fields["gaming_day"] or gaming_day
    key = (day, fields["table"], fields["box"], bool(fields["verifier"]))
    box = boxes.setdefault(
        key, BoxCount(number, day, fields["table"], fields["box"], fields["verifier"])
    )
    problems = list(_problems(fields, box, len(cells) - len(titles), gaming_day))
    box.problems += [f"line {number}: {problem}" for problem in problems]
    if team := [member.strip() for member in fields["team"].split(";") if member.strip()]:
        box.team = box.team or team
    if not problems:
        piece = DropCount(
            kind=fields["kind"].lower(),
            denomination_cents=_denomination(fields["denomination"]),
            count=int(fields["count"]),
        )
        if any(
            (count.kind, count.denomination_cents) == (piece.kind, piece.denomination_cents)
            for count in box.counts
        ):
            box.problems.append(f"line {number}: repeated kind and denomination")
        box.counts.append(piece)


def _problems(
    fields: Mapping[str, str], box: BoxCount, cells_more: int, gaming_day: str
) -> Iterator[str]:
    if cells_more:
        yield f"{abs(cells_more)} cells too {'many' if cells_more > 0 else 'few'}"
        return
    for title in NEEDED:
        if not fields[title]:
            yield f"missing {title}"
    if gaming_day and fields["gaming_day"] not in ("", gaming_day):
        yield f"gaming day {fields['gaming_day']} differs from the file's {gaming_day}"
    if fields["denomination"]:
        try:
            _denomination(fields["denomination"])
        except InvalidAmount as invalid:
            yield f"denomination: {invalid}"
    if fields["count"] and not (fields["count"].isascii() and fields["count"].isdigit()):
        yield f"invalid count {fields['count']!r}: expected a number of pieces"
    elif len(fields["count"]) > len(str(CENTS_MAX)):
        yield f"invalid count {fields['count']}: more pieces than any box has"
    if fields["verifier"] != box.verifier:
        yield f"two verifiers: {box.verifier} and {fields['verifier']}"
    team = [member.strip() for member in fields["team"].split(";") if member.strip()]
    if team and box.team and team != box.team:
        yield "count team differs from the lines above"


def _denomination(text: str) -> int:
    cents = parse_cents(text)
    if not cents:
        raise InvalidAmount(text, "expected more than zero")
    return cents
