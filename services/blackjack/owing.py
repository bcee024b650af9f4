"""What a wager is owed: the judgement itself.

`owed` answers from the cards and decisions so far, or None while nothing can be said
yet. Where a card was not read, every card it could be is tried: if all give the same,
the answer is certain; if not, it is undetermined, with the least and the most.
"""

from __future__ import annotations

from blackjack.comparing import owed_on_hand, owed_on_insurance
from blackjack.judgements import Owed
from blackjack.money import TWO_TO_ONE, dollars
from blackjack.outcomes import Result
from blackjack.round import Round
from blackjack.rule_set import RuleSet
from blackjack.rules import INSURANCE
from blackjack.sides import owed_on_side_bet
from blackjack.state import State
from blackjack.wagers import Wager


def owed(state: State, played: Round, wager: Wager) -> Owed | None:
    """What the wager is owed as the round stands, None while it is undecided."""
    due = wager.owed
    if due is not None:
        if wager.owed_at == played.revision or wager.owed_for_good == played.epoch:
            return due
    elif wager.owed_at == played.revision and not played.closing:
        return None
    due = wager.owed = _work_out(state, played, wager)
    wager.owed_at = played.revision
    rules = played.rules
    if due is not None and rules is not None and wager.kind in rules.paytables:
        # No later card changes a side bet that is decided; only a ruling can.
        wager.owed_for_good = played.epoch
    return due


def _work_out(state: State, played: Round, wager: Wager) -> Owed | None:
    if played.void:
        return Owed(
            Result.VOID,
            "void",
            "convention 10: a void round gives every stake back",
            f"round void ({played.void}): {dollars(wager.stake)} goes back",
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
            f"hand void by ruling: {dollars(wager.stake)} goes back",
        )
    if wager.kind in rules.filing.base_wagers:
        return owed_on_hand(played, rules, wager, hand)
    if wager.kind == INSURANCE:
        return owed_on_insurance(played, rules, wager)
    if wager.kind in rules.paytables:
        return _within_aggregate(state, played, rules, wager)
    return Owed(
        Result.NOT_SETTLED,
        "not_settled",
        "no filing of this game has this wager",
        f"{wager.kind} is not a wager of this game: {dollars(wager.stake)} not judged",
    )


def _facts_missing(played: Round, wager: Wager) -> Owed | None:
    """A hole in the log may hide any card or decision: only the bounds are certain."""
    if not played.closing:
        return None
    rules = played.rules
    paytable = rules.paytables.get(wager.kind) if rules is not None else None
    pays = paytable.top if paytable is not None else TWO_TO_ONE
    most = wager.stake * pays.win // pays.stake
    return Owed(
        Result.UNDETERMINED,
        "facts_missing",
        "convention: what the log does not show is not guessed",
        f"facts of the round are missing: {dollars(0)} to {dollars(most)}",
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
        f"{dollars(wager.stake)} not judged",
    )


def _within_aggregate(state: State, played: Round, rules: RuleSet, wager: Wager) -> Owed | None:
    """A posted aggregate limit caps what one deal pays for one kind of prize.

    It is shared among the winners by what each would have been paid, cents by largest
    remainder; tips are outside it (WAC 230-15-490, 491).
    """
    due = owed_on_side_bet(state, played, rules, wager)
    limit = rules.spec.limits.wagers.get(wager.kind)
    if (
        due is None
        or due.result is not Result.WON
        or limit is None
        or not limit.aggregate_cents
        or wager.tip
    ):
        return due
    claims: list[tuple[Wager, int]] = []
    for other in played.wagers.values():
        if other.kind != wager.kind or other.tip:
            continue
        claim = due if other is wager else owed_on_side_bet(state, played, rules, other)
        if claim is None:
            return None
        if claim.result is Result.WON:
            claims.append((other, claim.cents))
    asked = sum(cents for _, cents in claims)
    if asked <= limit.aggregate_cents:
        return due
    share = _share(limit.aggregate_cents, [cents for _, cents in claims])[
        next(at for at, (other, _) in enumerate(claims) if other is wager)
    ]
    return Owed(
        due.result,
        due.outcome,
        f"{due.clause}; WAC 230-15-490",
        f"{due.arithmetic}, aggregate limit {dollars(limit.aggregate_cents)} of "
        f"{dollars(asked)} won: {dollars(share)}",
        cents=share,
        least_cents=share,
        most_cents=share,
    )


def _share(amount: int, claims: list[int]) -> list[int]:
    """Divide an amount in proportion to claims; the shares add up to the last cent.

    >>> _share(100, [1, 1, 1])
    [34, 33, 33]
    """
    asked = sum(claims)
    shares = [amount * claim // asked for claim in claims]
    remainders = [amount * claim % asked for claim in claims]
    by_remainder = sorted(range(len(claims)), key=lambda at: (-remainders[at], at))
    for at in by_remainder[: amount - sum(shares)]:
        shares[at] += 1
    return shares
