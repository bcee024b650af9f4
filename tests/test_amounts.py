"""One grammar of money, and every entry point where money is typed or read from a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.datastructures import FormData

from accounting.grpc.count_file import read_counts
from blackjack.facts import TrayObserved, WagerPlaced
from blackjack.hand_history import parse
from blackjack.hand_history.values import write_money
from blackjack.money import TYPED_CENTS_MAX, InvalidAmount, format_cents, parse_cents
from console.web.errors import InvalidInput
from console.web.pages.cash import parse_amounts
from console.web.pages.hands import FIELDS, build_find_request
from console.web.terms_form import TermsForm
from pitctl.accounting.terms_file import read_terms_file
from pitctl.alert_desk.settings_cli import read_threshold
from pitctl.archive.round_query import read_stakes
from pitctl.arguments import read_cents, read_chips, read_line
from pitctl.arguments import read_counts as read_drop
from pitctl.errors import InvalidArgument
from pitctl.odds.chosen_rules import chosen_terms

# Each with a part of the reason that every entry point gives.
BAD_AMOUNTS = {
    "12,50": "groups of three digits",
    "1,2500": "groups of three digits",
    "0,250": "groups of three digits",
    "1e3": "write all digits",
    "1_0": "leave out the underscore",
    "\uff11\uff12": "use the digits 0 to 9",
    "+5": "leave out the plus sign",
    "12.505": "at most two digits",
    "5.": "write dollars",
    ".50": "write dollars",
    "plenty": "write dollars",
}
GOOD_AMOUNTS = {"1,250": 125_000, "12.5": 1_250, "$1,250.05": 125_005, "7": 700}
GRAMMAR = re.compile(r"-?\$?([0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})+)(\.[0-9][0-9]?)?", re.ASCII)
ANY_CENTS = st.integers(-TYPED_CENTS_MAX, TYPED_CENTS_MAX)
BAD = pytest.mark.parametrize("bad", BAD_AMOUNTS)
GOOD = pytest.mark.parametrize(("good", "cents"), GOOD_AMOUNTS.items())


class TestGrammar:
    @pytest.mark.parametrize(
        ("text", "cents"),
        [
            *GOOD_AMOUNTS.items(),
            ("0", 0),
            ("0.05", 5),
            ("007", 700),
            ("$5", 500),
            ("1250", 125_000),
            ("1,234,567.89", 123_456_789),
            ("10,000,000,000,000", TYPED_CENTS_MAX),
        ],
    )
    def test_dollars_are_cents(self, text: str, cents: int) -> None:
        assert parse_cents(text) == cents
        assert parse_cents(f"-{text}", signed=True) == -cents

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            *BAD_AMOUNTS.items(),
            ("", "write dollars"),
            (" 5", "write dollars"),
            ("5\n", "write dollars"),
            ("$", "write dollars"),
            ("$$5", "write dollars"),
            ("5$", "write dollars"),
            ("1 250", "write dollars"),
            ("1.250,00", "write dollars"),
            (",500", "groups of three digits"),
            ("1,,250", "groups of three digits"),
            ("1,250,", "groups of three digits"),
            ("1E3", "write all digits"),
            ("1e+3", "write all digits"),
            ("1,250.505", "at most two digits"),
            ("½", "use the digits 0 to 9"),
            ("٣", "use the digits 0 to 9"),
            ("-5", "leave out the minus sign"),
            ("-$5", "leave out the minus sign"),
            ("$-5", "leave out the minus sign"),
            ("inf", "write dollars"),
            ("nan", "write dollars"),
            ("0x10", "write dollars"),
            ("10,000,000,000,000.01", "$10,000,000,000,000.00 is the most"),
        ],
    )
    def test_other_text_is_rejected_with_the_reason(self, text: str, reason: str) -> None:
        with pytest.raises(InvalidAmount) as invalid:
            parse_cents(text)
        assert str(invalid.value).startswith(f'Invalid amount "{text}": ')
        assert reason in invalid.value.reason

    @pytest.mark.parametrize("text", ["$-5", "--5", "-", "5-", "1-2", "−5", "(5)"])
    def test_an_adjustment_has_its_minus_sign_first(self, text: str) -> None:
        with pytest.raises(InvalidAmount):
            parse_cents(text, signed=True)

    @given(ANY_CENTS)
    def test_what_is_formatted_is_parsed_as_it_was(self, cents: int) -> None:
        for written in (
            format_cents(cents),
            write_money(cents),
            write_money(cents).replace(",", ""),
        ):
            assert parse_cents(written, signed=True) == cents

    @given(
        st.text("0123456789,.$-+ _e\n\uff11\u0663\u2212", max_size=12)
        | st.from_regex(r"-?\$?[0-9]{1,4}(,[0-9]{1,4}){0,3}(\.[0-9]{0,3})?", fullmatch=True)
        | st.text(max_size=6)
    )
    @example("5\n")
    def test_what_parses_is_in_the_grammar(self, text: str) -> None:
        is_in_grammar = GRAMMAR.fullmatch(text) is not None
        try:
            cents = parse_cents(text, signed=True)
        except InvalidAmount:
            assert not is_in_grammar
        else:
            assert is_in_grammar
            assert parse_cents(format_cents(cents), signed=True) == cents


# Entry points ----------------------------------------------------------------------------


def terms_form(face: str) -> TermsForm:
    form = {"name": "x", "kind": "match_play", "face": face, "on_push": "stays"}
    return TermsForm(FormData(form), ZoneInfo("UTC"))


def stake_of_search(text: str) -> int:
    asked = dict.fromkeys(FIELDS, "") | {"least": text}
    return build_find_request(
        asked, ZoneInfo("UTC"), now=datetime(2026, 3, 1, tzinfo=UTC)
    ).stake_cents_min


def amount_of_line(text: str) -> int:
    return read_line(f"tray/BJ-07={text}").cents


def denomination_of_chips(text: str) -> int:
    return read_chips([f"{text}x3"])[0].denomination_cents


def denomination_of_count(text: str) -> int:
    return read_drop({"currency": [f"100x1, {text}x3"]})[1].denomination_cents


TYPED: dict[str, tuple[Callable[[str], int], type[Exception]]] = {
    "least": (stake_of_search, InvalidInput),
    "tickets": (lambda text: parse_amounts("tickets", text)[0][1], InvalidInput),
    "--paid": (lambda text: read_cents("--paid", text), InvalidArgument),
    "--line tray/BJ-07": (amount_of_line, InvalidArgument),
    "--chips": (denomination_of_chips, InvalidArgument),
    "--currency": (denomination_of_count, InvalidArgument),
    "--bet": (lambda text: read_stakes(f"1..{text}")[1], InvalidArgument),
    "cash_sale_cents": (
        lambda text: read_threshold("cash_sale_cents", f"${text}"),
        InvalidArgument,
    ),
}


@pytest.mark.parametrize("field", TYPED)
@BAD
def test_a_typed_amount_is_rejected_with_its_field(field: str, bad: str) -> None:
    read, error = TYPED[field]
    with pytest.raises(error) as rejected:
        read(bad)
    said = str(rejected.value)
    assert said.startswith(f"{field}: Invalid amount ")
    assert f'{bad}": ' in said


@pytest.mark.parametrize("field", TYPED)
@GOOD
def test_a_typed_amount_is_the_same_everywhere(field: str, good: str, cents: int) -> None:
    text = good.removeprefix("$") if field.endswith("_cents") else good
    assert TYPED[field][0](text) == cents


@BAD
def test_a_face_value_in_the_form_is_rejected(bad: str) -> None:
    form = terms_form(bad)
    assert form.read() is None
    assert form.wrong["face"].startswith(f'Invalid amount "{bad}": ')


@GOOD
def test_a_face_value_in_the_form_is_read(good: str, cents: int) -> None:
    terms = terms_form(good).read()
    assert terms is not None
    assert terms.face_cents == cents


@BAD
def test_a_face_value_in_a_file_is_rejected_with_its_line(bad: str, tmp_path: Path) -> None:
    file = tmp_path / "terms.toml"
    file.write_text(f'name = "x" # face = 5\nkind = "match_play"\nface = "{bad}"\n', "utf-8")
    with pytest.raises(InvalidArgument) as rejected:
        read_terms_file(str(file))
    assert str(rejected.value).startswith(f'{file}: line 3, face: Invalid amount "{bad}": ')
    assert BAD_AMOUNTS[bad] in str(rejected.value)


@pytest.mark.parametrize("bad", ["1e3", "1_0", "+5", "12.505"])
def test_a_number_in_a_file_is_judged_as_it_is_written(bad: str, tmp_path: Path) -> None:
    file = tmp_path / "terms.toml"
    file.write_text(f'name = "x"\nkind = "match_play"\nface = {bad} # dollars\n', "utf-8")
    with pytest.raises(InvalidArgument, match=re.escape(f'line 3, face: Invalid amount "{bad}"')):
        read_terms_file(str(file))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", 'face = 12.5\nname = "x"\nkind = "match_play"\n'),
        ("a.toml", 'face = "12.50"\nname = "x"\nkind = "match_play"\n'),
        ("a.json", '{"name": "x", "kind": "match_play", "face": 12.5}'),
        ("a.json", '{"name": "x", "kind": "match_play", "face": "$12.5"}'),
    ],
)
def test_a_number_in_a_file_is_dollars(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert read_terms_file(str(file)).face_cents == 1_250


@BAD
def test_a_denomination_in_a_count_file_is_rejected_with_its_line(bad: str) -> None:
    titles = "table,box,kind,denomination,count,team"
    (box,) = read_counts(f'{titles}\nT,B,currency,100,1,A;C\nT,B,currency,"{bad}",2,\n', "")
    (problem,) = box.problems
    assert problem.startswith(f'line 3: denomination: Invalid amount "{bad}": ')
    assert BAD_AMOUNTS[bad] in problem
    assert [piece.denomination_cents for piece in box.counts] == [10_000]


@pytest.mark.parametrize("bad", ["0", "-5"])
def test_a_piece_in_a_count_file_is_worth_something(bad: str) -> None:
    (box,) = read_counts(f"table,box,kind,denomination,count\nT,B,currency,{bad},2\n", "")
    assert box.problems[0].startswith(f'line 2: denomination: Invalid amount "{bad}": ')


@GOOD
def test_a_denomination_in_a_count_file_is_read(good: str, cents: int) -> None:
    (box,) = read_counts(f'table,box,kind,denomination,count\nT,B,currency,"{good}",2\n', "")
    assert not box.problems
    assert box.counts[0].denomination_cents == cents


@BAD
def test_an_amount_in_a_hand_history_is_rejected_with_its_line(bad: str) -> None:
    for line, column in ((f"bet 1 main {bad}", 12), (f"tray chips 20x{bad}", 15)):
        (problem,) = parse(f"heartbeat\n{line}\n").problems
        assert (problem.line, problem.column) == (2, column)
        assert problem.message.startswith(f'Invalid amount "{bad}": ')
        assert BAD_AMOUNTS[bad] in problem.message


@GOOD
def test_an_amount_in_a_hand_history_is_read(good: str, cents: int) -> None:
    history = parse(f"bet 1 main {good}\ntray chips 20x{good}, 3x5\n")
    assert history.problems == ()
    bet, tray = (event.fact for event in history.events)
    assert isinstance(bet, WagerPlaced)
    assert isinstance(tray, TrayObserved)
    assert bet.cents == cents
    assert tray.inventory[0].denomination_cents == cents


@BAD
def test_the_face_of_a_coupon_whose_cost_is_asked_is_rejected(bad: str) -> None:
    with pytest.raises(InvalidArgument, match=re.escape(f'Invalid amount "{bad}": ')):
        chosen_terms("match_play", bad, ())
