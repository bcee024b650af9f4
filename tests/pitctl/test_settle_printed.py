"""What a person reads: every game with its clause and arithmetic, findings with their proof."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from blackjack.cards.card import card
from blackjack.display_names import wager_name
from blackjack.hand_history import parse
from pitctl.output.text import Page
from tests.pitctl import hands
from tests.pitctl.command import as_lines, pitctl, rows_of, written

ROUNDS = Path(__file__).resolve().parent.parent / "rounds"


def test_skweezit_shows_the_belly_with_its_odds_and_clause(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.SKWEEZIT))
    assert result.exit_code == 0
    assert rows_of(result.stdout, "dealer") == ["dealer K♦ up 7♣ hole 17"]
    assert rows_of(result.stdout, "seat 1") == ["seat 1 Q♣ A♥ blackjack"]
    assert rows_of(result.stdout, "1 Skweezit") == ["1 Skweezit 5.00 won 100.00 100.00 0.00"]
    assert rows_of(result.stdout, "belly") == [
        'belly skweezer, 20 to 1 on $5.00 = $100.00 [Skweezit Blackjack, Appendix "A", Payouts]'
    ]
    assert rows_of(result.stdout, "2 Main") == ["2 Main bet 10.00 pushed 0.00 0.00 0.00"]


def test_the_heading_names_table_round_rules_time_and_staff(tmp_path: Path) -> None:
    lines = pitctl("settle", written(tmp_path, hands.SKWEEZIT)).stdout.splitlines()
    assert lines[0].startswith("── SK-07, round R-17 ──")
    assert lines[1].startswith("  Skweezit Blackjack, 6 decks, Skweezit 1, S17  rule set ")
    assert lines[2] == ("  2026-03-01 20:15:00 UTC, dealer D-1204, supervisor S-88, events 5 to 24")


def test_double_action_shows_both_side_bets_and_the_dealers_bust(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.DOUBLE_ACTION))
    assert result.exit_code == 0
    assert rows_of(result.stdout, "dealer ") == [
        "dealer 8♥ up 8♠ hole T♣ 26, bust",
        "dealer bust, 16 stands, 1 to 1 on $10.00 = $10.00",
    ]
    assert rows_of(result.stdout, "three of a kind") == [
        "three of a kind, 21 to 1 on $5.00 = $105.00"
    ]
    assert rows_of(result.stdout, "triple") == ["triple match, 100 to 1 on $5.00 = $500.00"]
    assert "[Double Action Blackjack III, Match Madness payouts, Six Decks (option 1)]" in (
        result.stdout
    )


def test_match_madness_shows_which_card_lay_on_which_place(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.MATCH_MADNESS))
    assert result.exit_code == 0
    assert rows_of(result.stdout, "dealer") == ["dealer Match Me 2 2♥ Match Me K♠"]
    assert rows_of(result.stdout, "seat 1") == ["seat 1 K♦ 9♣ 4♣"]
    assert rows_of(result.stdout, "unsuited") == [
        "unsuited match, 1 to 1 on $5.00 = $5.00 [Match Madness, Payouts, Four Decks]"
    ]


def test_dead_mans_hand_shows_split_hands_and_one_bonus_for_the_spot(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.DEAD_MANS_HAND))
    assert result.exit_code == 0
    assert rows_of(result.stdout, "seat 1.2") == ["seat 1.2 8♦ A♦ soft 19"]
    assert rows_of(result.stdout, "1.2 Main") == ["1.2 Main bet 10.00 won 10.00 10.00 0.00"]
    assert rows_of(result.stdout, "1 Dead") == [
        f"1 {wager_name('dead_mans_hand')} 5.00 won 250.00 250.00 0.00"
    ]
    assert rows_of(result.stdout, "two sets") == ["two sets, 50 to 1 on $5.00 = $250.00"]
    assert "Bonus Bet Winning Outcomes, Paytable #1]" in result.stdout


def test_half_back_shows_the_card_that_was_replaced(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.HALF_BACK))
    assert result.exit_code == 0
    assert rows_of(result.stdout, "dealer") == ["dealer 8♦ up (for 4♣) T♥ hole 18"]
    assert rows_of(result.stdout, "1 Half Back") == ["1 Half Back 10.00 returned 0.00 0.00 0.00"]
    assert rows_of(result.stdout, "seven to nine up") == [
        "seven to nine up, 1 to 1 on $5.00 = $5.00"
    ]


def test_five_tables_in_one_text_are_settled_each_and_added_up(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.ALL_GAMES))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-2:] == [
        "5 rounds, 14 wagers: $1,017.50 due to patrons, $1,017.50 paid, net difference $0.00",
        "no findings",
    ]


def test_a_finding_has_its_level_sentence_rule_and_proof(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.OVERPAID))
    assert result.exit_code == 1
    assert rows_of(result.stdout, "1 Main") == ["1 Main bet 25.00 won 25.00 30.00 -5.00"]
    assert rows_of(result.stdout, "P3 Overpaid") == [
        "P3 Overpaid $5.00: seat 1 was owed $25.00 and was paid $30.00"
    ]
    assert rows_of(result.stdout, "rule:") == ["rule: Skweezit Blackjack, Rules of Play 5"]
    assert rows_of(result.stdout, "proved by") == [
        "proved by event 13 (wager paid) on line 11, dealer D-1204, patron P-9, amount -$5.00"
    ]
    assert result.stdout.splitlines()[-2:] == [
        "1 round, 1 wager: $25.00 due to patrons, $30.00 paid, net difference -$5.00 "
        "($5.00 overpaid)",
        "1 finding: 1 P3",
    ]


def test_a_correction_withdraws_the_finding_and_says_what_changed(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.CORRECTED))
    assert result.exit_code == 0
    assert "── SK-08, round R-1, version 2 ──" in result.stdout
    assert rows_of(result.stdout, "supersedes") == [
        "supersedes version 1: settlement corrected by event 15"
    ]
    assert rows_of(result.stdout, "version 1:") == ["version 1: won, owed 25.00, paid 30.00"]
    assert rows_of(result.stdout, "withdrawn Overpaid")
    assert rows_of(result.stdout, "because of event 15")
    assert result.stdout.splitlines()[-2:] == [
        "1 round, 1 wager: $25.00 due to patrons, $25.00 paid, net difference $0.00",
        "no findings",
    ]


def test_a_card_that_nobody_read_is_shown_as_such_with_least_and_most(tmp_path: Path) -> None:
    unread = hands.MATCH_MADNESS.replace("1 4C", "1 ??")
    result = pitctl("settle", written(tmp_path, unread))
    assert result.exit_code == 0
    assert rows_of(result.stdout, "seat 1") == ["seat 1 K♦ 9♣ ??"]
    assert rows_of(result.stdout, "1 Match Me 5") == [
        "1 Match Me 5.00 undetermined 5.00 to 100.00 5.00 open"
    ]
    assert rows_of(result.stdout, "1 round") == [
        "1 round, 2 wagers: $0.00 due to patrons, $0.00 paid, net difference $0.00; not counted: 2"
    ]


def test_findings_between_rounds_are_shown(tmp_path: Path) -> None:
    text = "table T-1\nopen table chips 10 x 100.00 signed by A, A\n"
    result = pitctl("settle", written(tmp_path, text))
    assert result.exit_code == 1
    assert rows_of(result.stdout, "── T-1, outside the rounds")
    assert rows_of(result.stdout, "P2 Signature missing or repeated")


def test_a_round_that_the_input_leaves_open_is_said_with_its_findings(tmp_path: Path) -> None:
    result = pitctl("settle", written(tmp_path, hands.OVERPAID.replace("close round\n", "")))
    assert result.exit_code == 1
    assert rows_of(result.stdout, "── SK-08, round R-1, still open")
    assert rows_of(result.stdout, "P3 Overpaid")
    assert rows_of(result.stdout, "0 rounds, 0 wagers")


def test_findings_only_leaves_out_wagers_and_clean_rounds(tmp_path: Path) -> None:
    text = hands.SKWEEZIT + hands.OVERPAID
    result = pitctl("settle", "--findings-only", written(tmp_path, text))
    assert result.exit_code == 1
    assert "SK-07" not in result.stdout
    assert "difference " not in result.stdout.split("1 finding")[0].split("2 rounds")[0]
    assert rows_of(result.stdout, "P3 Overpaid")


def test_over_and_underpayments_that_cancel_are_not_hidden(tmp_path: Path) -> None:
    wrong = hands.SKWEEZIT.replace("main 37.50", "main 47.50").replace(
        "skweezit 100.00", "skweezit 90.00"
    )
    result = pitctl("settle", written(tmp_path, wrong))
    assert rows_of(result.stdout, "1 round") == [
        "1 round, 3 wagers: $137.50 due to patrons, $137.50 paid, net difference $0.00 "
        "($10.00 overpaid,"
    ]
    assert rows_of(result.stdout, "$10.00 underpaid)")


def test_a_log_cannot_move_the_cursor(tmp_path: Path) -> None:
    text = hands.SKWEEZIT.replace("table SK-07", r'table "\x1b[2J\u202e"')
    result = pitctl("settle", written(tmp_path, text))
    assert "\x1b" not in result.stdout
    assert r"\x1b[2J\u202e, round R-17" in result.stdout


def test_cards_have_letters_where_the_terminal_has_no_signs() -> None:
    data = io.BytesIO()
    file = io.TextIOWrapper(data, encoding="ascii")
    page = Page(file)
    page.line(page.cards((card("AS"), None)))
    page.flush()
    assert data.getvalue() == b"AS ??\n"


def test_a_hand_says_how_it_was_played(tmp_path: Path) -> None:
    played = hands.OVERPAID.replace("deal 1 TC, dealer 9H, 1 9D", "deal 1 6C, dealer 9H, 1 5D")
    result = pitctl("settle", written(tmp_path, played.replace("1 stands", "1 doubles 9C")))
    assert rows_of(result.stdout, "seat 1") == ["seat 1 6♣ 5♦ 9♣ 20, doubled"]
    text = hands.OVERPAID.replace("1 stands", "ruling misdeal void_hand by S-88 for 1")
    result = pitctl("settle", written(tmp_path, text))
    assert rows_of(result.stdout, "seat 1") == ["seat 1 T♣ 9♦ 19, void"]


def test_a_report_does_not_depend_on_how_its_events_arrive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for history in sorted(ROUNDS.glob("*.bj")):
        lines = as_lines(parse(history.read_text()).events)
        path = written(tmp_path, "\n".join(lines), "day.jsonl")
        told = set()
        for size in (1 << 20, 1000, 1):
            monkeypatch.setattr("pitctl.engine.source.READ_BYTES", size)
            told.add(pitctl("settle", path).stdout)
        assert len(told) == 1, history.name


@pytest.mark.parametrize("columns", [80, 100])
def test_nothing_is_wider_than_the_terminal(columns: int) -> None:
    histories = sorted(ROUNDS.glob("*.bj"))
    assert histories
    for path in histories:
        result = pitctl("settle", path, columns=columns)
        too_wide = [line for line in result.stdout.splitlines() if len(line) > columns]
        assert (path.name, too_wide) == (path.name, [])
