"""Reports of simulated days: every identity holds, totals tie, and what was planted comes out."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from accounting.domain.reports import REPORTS
from accounting.postgres.theory import TheoryCache
from blackjack.rulebook.rule_set import RuleSet
from casino.settlement.v1.settled_round_pb2 import SettledRound
from odds.round_theory import WagerTheory
from report_forms.cells import CENTS
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.fault_plan import Plan
from tests.accounting.asked import DAY, Shown, ask, explained, report, value
from tests.accounting.behind import check_behind, figures_of
from tests.accounting.books import Books, Log
from tests.table_simulator.days import a_day
from wire import topics

SEEDS = (3, 5, 8)


def played(books: Books, day: SimulatedDay) -> Books:
    log = Log()
    log.play(day)
    books.take(log.messages(), batch=5_000)
    return books


def planted(seed: int, *, tables: int = 4, rounds: int = 12, **per_day: int) -> SimulatedDay:
    plan = Plan(per_day={name.replace("_", " "): count for name, count in per_day.items()})
    return simulate(seed=seed, tables=tables, rounds=rounds, plan=plan)


def of(row: dict[str, Any], *keys: str) -> list[int]:
    return [int(value(row[key])) for key in keys]


@pytest.mark.parametrize("every", [0, 1])
@pytest.mark.parametrize("seed", SEEDS)
def test_physical_win_is_win_as_paid_and_what_moved_undetermined_and_both_variances(
    books: Books, seed: int, every: int
) -> None:
    played(books, a_day(seed, tables=5, rounds=20, every=every, patterns=every))
    found = report(books, "reconciliation")
    assert len(found.rows) == 5
    for row in found.rows:
        physical, owed, paid, undetermined, tray, drop = of(
            row, "physical", "owed", "paid", "undetermined", "tray_variance", "drop_variance"
        )
        over, under = of(row, "overpaid", "underpaid")
        assert physical == paid + undetermined + tray + drop
        assert paid == owed + over + under
        assert over <= 0 <= under
        causes = of(
            row, "other_day", "found", "no_wager", "by_hand", "error_slip", "unobserved",
            "incomplete", "unexplained_tray", "unexplained_drop",
        )  # fmt: skip
        assert sum(causes) == tray + drop


@pytest.mark.parametrize("seed", SEEDS)
def test_a_clean_day_has_no_variance_and_nothing_unexplained(books: Books, seed: int) -> None:
    played(books, a_day(seed, tables=5, rounds=20))
    found = report(books, "reconciliation")
    for key in (
        "undetermined", "overpaid", "underpaid", "tray_variance", "drop_variance",
        "unexplained_tray", "unexplained_drop",
    ):  # fmt: skip
        assert set(found.column(key)) == {0}, key
    assert found.column("physical") == found.column("owed") == found.column("paid")
    assert report(books, "payout_exceptions").rows == []
    coupons = report(books, "coupon_ledger")
    assert coupons.total("problems") == 0
    assert coupons.total("undropped") == 0
    slips = report(books, "slip_sequence")
    assert slips.total("missing") == slips.total("halves") == slips.total("unsigned") == 0


def test_an_overpayment_comes_out_to_the_cent(books: Books) -> None:
    day = planted(11, overpaid=1)
    (truth,) = day.truths
    played(books, day)
    found = report(books, "reconciliation")
    row = found.row(table=truth.table)
    assert row["overpaid"] == -truth.cents
    assert row["paid"] == row["owed"] - truth.cents == row["physical"]
    assert found.total("overpaid") == -truth.cents
    assert f"{truth.table}, round {truth.round}" in found.notes
    (exception,) = report(books, "payout_exceptions").rows
    assert value(exception["difference"]) == -truth.cents
    assert value(exception["round"]) == truth.round


@pytest.mark.parametrize(
    ("fault", "cents"), [("tray variance", -300_00), ("tray changed", -500_00)]
)
def test_a_short_tray_is_explained_by_what_was_found(books: Books, fault: str, cents: int) -> None:
    day = simulate(seed=12, tables=4, rounds=12, plan=Plan(per_day={fault: 1}))
    (truth,) = day.truths
    played(books, day)
    found = report(books, "reconciliation")
    row = found.row(table=truth.table)
    assert row["tray_variance"] == cents
    assert row["found"] == cents
    assert row["unexplained_tray"] == 0
    assert found.total("tray_variance") == cents


def test_a_short_box_is_unexplained_to_the_cent(books: Books) -> None:
    day = planted(13, drop_short=1)
    (truth,) = day.truths
    played(books, day)
    found = report(books, "reconciliation")
    row = found.row(table=truth.table)
    assert row["drop_variance"] == row["unexplained_drop"] == -truth.cents
    assert found.total("unexplained_drop") == -truth.cents
    assert found.total("unexplained_tray") == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_totals_tie_across_reports(books: Books, seed: int) -> None:
    played(books, a_day(seed, tables=5, rounds=20, every=1, patterns=1))
    master, reconciled = report(books, "master_games"), report(books, "reconciliation")
    wagers, hold = report(books, "win_by_wager"), report(books, "hold_variance")
    exceptions, coupons = report(books, "payout_exceptions"), report(books, "coupon_ledger")
    cost, balance = report(books, "promotion_cost"), report(books, "trial_balance")
    assert master.total("win") == reconciled.total("physical") == hold.total("win")
    assert master.total("drop") == hold.total("drop")
    assert reconciled.total("owed") == wagers.total("owed")
    assert reconciled.total("paid") == wagers.total("paid")
    assert reconciled.total("undetermined") == wagers.total("undetermined")
    errors = reconciled.total("overpaid") + reconciled.total("underpaid")
    assert (exceptions.total("difference") if exceptions.rows else 0) == errors
    assert wagers.total("paid") - wagers.total("owed") == errors
    promotion = reconciled.total("promotion_cost")
    assert promotion == wagers.total("promotion_cost") == coupons.total("winnings_paid")
    assert promotion == cost.total("winnings_paid")
    assert coupons.total("redeemed_face") == cost.total("redeemed_face")
    assert balance.total("debit") == balance.total("credit")
    assert _balance(balance, "box/") == -reconciled.total("drop_variance")
    assert _balance(balance, "tray/") == -reconciled.total("tray_variance")
    assert _balance(balance, "receivable/", "payable/") == -errors
    assert _balance(balance, "promotion_expense/") == promotion
    assert _balance(balance, "win/", "jackpot/") == -(reconciled.total("owed") + promotion)
    cash, out = report(books, "cash_log"), report(books, "promotion_liability")
    for kind, column in (("currency", "cash_in"), ("debit", "debit")):
        variance = reconciled.total(f"drop_variance_{kind}")
        assert cash.total(column) == master.total(f"drop_{kind}") - variance
    assert sum(
        reconciled.total(f"drop_variance_{kind}")
        for kind in ("currency", "debit", "tickets", "checks")
    ) == reconciled.total("drop_variance")
    assert master.total("drop_tickets")
    assert master.total("tickets_issued")
    assert _balance(balance, "cage_checks") == master.total("drop_checks")
    tickets = master.total("drop_tickets") - master.total("tickets_issued")
    assert _balance(balance, "tickets") == tickets
    for ledger_column, column in (("outstanding", "coupons"), ("outstanding_face", "face")):
        assert (out.total(column) if out.rows else 0) == coupons.total(ledger_column)
    liability = _balance(balance, "promotion_liability/")
    ended = sum(coupons.total(key) for key in ("redeemed_face", "voided_face", "expired_face"))
    assert liability == ended - coupons.total("issued_face")


def odd(rules: RuleSet) -> dict[str, WagerTheory]:
    """Edges that leave parts of cents everywhere."""
    wagers = (*rules.filing.base_wagers, *rules.filing.side_bets)
    return dict.fromkeys(wagers, WagerTheory(edge=1 / 37, variance=1.3, covariance=0.1))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_theory_expects_is_the_same_to_the_cent_in_every_report(
    books: Books, seed: int
) -> None:
    played(books, a_day(seed, tables=5, rounds=20, every=1))
    theories = TheoryCache(theory=odd, cost=lambda *_: 333.4)
    master = report(books, "master_games")
    names = ("reconciliation", "win_by_wager", "hold_variance", "promotion_cost")
    shown = {name: report(books, name, theories=theories) for name in names}
    wins = [part.total("theoretical") for part in shown.values() if "theoretical" in part.keys]
    assert len(wins) == 3
    assert len({*wins}) == 1
    for part in shown.values():
        check_footing(part)
    hold = shown["hold_variance"]
    share = wins[0] * 1_000_000 / master.total("drop")
    assert hold.total("theoretical_hold") == pytest.approx(share, abs=1)
    assert shown["win_by_wager"].total("edge") == round(1_000_000 / 37)
    cost = shown["promotion_cost"]
    assert cost.total("difference") == cost.total("expected") - cost.total("winnings_paid")
    for row in cost.rows:
        is_ace = value(row["kind"]) == "free ace"
        assert (value(row["expected"]) is None) >= is_ace
        assert (value(row["in_wagers"]) is not None) <= is_ace
        assert (value(row["difference"]) is None) == is_ace


OF_ONE = ("promotion_cost", "face")
"""The one amount that is not of a row altogether."""


def check_footing(shown: Shown) -> None:
    """Amounts of the rows add up to the total below them."""
    for key, column in zip(shown.keys, shown.report.columns, strict=True):
        amounts = [amount for amount in shown.column(key) if amount is not None]
        if column.kind == CENTS and (shown.report.name, key) != OF_ONE and amounts:
            assert sum(amounts) == shown.total(key), (shown.report.name, key)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_column_of_money_has_a_total_that_its_rows_add_up_to(books: Books, seed: int) -> None:
    played(books, a_day(seed, tables=5, rounds=20, every=1, patterns=1))
    for name in REPORTS:
        shown = report(books, name)
        assert shown.rows, name
        check_footing(shown)


def _balance(balance: Shown, *beginnings: str) -> int:
    return sum(
        int(value(row["balance"]))
        for row in balance.rows
        if str(value(row["account"])).startswith(beginnings)
    )


@pytest.mark.parametrize("seed", [5, 8])
def test_every_number_of_every_report_leads_down_to_facts_that_add_up_to_it(
    books: Books, seed: int
) -> None:
    played(books, a_day(seed, tables=2, rounds=12, every=1, patterns=1))
    reports = [report(books, name) for name in REPORTS]
    reports += [report(books, "hold_variance", preset=preset_) for preset_ in ("ohio", "maryland")]
    followed = check_behind(books, reports)
    assert {*followed} == {*REPORTS}
    shown = next(report_ for report_ in reports if report_.report.name == "reconciliation")
    assert followed["reconciliation"] > len(list(figures_of(shown))), "parts were followed too"


def test_parts_come_page_by_page_and_each_once(books: Books) -> None:
    played(books, a_day(5, tables=2, rounds=12, every=1))
    shown = report(books, "reconciliation")
    drill = shown.rows[0]["expected_closer"].drill
    for token in (drill, report(books, "slip_sequence").report.totals.cells[4].drill):
        whole = ask(books, partial(explained, drill=token))
        paged = ask(books, partial(explained, drill=token, page_size=3))
        assert len(whole.parts) > 3
        assert [part.SerializeToString() for part in paged.parts] == [
            part.SerializeToString() for part in whole.parts
        ]


def test_a_table_without_a_count_has_empty_figures_and_no_noughts(books: Books) -> None:
    log = Log()
    log.play(a_day(6, tables=2, rounds=4))
    counted = [message for message in log.messages() if b"B-T001" not in message.body]
    books.take(counted)
    for name, keys in (
        ("reconciliation", ("physical", "drop_variance", "unexplained_drop")),
        ("master_games", ("drop", "win", "hold")),
    ):
        found = report(books, name)
        row = found.row(table="T001")
        assert [row[key] for key in keys] == [None, None, None]
        assert None not in [found.row(table="T002")[key] for key in keys]
        assert "Incomplete, no count: T001." in found.notes


STANDING = (
    "FROM wagers w WHERE sign = 1 AND gaming_day = %s AND NOT EXISTS ("
    " SELECT FROM rounds r WHERE r.table_id = w.table_id AND r.round = w.round"
    " AND r.opening_seq = w.opening_seq AND r.version > w.version)"
)


def test_figures_rest_on_the_version_in_force(books: Books) -> None:
    """By whatever rule set a round was settled first, and on whatever day."""
    log = Log()
    log.play(a_day(8, tables=2, rounds=10))
    said = [message for message in log.messages() if message.topic_name == topics.SETTLED_ROUNDS]
    for number, line in enumerate(said[:6]):
        again = SettledRound.FromString(line.body)
        again.version = 2
        again.outcomes[0].stake_cents += 700
        again.outcomes[0].paid_cents += 300
        again.outcomes[0].difference_cents += 300
        if number % 3 == 1:
            again.context.rule_set = "f" * 64
        if number % 3 == 2:
            again.opened_at.seconds += 86_400
        log.append(topics.SETTLED_ROUNDS, again.SerializeToString(), again.table_id)
    books.take(log.messages(), batch=5_000)
    for day in (DAY, "2026-03-02"):
        found = report(books, "win_by_wager", day=day)
        (standing,) = books.ask(f"SELECT sum(stake), sum(difference) {STANDING}", day)
        assert found.total("handle") == standing[0]
        assert found.total("owed") - found.total("paid") == standing[1]
        exceptions = report(books, "payout_exceptions", day=day)
        assert exceptions.total("difference") == -standing[1]
        (rounds,) = books.ask(
            f"SELECT count(DISTINCT (table_id, round)) {STANDING} AND wager = 'main'", day
        )
        mains = [row for row in found.rows if value(row["wager"]) == "Main bet"]
        assert sum(int(value(row["rounds"])) for row in mains) == rounds[0]
        check_behind(books, [found, exceptions])
    decks = report(books, "win_by_wager").column("decks")
    assert None in decks
    assert any(decks)


def test_coupons_in_question_are_named_with_table_and_round(books: Books) -> None:
    wrong = {
        "coupon used twice": "redeemed twice",
        "coupon unknown": "never issued",
        "coupon void": "redeemed after it was voided",
        "other patron's coupon": "issued to",
    }
    day = simulate(seed=5, tables=5, rounds=20, plan=Plan(per_day=dict.fromkeys(wrong, 1)))
    played(books, day)
    planted = [truth for truth in day.truths if truth.fault in wrong]
    assert {fault.fault for fault in planted} == {*wrong}
    notes = report(books, "coupon_ledger").report.notes
    for truth in planted:
        (line, *_) = (note for note in notes if f"coupon {truth.wager}: " in note)
        assert wrong[truth.fault] in " ".join(note for note in notes if truth.wager in note)
        assert ", round " in line


def test_terms_of_one_name_are_told_apart_in_every_report_of_coupons(books: Books) -> None:
    played(books, a_day(5, tables=5, rounds=20, every=1))
    for name in ("coupon_ledger", "promotion_cost", "promotion_liability"):
        found = report(books, name)
        shown = [
            tuple(value(row[key]) for key in ("promotion", "terms", "age") if key in row)
            for row in found.rows
        ]
        assert len({*shown}) == len(shown) > 0, name
    names = report(books, "coupon_ledger").column("promotion")
    assert len({*names}) < len(names)


def test_one_table_alone_gives_its_part_of_the_whole(books: Books) -> None:
    played(books, a_day(5, tables=3, rounds=10, every=1))
    for name in ("master_games", "reconciliation"):
        whole = report(books, name).row(table="T002")
        alone = report(books, name, table_id="T002")
        assert len(alone.rows) == 1
        assert alone.row(table="T002") == whole


def test_winnings_on_coupons_reduce_the_tax_or_not_as_the_house_has_set(books: Books) -> None:
    played(books, a_day(5, tables=3, rounds=10))
    found = report(books, "win_by_wager")
    other = report(books, "win_by_wager", settings={"coupon_winnings_reduce_tax": False})
    assert found.total("promotion_cost") > 0
    paid = found.total("paid")
    whole = paid + found.total("promotion_cost")
    for shown, figure in ((found, paid), (other, whole)):
        (line,) = (note for note in shown.report.notes if note.startswith("Net win for tax"))
        sign = "-" if figure < 0 else ""
        assert line.startswith(f"Net win for tax: {sign}${abs(figure) / 100:,.2f} ")


def test_a_day_with_nothing_in_it_has_empty_reports(books: Books) -> None:
    for name in REPORTS:
        found = report(books, name, day="2027-01-01")
        assert found.rows == [], name
        assert found.report.from_day == found.report.until_day == "2027-01-01"


def test_a_report_is_final_when_all_its_days_are_closed(books: Books) -> None:
    assert not report(books, "trial_balance").report.is_final
    books.ask_nothing("INSERT INTO closed_days VALUES (%s, 'x', 'somebody', 1, '{}'::jsonb)", DAY)
    assert report(books, "trial_balance").report.is_final
    assert not report(books, "trial_balance", until_day="2026-03-02").report.is_final
