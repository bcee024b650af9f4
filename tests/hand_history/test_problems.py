"""Every mistake has its line and column, states what would be accepted, and spoils nothing else.

The tables hold one mistake each: the line, the column, the text of the message, the hint.
"""

from __future__ import annotations

import pytest

from blackjack.cards.card import card
from blackjack.facts import BetsClosed, CardDealt, HeartbeatSent, RuleSetActivated
from blackjack.hand_history import Problem, parse

MISTAKES = """
line                                         | at | text                        | hint
dealr shows TS                               | 1  | not how a line begins       | 'dealer shows'
pya 1 main 25.00                             | 1  | not how a line begins       | 'pay'
bet 1 main                                   | 11 | an amount such as 25.00     |
bet 1 main 25.505                            | 12 | at most two digits          |
bet 1 main 25.00 patrn P-1                   | 18 | patron, coupon, tip, @      | 'patron'
bet 1 main 25.00 tip tip                     | 25 | 'tip' only once             |
bet 1 main 25.00,                            | 18 | but the line ends here      |
bet 3.2 main 25.00                           | 5  | without a hand              |
bet one main 25.00                           | 5  | a seat such as 3            |
bet 1 25.00                                  | 7  | a name such as main         |
bet 1 main 25,00                             | 12 | groups of three digits      |
bet 1 main +5                                | 12 | leave out the plus sign     |
remove cards 3,2                             | 14 | a seat such as 3            | after the comma
change 1 main 25.00                          | 15 | expected 'to'               |
deal 1 8X                                    | 8  | a card such as AS           |
deal 1 8H, 2                                 | 13 | a card such as AS           |
deal 1 8H 2 KD                               | 11 | index, @                    |
deal player 8H                               | 6  | a seat such as 3            |
deal 1 8H index x                            | 17 | a whole number              |
3 hist 5C                                    | 3  | 'hits', 'stands'            | 'hits'
3 doubles 9D 9C                              | 16 | one card only               |
3 splits 8C 3D 4D                            | 18 | at most two cards           |
3                                            | 2  | 'hits', 'stands'            |
dealer stands                                | 1  | expected a fact             | leave
dealer peeks                                 | 13 | 'blackjack' or 'no          |
ruling misdael void_round by S-1             | 8  | one of misdeal              | 'misdeal'
ruling misdeal void by S-1                   | 16 | one of play_on              | 'void_hand'
void round misdeal                           | 19 | expected 'by'               |
correct reading 57 7C                        | 20 | expected 'is'               |
correct reading #x is 7C                     | 17 | the number of an event      |
correct reading #57 is ??                    | 24 | a card such as AS           |
tray chips 20 100.00                         | 15 | 'x' and the worth of one    |
tray chips 20x1OO                            | 15 | Invalid amount "1OO"        |
tray chips twenty                            | 12 | 20 x 100.00                 |
shoe S-1 decks six                           | 16 | a whole number              |
join device D observes cards, tea            | 31 | one of cards, wagers        |
round R-1 at noon                            | 14 | a time such as              |
round R-1 at 2026-02-30                      | 14 | a time such as              |
heartbeat @ 3s                               | 13 | 2026-03-01T20:15:00Z or +3s |
heartbeat @ +1s @ +2s                        | 17 | '@' only once               |
heartbeat #5x                                | 11 | such as #57                 |
heartbeat via                                | 14 | a word, or a text in quotes |
heartbeat via "cam 2                         | 15 | the quoted text has no end  |
heartbeat via "a\\q"                         | 17 | expected \\n                |
heartbeat via 1,250                          | 15 | a word, or a text           | after the comma
heartbeat confidence high                    | 22 | a whole number              |
drop coupon C-1 seat 1 patron P-1            | 24 | seat, @, #                  |
present coupon C-1 on 1 main terms SUMMER    | 36 | a promotion that a line     |
present coupon C-1 on 1 main                 | 29 | expected 'terms'            |
table                                        | 6  | a word, or a text in quotes |
table A B                                    | 9  | the end of the line         |
hand history 2                               | 14 | expected version 1          |
rules skweezit                               | 15 | expected 'decks'            |
rules skweezit decks 6 skweezit              | 32 | a whole number              |
rules skweezit decks 6 skweezit 1 skweezit 1 | 35 | each wager once             |
promotion SPRING match_paly 10.00            | 18 | one of match_play           | 'match_play'
expect                                       | 7  | a seat such as 3, or        |
expect 1 main one                            | 15 | one of won, lost            |
expect 1 main wno 25.00                      | 19 | one of won, lost            |
expect 1 main pushed 25.00                   | 22 | no amount                   |
expect 1 main undetermined 0.00              | 32 | expected 'to'               |
expect finding payout.overpayed              | 16 | the kind of a finding       | 'payout.overpaid'
expect finding payout.overpaid seet 2        | 32 | seat, hand, wager           | 'seat'
expect finding payout.overpaid level P9      | 38 | a level, P1 to P4           |
expect round setled                          | 14 | one of settled              | 'settled'
expect no findings at all                    | 20 | in or the end of the line   |
"""

SETTINGS = """
line                          | at | text                           | hint
  dealer hits soft 71         | 3  | a house rule or limit          | 'dealer hits soft 17'
  late surender               | 3  | a house rule or limit          | 'late surrender'
  natural pays 3              | 17 | expected 'to'                  |
  limit main mim 5.00         | 14 | a comma or the end of the line |
  limit main, limit main      | 21 | each limit once                |
  insurance, no insurance     | 26 | 'no insurance' only once       |
  insurance, no insurance, ok | 26 | 'no insurance' only once       |
  smallest chip small         | 17 | Invalid amount "small"         |
"""


def _rows(table: str) -> list[tuple[str, int, str, str]]:
    rows = [line.split("|") for line in table.strip("\n").split("\n")[1:]]
    return [(r[0].rstrip(), int(r[1]), r[2].strip(), r[3].strip()) for r in rows]


def _assert_problem(problem: Problem, line: int, column: int, message_part: str, hint: str) -> None:
    assert (problem.line, problem.column) == (line, column), problem
    assert message_part in problem.message
    assert hint in problem.hint


@pytest.mark.parametrize(("line", "column", "message_part", "hint"), _rows(MISTAKES))
def test_a_mistake_is_named_where_it_stands(
    line: str, column: int, message_part: str, hint: str
) -> None:
    history = parse(f"heartbeat\n{line}\nno more bets\n")
    (problem,) = history.problems
    _assert_problem(problem, 2, column, message_part, hint)
    assert [event.fact for event in history.events] == [HeartbeatSent(), BetsClosed()]
    assert history.lines == (1, 3)


@pytest.mark.parametrize(("line", "column", "message_part", "hint"), _rows(SETTINGS))
def test_a_wrong_setting_leaves_the_other_settings(
    line: str, column: int, message_part: str, hint: str
) -> None:
    text = f"rules skweezit decks 6 skweezit 1\n{line}\n  dealer hits soft 17\nno more bets\n"
    history = parse(text)
    (problem,) = history.problems
    _assert_problem(problem, 2, column, message_part, hint)
    rules, closed = (event.fact for event in history.events)
    assert isinstance(rules, RuleSetActivated)
    assert rules.definition is not None
    assert rules.definition.house.dealer_hits_soft_17
    assert closed == BetsClosed()


def test_the_lines_of_a_block_that_cannot_be_read_are_not_reported_again() -> None:
    history = parse("rules skweezit deks 6\n  dealer hits soft 17\nheartbeat\n")
    assert [(problem.line, problem.column) for problem in history.problems] == [(1, 16)]
    assert len(history.events) == 1


def test_rules_by_hash_take_no_settings() -> None:
    history = parse("rules by hash 00ff\n  dealer hits soft 17\n")
    assert [(problem.line, problem.column) for problem in history.problems] == [(2, 3)]
    assert history.events[0].fact == RuleSetActivated("00ff")


def test_a_definition_beyond_json_needs_its_hash() -> None:
    half = r'"\ud800"'
    (problem,) = parse(f"rules {half} decks 6\n").problems
    assert "'hash'" in problem.message
    assert parse(f"rules {half} decks 6 hash 00ff\n").problems == ()


def test_several_mistakes_come_in_the_order_of_the_text() -> None:
    history = parse('bet\nheartbeat "\nrules\n  x\ndeal\n')
    assert [problem.line for problem in history.problems] == [1, 2, 3, 5]


def test_a_problem_reads_like_a_compiler_s() -> None:
    (problem,) = parse("3 hist 5C").problems
    assert str(problem).startswith("1:3: expected one of 'hits'")
    assert str(problem).endswith("found 'hist'; did you mean 'hits'?")


def test_a_bad_item_takes_its_whole_line_with_it() -> None:
    """Half a line would number and time what follows wrongly."""
    history = parse("deal 1 8H, 2 XX, dealer 6S\ndeal 3 7C\n")
    assert [event.fact for event in history.events] == [CardDealt(3, card("7C"))]
