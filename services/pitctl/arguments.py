"""Arguments as typed: days, times, amounts, chips, lists of names. Amounts are in dollars."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from blackjack.money import InvalidAmount, parse_cents
from casino.accounting.v1.cage_event_pb2 import EntryLine
from casino.table.v1.facts_money_pb2 import DropCount
from casino.table.v1.facts_table_pb2 import ChipCount
from pitctl.errors import InvalidArgument

TODAY, YESTERDAY = "today", "yesterday"
# The count has no commas, so that a comma after it ends the item: 1,000x5, 500x12.
_PIECES: Final = re.compile(r"\s*([^x×*]+?)\s*[x×*]\s*([0-9]{1,12})\s*(?:,|$)")


def read_cents(field: str, text: str, *, signed: bool = False) -> int:
    """Parse dollars as cents, by the grammar of `parse_cents`; an error names `field`.

    >>> read_cents("--paid", "12.5"), read_cents("--difference", "-1,250", signed=True)
    (1250, -125000)
    """
    try:
        return parse_cents(text.strip(), signed=signed)
    except InvalidAmount as invalid:
        raise InvalidArgument(f"{field}: {invalid}") from None


def read_pieces(option: str, text: str) -> list[tuple[int, int]]:
    """Parse denominations in cents, with the count of each.

    >>> read_pieces("--chips", "1,000x5, 0.50x4"), read_pieces("--chips", "")
    ([(100000, 5), (50, 4)], [])
    """
    pieces, at = [], 0
    while at < len(text):
        found = _PIECES.match(text, at)
        if found is None:
            raise InvalidArgument(
                f'Invalid {option} "{text}": expected denomination x count, such as 100x12.'
            )
        denomination = read_cents(option, found[1])
        if not denomination:
            raise InvalidArgument(f'Invalid {option} "{text}": a piece is worth more than zero.')
        pieces.append((denomination, int(found[2])))
        at = found.end()
    return pieces


def read_chips(given: Iterable[str]) -> list[ChipCount]:
    chips = [piece for text in given for piece in read_pieces("--chips", text)]
    if not chips:
        raise InvalidArgument("no chips: add --chips 100x20, repeated for each denomination")
    return [ChipCount(denomination_cents=cents, count=count) for cents, count in chips]


def read_counts(kinds: Mapping[str, Iterable[str]]) -> list[DropCount]:
    """Parse the contents of a drop box, by kind."""
    return [
        DropCount(kind=kind, denomination_cents=cents, count=count)
        for kind, given in kinds.items()
        for text in given
        for cents, count in read_pieces(f"--{kind}", text)
    ]


def read_names(text: str) -> list[str]:
    """Parse names between commas.

    >>> read_names("D-1, S-2")
    ['D-1', 'S-2']
    """
    return [name.strip() for name in text.split(",") if name.strip()]


def read_line(text: str) -> EntryLine:
    """Parse one side of an entry: the account code, and a debit, or with a minus a credit.

    >>> read_line("tray/BJ-07=12.50").cents
    1250
    """
    account, equals, amount = text.rpartition("=")
    if not equals or not account:
        raise InvalidArgument(
            f'Invalid --line "{text}": expected ACCOUNT=AMOUNT, such as tray/BJ-07=12.50.'
        )
    return EntryLine(account=account, cents=read_cents(f"--line {account}", amount, signed=True))


def read_day(text: str, now: str = "") -> str:
    """Parse a gaming day; `now` is the current one, for `today` and `yesterday`.

    >>> read_day("2026-03-01"), read_day("yesterday", "2026-03-01")
    ('2026-03-01', '2026-02-28')
    """
    if text in (TODAY, YESTERDAY) and now:
        return (date.fromisoformat(now) - timedelta(days=text == YESTERDAY)).isoformat()
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise InvalidArgument(
            f'Invalid gaming day "{text}": expected YYYY-MM-DD, {TODAY} or {YESTERDAY}.'
        ) from None
    return day.isoformat()


def read_moment(text: str, now: datetime, *, ahead: bool = False) -> datetime:
    """Parse a time in UTC: a date and time, or the last such time of day; the next if `ahead`.

    >>> now = datetime(2026, 3, 2, 23, 0, tzinfo=UTC)
    >>> str(read_moment("22:40", now)), str(read_moment("23:30", now))
    ('2026-03-02 22:40:00+00:00', '2026-03-01 23:30:00+00:00')
    >>> str(read_moment("22:40", now, ahead=True)), str(read_moment("23:30", now, ahead=True))
    ('2026-03-03 22:40:00+00:00', '2026-03-02 23:30:00+00:00')
    >>> str(read_moment("2026-02-28 21:15", now))
    '2026-02-28 21:15:00+00:00'
    """
    text = text.strip()
    try:
        clock = time.fromisoformat(text)
    except ValueError:
        clock = None
    if clock is not None and ":" in text:
        found = datetime.combine(now.date(), clock.replace(tzinfo=clock.tzinfo or UTC))
        if ahead:
            return found if found > now else found + timedelta(days=1)
        return found if found <= now else found - timedelta(days=1)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidArgument(
            f'Invalid time "{text}": expected HH:MM or YYYY-MM-DD HH:MM, in UTC.'
        ) from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def read_stamp(text: str, *, ahead: bool = False) -> Timestamp:
    """Parse a time: 22:40 is the last one that has passed, or the next if `ahead`."""
    stamp = Timestamp()
    stamp.FromDatetime(read_moment(text, datetime.now(UTC), ahead=ahead))
    return stamp


def read_file(path: str) -> str:
    """The text of a file; `-` is standard input. A byte order mark is dropped."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InvalidArgument(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidArgument(f"{path} is not UTF-8: save it as CSV UTF-8") from None
