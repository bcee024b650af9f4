"""Chips that move after bets are closed: by a decision, by a settlement, or by nobody's right.

A device may see chips before or after the decision they belong to. Chips that a decision
has asked for are expected; chips that nobody asked for are a past post or a pinch, at
once, and taken back if the decision follows.
"""

from __future__ import annotations

from blackjack.findings import Kind
from blackjack.hidden import rests_on_hidden_card
from blackjack.money import dollars
from blackjack.outcomes import Result
from blackjack.owing import owed
from blackjack.round import Round
from blackjack.rules import INSURANCE
from blackjack.state import State
from blackjack.state_rules import ONE_DECISION_RULE
from blackjack.wagers import Wager, WagerKey


def move_late(state: State, played: Round, key: WagerKey, wager: Wager | None, cents: int) -> None:
    """The chips of a wager now amount to `cents`, though bets are closed."""
    seat, hand, kind, _ = key
    before = wager.chips if wager is not None else 0
    rise = cents - before
    if wager is not None:
        wager.chips = cents
    if not rise or kind == INSURANCE:
        return  # Insurance is judged when it is taken.
    if rise > 0 and _asked_for(played, seat, rise):
        return
    if wager is not None and (wager.touched or (rise < 0 and _may_fall(state, played, wager))):
        return
    found = state.note(
        Kind.PAST_POST if rise > 0 else Kind.PINCH,
        f"{kind} on seat {seat} went from {dollars(before)} to {dollars(cents)} "
        "after bets closed, by no rule of the game",
        ONE_DECISION_RULE,
        seat=seat,
        hand=hand,
        wager=kind,
        patron=wager.patron if wager is not None else "",
        cents=abs(rise),
        subject=cents,
    )
    played.moves[(seat, rise)] = found.id


def _asked_for(played: Round, seat: int, rise: int) -> bool:
    due = played.chips_due.get(seat, 0)
    if rise > due:
        return False
    played.chips_due[seat] = due - rise
    return True


def _may_fall(state: State, played: Round, wager: Wager) -> bool:
    """Whether chips of this wager may be on their way to the house or back to the player."""
    if not wager.in_action:
        return True
    due = owed(state, played, wager)
    return (
        due is not None
        and due.result in (Result.LOST, Result.SURRENDERED, Result.VOID)
        and not rests_on_hidden_card(state, played, wager)
    )


def ask_for(state: State, played: Round, seat: int, cents: int) -> int:
    """A decision adds chips: they will be seen, or were already; then gives beside which hand."""
    seen_on = forgive(state, played, seat, cents)
    if not seen_on:
        played.chips_due[seat] = played.chips_due.get(seat, 0) + cents
    return seen_on


def forgive(state: State, played: Round, seat: int, rise: int) -> int:
    """Chips that moved before the decision they belong to were no past post and no pinch.

    Gives the hand that they moved on, 0 if none did.
    """
    name = played.moves.pop((seat, rise), "")
    if not name:
        return 0
    found = state.standing(name)
    state.withdraw(name, "the chips belong to a decision that came after them")
    return found.hand if found is not None else 1
