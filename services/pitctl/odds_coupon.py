"""`pitctl odds coupon`: what it costs to hand out a coupon."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.text import Text

from blackjack.promotions import PromotionKind
from odds.coupons import CouponCost, coupon_cost
from pitctl.choosing import chosen_game, chosen_rules, chosen_table, chosen_terms
from pitctl.text import Page, amount


def run(
    game: str,
    kind: str,
    face: str,
    *,
    wager: str,
    decks: int,
    option: int,
    rules: Sequence[str],
    terms: Sequence[str],
    stake: str,
    as_json: bool,
) -> None:
    """Show the cost of a coupon on a wager of a game."""
    filing = chosen_game(game)
    table = chosen_table(filing, wager, decks, option) if wager in filing.side_bets else None
    rule_set = chosen_rules(filing, decks, rules, table)
    said = [f"wager {wager}", *terms] if wager != "main" else terms
    found = coupon_cost(
        chosen_terms(kind, face, said), rule_set, wager=wager, stake_cents=_cents(stake, face)
    )
    if as_json:
        encoded = msgspec.json.encode(_as_data(found))
        sys.stdout.buffer.write(msgspec.json.format(encoded, indent=2) + b"\n")
    else:
        _print(Page(sys.stdout), rule_set.name, found)


def _cents(stake: str, face: str) -> int:
    """An amount of money, the coupon's face if none is said."""
    return chosen_terms(PromotionKind.MATCH_PLAY.value, stake or face, ()).face_cents


def _as_data(found: CouponCost) -> dict[str, Any]:
    return {
        "kind": found.terms.kind.value,
        "face_cents": found.terms.face_cents,
        "wager": found.wager,
        "stake_cents": found.stake_cents,
        "win": found.win,
        "push": found.push,
        "cents_a_round": found.round_cents,
        "cents": found.cents,
        "share": found.share,
        "terms": found.terms.hash,
        "rule_set": found.rule_set,
    }


def _print(page: Page, name: str, found: CouponCost) -> None:
    kind = found.terms.kind.value.replace("_", " ")
    beside = f"${amount(found.stake_cents)}"
    if found.terms.kind is PromotionKind.FREE_ACE:
        title, of = f"{kind} beside {beside}", f"the {beside} beside it"
    else:
        title, of = f"{kind} of ${amount(found.terms.face_cents)}", "its face"
    page.rule(Text.assemble((title, "bold"), f", {name}"))
    page.line(f"on              {found.wager}", indent=2)
    page.line(f"wins            {100 * found.win:.4f}%", indent=2)
    page.line(f"pushes          {100 * found.push:.4f}%", indent=2)
    page.line(f"costs a round   ${found.round_cents / 100:.4f}", indent=2)
    page.line(
        f"costs in all    ${found.cents / 100:.4f}, {100 * found.share:.4f}% of {of}", indent=2
    )
    if found.round_cents < found.cents:
        page.line("A push leaves it in play: in all means until it is won or lost.", indent=2)
