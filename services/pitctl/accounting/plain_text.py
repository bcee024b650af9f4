"""The journal as plain-text accounting: files that beancount and hledger read.

An entry is a transaction; debits are positive, credits negative. An account is opened before its
first use, so that a file stands by itself. Names of accounts are made from their codes, and no two
codes have the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from bookkeeping.accounts import CHART, Account, AccountClass, parse
from casino.accounting.v1.ledger_pb2 import Entry
from pitctl.output.text import escape, format_moment
from report_forms.cells import decimal
from wire.vocabulary import read_time

CURRENCY: Final = "USD"
_ROOTS: Final = {
    AccountClass.ASSET: "Assets",
    AccountClass.LIABILITY: "Liabilities",
    AccountClass.INCOME: "Income",
    AccountClass.EXPENSE: "Expenses",
    AccountClass.EQUITY: "Equity",
}
_TYPES: Final = {
    AccountClass.ASSET: "A",
    AccountClass.LIABILITY: "L",
    AccountClass.INCOME: "R",
    AccountClass.EXPENSE: "X",
    AccountClass.EQUITY: "E",
}
_LOWER: Final = re.compile(r"[a-z]{2}[a-z0-9]*(?:_[a-z0-9]+)*")
"""As games and wagers are named."""
_UPPER: Final = re.compile(r"[A-Z0-9][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")
"""As tables are named."""
_OF_LOWER: Final = re.compile(r"[A-Z][a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""What names in lower case become: no other may."""
_ESCAPED: Final = "X--"


def account_name(code: str) -> str:
    """The account of a code as both programs write it.

    >>> account_name("win/BJ-07/double_action_iii/main")
    'Income:Win:BJ-07:Double-action-iii:Main'
    >>> account_name("tray/Tisch 7")
    'Assets:Tray:X--Tisch--20-7'
    """
    account = parse(code)
    kind = "".join(word.capitalize() for word in account.kind.split("_"))
    return ":".join((_ROOTS[account.account_class], kind, *map(_part, _names(account))))


def _names(account: Account) -> Iterator[str]:
    for field in CHART[account.kind][1]:
        yield getattr(account, field)


def _part(name: str) -> str:
    """A part of an account's name: characters, digits and hyphens, with a capital or a digit first.

    Any other name is escaped, and no other has two hyphens in a row."""
    if _LOWER.fullmatch(name):
        return name[0].upper() + name[1:].replace("_", "-")
    if _UPPER.fullmatch(name) and not _OF_LOWER.fullmatch(name):
        return name
    return _ESCAPED + "".join(_escape(name, place) for place in range(len(name)))


def _escape(name: str, place: int) -> str:
    sign = name[place]
    if sign.isascii() and sign.isalnum():
        return sign
    following = name[place + 1 : place + 2]
    if sign == "_" and following.isascii() and following.isalnum():
        return "-"
    return f"--{ord(sign):x}-"


def changes_of(entry: Entry) -> dict[str, int]:
    """Debit (positive) or credit of each account, in the order in which they are named."""
    changes: dict[str, int] = {}
    for transfer in entry.transfers:
        changes[transfer.debit] = changes.get(transfer.debit, 0) + transfer.cents
        changes[transfer.credit] = changes.get(transfer.credit, 0) - transfer.cents
    return {code: cents for code, cents in changes.items() if cents}


def _facts(entry: Entry) -> dict[str, str]:
    """The known metadata of an entry."""
    source = entry.source
    facts = {
        "id": entry.id,
        "kind": entry.kind,
        "at": format_moment(read_time(entry.at)) if entry.HasField("at") else "",
        "table": entry.table_id,
        "round": entry.round,
        "version": str(entry.version) if entry.version else "",
        "seq": str(entry.seq) if entry.seq else "",
        "author": entry.author,
        "reason": entry.reason,
        "source": f"{source.topic}/{source.partition}/{source.offset}" if source.topic else "",
    }
    return {name: value for name, value in facts.items() if value}


def _title(entry: Entry) -> str:
    words = entry.kind.replace("_", " ")
    about = entry.round or entry.table_id
    return f"{words} {about}" if about else words


def _postings(entry: Entry, names: Mapping[str, str]) -> Iterator[str]:
    amounts = {names[code]: decimal(cents, 2) for code, cents in changes_of(entry).items()}
    widest = max(map(len, amounts), default=0)
    wide = max(map(len, amounts.values()), default=0)
    for name, cents in amounts.items():
        yield f"    {name:<{widest}}  {cents:>{wide}} {CURRENCY}"


class BeancountEntries:
    """A file for beancount. Entries must come in the order of days: an account is opened on the
    day of its first entry."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._names: dict[str, str] = {}

    def head(self) -> Iterator[str]:
        yield f'option "title" {_quoted(self._title)}'
        yield f'option "operating_currency" {_quoted(CURRENCY)}'

    def lines(self, entry: Entry) -> Iterator[str]:
        yield ""
        for code in changes_of(entry):
            if code not in self._names:
                self._names[code] = account_name(code)
                yield f"{entry.gaming_day} open {self._names[code]} {CURRENCY}"
                yield f"    code: {_quoted(code)}"
        tag = " #adjusting" if entry.adjusting else ""
        yield f"{entry.gaming_day} * {_quoted(_title(entry))}{tag}"
        yield from (f"    {name}: {_quoted(value)}" for name, value in _facts(entry).items())
        yield from _postings(entry, self._names)


def _quoted(text: str) -> str:
    escaped = escape(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class HledgerEntries:
    """A journal for hledger that passes its strict checks."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._names: dict[str, str] = {}

    def head(self) -> Iterator[str]:
        yield f"; {escape(self._title)}"
        yield f"commodity 1000.00 {CURRENCY}"
        yield from (f"tag {name}" for name in _TAGS)

    def lines(self, entry: Entry) -> Iterator[str]:
        yield ""
        for code in changes_of(entry):
            if code not in self._names:
                self._names[code] = account_name(code)
                kind = _TYPES[parse(code).account_class]
                yield f"account {self._names[code]}  ; type:{kind}, code:{_tag(code)}"
        yield f"{entry.gaming_day} * {_tag(_title(entry))}"
        yield from (f"    ; {name}:{_tag(value)}" for name, value in _facts(entry).items())
        if entry.adjusting:
            yield "    ; adjusting:"
        yield from _postings(entry, self._names)


_TAGS: Final = (
    "id", "kind", "at", "table", "round", "version", "seq", "author", "reason", "source",
    "adjusting", "type", "code",
)  # fmt: skip
_PERCENT: Final = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "%,;|"})


def _tag(text: str) -> str:
    """The value of a tag ends at a comma, and a title at a semicolon: they are escaped."""
    return escape(text).translate(_PERCENT)
