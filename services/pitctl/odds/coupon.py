"""`pitctl odds coupon`: the cost of a coupon."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins
from rich.text import Text

from blackjack.display_names import wager_name
from blackjack.money import format_cents
from blackjack.rulebook.promotions import PromotionKind
from blackjack.rulebook.rule_set import RuleSet
from odds.coupons import CouponCost, coupon_cost
from pitctl.errors import InvalidArgument
from pitctl.odds.chosen_rules import chosen_game, chosen_rules, chosen_table, chosen_terms
from pitctl.odds.game_catalog import terms_in_words, unusual
from pitctl.output.json_out import write_json
from pitctl.output.text import Page


def run(
    game: str,
    kind: str,
    face: str,
    *,
    wager: str,
    decks: int,
    option: int | None,
    rules: Sequence[str],
    terms: Sequence[str],
    stake: str,
    as_json: bool,
) -> None:
    """Show the cost of a coupon on a wager of a game."""
    filing = chosen_game(game)
    table = None
    if wager in filing.side_bets:
        table = chosen_table(filing, wager, decks, option or 1)
    elif option is not None:
        raise InvalidArgument(f"--option is for a side bet; {wager} has no paytable")
    rule_set = chosen_rules(filing, decks, rules, table)
    lines = [f"wager {wager}", *terms] if wager != "main" else terms
    found = coupon_cost(
        chosen_terms(kind, face, lines), rule_set, wager=wager, stake_cents=_cents(stake, face)
    )
    if as_json:
        chosen = {
            "game": game,
            "decks": decks,
            "option": table.option if table is not None else None,
        }
        write_json(sys.stdout.buffer, chosen | _as_data(found))
    else:
        _print(Page(sys.stdout), rule_set, found)


def _cents(stake: str, face: str) -> int:
    """The stake in cents; the face value if it is not given."""
    try:
        return chosen_terms(PromotionKind.MATCH_PLAY.value, stake or face, ()).face_cents
    except InvalidArgument as error:
        raise InvalidArgument(f"--stake: {error}" if stake else str(error)) from None


def _as_data(found: CouponCost) -> dict[str, Any]:
    return {
        "kind": found.terms.kind.value,
        "face_cents": found.terms.face_cents,
        "wager": found.wager,
        "stake_cents": found.stake_cents,
        "win": found.win,
        "push": found.push,
        "round_cents": found.round_cents,
        "cents": found.cents,
        "share": found.share,
        "terms": to_builtins(found.terms),
        "terms_hash": found.terms.hash,
        "rule_set_hash": found.rule_set,
    }


def _print(page: Page, rules: RuleSet, found: CouponCost) -> None:
    kind = found.terms.kind.value.replace("_", " ")
    beside = format_cents(found.stake_cents)
    kind = kind.capitalize()
    if found.terms.kind is PromotionKind.FREE_ACE:
        title, of = f"{kind} beside {beside}", f"the {beside} beside it"
    else:
        title, of = f"{kind} of {format_cents(found.terms.face_cents)}", "its face"
    page.rule(Text.assemble((title, "bold"), f", {rules.name}"))
    page.line(f"rules           {unusual(rules)}", indent=2, hang=16)
    page.line(f"terms           {terms_in_words(found.terms)}", indent=2, hang=16)
    page.line(f"on              {wager_name(found.wager)}", indent=2)
    page.line(f"wins            {100 * found.win:.4f}%", indent=2)
    page.line(f"pushes          {100 * found.push:.4f}%", indent=2)
    page.line(f"costs a round   ${found.round_cents / 100:.4f}", indent=2)
    page.line(
        f"total cost      ${found.cents / 100:.4f}, {100 * found.share:.4f}% of {of}", indent=2
    )
    if found.round_cents < found.cents:
        page.line("A push leaves it in play: the total is until it is won or lost.", indent=2)
