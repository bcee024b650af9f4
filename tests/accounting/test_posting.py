"""The topics into the ledger: every cent once, whatever the order and the batches."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import psycopg
import pytest

from accounting.kafka.ledger_projection import READ
from accounting.postgres.batch_writer import COLUMNS
from casino.settlement.v1.settled_round_pb2 import SettledRound
from tests.accounting.books import Books, Log
from tests.table_simulator.days import a_day
from wire.topics import SETTLED_ROUNDS

EVERY_TABLE = sorted(COLUMNS)


def test_a_day_is_posted_and_nothing_of_it_is_refused(books: Books) -> None:
    log = Log()
    log.play(a_day(7, tables=5, rounds=10))
    books.take(log.messages())
    assert books.rows("refusals") == []
    (rounds,) = books.ask("SELECT count(*) FROM rounds")
    assert rounds == (50,)


def test_the_order_of_topics_and_the_size_of_batches_change_no_row(
    make_books: Callable[[], Books],
) -> None:
    log = Log()
    log.play(a_day(3, tables=5, rounds=8, every=1, patterns=1))
    first, second = make_books(), make_books()
    first.take(log.messages(), batch=10_000)
    second.take(log.messages(Random(1).sample(READ, len(READ))), batch=37)
    for table in EVERY_TABLE:
        assert first.rows(table) == second.rows(table), table


def test_what_is_read_again_is_posted_once(make_books: Callable[[], Books]) -> None:
    log = Log()
    log.play(a_day(4, tables=5, rounds=5))
    once, twice = make_books(), make_books()
    once.take(log.messages())
    twice.take(log.messages())
    twice.take(log.repeated().messages())
    for table in ("entries", "transfers", "wagers", "rounds", "cash", "cage", "coupons"):
        assert once.rows(table) == twice.rows(table), table


def test_the_books_balance_and_tie_to_the_rounds(books: Books) -> None:
    log = Log()
    log.play(a_day(5, tables=5, rounds=20, every=1, patterns=1))
    books.take(log.messages(), batch=100)
    (balance,) = books.ask(
        "SELECT sum(CASE WHEN a.id = t.debit THEN t.cents ELSE -t.cents END)"
        " FROM transfers t JOIN accounts a ON a.id IN (t.debit, t.credit)"
    )
    assert balance == (0,)
    (owed,) = books.ask(
        "SELECT sum(sign * (taken - owed + coupon_owed)) FROM wagers"
        " WHERE result NOT IN ('undetermined', 'not_settled')"
    )
    (won,) = books.ask(
        "SELECT coalesce(sum(CASE WHEN a.id = t.credit THEN t.cents ELSE -t.cents END), 0)"
        " FROM transfers t JOIN accounts a ON a.id IN (t.debit, t.credit)"
        " WHERE a.kind IN ('win', 'jackpot') AND a.game <> ''"
    )
    assert won == owed


def test_the_application_may_add_to_the_ledger_and_change_nothing(books: Books) -> None:
    log = Log()
    log.play(a_day(6, tables=1, rounds=3))
    books.take(log.messages())
    for table in EVERY_TABLE:
        for statement in (f"DELETE FROM {table}", f"TRUNCATE {table}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                books.ask(statement)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            books.ask(f'UPDATE {table} SET "{COLUMNS[table][0]}" = DEFAULT')


def test_a_transfer_that_does_not_balance_has_no_place(books: Books) -> None:
    log = Log()
    log.play(a_day(6, tables=1, rounds=3))
    books.take(log.messages())
    for debit, credit, cents in ((1, 1, 100), (1, 2, 0), (1, 2, -5), (1, 2, 10**15 + 1)):
        with pytest.raises(psycopg.errors.CheckViolation):
            books.ask(
                "INSERT INTO transfers SELECT gaming_day, entry_id, 99, %s, %s, %s"
                " FROM transfers LIMIT 1",
                debit,
                credit,
                cents,
            )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda said: said.ClearField("round"), "not stated"),
        (lambda said: said.outcomes.append(said.outcomes[0]), "repeated wager"),
        (lambda said: setattr(said.outcomes[0], "seat", 2**31), "out of range"),
        (lambda said: said.ClearField("opened_at"), "time"),
        (lambda said: setattr(said, "status", 99), "unknown result"),
        (lambda said: setattr(said.outcomes[0], "taken_cents", 2**62), "more than an entry"),
    ],
)
def test_a_round_that_makes_no_sense_is_refused_and_the_rest_is_posted(
    books: Books, change: Callable[[SettledRound], None], reason: str
) -> None:
    log = Log()
    log.play(a_day(6, tables=1, rounds=3))
    whole = [SettledRound.FromString(message.body) for message in log.messages([SETTLED_ROUNDS])]
    change(whole[1])
    broken = Log()
    for said in whole:
        broken.append(SETTLED_ROUNDS, said.SerializeToString(), "T001")
    broken.append(SETTLED_ROUNDS, b"\xff\xff", "T001")
    books.take(broken.messages())
    assert books.ask("SELECT count(*) FROM rounds") == [(2,)]
    refused = [row[5] for row in books.rows("refusals")]
    assert len(refused) == 2
    assert any(reason in rejection for rejection in refused)
    assert any("no SettledRound" in rejection for rejection in refused)
