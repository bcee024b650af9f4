"""Days, amounts, chips and lists of names, as they are typed. Amounts are in dollars."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from casino.accounting.v1.cage_event_pb2 import EntryLine
from casino.table.v1.facts_money_pb2 import DropCount
from casino.table.v1.facts_table_pb2 import ChipCount
from pitctl.asked_rounds import NotAQuestion, read_moment
from pitctl.books.asking import NotTyped

TODAY, YESTERDAY = "today", "yesterday"
_AMOUNT: Final = re.compile(r"(-?)\$?(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d\d))?")
_PIECES: Final = re.compile(r"(.+?)[x×*](\d{1,12})")


def read_cents(text: str, *, exact: bool = False) -> int:
    """Dollars as cents; where it must be exact, with both digits after the point.

    >>> read_cents("12.50"), read_cents("-1,250"), read_cents("$5.00", exact=True)
    (1250, -125000, 500)
    """
    found = _AMOUNT.fullmatch(text.strip())
    if found is None or (exact and found[3] is None):
        shown = "125.00, with its cents" if exact else "125 or 12.50"
        raise NotTyped(f"{text!r}: an amount is written in dollars, as in {shown}")
    sign, whole, rest = found.groups()
    cents = int(whole.replace(",", "")) * 100 + int(rest or 0)
    return -cents if sign else cents


def read_pieces(text: str) -> tuple[int, int]:
    """A denomination in cents, and how many of it.

    >>> read_pieces("100x12"), read_pieces("0.50x4")
    ((10000, 12), (50, 4))
    """
    found = _PIECES.fullmatch(text.strip())
    if found is None:
        raise NotTyped(f"{text!r}: pieces are written as denomination x count, as in 100x12")
    denomination = read_cents(found[1])
    if denomination <= 0:
        raise NotTyped(f"{text!r}: a piece is worth more than nothing")
    return denomination, int(found[2])


def read_chips(given: Iterable[str]) -> list[ChipCount]:
    chips = [read_pieces(each) for text in given for each in _listed(text)]
    if not chips:
        raise NotTyped("no chips are named: --chips 100x20, once for each denomination")
    return [ChipCount(denomination_cents=cents, count=count) for cents, count in chips]


def read_counts(**kinds: Iterable[str]) -> list[DropCount]:
    """What was in a box, by kind."""
    return [
        DropCount(kind=kind, denomination_cents=cents, count=count)
        for kind, given in kinds.items()
        for text in given
        for cents, count in map(read_pieces, _listed(text))
    ]


def read_names(text: str) -> list[str]:
    """Names between commas.

    >>> read_names("D-1, S-2")
    ['D-1', 'S-2']
    """
    return _listed(text)


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def read_line(text: str) -> EntryLine:
    """One side of an entry: the code of the account, and a debit, or with a minus a credit.

    >>> read_line("tray/BJ-07=12.50").cents
    1250
    """
    account, equals, cents = text.rpartition("=")
    if not equals or not account:
        raise NotTyped(f"{text!r}: a line is ACCOUNT=AMOUNT, as in tray/BJ-07=12.50")
    return EntryLine(account=account, cents=read_cents(cents))


def read_day(text: str, now: str = "") -> str:
    """A gaming day; `now` is the one that is, for `today` and `yesterday`.

    >>> read_day("2026-03-01"), read_day("yesterday", "2026-03-01")
    ('2026-03-01', '2026-02-28')
    """
    if text in (TODAY, YESTERDAY) and now:
        return (date.fromisoformat(now) - timedelta(days=text == YESTERDAY)).isoformat()
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NotTyped(f"{text!r}: a gaming day is 2026-03-01, {TODAY} or {YESTERDAY}") from None
    return day.isoformat()


def read_stamp(text: str, *, ahead: bool = False) -> Timestamp:
    """A time, as `pitctl rounds` takes it: 22:40 is the last one that has passed, or the next."""
    stamp = Timestamp()
    try:
        stamp.FromDatetime(read_moment(text, datetime.now(UTC), ahead=ahead))
    except NotAQuestion as error:
        raise NotTyped(str(error)) from None
    return stamp


def read_file(path: str) -> str:
    """The text of a file; `-` is standard input. A mark in front, as spreadsheets put it, is not
    part of it."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise NotTyped(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise NotTyped(f"{path} is no text in UTF-8: save it as CSV UTF-8") from None
