"""The cost of a coupon: the winnings that it is paid until it is spent.

A coupon is worth nothing by itself and is paid its winnings only, so its cost is its chance
of winning times what it then pays, by its terms and rounded as the table rounds. Where a
push leaves it in play (it stays on the spot, or goes back to the patron), it is played again
until it wins or loses, which divides the cost by the chance of a decision.

How it is played:

- a match play lies beside chips, which are played as is best for the chips; it stays with
  the first hand, and is not doubled, split or insured;
- a free bet has no chips beside it, so it is only hit or stood on, and as is best for the
  coupon: to lose costs its holder nothing;
- a free ace makes the first card an ace. The hand is played as is best, but not split, since
  a split gives that card its face back. The coupon pays nothing itself: its cost is what the
  wager beside it wins more, before any rounding.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from blackjack.money import Odds, winnings
from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.house_rules import MAIN, Peek
from blackjack.rulebook.promotions import OnPush, PromotionKind, Terms
from blackjack.rulebook.rule_set import RuleSet
from odds.main_game import (
    FirstHand,
    FreeAce,
    MainRules,
    Ranks,
    analyse_or_kept,
    hit_or_stand,
    kept_tables,
    ranks_of,
    value_with_free_ace,
)
from odds.shoe import CardCounts
from odds.worth import worth

ROUNDS_MAX: Final = 50
"""Rounds of improving the play of a free bet; it settles within a handful."""


class NoCost(ValueError):
    """A coupon that costs nothing at the table, or not in this game or on this wager."""


class CouponCost(Struct, frozen=True):
    """The cost of a coupon to the house, in cents.

    `round_cents` is what one round pays on it on average; `cents` is that until the coupon
    is spent. `win` counts every winning end, naturals among them.
    """

    terms: Terms
    rule_set: str
    wager: str
    stake_cents: int
    """Chips beside it; a free ace is worth so much of them."""
    win: float
    push: float
    round_cents: float
    cents: float

    @property
    def share(self) -> float:
        """The cost for every cent of its face value, or of the stake beside a free ace."""
        of = self.terms.face_cents if self.terms.face_cents else self.stake_cents
        return self.cents / of if of else 0.0


def coupon_cost(
    terms: Terms, rules: RuleSet, *, wager: str = MAIN, stake_cents: int = 0
) -> CouponCost:
    """The cost of a coupon with a full shoe of this rule set; `NoCost` if it has none."""
    _check(terms, rules, wager)
    match terms.kind:
        case PromotionKind.FREE_ACE:
            return _free_ace(terms, rules, stake_cents)
        case PromotionKind.MATCH_PLAY | PromotionKind.FREE_BET if wager == MAIN:
            stake = stake_cents if terms.kind is PromotionKind.MATCH_PLAY else 0
            return _on_the_hand(terms, rules, stake)
        case PromotionKind.MATCH_PLAY | PromotionKind.FREE_BET | PromotionKind.HAND_BONUS:
            return _on_a_side_bet(terms, rules, wager, stake_cents)
        case PromotionKind.POINT_MULTIPLIER:
            raise NoCost("a point multiplier pays nothing at the table")


def _check(terms: Terms, rules: RuleSet, wager: str) -> None:
    if terms.problem:
        raise NoCost(terms.problem)
    if terms.games and rules.spec.game not in terms.games:
        raise NoCost(f"its terms are for {', '.join(terms.games)}, not for {rules.spec.game}")
    if wager not in (terms.wagers or (MAIN,)):
        raise NoCost(f"its terms are for {', '.join(terms.wagers or (MAIN,))}, not for {wager}")
    needs_a_hand = wager == MAIN or terms.kind is PromotionKind.FREE_ACE
    if needs_a_hand and rules.filing.dealing is not Dealing.STANDARD:
        raise NoCost(f"{rules.filing.title} has no main wager")
    if needs_a_hand and rules.spec.house.peek is Peek.NONE:
        raise NoCost("the main game without a peek is not analyzed")
    if wager != MAIN and wager not in rules.filing.side_bets:
        raise NoCost(f"{wager} is no wager of {rules.filing.title} that a coupon can lie beside")


# On the hand ---------------------------------------------------------------------------


def _on_the_hand(terms: Terms, rules: RuleSet, stake_cents: int) -> CouponCost:
    main, ranks = MainRules.of(rules), ranks_of(rules.spec.decks)
    wins, naturals = _pays(terms, rules, terms.pays), _pays(terms, rules, terms.natural_pays)
    if terms.kind is PromotionKind.MATCH_PLAY:
        ended = analyse_or_kept(main, ranks).first_hand
    else:
        ended = _free_bet(main, ranks, terms, wins, naturals)
    paid = ended.win * wins + ended.natural * naturals
    return CouponCost(
        terms=terms,
        rule_set=rules.hash,
        wager=MAIN,
        stake_cents=stake_cents,
        win=ended.win + ended.natural,
        push=ended.push,
        round_cents=paid,
        cents=_until_spent(terms, paid, ended.push),
    )


def _free_bet(main: MainRules, ranks: Ranks, terms: Terms, wins: int, naturals: int) -> FirstHand:
    """Play that is best for the coupon: what a push is worth depends on it, and it on that."""
    push = 0.0
    ended = hit_or_stand(main, ranks, win=wins, push=push)
    for _ in range(ROUNDS_MAX):
        paid = ended.win * wins + ended.natural * naturals
        worth_more = _until_spent(terms, paid, ended.push) if _plays_on(terms) else 0.0
        if worth_more <= push:
            return ended
        push = worth_more
        ended = hit_or_stand(main, ranks, win=wins, push=push)
    return ended


def _free_ace(terms: Terms, rules: RuleSet, stake_cents: int) -> CouponCost:
    if stake_cents <= 0:
        raise NoCost("a free ace is worth a part of the wager beside it: state the stake")
    main = MainRules.of(rules)
    with_ace = _with_ace(main, rules.spec.decks)
    without = analyse_or_kept(main, ranks_of(rules.spec.decks))
    cents = stake_cents * (without.edge - with_ace.edge)
    ended = with_ace.first_hand
    return CouponCost(
        terms=terms,
        rule_set=rules.hash,
        wager=MAIN,
        stake_cents=stake_cents,
        win=ended.win + ended.natural,
        push=ended.push,
        round_cents=cents,
        cents=cents,
    )


@lru_cache(maxsize=64)
def _with_ace(main: MainRules, decks: int) -> FreeAce:
    tables = kept_tables(main, decks)
    return tables.free_ace if tables is not None else value_with_free_ace(main, ranks_of(decks))


# On a side bet -------------------------------------------------------------------------


def _on_a_side_bet(terms: Terms, rules: RuleSet, wager: str, stake_cents: int) -> CouponCost:
    if wager == MAIN:
        raise NoCost("a bonus on how the hand ends is not worked out; name a side bet's outcome")
    decks = rules.spec.decks
    found = worth(
        rules.filing.side_bets[wager],
        rules.paytables[wager],
        rules.spec.house,
        decks=decks,
        shoe=CardCounts.of_decks(decks),
    )
    bonus = terms.kind is PromotionKind.HAND_BONUS
    if bonus and terms.bonus_outcome not in (row.outcome for row in found.rows):
        known = ", ".join(row.outcome for row in found.rows)
        raise NoCost(f"{terms.bonus_outcome!r} is no outcome of {wager}; it has {known}")
    paying = [row for row in found.rows if not row.pays.is_push]
    if bonus:
        paying = [row for row in paying if row.outcome == terms.bonus_outcome]
    win = sum(row.probability for row in paying)
    push = sum(row.probability for row in found.rows if row.pays.is_push)
    paid = win * (terms.face_cents if bonus else _pays(terms, rules, terms.pays))
    return CouponCost(
        terms=terms,
        rule_set=rules.hash,
        wager=wager,
        stake_cents=stake_cents,
        win=float(win),
        push=float(push),
        round_cents=float(paid),
        cents=float(paid) if bonus else _until_spent(terms, float(paid), float(push)),
    )


def _pays(terms: Terms, rules: RuleSet, odds: Odds) -> int:
    limits = rules.spec.limits
    return winnings(
        (terms.face_cents, odds), chip_cents=limits.smallest_chip_cents, rounding=limits.rounding
    )


def _plays_on(terms: Terms) -> bool:
    return terms.on_push is not OnPush.LOST


def _until_spent(terms: Terms, paid: float, push: float) -> float:
    return paid / (1.0 - push) if _plays_on(terms) else paid
