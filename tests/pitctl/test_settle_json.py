"""The report for programs: records that read back as what the engine said."""

from __future__ import annotations

from pathlib import Path

import pytest

from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import SettledRound
from table_simulator.days.randomness import play_day
from tests.pitctl import hands
from tests.pitctl.command import as_lines, events_of, pitctl, records_of, written
from wire.json_lines import record_from_json


@pytest.mark.parametrize("history", [hands.ALL_GAMES, hands.OVERPAID, hands.CORRECTED])
def test_records_read_back_as_what_the_engine_said(tmp_path: Path, history: str) -> None:
    result = pitctl("settle", "--json", written(tmp_path, history))
    records = [record_from_json(line) for line in result.stdout.splitlines()]
    assert records == records_of(events_of(history))


def test_tables_of_a_day_are_settled_side_by_side(tmp_path: Path) -> None:
    events = tuple(play_day(seed=11, tables=5, rounds=4))
    path = written(tmp_path, "\n".join(as_lines(events)), "day.jsonl")
    result = pitctl("settle", "--json", path)
    assert result.exit_code == 0
    records = [record_from_json(line) for line in result.stdout.splitlines()]
    assert records == records_of(events)
    tables = [record.table for record in records]
    assert len(tables) == 20
    assert tables != sorted(tables)


def test_a_correction_gives_finding_round_withdrawal_and_round(tmp_path: Path) -> None:
    result = pitctl("settle", "--json", written(tmp_path, hands.CORRECTED))
    records = [record_from_json(line) for line in result.stdout.splitlines()]
    assert [type(each) for each in records] == [Finding, SettledRound, Withdrawal, SettledRound]


@pytest.mark.parametrize(
    ("history", "dealer"),
    [
        (hands.DOUBLE_ACTION, "8H up, 8S hole, TC drawn"),
        (hands.HALF_BACK, "4C replaced, 8D up, TH hole"),
        (hands.MATCH_MADNESS, "2H match_me_2, KS match_me"),
    ],
)
def test_a_round_says_how_the_dealers_cards_lay(history: str, dealer: str) -> None:
    (settled,) = [each for each in records_of(events_of(history)) if isinstance(each, SettledRound)]
    assert ", ".join(f"{each.card} {each.place}" for each in settled.dealer) == dealer
    assert 0 not in {each.seat for each in settled.hands}


def test_a_round_says_how_hands_were_played() -> None:
    records = records_of(events_of(hands.DEAD_MANS_HAND))
    (settled,) = [each for each in records if isinstance(each, SettledRound)]
    assert [(each.hand, each.from_split, each.doubled) for each in settled.hands] == [
        (1, True, False),
        (2, True, False),
    ]


def test_findings_only_leaves_the_rounds_out(tmp_path: Path) -> None:
    result = pitctl("settle", "--json", "--findings-only", written(tmp_path, hands.CORRECTED))
    records = [record_from_json(line) for line in result.stdout.splitlines()]
    assert [type(each) for each in records] == [Finding, Withdrawal]


def test_standard_output_has_only_records_and_standard_error_the_rest(tmp_path: Path) -> None:
    lines = as_lines(events_of(hands.OVERPAID))
    lines.insert(5, "{}")
    path = written(tmp_path, "\n".join(lines))
    result = pitctl("settle", "--json", path)
    assert result.exit_code == 2
    assert [line[:10] for line in result.stdout.splitlines()] == ['{"finding"', '{"round":{']
    assert result.stderr.splitlines() == [
        f"{path}:6: no fact is set, or one that this contract does not know",
        "1 round, 1 wager: $25.00 due to patrons, $30.00 paid, net difference -$5.00 "
        "($5.00 overpaid)",
        "1 finding: 1 P3",
        "1 line could not be read",
    ]


def test_a_name_that_no_record_can_carry_is_said_and_the_rest_is_written(tmp_path: Path) -> None:
    broken = hands.SKWEEZIT.replace("table SK-07", r'table "\ud800"')
    result = pitctl("settle", "--json", written(tmp_path, broken + hands.OVERPAID))
    assert result.exit_code == 2
    assert "cannot be written as a record" in result.stderr
    assert len(result.stdout.splitlines()) == 2
