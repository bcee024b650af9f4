"""The order of settlement: which wager is settled when, and from which side of the table."""

from __future__ import annotations

from typing import Final

from blackjack.display_names import bet_name
from blackjack.facts import Place
from blackjack.findings import Kind
from blackjack.play.round import DEALT, PLAYING, Round
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager
from blackjack.rulebook.citations import cite
from blackjack.rulebook.filings import Settles
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.side_bets.dead_mans_hand import may_be_set
from blackjack.settlement.side_plans import SidePlan
from blackjack.settlement.side_wagers import possible_outcomes

AFTER_DEAL: Final = Settles.AFTER_DEAL
AFTER_HOLE_CARD: Final = Settles.AFTER_HOLE_CARD


def check_order(state: TableState, played: Round, wager: Wager) -> None:
    """The dealer begins to settle a wager: is it its turn?"""
    rules = played.rules
    if rules is None or not played.complete:
        return
    plan = played.plans.get(wager.kind)
    if plan is None:
        _check_natural(state, played, rules, wager)
        if played.hole_shown and played.dealer_blackjack and wager.kind == MAIN:
            clause = rules.filing.clauses.get("dealer_blackjack.right_to_left")
            if clause:
                _check_side(state, played, rules, wager, clause)
        return
    filed = plan.filed
    wrong = _wrong_moment(state, played, plan, wager)
    if wrong:
        _note(state, rules, wager, wrong, filed.clause)
        return
    if filed.right_to_left:
        _check_side(state, played, rules, wager, filed.clause)


def _check_side(
    state: TableState, played: Round, rules: RuleSet, wager: Wager, clause: str
) -> None:
    """Right to left, as the dealer sees it: from the highest seat to the lowest."""
    last = played.last_settled.get(wager.kind)
    if last is not None and wager.seat > last:
        _note(
            state,
            rules,
            wager,
            f"settled after seat {last}, not from right to left",
            clause,
            once="right to left",
        )
    played.last_settled[wager.kind] = wager.seat


def _wrong_moment(state: TableState, played: Round, plan: SidePlan, wager: Wager) -> str:
    settles = plan.filed.settles
    if settles is AFTER_DEAL:
        if played.phase < DEALT:
            return "settled before all cards were dealt"
        waits = plan.waits
        if played.phase == PLAYING and not (waits and _may_wait(played, wager.seat)):
            return "settled after the blackjack game had begun"
        if waits and not possible_outcomes(state, played, plan, wager, shown_only=True):
            return "settled before its outcome was decided"
        return ""
    if settles is AFTER_HOLE_CARD:
        if not played.hole_shown:
            return "settled before the hole card was shown"
        if len(played.dealer.cards) > 2:
            return "settled after the dealer had gone on to draw"
        return ""
    if settles is Settles.AFTER_MATCH_ME:
        if Place.MATCH_ME not in played.exposed:
            return "settled before the Match Me card was turned"
        if Place.MATCH_ME_2 in played.exposed:
            return "settled after the Match Me 2 card was turned"
        return ""
    if settles is Settles.AFTER_MATCH_ME_2:
        turned = Place.MATCH_ME_2 in played.exposed
        return "" if turned else "settled before the Match Me 2 card was turned"
    return _upcard_moment(state, played, plan, wager)


def _upcard_moment(state: TableState, played: Round, plan: SidePlan, wager: Wager) -> str:
    if played.phase < DEALT:
        return "settled before all cards were dealt"
    if possible_outcomes(state, played, plan, wager, shown_only=True):
        return ""
    if played.replacement and played.peeked is not None:
        return ""
    return "settled before its outcome was decided"


def _may_wait(played: Round, seat: int) -> bool:
    """Whether the spot was dealt a pair of aces or eights, or may have been."""
    firsts = played.firsts.get(seat, [])
    if len(firsts) < 2:
        return True
    first, second = firsts[0], firsts[1]
    if not (may_be_set(first) and may_be_set(second)):
        return False
    return first is None or second is None or first.rank == second.rank


def _check_natural(state: TableState, played: Round, rules: RuleSet, wager: Wager) -> None:
    """Under an ace or a ten a natural is paid only after the dealer has looked."""
    hand = played.hand(wager.seat, wager.hand)
    if (
        hand is not None
        and hand.natural
        and wager.kind in rules.filing.base_wagers
        and played.peek_due
        and played.peeked is None
        and not played.hole_shown
        and wager.seat not in played.even_money
    ):
        _note(state, rules, wager, "natural settled before the peek", _peek(rules))


def _peek(rules: RuleSet) -> str:
    return rules.filing.clauses.get("peek", "")


def _note(
    state: TableState, rules: RuleSet, wager: Wager, text: str, clause: str, *, once: str = ""
) -> None:
    """One finding a round for each kind of wager and each way to be out of order."""
    if state.once(f"{wager.kind}: {once or text}"):
        bet = bet_name(wager.seat, wager.hand, wager.kind, tip=wager.tip)
        state.note(
            Kind.SETTLE_ORDER,
            f"{bet[0].upper()}{bet[1:]}: {text}",
            f"{rules.filing.title}, {clause}" if clause else cite(rules, "game"),
            seat=wager.seat,
            hand=wager.hand,
            wager=wager.kind,
            patron=wager.patron,
            subject="tip" if wager.tip else "",
        )
