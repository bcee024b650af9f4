"""Days, amounts, chips and lists of names, as they are typed. Amounts are in dollars."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from blackjack.money import InvalidAmount, parse_cents
from casino.accounting.v1.cage_event_pb2 import EntryLine
from casino.table.v1.facts_money_pb2 import DropCount
from casino.table.v1.facts_table_pb2 import ChipCount
from pitctl.accounting.client import NotTyped
from pitctl.archive.round_query import NotAQuestion, read_moment

TODAY, YESTERDAY = "today", "yesterday"
# The count has no commas, so that a comma after it ends the item: 1,000x5, 500x12.
_PIECES: Final = re.compile(r"\s*([^x×*]+?)\s*[x×*]\s*([0-9]{1,12})\s*(?:,|$)")


def read_cents(field: str, text: str, *, signed: bool = False) -> int:
    """Dollars as cents, by the grammar of `parse_cents`; `field` is what the error names.

    >>> read_cents("--paid", "12.5"), read_cents("--difference", "-1,250", signed=True)
    (1250, -125000)
    """
    try:
        return parse_cents(text.strip(), signed=signed)
    except InvalidAmount as invalid:
        raise NotTyped(f"{field}: {invalid}") from None


def read_pieces(option: str, text: str) -> list[tuple[int, int]]:
    """Denominations in cents, and how many of each.

    >>> read_pieces("--chips", "1,000x5, 0.50x4"), read_pieces("--chips", "")
    ([(100000, 5), (50, 4)], [])
    """
    pieces, at = [], 0
    while at < len(text):
        found = _PIECES.match(text, at)
        if found is None:
            raise NotTyped(
                f"{option}: {text!r}: pieces are written as denomination x count, as in 100x12"
            )
        denomination = read_cents(option, found[1])
        if not denomination:
            raise NotTyped(f"{option}: {text!r}: a piece is worth more than nothing")
        pieces.append((denomination, int(found[2])))
        at = found.end()
    return pieces


def read_chips(given: Iterable[str]) -> list[ChipCount]:
    chips = [piece for text in given for piece in read_pieces("--chips", text)]
    if not chips:
        raise NotTyped("no chips are named: --chips 100x20, once for each denomination")
    return [ChipCount(denomination_cents=cents, count=count) for cents, count in chips]


def read_counts(**kinds: Iterable[str]) -> list[DropCount]:
    """What was in a box, by kind."""
    return [
        DropCount(kind=kind, denomination_cents=cents, count=count)
        for kind, given in kinds.items()
        for text in given
        for cents, count in read_pieces(f"--{kind}", text)
    ]


def read_names(text: str) -> list[str]:
    """Names between commas.

    >>> read_names("D-1, S-2")
    ['D-1', 'S-2']
    """
    return [each.strip() for each in text.split(",") if each.strip()]


def read_line(text: str) -> EntryLine:
    """One side of an entry: the code of the account, and a debit, or with a minus a credit.

    >>> read_line("tray/BJ-07=12.50").cents
    1250
    """
    account, equals, amount = text.rpartition("=")
    if not equals or not account:
        raise NotTyped(f"{text!r}: a line is ACCOUNT=AMOUNT, as in tray/BJ-07=12.50")
    return EntryLine(account=account, cents=read_cents(f"--line {account}", amount, signed=True))


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
