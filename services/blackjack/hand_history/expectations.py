"""Lines that state the expected results: `expect 1 main won 25.00`, `expect no findings`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from blackjack.findings import Kind as FindingKind
from blackjack.findings import Level
from blackjack.hand_history.context import Context
from blackjack.hand_history.cursor import Cursor
from blackjack.hand_history.forms import Option, accept_option, clause, flag
from blackjack.hand_history.lexer import TokenKind, quote, write_text
from blackjack.hand_history.model import (
    Expectation,
    ExpectedFinding,
    ExpectedNoFindings,
    ExpectedOutcome,
    ExpectedStatus,
)
from blackjack.hand_history.values import (
    INTEGER,
    MONEY,
    NAME,
    TEXT,
    ValueCodec,
    one_of,
    read_spot,
    write_name,
    write_spot,
)
from blackjack.outcomes import Payment, Result, RoundStatus

_FINDING: Final = "the kind of a finding such as payout.overpaid"
_FINDINGS: Final = [kind.value for kind in FindingKind]
_RESULTS: Final = [result.value for result in Result]
_WITH_AMOUNT: Final = (Result.WON, Result.LOST, Result.SURRENDERED, Result.UNDETERMINED)
_STATUS: Final = one_of(RoundStatus)


def _read_level(cursor: Cursor) -> Level:
    names = [level.name for level in Level]
    token = cursor.word("a level, P1 to P4", names)
    if token.text.upper() not in names:
        raise cursor.unexpected_token(token, "a level, P1 to P4")
    return Level[token.text.upper()]


_LEVEL: Final = ValueCodec("P1|P2|P3|P4", _read_level, lambda level: level.name)
_IN: Final = clause("in", "round", TEXT)
_OF_FINDING: Final[tuple[Option, ...]] = (
    clause("seat", "seat", INTEGER),
    clause("hand", "hand", INTEGER),
    clause("wager", "wager", NAME),
    clause("amount", "cents", MONEY),
    clause("level", "level", _LEVEL),
    flag("withdrawn", "withdrawn"),
    _IN,
)
_OF_OUTCOME: Final[tuple[Option, ...]] = (
    clause("coupon", "coupon_cents", MONEY),
    clause("payment", "payment", one_of(Payment)),
    _IN,
)
_OF_STATUS: Final[tuple[Option, ...]] = (clause("version", "version", INTEGER), _IN)


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """Where an expectation stands."""

    after: int
    line: int


def read_expectation(cursor: Cursor, place: SourcePosition) -> Expectation:
    """What follows the word `expect`."""
    if cursor.accept("no", "findings"):
        values = _read_options(cursor, (_IN,), place)
        return ExpectedNoFindings(**values)
    if cursor.accept("finding"):
        token = cursor.word(_FINDING, _FINDINGS)
        if token.text not in _FINDINGS:
            raise cursor.unexpected_token(token, _FINDING, _FINDINGS)
        values = _read_options(cursor, _OF_FINDING, place)
        return ExpectedFinding(kind=FindingKind(token.text), **values)
    if cursor.accept("round"):
        status = _STATUS.read(cursor)
        values = _read_options(cursor, _OF_STATUS, place)
        values.setdefault("round", cursor.context.round)
        return ExpectedStatus(status=status, **values)
    return _read_outcome(cursor, place)


def _read_outcome(cursor: Cursor, place: SourcePosition) -> ExpectedOutcome:
    expected = "a seat such as 3, or 'finding', 'no findings' or 'round'"
    seat, hand = read_spot(cursor, expected=expected)
    wager = NAME.read(cursor)
    tip = cursor.accept("tip")
    outcome = ""
    token = cursor.token
    named = token is not None and token.text.lower() in _RESULTS and token.kind is TokenKind.WORD
    if token is not None and not named:
        outcome = NAME.read(cursor)
        if cursor.at_end:
            raise cursor.unexpected_token(token, f"one of {', '.join(_RESULTS)}", _RESULTS)
    result = one_of(Result).read(cursor)
    amounts: dict[str, int] = {}
    token = cursor.token
    if token is not None and token.text.lstrip("+-$")[:1].isdecimal():
        if result not in _WITH_AMOUNT:
            raise cursor.unexpected(f"no amount, since {result.value} has none")
        amounts["cents"] = MONEY.read(cursor)
        if result is Result.UNDETERMINED:
            cursor.require("to")
            amounts["cents_most"] = MONEY.read(cursor)
    values = _read_options(cursor, _OF_OUTCOME, place) | amounts
    values.setdefault("round", cursor.context.round)
    return ExpectedOutcome(
        seat=seat, hand=hand, wager=wager, tip=tip, outcome=outcome, result=result, **values
    )


def _read_options(
    cursor: Cursor, options: tuple[Option, ...], place: SourcePosition
) -> dict[str, Any]:
    values: dict[str, Any] = {
        "table": cursor.context.table,
        "after": place.after,
        "line": place.line,
    }
    while option := accept_option(cursor, options):
        if option.name in values:
            raise cursor.unexpected(f"{option.lead!r} only once")
        values[option.name] = option.read(cursor)
    if not cursor.at_end:
        leads = [option.lead for option in options]
        raise cursor.unexpected(", ".join(leads) + " or the end of the line", leads)
    return values


def write_expectation(expected: Expectation, context: Context) -> str:
    """The line of an expectation; the context must stand at its table."""
    words = ["expect", _write_body(expected)]
    here = "" if isinstance(expected, ExpectedFinding | ExpectedNoFindings) else context.round
    if expected.round != here:
        words.append(f"in {write_text(expected.round)}")
    return " ".join(words)


def _write_body(expected: Expectation) -> str:
    match expected:
        case ExpectedNoFindings():
            return "no findings"
        case ExpectedStatus(status=status, version=version):
            return f"round {status.value}" + ("" if version is None else f" version {version}")
        case ExpectedFinding():
            return " ".join([f"finding {expected.kind.value}", *_stated(_OF_FINDING, expected)])
        case ExpectedOutcome():
            return " ".join([*_outcome_words(expected), *_stated(_OF_OUTCOME, expected)])


def _outcome_words(expected: ExpectedOutcome) -> list[str]:
    words = [write_spot(expected.seat, expected.hand), write_name(expected.wager)]
    if expected.tip:
        words.append("tip")
    if expected.outcome:
        doubtful = expected.outcome.lower() in (*_RESULTS, "tip")
        words.append(quote(expected.outcome) if doubtful else write_name(expected.outcome))
    words.append(expected.result.value)
    if expected.cents is not None:
        words.append(MONEY.write(expected.cents))
    if expected.cents_most is not None:
        words.append(f"to {MONEY.write(expected.cents_most)}")
    return words


def _stated(options: tuple[Option, ...], expected: Expectation) -> list[str]:
    words: list[str] = []
    for option in options:
        value = getattr(expected, option.name)
        if option is not _IN and value is not None and value is not False:
            words.append(option.write(value))
    return words
