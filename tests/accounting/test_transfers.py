"""Changes of accounts become transfers that say the same."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookkeeping.accounts import Account, AccountKind, parse
from bookkeeping.errors import AmountTooLarge, Unbalanced
from bookkeeping.transfers import CENTS_MAX, Change, pair_off

ACCOUNTS = [Account(AccountKind.TRAY, table=f"T{number}") for number in range(4)]

accounts = st.sampled_from(ACCOUNTS)
amounts = st.integers(-1_000, 1_000)


@st.composite
def balanced(draw: st.DrawFn) -> list[Change]:
    """A few changes, and one more that brings their sum to nothing."""
    changes = draw(st.lists(st.tuples(accounts, amounts), max_size=5))
    rest = -sum(cents for _, cents in changes)
    return [*changes, (draw(accounts), rest)]


@given(balanced())
def test_transfers_change_every_account_as_was_asked(changes: list[Change]) -> None:
    made = pair_off(changes)
    asked: Counter[Account] = Counter()
    for account, cents in changes:
        asked[account] += cents
    found: Counter[Account] = Counter()
    for debit, credit, cents in made:
        assert cents > 0
        assert debit != credit
        found[debit] += cents
        found[credit] -= cents
    assert {a: c for a, c in found.items() if c} == {a: c for a, c in asked.items() if c}
    assert len(made) <= max(0, sum(1 for cents in asked.values() if cents) - 1)


@given(accounts, accounts, amounts)
def test_two_changes_are_one_transfer_or_none(one: Account, other: Account, cents: int) -> None:
    made = pair_off([(one, cents), (other, -cents)])
    assert len(made) == (1 if cents and one != other else 0)
    for debit, credit, moved in made:
        assert (debit, credit, moved) == (
            (one, other, cents) if cents > 0 else (other, one, -cents)
        )


def test_changes_that_do_not_add_up_are_refused() -> None:
    for changes in ([(ACCOUNTS[0], 5), (ACCOUNTS[1], -4)], [(ACCOUNTS[0], 5)]):
        with pytest.raises(Unbalanced):
            pair_off(changes)


@pytest.mark.parametrize("cents", [CENTS_MAX + 1, -CENTS_MAX - 1])
def test_an_amount_that_no_floor_has_is_refused(cents: int) -> None:
    with pytest.raises(AmountTooLarge):
        pair_off([(ACCOUNTS[0], cents), (ACCOUNTS[1], -cents)])


def test_an_account_is_the_same_before_and_after_its_number_was_asked_for() -> None:
    asked, fresh = parse("tray/BJ-07"), parse("tray/BJ-07")
    assert asked.id == Account(AccountKind.TRAY, table="BJ-07").id
    assert asked == fresh
    assert hash(asked) == hash(fresh)
