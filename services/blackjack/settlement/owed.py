"""What a wager is owed: the judgment itself.

`owed` judges by the cards and decisions so far, and returns None while nothing is decided
yet. Where a card was not read, every card it could be is tried: if all give the same,
the result is certain; if not, it is undetermined, with the least and the most.
"""

from __future__ import annotations

from typing import Final

from blackjack.money import TWO_TO_ONE, format_cents
from blackjack.outcomes import Result
from blackjack.play.round import BETTING, Round
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager
from blackjack.rulebook.house_rules import INSURANCE
from blackjack.rulebook.rule_set import RuleSet
from blackjack.rulebook.state_rules import aggregate_rule
from blackjack.settlement.explanations import explain_due
from blackjack.settlement.judgments import Owed
from blackjack.settlement.main_wagers import BUST, owed_on_hand, owed_on_insurance
from blackjack.settlement.side_plans import SidePlan
from blackjack.settlement.side_wagers import owed_on_side_bet

NOT_SETTLED: Final = Result.NOT_SETTLED

NO_WAGER: Final = Owed(
    Result.LOST,
    "no_wager",
    "convention: only a wager that was made before bets closed is settled",
    "no wager in action",
)
"""The judgment where no wager stands: nothing is owed, and nothing may be taken."""


def owed(state: TableState, played: Round, wager: Wager) -> Owed | None:
    """What the wager is owed as the round stands, None while it is undecided."""
    due = wager.owed
    if due is not None:
        if wager.owed_at == played.revision or wager.owed_for_good == played.epoch:
            return due
    elif wager.owed_at == played.revision and not played.closing:
        return None
    due = wager.owed = _work_out(state, played, wager)
    wager.owed_at = played.revision
    if due is not None and _stands(played, wager, due):
        wager.owed_for_good = played.epoch
    return due


def _stands(played: Round, wager: Wager, due: Owed) -> bool:
    """Whether no later card or decision changes it: only a ruling, or a card learned late, can.

    So it is with a side bet that is decided, with a hand that is bust and gets no more cards, and
    with a wager of no filing once bets are closed.
    """
    if wager.kind in played.plans:
        return True
    if due.outcome == BUST:
        hand = played.hand(wager.seat, wager.hand)
        return hand is not None and hand.done and wager.seat not in played.skipped
    return due.result is NOT_SETTLED and played.phase != BETTING


def _work_out(state: TableState, played: Round, wager: Wager) -> Owed | None:
    if wager.stray and played.complete:
        return NO_WAGER
    if played.void:
        return Owed(
            Result.VOID,
            "void",
            "convention 10: a void round gives every stake back",
            f"round void ({played.void}): {format_cents(wager.stake)} returned",
        )
    if not played.complete:
        return _facts_missing(played, wager)
    rules = played.rules
    if rules is None:
        return _unresolved(played, wager)
    hand = played.hand(wager.seat, wager.hand)
    if hand is not None and hand.void:
        return Owed(
            Result.VOID,
            "void",
            "supervisor's ruling",
            f"hand void by ruling: {format_cents(wager.stake)} returned",
        )
    if wager.kind in rules.filing.base_wagers:
        return owed_on_hand(played, rules, wager, hand)
    if wager.kind == INSURANCE:
        return owed_on_insurance(played, rules, wager)
    plan = played.plans.get(wager.kind)
    if plan is not None:
        due = owed_on_side_bet(state, played, rules, plan, wager)
        if plan.aggregate_cents and due is not None and due.most_cents and not wager.tip:
            return _within_aggregate(state, played, rules, plan, wager, due)
        return due
    return Owed(
        NOT_SETTLED,
        "not_settled",
        "no filing of this game has this wager",
        f"{wager.kind} is not a wager of this game: {format_cents(wager.stake)} not judged",
    )


def _facts_missing(played: Round, wager: Wager) -> Owed | None:
    """A hole in the log may hide any card or decision: only the bounds are certain."""
    if not played.closing:
        return None
    rules = played.rules
    paytable = rules.paytables.get(wager.kind) if rules is not None else None
    pays = paytable.top if paytable is not None else TWO_TO_ONE
    most = (wager.stake + wager.face_cents) * pays.win // pays.stake
    return Owed(
        Result.UNDETERMINED,
        "facts_missing",
        "convention: what the log does not show is not guessed",
        f"facts of the round are missing: {format_cents(0)} to {format_cents(most)}",
        most_cents=most,
    )


def _unresolved(played: Round, wager: Wager) -> Owed | None:
    if not played.closing:
        return None
    return Owed(
        Result.UNDETERMINED,
        "rules_unknown",
        "architecture: settles once the rule set is published",
        f"rule set {played.context.rule_set[:12] or 'not named'} is not known: "
        f"{format_cents(wager.stake)} not judged",
    )


def _within_aggregate(
    state: TableState, played: Round, rules: RuleSet, plan: SidePlan, wager: Wager, due: Owed
) -> Owed | None:
    """A posted aggregate limit caps what one deal pays for one kind of prize.

    It is shared among the winners by what each would have been paid, cents by largest
    remainder; tips are outside it (WAC 230-15-490, 491).
    """
    claims: list[Owed] = []
    mine = 0
    for key in sorted(played.wagers):
        other = played.wagers[key]
        if other.kind != wager.kind or other.tip:
            continue
        if other is wager:
            mine = len(claims)
            claims.append(due)
            continue
        hand = played.hand(other.seat, 1)
        if hand is not None and hand.void:
            continue
        claim = owed_on_side_bet(state, played, rules, plan, other)
        if claim is None:
            return None
        claims.append(claim)
    cap = plan.aggregate_cents
    extra = due.coupon_cents  # The coupon's own prize is not the wager's.
    lows = [claim.least_cents - claim.coupon_cents for claim in claims]
    highs = [claim.most_cents - claim.coupon_cents for claim in claims]
    most = extra + _share(cap, [*lows[:mine], highs[mine], *lows[mine + 1 :]], mine)
    least = extra + _share(cap, [*highs[:mine], lows[mine], *highs[mine + 1 :]], mine)
    if (least, most) == (due.least_cents, due.most_cents):
        return due
    certain = due.result is Result.WON and least == most
    return Owed(
        due.result if certain else Result.UNDETERMINED,
        due.outcome if certain else "aggregate_open",
        f"{due.clause}; {aggregate_rule(played.opened_at)}",
        f"{explain_due(played, wager, due)}, within the aggregate limit of {format_cents(cap)}: "
        f"{format_cents(least)}" + ("" if certain else f" to {format_cents(most)}"),
        cents=most if certain else 0,
        least_cents=least,
        most_cents=most,
        coupon_cents=extra if certain else 0,
    )


def _share(amount: int, claims: list[int], at: int) -> int:
    """What one of several claims gets of an amount that may not be enough for all.

    In proportion to the claims; the cents that are left over go one each to the largest
    remainders, from the dealer's left. The shares add up to the last cent.

    >>> [_share(100, [50, 50, 50], at) for at in range(3)], _share(100, [60, 30], 0)
    ([34, 33, 33], 60)
    """
    claimed = sum(claims)
    if claimed <= amount:
        return claims[at]
    shares = [amount * claim // claimed for claim in claims]
    remainders = [amount * claim % claimed for claim in claims]
    ahead = sum(
        remainder > remainders[at] or (remainder == remainders[at] and place < at)
        for place, remainder in enumerate(remainders)
    )
    return shares[at] + (ahead < amount - sum(shares))
