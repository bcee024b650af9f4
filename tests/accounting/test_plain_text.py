"""The exported journal of real posted days, read by beancount itself."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from beancount import loader
from beancount.core import data
from hypothesis import given
from hypothesis import strategies as st

from bookkeeping.accounts import Account, AccountKind
from casino.accounting.v1.ledger_pb2 import Entry, Source, Transfer
from pitctl.accounting.plain_text import BeancountEntries, account_name
from tests.accounting.books import Books, Log
from tests.accounting.journal import entries_of
from tests.table_simulator.days import a_day

TITLE = 'The "Ångström" \\ Casino, gaming day 2026-03-01'


def exported(entries: Iterable[Entry]) -> str:
    writer = BeancountEntries(TITLE)
    lines = [*writer.head(), *(line for entry in entries for line in writer.lines(entry))]
    return "\n".join([*lines, ""])


def loaded(text: str) -> tuple[list[Any], dict[str, Any]]:
    """What beancount makes of it; nothing of it may be wrong."""
    directives, errors, options = loader.load_string(text)
    assert errors == []
    return directives, options


def balances(directives: list[Any]) -> dict[str, int]:
    """In cents, by the code that each account was opened with."""
    codes = {
        directive.account: directive.meta["code"]
        for directive in directives
        if isinstance(directive, data.Open)
    }
    sums: Counter[str] = Counter()
    for directive in directives:
        if isinstance(directive, data.Transaction):
            for posting in directive.postings:
                assert posting.units is not None
                assert posting.units.currency == "USD"
                assert isinstance(posting.units.number, Decimal)
                sums[codes[posting.account]] += int(posting.units.number * 100)
    return {code: cents for code, cents in sums.items() if cents}


def test_beancount_takes_the_journal_of_days_and_finds_the_ledgers_own_balances(
    books: Books, tmp_path: Path
) -> None:
    log = Log()
    log.play(a_day(5, tables=5, rounds=12, every=1, patterns=1))
    books.take(log.messages())
    entries = entries_of(books)
    text = exported(entries)
    directives, options = loaded(text)
    assert options["title"] == TITLE
    assert options["operating_currency"] == ["USD"]
    transactions = [
        directive for directive in directives if isinstance(directive, data.Transaction)
    ]
    assert len(transactions) == len(entries) > 100
    assert {transaction.meta["id"] for transaction in transactions} == {
        entry.id for entry in entries
    }
    a_round = next(
        transaction for transaction in transactions if transaction.meta["kind"] == "round"
    )
    assert {"table", "round", "source", "at"} <= set(a_round.meta)
    in_the_ledger = books.ask(
        "SELECT a.code, sum(CASE WHEN a.id = t.debit THEN t.cents ELSE -t.cents END)"
        " FROM transfers t JOIN accounts a ON a.id IN (t.debit, t.credit) GROUP BY a.code"
    )
    assert balances(directives) == {code: int(cents) for code, cents in in_the_ledger if cents}

    file = tmp_path / "journal.beancount"
    file.write_text(text, "utf-8")
    script = Path(sys.executable).with_name("bean-check")
    done = subprocess.run([script, file], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_beancount_takes_whatever_people_and_tables_are_called() -> None:
    names = ["Tisch 7", "tisch_7", "Tisch-7", "x--7", 'a"b\\c', "è/é", "-", "", "\n; option"]
    entries = [
        Entry(
            id=f"{number:032x}",
            gaming_day="2026-03-01",
            kind="entry_posted",
            table_id=name,
            author=name,
            reason=f'{name} "quoted" \\ #tag ^link\nnext line',
            adjusting=True,
            source=Source(topic="cage-events", offset=number),
            transfers=[
                Transfer(
                    debit=Account(AccountKind.TRAY, table=name).code,
                    credit=Account(AccountKind.ADJUSTMENT).code,
                    cents=10**15,
                )
            ],
        )
        for number, name in enumerate(names)
    ]
    directives, _ = loaded(exported(entries))
    assert (
        len([directive for directive in directives if isinstance(directive, data.Open)])
        == len(names) + 1
    )
    tags = {
        tag
        for directive in directives
        if isinstance(directive, data.Transaction)
        for tag in directive.tags
    }
    assert tags == {"adjusting"}


any_name = st.text(max_size=6) | st.text("aA_-X0 /%", max_size=8)


@given(any_name, any_name)
def test_no_two_accounts_have_the_same_name(one: str, other: str) -> None:
    first, second = (
        account_name(Account(AccountKind.PROMOTION_EXPENSE, promotion=entry, table="T").code)
        for entry in (one, other)
    )
    assert (first == second) == (one == other)
