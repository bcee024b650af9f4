"""What people may type: conveniences mean the same as the plain lines they stand for."""

from __future__ import annotations

import pytest

from blackjack.facts import (
    CardDealt,
    ChipCount,
    CouponPresented,
    Event,
    Fact,
    PlayerActed,
    PromotionDefined,
    RuleSetActivated,
    TrayObserved,
    WagerPlaced,
)
from blackjack.hand_history import START_US, STEP_US, parse, print_history
from blackjack.hand_history.times import read_time, write_time
from blackjack.money import Odds
from blackjack.rulebook.canonical import address
from blackjack.rulebook.house_rules import DoubleOn, HouseRules, RuleSetSpec
from blackjack.rulebook.rule_set import compose, standard_house

SAME = """
typed                                        | plain
3 hits 5C                                    | 3 hits; deal 3 5C
3 hits 5C 4D                                 | 3 hits; deal 3 5C; 3 hits; deal 3 4D
Seat 3 HITS 5c                               | 3 hits; deal 3 5C
3.2 doubles 9D                               | 3.2 doubles; deal 3.2 9D
3 doubles down 9D                            | 3 doubles; deal 3 down 9D
3 doubles for 10 9D                          | 3 doubles for 10.00; deal 3 9D
3 splits 8C 3D                               | 3 splits; deal 3 8C; deal 3.2 3D
3 splits; 3.2 splits 8C 3D                   | 3 splits; 3.2 splits; deal 3.2 8C; deal 3.3 3D
3 splits; round R-2; 3 splits 8C 3D          | 3 splits; round R-2; 3 splits; deal 3 8C; deal 3.2 3D
deal 1 8H,2 KD,dealer 6S                     | deal 1 8H; deal 2 KD; deal dealer 6S
deal 1 down 8H 9C up TD                      | deal 1 down 8H; deal 1 down 9C; deal 1 TD
deal dealer down                             | deal dealer down ??
deal 1 10h                                   | deal 1 TH
deal 1 8H index 4 9C index 5                 | deal 1 8H index 4; deal 1 9C index 5
dealer draws 5C 6D                           | deal dealer 5C; deal dealer 6D
dealer draws 5C, 6D                          | deal dealer 5C; deal dealer 6D
dealer hits 5C                               | deal dealer 5C
turn 1 8H 9C TD                              | turn 1 8H; turn 1 card 2 9C; turn 1 card 3 TD
turn 1 card 2 9C, dealer match_me KS         | turn 1 card 2 9C; turn dealer match_me KS
pay 3 main 25, 1 main 10                     | pay 3 main 25.00; pay 1 main 10.00
pay 3.2 main 25, double_action 5             | pay 3.2 main 25.00; pay 3.2 double_action 5.00
bet 1 main 25, main 5 tip                    | bet 1 main 25.00; bet 1 main 5.00 tip
bet 1 main $1,250.50                         | bet 1 main 1250.50
remove cards 3, 2.2, 1                       | remove cards 3; remove cards 2.2; remove cards 1
burn 5C, ??                                  | burn 5C; burn ??
tray chips 20x100, 5 x 25                    | tray chips 20 x 100.00, 5 x 25.00
3 insures even money                         | 3 takes even money
correct round R-1 3 main 5 reason x by S     | correct round R-1 3 main 5.00 reason x by S
correct round R-1 3 main -$5 reason x by S   | correct round R-1 3 main -5.00 reason x by S
bet 1 main 25.5                              | bet 1 main 25.50
tray chips 2x1,000, 5x25                     | tray chips 2 x 1000.00, 5 x 25.00
correct reading 5 is 7C                      | correct reading #5 is 7C
heartbeat // and a remark                    | heartbeat
heartbeat via "cam 2//x"                     | heartbeat via "cam 2\\x2f/x"
round R-1 at 2026-03-01T12:15-08:00          | round R-1 @ 2026-03-01T20:15:00Z
round R-1 at 2026-03-01                      | round R-1 at 2026-03-01T00:00:00.000Z
heartbeat; heartbeat @ +1.5m                 | heartbeat; heartbeat @ +90s
heartbeat; heartbeat @ +250ms                | heartbeat; heartbeat @ +0.25s
heartbeat received +200ms #5                 | heartbeat #5 received +0.2s
"""


def _events(lines: str) -> tuple[Event, ...]:
    history = parse("\n".join(lines.split("; ")))
    assert history.problems == ()
    return history.events


def _facts(text: str) -> list[Fact]:
    return [event.fact for event in _events(text)]


@pytest.mark.parametrize(
    ("typed", "plain"),
    [tuple(map(str.strip, row.split("|"))) for row in SAME.strip("\n").split("\n")[1:]],
)
def test_a_convenience_means_its_plain_lines(typed: str, plain: str) -> None:
    assert _events(typed) == _events(plain)


def test_times_go_on_by_a_second_and_numbers_by_one() -> None:
    events = _events("heartbeat; heartbeat; heartbeat #7 @ +3s; deal 1 8H, 2 9H")
    assert [event.seq for event in events] == [1, 2, 7, 8, 9]
    after = [(event.at - START_US) // STEP_US for event in events]
    assert after == [0, 1, 4, 5, 6]


def test_every_table_counts_for_itself_and_the_clock_is_one() -> None:
    events = _events("table A; heartbeat; table B; heartbeat; table A; heartbeat")
    assert [(event.table, event.seq) for event in events] == [("A", 1), ("B", 1), ("A", 2)]
    assert [event.at - START_US for event in events] == [0, STEP_US, 2 * STEP_US]


def test_the_suffix_of_a_line_is_for_all_its_facts() -> None:
    first, second = _events("3 hits 5C @ 2026-03-01 via cam-1 confidence 850 received +0.2s")
    assert (first.device, first.confidence) == (second.device, second.confidence)
    assert second.at == first.at + STEP_US
    assert second.ingested_at - second.at == first.ingested_at - first.at == 200_000


def test_rules_start_from_the_standard_house_of_the_game() -> None:
    (fact,) = _facts("rules half_back decks 6 upcard_bonus 2")
    assert isinstance(fact, RuleSetActivated)
    assert fact.definition is not None
    assert fact.definition.house == standard_house("half_back", {"upcard_bonus": 2})
    assert fact.definition.house.double_on is DoubleOn.HARD_9_TO_11
    assert fact.rule_set == compose(fact.definition).hash


def test_rules_that_no_filing_allows_have_the_address_of_their_definition() -> None:
    (fact,) = _facts("rules faro decks 1")
    spec = RuleSetSpec(game="faro", decks=1, paytables={}, house=HouseRules())
    assert fact == RuleSetActivated(address(spec), spec)


def test_settings_may_share_a_line() -> None:
    one = _facts("rules skweezit decks 6 skweezit 1;  late surrender, natural pays 6 to 5")
    two = _facts("rules skweezit decks 6 skweezit 1;  late surrender;  natural pays 6 to 5")
    assert one == two
    assert isinstance(one[0], RuleSetActivated)
    assert one[0].definition is not None
    assert one[0].definition.house.natural_pays == Odds(6, 5)


def test_a_coupon_names_its_promotion() -> None:
    defined, presented = _facts(
        "promotion SPRING match_play 10;  patron bound, until 2026-12-31; "
        "present coupon C-1 on 1 main terms SPRING"
    )
    assert isinstance(defined, PromotionDefined)
    assert isinstance(presented, CouponPresented)
    assert presented.promotion == defined.promotion == defined.terms.hash
    assert defined.terms.patron_bound


def test_a_chip_count_may_be_empty() -> None:
    assert _facts("tray") == [TrayObserved(())]
    assert _facts("tray chips 2 x 5") == [TrayObserved((ChipCount(500, 2),))]


def test_a_bare_word_and_a_quoted_one_are_the_same_text() -> None:
    assert _facts("round R-1") == _facts('round "R-1"')
    assert _facts('bet 1 "3 card poker" 5') == [WagerPlaced(1, "3 card poker", 500)]


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    assert _facts("\ufeffhand history 1\r\nheartbeat\r\n") == _facts("heartbeat")


def test_the_dealer_s_seat_can_decide_only_by_its_number() -> None:
    """A log may hold it; a person who types `dealer hits` means a card."""
    (acted,) = _facts("seat 0 hits")
    assert isinstance(acted, PlayerActed)
    assert "seat 0 hits" in print_history(_events("seat 0 hits"))
    (dealt,) = _facts("dealer hits 5C")
    assert isinstance(dealt, CardDealt)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
def test_times_reach_from_the_first_year_to_the_last(text: str) -> None:
    at = read_time(text)
    assert at is not None
    assert write_time(at) == text


@pytest.mark.parametrize(
    "text", ["0000-01-01", "2026-13-01", "2026-02-29", "2026-01-01T24:00Z", "2026-01-01T00:00"]
)
def test_a_day_that_is_none_is_rejected(text: str) -> None:
    assert read_time(text) is None
