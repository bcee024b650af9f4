"""`pitctl odds bet`: the value of a side bet from any shoe."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.text import Text

from odds.worth import worth
from pitctl.odds.chosen_rules import chosen_game, chosen_rules, chosen_table, chosen_wager
from pitctl.odds.shoe_argument import describe_shoe, parse_shoe
from pitctl.odds.worth_page import print_worth, worth_data
from pitctl.output.json_out import write_json
from pitctl.output.text import Page, count_noun


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
    """Show the value of one unit on the wager."""
    filing = chosen_game(game)
    name = chosen_wager(filing, wager)
    table = chosen_table(filing, name, decks, option)
    rule_set = chosen_rules(filing, decks, rules, table)
    left = parse_shoe(decks, shoe, without)
    side_bet = filing.side_bets[name]
    found = worth(side_bet, table, rule_set.spec.house, decks=decks, shoe=left)
    if as_json:
        chosen = {"game": game, "wager": name, "decks": decks, "option": option}
        hashes = {"paytable_hash": table.hash, "rule_set_hash": rule_set.hash}
        shown = chosen | {"shoe": list(left.counts)} | worth_data(found) | hashes
        write_json(sys.stdout.buffer, shown)
        return
    page = Page(sys.stdout)
    title = f"{filing.title}: {side_bet.title}"
    paytable = f", option {option} for {count_noun(decks, 'deck')}"
    page.rule(Text.assemble((title, "bold"), paytable))
    page.line(f"dealt from {describe_shoe(left)}", indent=2)
    page.blank()
    print_worth(page, found)
