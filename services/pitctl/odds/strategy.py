"""`pitctl odds strategy`: the best play and the value of the main game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.text import Text

from blackjack.rulebook.house_rules import Peek
from blackjack.rulebook.rule_set import RuleSet
from odds.main_game import (
    UP_CARDS,
    Analysis,
    MainRules,
    Move,
    NotPlayable,
    Start,
    analyse_or_kept,
    insurance_edge,
    kept_tables,
    ranks_of,
)
from pitctl.errors import InvalidArgument
from pitctl.odds.chosen_rules import chosen_game, chosen_rules
from pitctl.odds.game_catalog import unusual
from pitctl.odds.shoe_argument import describe_shoe, parse_shoe
from pitctl.odds.strategy_chart import CARD, LEGEND, CodedRow, chart_of
from pitctl.output.json_out import write_json
from pitctl.output.text import Page

CARDS = {name: points for points, name in CARD.items()} | {"10": 10, "J": 10, "Q": 10, "K": 10}
EXCEPTIONS_SHOWN = 12


def run(
    game: str,
    *,
    decks: int,
    rules: Sequence[str],
    without: str,
    hand: str,
    up: str,
    as_json: bool,
) -> None:
    """Show the main game of a rule set, or one decision of it."""
    rule_set = chosen_rules(chosen_game(game), decks, rules)
    if rule_set.spec.house.peek is Peek.NONE:
        raise NotPlayable("the main game without a peek is not analyzed; leave out 'peek none'")
    main = MainRules.of(rule_set)
    shoe = parse_shoe(decks, "", without)
    ranks = shoe.ranks
    if ranks != ranks_of(decks) or kept_tables(main, decks) is None:
        print("pitctl: computing, which takes a few seconds", file=sys.stderr)
    found = analyse_or_kept(main, ranks)
    starts = _chosen_starts(found.starts, hand, up)
    if as_json:
        write_json(sys.stdout.buffer, _as_data(rule_set, found, starts))
        return
    page = Page(sys.stdout)
    title = f"{rule_set.filing.title}: the hand"
    page.rule(Text.assemble((title, "bold"), f", {rule_set.name.partition(', ')[2]}"))
    page.line(unusual(rule_set), indent=2, hang=2)
    page.line(f"dealt from {describe_shoe(shoe)}", indent=2)
    page.blank()
    if hand or up:
        _print_decisions(page, starts)
        return
    _print_worth(page, found)
    _print_chart(page, found)


def _chosen_starts(starts: Sequence[Start], hand: str, up: str) -> list[Start]:
    """The starts with these two cards, or against this up card."""
    cards = sorted(_points(card) for card in hand.replace(",", " ").split())
    if hand and len(cards) != 2:
        raise InvalidArgument(f"Invalid --hand {hand!r}: name two cards, such as 'T 6'.")
    wanted = _points(up) if up else 0
    found = [
        start
        for start in starts
        if (not cards or [start.low, start.high] == cards) and wanted in (0, start.up)
    ]
    if not found:
        raise InvalidArgument("these cards cannot be dealt from this shoe")
    return found


def _points(text: str) -> int:
    try:
        return CARDS[text.strip().upper()]
    except KeyError:
        raise InvalidArgument(f'Invalid card "{text}": expected A, 2 to 9 or T.') from None


def _as_data(rule_set: RuleSet, found: Analysis, starts: Sequence[Start]) -> dict[str, Any]:
    insurance = insurance_edge(found.rules, found.ranks)
    tables = kept_tables(found.rules, rule_set.spec.decks)
    full = found.ranks == ranks_of(rule_set.spec.decks)
    return {
        "game": rule_set.spec.game,
        "decks": rule_set.spec.decks,
        "rules": msgspec.to_builtins(found.rules),
        "ranks": list(found.ranks),
        "edge": found.edge,
        "edge_of_all_wagers": found.edge_of_all,
        "error_bound": found.error_bound,
        "variance": found.variance,
        "standard_deviation": found.deviation,
        "stake": found.stake,
        "first_hand": msgspec.to_builtins(found.first_hand),
        "net": [{"units": units, "probability": chance} for units, chance in found.net],
        "insurance_edge": None if insurance is None else float(insurance),
        "effects_of_removal": list(tables.removal) if tables is not None and full else None,
        "starts": [_start(start) for start in starts],
        "totals": [msgspec.structs.asdict(row) for row in found.totals],
        "rule_set_hash": rule_set.hash,
    }


def _start(start: Start) -> dict[str, Any]:
    return {
        "cards": [CARD[start.low], CARD[start.high]],
        "up": CARD[start.up],
        "pair": start.pair,
        "probability": start.probability,
        "best": start.best.value,
        "values": {move.value: value for move, value in start.values.items()},
    }


def _print_worth(page: Page, found: Analysis) -> None:
    first = found.first_hand
    insurance = insurance_edge(found.rules, found.ranks)
    page.line(f"house edge          {_percent(found.edge)} of the main wager", indent=2)
    if found.rules.units > 1:
        page.line(f"                    {_percent(found.edge_of_all)} of both wagers", indent=2)
    page.line(f"standard deviation  {found.deviation:.4f} main wagers a round", indent=2)
    page.line(f"wagers in action    {found.stake:.4f} on average", indent=2)
    page.line(
        f"the first hand      wins {100 * (first.win + first.natural):.2f}% (naturals "
        f"{100 * first.natural:.2f}%), pushes {100 * first.push:.2f}%, loses "
        f"{100 * (first.loss + first.surrender):.2f}%",
        indent=2,
        hang=20,
    )
    if insurance is not None:
        page.line(f"insurance           {_percent(float(insurance))} edge", indent=2)
    page.blank()


def _percent(share: float) -> str:
    """A percentage with four places; zero has no sign."""
    return f"{round(100 * share, 4) + 0.0:.4f}%"


def _print_chart(page: Page, found: Analysis) -> None:
    chart = chart_of(found.starts)
    used: set[str] = set()
    for name, rows in (("hard", chart.hard), ("soft", chart.soft), ("pair", chart.pairs)):
        _print_rows(page, name, rows)
        used.update(code for row in rows for code in row.codes)
    legend = "; ".join(f"{code} {words}" for code, words in LEGEND.items() if code in used)
    page.line(legend, indent=2)
    shown = sorted(chart.exceptions, key=lambda one: -one.gain * one.start.probability)
    if shown:
        page.blank()
        page.line("Exceptions by the cards:", indent=2)
        for exception in shown[:EXCEPTIONS_SHOWN]:
            start = exception.start
            page.line(
                f"{_cards(start)} against {CARD[start.up]}: {exception.code}, not "
                f"{exception.chart}, worth {exception.gain:.4f}",
                indent=4,
            )
        if len(shown) > EXCEPTIONS_SHOWN:
            page.line(f"and {len(shown) - EXCEPTIONS_SHOWN} more; --json has all", indent=4)


def _print_rows(page: Page, name: str, rows: Sequence[CodedRow]) -> None:
    page.line((f"{name:>6}  " + "".join(f"{CARD[up]:>4}" for up in UP_CARDS), "dim"))
    for row in rows:
        page.line(f"{row.name:>6}  " + "".join(f"{code:>4}" for code in row.codes))
    page.blank()


def _print_decisions(page: Page, starts: Sequence[Start]) -> None:
    rows = [
        (
            _cards(start),
            CARD[start.up],
            start.best.value,
            ", ".join(f"{move.value} {value:+.6f}" for move, value in _ranked(start)),
        )
        for start in starts
    ]
    page.table(("cards", "up", "best", "value of each move in main wagers, after the peek"), rows)
    if any(_is_of_two_ranks(start) for start in starts):
        page.line("* of two ranks, which may not be split", indent=2)


def _is_of_two_ranks(start: Start) -> bool:
    return start.low == start.high and not start.pair


def _cards(start: Start) -> str:
    return f"{CARD[start.low]} {CARD[start.high]}{'*' if _is_of_two_ranks(start) else ''}"


def _ranked(start: Start) -> list[tuple[Move, float]]:
    return sorted(start.values.items(), key=lambda item: -item[1])
