"""`pitctl games`: what can be played, for a person or for a program."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from msgspec import to_builtins

from blackjack.rulebook.filings import FILINGS, Filing, Paytable
from pitctl.odds.catalogue import house_rows, rule_sets, rules_line, said, settings
from pitctl.odds.choice import CannotChoose, chosen_game
from pitctl.odds.game_page import print_game, print_overview
from pitctl.output.text import Page, plain

SHOWN: Final = 0
NOT_FILED: Final = 2


def run(game: str, *, decks: int, as_json: bool) -> int:
    """Show all games or one; the exit status."""
    try:
        named = [chosen_game(game)] if game else list(FILINGS.values())
    except CannotChoose as refused:
        return _refuse(str(refused))
    filings = [each for each in named if decks in (0, *each.decks)]
    if not filings:
        counts = sorted({count for filing in named for count in filing.decks})
        where = f"for {game}" if game else "for any game"
        filed = ", ".join(map(str, counts))
        return _refuse(f"{decks} decks are not filed {where}; filed are {filed}.")
    if as_json:
        shown = [as_data(filing, decks) for filing in filings]
        sys.stdout.buffer.write(json.dumps(shown, indent=2, ensure_ascii=False).encode() + b"\n")
    elif game:
        print_game(Page(sys.stdout), filings[0], decks)
    else:
        print_overview(Page(sys.stdout), filings, decks)
    return SHOWN


def _refuse(reason: str) -> int:
    print(f"pitctl: {plain(reason)}", file=sys.stderr)
    return NOT_FILED


def as_data(filing: Filing, decks: int = 0) -> dict[str, Any]:
    """A game with everything, as JSON has it."""
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
                "title": each.title,
                "settles": each.settles.value,
                "right_to_left": each.right_to_left,
                "clause": each.clause,
                "win_clause": filing.clause(f"{wager}.win"),
            }
            for wager, each in filing.side_bets.items()
        ],
        "allows_promotions": filing.allows_promotions,
        "more_wagers": to_builtins(filing.more_wagers),
        "paytables": [
            _paytable(each) for each in filing.tables if decks == 0 or decks in each.decks
        ],
        "house_rules": [to_builtins(each) for each in house_rows(filing)],
        "settings": [to_builtins(each) for each in settings(filing)],
        "rule_sets": [
            {
                "decks": each.spec.decks,
                "paytables": dict(each.spec.paytables),
                "name": each.name,
                "hash": each.hash,
                "hand_history": rules_line(each),
            }
            for each in rule_sets(filing, decks)
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
            {"rule": each.rule, "value": said(each.value), "clause": each.clause}
            for each in table.requires
        ],
    }
