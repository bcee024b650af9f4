"""The amounts of alerts and findings, as they are shown."""

from __future__ import annotations

import pytest

from alerting.kinds import KINDS, MEASURED, format_amount
from blackjack.findings import Kind
from blackjack.money import Tone

EVIDENCE = ("payout", "shortage")
"""Kinds of evidence that are neither findings nor alerts."""


@pytest.mark.parametrize("prefix", MEASURED)
def test_every_measured_kind_exists(prefix: str) -> None:
    assert any(kind.startswith(prefix) for kind in (*KINDS, *Kind, *EVIDENCE))


@pytest.mark.parametrize("kind", ["payout.overpaid", "payout.mismatch", "tray.changed", "shortage"])
def test_what_the_house_lost_is_negative_and_red(kind: str) -> None:
    assert format_amount(25_00, kind) == ("-$25.00", Tone.LOSS)
    assert format_amount(-25_00, kind) == ("+$25.00", Tone.GAIN)


@pytest.mark.parametrize("kind", ["cash.no_patron", "limit.breach", "bet.past_post", "win.big"])
def test_an_amount_that_measures_no_result_has_neither_sign_nor_color(kind: str) -> None:
    assert format_amount(25_00, kind) == ("$25.00", Tone.EVEN)
