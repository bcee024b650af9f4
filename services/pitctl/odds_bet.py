"""`pitctl odds bet`: what a side bet is worth from any shoe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from rich.text import Text

from blackjack.rule_set import RuleSet
from odds.decimals import decimal, root
from odds.shoe import Shoe
from odds.worth import Worth, worth
from pitctl.choosing import chosen_game, chosen_rules, chosen_table, chosen_wager
from pitctl.shoes import described_shoe, shoe_words
from pitctl.text import Page, counted

PLACES: Final = 15
"""Decimals of every figure that is printed for a program."""

_JSON: Final = msgspec.json.Encoder(decimal_format="number")


def run(
    game: str,
    wager: str,
    *,
    decks: int,
    option: int,
    rules: Sequence[str],
    shoe: str,
    without: str,
    as_json: bool,
) -> None:
    """Show what one unit on the wager is worth."""
    filing = chosen_game(game)
    name = chosen_wager(filing, wager)
    table = chosen_table(filing, name, decks, option)
    rule_set = chosen_rules(filing, decks, rules, table)
    left = described_shoe(decks, shoe, without)
    found = worth(filing.side_bets[name], table, rule_set.spec.house, decks, left)
    if as_json:
        encoded = _JSON.encode(_as_data(rule_set, name, left, found))
        sys.stdout.buffer.write(msgspec.json.format(encoded, indent=2) + b"\n")
    else:
        _print(Page(sys.stdout), rule_set, name, left, found)


def _as_data(rule_set: RuleSet, wager: str, shoe: Shoe, found: Worth) -> dict[str, Any]:
    return {
        "game": rule_set.spec.game,
        "wager": wager,
        "decks": rule_set.spec.decks,
        "option": rule_set.paytables[wager].option,
        "shoe": list(shoe.counts),
        "outcomes": outcome_rows(found),
        "hit": str(found.hit),
        "edge": decimal(found.edge, PLACES),
        "edge_fraction": str(found.edge),
        "variance": decimal(found.variance, PLACES),
        "variance_fraction": str(found.variance),
        "standard_deviation": root(found.variance, PLACES),
        "paytable_hash": rule_set.paytables[wager].hash,
        "rule_set": rule_set.hash,
    }


def outcome_rows(found: Worth) -> list[dict[str, Any]]:
    """Every row of a paytable with its chance, as JSON has it."""
    return [
        {
            "name": row.outcome,
            "label": row.label,
            "pays": str(row.pays),
            "probability": str(row.probability),
            "probability_decimal": decimal(row.probability, PLACES),
        }
        for row in found.rows
    ]


def _print(page: Page, rule_set: RuleSet, wager: str, shoe: Shoe, found: Worth) -> None:
    title = f"{rule_set.filing.title}: {rule_set.filing.side_bets[wager].title}"
    option = f"option {rule_set.paytables[wager].option}"
    page.rule(Text.assemble((title, "bold"), f", {counted(rule_set.spec.decks, 'deck')}, {option}"))
    page.line(f"dealt from {shoe_words(shoe)}", indent=2)
    page.blank()
    print_rows(page, found)


def print_rows(page: Page, found: Worth) -> None:
    """Every row of a paytable with its chance, then edge and deviation."""
    rows = [
        (
            row.label,
            str(row.pays),
            f"{decimal(row.probability, 10):f}",
            f"{decimal(1 / row.probability, 2):,}" if row.probability else "never",
            f"{row.probability}",
        )
        for row in found.rows
    ]
    page.table(("outcome", "pays", "probability", "one in", "exactly"), rows)
    page.blank()
    page.line(f"house edge          {decimal(100 * found.edge, 10)}%", indent=2)
    page.line(f"standard deviation  {root(found.variance, 10)} per unit", indent=2)
    page.line(f"any prize or push   {decimal(100 * found.hit, 10)}%", indent=2)
