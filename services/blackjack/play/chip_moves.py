"""Chips that move after bets are closed: by a decision, by a settlement, or by no rule.

A wager may hold its stake and the winnings paid on it. Chips beyond that are a past post, at once;
they go back, and a decision that follows (a double, a split, insurance) accounts for as many of
them as it adds to its own wager and no more. Chips of the stake that leave are a pinch, at once,
unless a rule lets them go; what the dealer collects or gives back by the close accounts for them.
Both findings follow the amount under one id.
"""

from __future__ import annotations

from typing import Final

from blackjack.display_names import bet_name
from blackjack.findings import Kind
from blackjack.money import format_cents
from blackjack.outcomes import Result
from blackjack.play.hole_card import rests_on_hidden_card
from blackjack.play.round import Round
from blackjack.play.state import TableState
from blackjack.play.wagers import SEATS_MAX, Wager, WagerKey
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from blackjack.rulebook.state_rules import ONE_DECISION_RULE
from blackjack.settlement.owed import owed

WAGERS_MAX: Final = 200
"""Wagers that one round takes note of: nine spots with a dozen wagers and tips are fewer."""

GOES_BACK: Final = (Result.PUSHED, Result.VOID, Result.RETURNED, Result.NOT_SETTLED)
"""Results that return the stake, or that this game cannot judge."""


def find_stray(state: TableState, played: Round, key: WagerKey) -> Wager | None:
    """The place where no wager stands and chips or money are seen; None if there are too many, or
    if no table has such a place."""
    stray = played.strays.get(key)
    seat, hand, _, _ = key
    if not (0 <= seat <= SEATS_MAX and 0 <= hand <= SEATS_MAX):
        return None
    if stray is None and len(played.wagers) + len(played.strays) < WAGERS_MAX:
        patron = state.patrons.get(seat, "") or next(
            (wager.patron for wager in played.wagers.values() if wager.seat == seat), ""
        )
        stray = Wager(key, 0, patron)
        stray.stray = True
        played.strays[key] = stray
    return stray


def adopt_stray(played: Round, wager: Wager) -> None:
    """A wager comes to stand where chips or money were seen before: they are its own."""
    stray = played.strays.pop(wager.key, None)
    if stray is None:
        return
    wager.chips += stray.chips
    wager.late += stray.late
    wager.late_placed += stray.late_placed
    wager.paid += stray.paid
    wager.payments += stray.payments
    wager.collected += stray.collected
    wager.returned += stray.returned
    wager.corrected += stray.corrected
    wager.standing = wager.standing or stray.standing


def leave_stray(state: TableState, played: Round, wager: Wager) -> None:
    """A wager is withdrawn in time: money that moved for it moved where no wager stands."""
    if not (wager.paid or wager.collected or wager.returned or wager.corrected):
        return
    stray = find_stray(state, played, wager.key)
    if stray is None:
        return
    stray.patron = wager.patron or stray.patron
    stray.paid = wager.paid
    stray.payments = wager.payments
    stray.collected = wager.collected
    stray.returned = wager.returned
    stray.corrected = wager.corrected


def carry_to_hand(state: TableState, played: Round, wager: Wager, number: int) -> None:
    """A wager comes to lie on another hand of its seat, and its findings move with it."""
    late, fallen = wager.late, wager.fallen
    if not (late or fallen):
        wager.hand = number
        return
    wager.late = wager.fallen = 0
    report_past_post(state, wager)
    report_pinch(state, played, wager)
    wager.late, wager.fallen, wager.hand = late, fallen, number
    report_past_post(state, wager)
    report_pinch(state, played, wager)


def place_late(state: TableState, played: Round, key: WagerKey, cents: int, patron: str) -> None:
    """Chips come to a spot after bets closed: first those that decisions on its hands require."""
    rest = cents
    for wager in _of_spot(played, key):
        room = min(rest, max(0, wager.stake - wager.chips))
        wager.chips += room
        rest -= room
    if not rest:
        return
    late = _at(state, played, key)
    if late is None:
        return
    if late.stray and patron:
        late.patron = patron
    late.late_placed += rest
    _set_chips(state, played, late, late.chips + rest)


def change_late(state: TableState, played: Round, key: WagerKey, cents: int) -> None:
    """The chips of one wager now amount to `cents`, though bets are closed."""
    wager = _at(state, played, key)
    if wager is not None:
        _set_chips(state, played, wager, cents)


def _of_spot(played: Round, key: WagerKey) -> list[Wager]:
    """The wagers that chips reported for a spot may belong to: a placing names no hand."""
    seat, _, kind, tip = key
    if kind != MAIN or tip:
        wager = played.wagers.get(key)
        return [wager] if wager is not None else []
    return [
        wager
        for number in range(1, len(played.hands.get(seat, ())) + 1)
        if (wager := _of_hand(played, seat, number)) is not None
    ]


def _of_hand(played: Round, seat: int, number: int) -> Wager | None:
    """The wager that a double on a hand adds to: the Half Back wager lies on its split hand."""
    main = played.wagers.get((seat, number, MAIN, False))
    if main is None and number > 1:
        return played.wagers.get((seat, number, HALF_BACK, False))
    return main


def _at(state: TableState, played: Round, key: WagerKey) -> Wager | None:
    wager = played.wagers.get(key)
    if wager is None and key[2] == MAIN and not key[3]:
        wager = _of_hand(played, key[0], key[1])
    return wager or find_stray(state, played, key)


def _set_chips(state: TableState, played: Round, wager: Wager, cents: int) -> None:
    before = wager.chips
    wager.chips = cents
    if cents > before:
        # Late chips that left by themselves and are seen again are the same ones.
        known = max(0, wager.late - wager.returned)
        if wager.late_lying > known:
            wager.late += wager.late_lying - known
            report_past_post(state, wager)
    elif not wager.stray:
        gone = min(before, wager.stake) - cents
        if gone > 0 and not _goes_back(state, played, wager):
            wager.fallen += gone
            report_pinch(state, played, wager)


def _goes_back(state: TableState, played: Round, wager: Wager) -> bool:
    """Whether the stake goes back by now: the wager was paid, or the cards shown return it."""
    due = owed(state, played, wager)
    return wager.paid > 0 or (
        due is not None
        and due.result in GOES_BACK
        and not rests_on_hidden_card(state, played, wager)
    )


def report_past_post(state: TableState, wager: Wager) -> None:
    """Report chips that were added by no rule, with the amount as of now."""
    state.revise(
        Kind.PAST_POST,
        f"Past post {format_cents(wager.late)}: {_named(wager)}. Return the chips.",
        ONE_DECISION_RULE,
        detail=f"added after bets closed; {format_cents(wager.stake)} is in action",
        reason="a decision that followed accounts for the chips",
        seat=wager.seat,
        hand=wager.hand,
        wager=wager.kind,
        patron=wager.patron,
        cents=wager.late,
        subject="tip" if wager.tip else "",
    )


def report_pinch(state: TableState, played: Round, wager: Wager) -> None:
    """Report chips of the stake that left by no rule, less those accounted for by now."""
    if played.payments_blind:
        return
    cents = _missing(state, played, wager)
    state.revise(
        Kind.PINCH,
        f"Pinch {format_cents(cents)}: {_named(wager)}, bet {format_cents(wager.stake)}",
        ONE_DECISION_RULE,
        detail="removed after bets closed by no rule of the game",
        reason="the chips are accounted for",
        seat=wager.seat,
        hand=wager.hand,
        wager=wager.kind,
        patron=wager.patron,
        cents=cents,
        subject="tip" if wager.tip else "",
    )


def _named(wager: Wager) -> str:
    return bet_name(wager.seat, wager.hand, wager.kind, tip=wager.tip)


def report_pinches(state: TableState, played: Round) -> None:
    """Bring the pinch finding of every wager whose chips left up to date."""
    for wager in played.wagers.values():
        if wager.fallen:
            report_pinch(state, played, wager)


def _missing(state: TableState, played: Round, wager: Wager) -> int:
    """What left the spot and no collection, return or decision accounts for."""
    if played.void:
        return 0
    if not wager.in_action:
        known = played.dealer_blackjack if played.closing else played.dealer_blackjack_shown
        if not (wager.returned_early and known):
            return 0
    kept_back = 0
    due = owed(state, played, wager)
    if due is not None and due.result is Result.VOID:
        return 0
    if due is not None and due.result is Result.SURRENDERED:
        kept_back = wager.stake - due.taken_cents
    given = max(0, wager.returned - wager.late - wager.excess)  # Late chips go back first.
    left = wager.stake - wager.collected - given
    return max(0, min(wager.fallen, left) - kept_back)


def account_for(
    state: TableState, played: Round, wager: Wager, cents: int, *, split_from: int = 0
) -> None:
    """A decision has added `cents` to a wager: chips that were seen before it are no past post.

    They lie on the wager itself, on the hand that was split for it, or were reported for the spot.
    """
    adopt_stray(played, wager)
    lying_before = max(0, wager.chips - (wager.stake + wager.excess + wager.paid - cents))
    rest = cents - _excuse(state, wager, min(cents, lying_before))
    if split_from:
        parent = played.wagers.get((wager.seat, split_from, MAIN, False))
        rest -= _carry_over(state, parent, wager, rest)
    first = played.wagers.get((wager.seat, 1, MAIN, False))
    if first is not None and wager.kind != INSURANCE:
        _carry_over(state, first, wager, min(rest, first.late_placed))


def lay_late(state: TableState, wager: Wager, cents: int) -> None:
    """A decision was for more than it may add: the chips beyond, seen or not, go back."""
    if cents > wager.late:
        wager.late = cents
        report_past_post(state, wager)


def _excuse(state: TableState, wager: Wager, cents: int) -> int:
    """Let late chips on a wager count after all; gives how many did."""
    excused = min(wager.late, cents)
    if excused:
        wager.late -= excused
        wager.late_placed = min(wager.late_placed, wager.late)
        report_past_post(state, wager)
    return excused


def _carry_over(state: TableState, source: Wager | None, wager: Wager, cents: int) -> int:
    """Late chips beside one hand turn out to be another hand's; gives how many."""
    if source is None or source is wager:
        return 0
    carried = _excuse(state, source, min(cents, source.late_lying))
    source.chips -= carried
    wager.chips += carried
    return carried
