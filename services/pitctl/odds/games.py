"""`pitctl games`: filed games, for people or programs."""

from __future__ import annotations

import json
import sys
from typing import Any

from msgspec import to_builtins

from blackjack.rulebook.filings import FILINGS, Filing, Paytable
from pitctl.errors import InvalidArgument
from pitctl.odds.chosen_rules import chosen_game
from pitctl.odds.game_catalog import house_rows, json_value, rule_sets, rules_line, settings
from pitctl.odds.game_page import print_game, print_overview
from pitctl.output.exit import ERROR, OK, print_error
from pitctl.output.text import Page


def run(game: str, *, decks: int, as_json: bool) -> int:
    """Show all games or one; return the exit status."""
    try:
        named = [chosen_game(game)] if game else list(FILINGS.values())
    except InvalidArgument as error:
        return _fail(str(error))
    filings = [filing for filing in named if decks in (0, *filing.decks)]
    if not filings:
        counts = sorted({count for filing in named for count in filing.decks})
        where = f"for {game}" if game else "for any game"
        filed = ", ".join(map(str, counts))
        return _fail(f"Invalid decks {decks}: {where} filed are {filed}.")
    if as_json:
        shown = [as_data(filing, decks) for filing in filings]
        sys.stdout.buffer.write(json.dumps(shown, indent=2, ensure_ascii=False).encode() + b"\n")
    elif game:
        print_game(Page(sys.stdout), filings[0], decks)
    else:
        print_overview(Page(sys.stdout), filings, decks)
    return OK


def _fail(reason: str) -> int:
    print_error(reason)
    return ERROR


def as_data(filing: Filing, decks: int = 0) -> dict[str, Any]:
    """A game in full, as JSON has it."""
    return {
        "game": filing.game,
        "title": filing.title,
        "filing": filing.filing,
        "decks": list(filing.decks),
        "dealing": filing.dealing.value,
        "base_wagers": list(filing.base_wagers),
        "side_bets": [
            {
                "wager": wager,
                "title": side_bet.title,
                "settles": side_bet.settles.value,
                "right_to_left": side_bet.right_to_left,
                "clause": side_bet.clause,
                "win_clause": filing.clause(f"{wager}.win"),
            }
            for wager, side_bet in filing.side_bets.items()
        ],
        "allows_promotions": filing.allows_promotions,
        "more_wagers": to_builtins(filing.more_wagers),
        "paytables": [_paytable(table) for table in filing.tables if decks in (0, *table.decks)],
        "house_rules": [to_builtins(row) for row in house_rows(filing)],
        "settings": [to_builtins(setting) for setting in settings(filing)],
        "rule_sets": [
            {
                "decks": rule_set.spec.decks,
                "paytables": dict(rule_set.spec.paytables),
                "name": rule_set.name,
                "hash": rule_set.hash,
                "hand_history": rules_line(rule_set),
            }
            for rule_set in rule_sets(filing, decks)
        ],
        "clauses": dict(filing.clauses),
    }


def _paytable(table: Paytable) -> dict[str, Any]:
    return {
        "wagers": list(table.wagers),
        "decks": list(table.decks),
        "option": table.option,
        "clause": table.clause,
        "hash": table.hash,
        "rows": [
            {
                "outcome": row.outcome,
                "label": row.label,
                "pays": str(row.pays),
                "win": row.pays.win,
                "stake": row.pays.stake,
            }
            for row in table.rows
        ],
        "pays_as": dict(table.pays_as),
        "requires": [
            {
                "rule": requirement.rule,
                "value": json_value(requirement.value),
                "clause": requirement.clause,
            }
            for requirement in table.requires
        ],
    }
