"""When bets close, by device time, and which bets were made by then.

Devices report through one controller, and a report can be late: a bet that was made in time counts
although it comes after the first card, and one that was made too late does not count although it
comes before. Where that differs from the order of the log, the event is marked, and the round is
folded again with its bets where they belong (`blackjack.play.refold`). A device whose clock is
wrong legalizes nothing: its events are judged by the order of the log.
"""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from blackjack.facts import BetsClosed, CardDealt, CouponPresented, Event, WagerChanged, WagerPlaced
from blackjack.play.round import BETTING, BY_LOG_ORDER, NOT_CLOSED, Round
from blackjack.play.state import TableState

BETS: Final = (WagerPlaced, WagerChanged, CouponPresented)

L = TypeVar("L")
Spot = tuple[int, str]
"""Seat and wager."""


def in_time(state: TableState, played: Round) -> bool:
    """Whether the bet in hand was made before bets closed, by device time.

    A clock that is wrong legalizes nothing, neither a bet's nor that of what closed the bets: then
    the order of the log decides. A bet that comes after the close and was made before it is marked,
    to be folded where it belongs.
    """
    event = state.event
    at = event.at if event is not None and event.device not in state.skewed else BY_LOG_ORDER
    if played.phase == BETTING:
        played.bet_at = max(played.bet_at, at)
        return True
    if (
        not state.order_is_final
        and played.first_close_at > BY_LOG_ORDER
        and BY_LOG_ORDER < at <= played.close_at
    ):
        state.out_of_order = True
        return True
    return False


def called_in_time(state: TableState, played: Round) -> None:
    """The call comes after the first card: mark it if it was made before that."""
    event = state.event
    if (
        event is not None
        and not state.order_is_final
        and event.device not in state.skewed
        and BY_LOG_ORDER < event.at <= played.first_close_at
    ):
        state.out_of_order = True


def note_close(state: TableState, played: Round) -> None:
    """Bets close at the call or at the first card, whichever is earlier by device time.

    A bet that a right clock dates after either is late, though a wrong clock reported the other.
    """
    event = state.event
    right = event is not None and event.device not in state.skewed
    at = event.at if event is not None and right else BY_LOG_ORDER
    if played.phase == BETTING:
        played.first_close_at = at
        played.close_at = at if right else NOT_CLOSED
    elif right:
        played.close_at = min(played.close_at, at)
    if not state.order_is_final and played.close_at < played.bet_at:
        state.out_of_order = True


class RoundBets(Generic[L]):
    """The bets of one round and what closed them, to find the bets that came out of order.

    `link` stands for an event's place in the stream, whatever the caller keeps there. Of a round
    whose beginning is no longer at hand nothing is moved.
    """

    __slots__ = ("bets", "called", "closers", "delayed", "is_whole")

    def __init__(self, *, is_whole: bool) -> None:
        self.is_whole = is_whole
        self.bets: list[tuple[L, int, Spot]] = []
        """Bets that came before the first that closed them, each with its time and its spot."""
        self.delayed: list[tuple[L, int, Spot]] = []
        """Bets that came after it."""
        self.closers: list[tuple[L, int]] = []
        """The call and the cards with their times."""
        self.called: tuple[L, int] | None = None
        """The call, if it came after the first card."""

    def take(self, link: L, event: Event, *, is_skewed: bool) -> None:
        at = BY_LOG_ORDER if is_skewed else event.at
        fact = event.fact
        if isinstance(fact, BETS):
            if not is_skewed:
                (self.delayed if self.closers else self.bets).append(
                    (link, at, (fact.seat, fact.wager))
                )
        elif isinstance(fact, BetsClosed | CardDealt) and (not is_skewed or not self.closers):
            if isinstance(fact, BetsClosed) and self.closers and self.called is None:
                self.called = (link, at)
            self.closers.append((link, at))

    def moves(self) -> list[tuple[L, L, bool]]:
        """Each event that is out of order, the one it belongs beside, and whether before it."""
        right = [(link, at) for link, at in self.closers if at > BY_LOG_ORDER]
        if not self.is_whole or not right:
            return []
        first, first_at = self.closers[0]
        close_at = min(at for _, at in right)
        found: list[tuple[L, L, bool]] = []
        for link, at, spot in sorted(self.delayed, key=_time):
            if first_at > BY_LOG_ORDER and at <= close_at:
                later = (
                    bet
                    for bet, made_at, made_on in self.bets
                    if made_on == spot and at < made_at <= close_at
                )
                found.append((link, next(later, first), True))
        for link, at, _ in self.bets:
            if at > close_at:
                late_by = next(closer for closer, closed_at in right if closed_at < at)
                found.append((link, late_by, False))
        if self.called is not None and self.called[1] <= first_at:
            found.append((self.called[0], first, True))
        return found


def _time(bet: tuple[L, int, Spot]) -> int:
    return bet[1]
