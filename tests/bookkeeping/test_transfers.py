"""From what changed on each account to balanced transfers."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookkeeping.accounts import CHART, Account, AccountKind, parse
from bookkeeping.errors import AmountTooLarge, NoAccount, Unbalanced
from bookkeeping.transfers import CENTS_MAX, Change, pair_off

names = st.text(min_size=1, max_size=12)


@st.composite
def accounts(draw: st.DrawFn) -> Account:
    kind = draw(st.sampled_from(AccountKind))
    return Account(kind, **{field: draw(names) for field in CHART[kind][1]})


@st.composite
def balanced(draw: st.DrawFn) -> list[Change]:
    """Any changes, and one more account that takes the rest."""
    cents = st.integers(-(10**9), 10**9)
    changes = draw(st.lists(st.tuples(accounts(), cents), max_size=8))
    return [*changes, (draw(accounts()), -sum(amount for _, amount in changes))]


@given(balanced())
def test_transfers_bring_about_exactly_what_changed(changes: list[Change]) -> None:
    wanted: Counter[Account] = Counter()
    for account, cents in changes:
        wanted[account] += cents
    made: Counter[Account] = Counter()
    transfers = pair_off(changes)
    for debit, credit, cents in transfers:
        assert cents > 0
        assert debit != credit
        made[debit] += cents
        made[credit] -= cents
    assert {account: cents for account, cents in made.items() if cents} == {
        expected: cents for expected, cents in wanted.items() if cents
    }
    assert len(transfers) <= max(len(wanted) - 1, 0)


@given(balanced())
def test_the_same_changes_give_the_same_transfers(changes: list[Change]) -> None:
    assert pair_off(changes) == pair_off(list(changes))


def test_changes_that_do_not_add_up_are_rejected_with_the_difference() -> None:
    tray, box = Account(AccountKind.TRAY, table="T1"), Account(AccountKind.BOX, table="T1")
    with pytest.raises(Unbalanced) as rejected:
        pair_off([(tray, 500), (box, -450)])
    assert rejected.value.cents == 50


def test_an_amount_that_no_floor_has_is_rejected() -> None:
    tray, box = Account(AccountKind.TRAY, table="T1"), Account(AccountKind.BOX, table="T1")
    with pytest.raises(AmountTooLarge):
        pair_off([(tray, CENTS_MAX + 1), (box, -CENTS_MAX - 1)])


@given(accounts())
def test_a_code_names_its_account_and_no_other(account: Account) -> None:
    assert parse(account.code) == account
    assert 0 <= account.id < 2**63


@given(accounts(), accounts())
def test_accounts_that_differ_have_other_codes_and_numbers(one: Account, other: Account) -> None:
    assert (one == other) is (one.code == other.code) is (one.id == other.id)


@pytest.mark.parametrize("code", ["", "tray", "tray/", "till/BJ-07", "win/BJ-07/main", "tray/a/b"])
def test_a_code_of_no_account_is_rejected_with_how_it_is_written(code: str) -> None:
    with pytest.raises(NoAccount):
        parse(code)
