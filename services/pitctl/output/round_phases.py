"""The facts of a round in phases: bets, the deal, each player's hand, the dealer, payments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final

from msgspec import Struct, structs

from blackjack.facts import (
    DEALER,
    Action,
    BetsClosed,
    CardDealt,
    CardExposed,
    CardsRemoved,
    CouponPresented,
    DealerPeeked,
    HalfBackReturned,
    HoleCardRevealed,
    InsuranceTaken,
    Place,
    PlayerActed,
    RoundOpened,
    UpcardReplaced,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.play.replayed_round import ReplayedFact


class RoundPhase(Enum):
    """The phase of a round that a chapter shows."""

    BETS = "the bets"
    DEAL = "the deal"
    PEEK = "insurance and peek"
    SEAT = "seat"
    DEALER = "the dealer"
    SPOTS = "the dealer's spots"
    PAYMENTS = "payments"
    AFTER = "after the round"


_IN_PICTURE: Final = (CardDealt, WagerPlaced, CouponPresented, RoundOpened)
"""Facts that the layout or the list of bets shows, as long as they have no finding."""
_MOVES: Final = (WagerPaid, WagerCollected, WagerReturned, CardsRemoved)


class Chapter(Struct):
    """Steps that belong together; `seat` where they are one player's."""

    part: RoundPhase
    seat: int
    steps: list[ReplayedFact]

    @property
    def title(self) -> str:
        return f"seat {self.seat}" if self.part is RoundPhase.SEAT else self.part.value


def chapters_of(steps: Iterable[ReplayedFact], *, last_seq: int) -> list[Chapter]:
    """Group steps in their order; a step without a phase of its own joins the current one."""
    found: list[Chapter] = []
    present, playing = (RoundPhase.BETS, 0), False
    for step in steps:
        fact = step.event.fact
        playing = playing or isinstance(fact, PlayerActed | DealerPeeked | InsuranceTaken)
        if step.event.seq > last_seq:
            present = (RoundPhase.AFTER, 0)
        else:
            present = _part(step, present, playing=playing) or present
        if not found or (found[-1].part, found[-1].seat) != present:
            found.append(Chapter(*present, []))
        found[-1].steps.append(step)
        if isinstance(fact, BetsClosed):
            present = (RoundPhase.DEAL, 0)
    return found


def _part(
    step: ReplayedFact, present: tuple[RoundPhase, int], *, playing: bool
) -> tuple[RoundPhase, int] | None:
    match step.event.fact:
        case RoundOpened() | BetsClosed():
            return (RoundPhase.BETS, 0)
        case CardDealt(seat=seat) if not playing:
            return (RoundPhase.DEAL, 0)
        case UpcardReplaced():
            return (RoundPhase.DEAL, 0)
        case PlayerActed(seat=seat) | HalfBackReturned(seat=seat):
            return (RoundPhase.SEAT, seat)
        case CardDealt(seat=seat) | CardExposed(seat=seat, place=Place.HAND) if seat != DEALER:
            return (RoundPhase.SEAT, seat)
        case InsuranceTaken() | DealerPeeked():
            return (RoundPhase.PEEK, 0)
        case HoleCardRevealed() | CardDealt():
            return (RoundPhase.DEALER, 0)
        case CardExposed(place=place):
            return (RoundPhase.DEALER, 0) if place is Place.HAND else (RoundPhase.SPOTS, 0)
        case fact if isinstance(fact, _MOVES):
            is_own = present == (RoundPhase.SEAT, fact.seat)
            return present if is_own else (RoundPhase.PAYMENTS, 0)
        case _:
            return None


def is_in_picture(chapter: Chapter, step: ReplayedFact) -> bool:
    """Whether the layout or the list of bets shows the step, and it has no finding."""
    if step.findings or step.withdrawals:
        return False
    fact = step.event.fact
    if chapter.part in (RoundPhase.BETS, RoundPhase.DEAL) and isinstance(fact, _IN_PICTURE):
        return True
    return isinstance(fact, CardsRemoved)


def merge_drawn_cards(
    steps: Sequence[ReplayedFact], missing: dict[int, str]
) -> Iterator[ReplayedFact]:
    """Join a requested card with its request: "seat 3 hits: 5♦"."""
    request: ReplayedFact | None = None
    for step in steps:
        fact = step.event.fact
        if request is not None:
            answers = isinstance(fact, CardDealt) and (step.seat, step.hand) == (
                request.seat,
                request.hand,
            )
            if answers and isinstance(fact, CardDealt) and step.event.seq not in missing:
                dealt = fact.card.sign if fact.card is not None else "an unread card"
                found = (*request.findings, *step.findings)
                gone = (*request.withdrawals, *step.withdrawals)
                words = f"{request.words}: {dealt}"
                yield structs.replace(request, words=words, findings=found, withdrawals=gone)
                request = None
                continue
            yield request
            request = None
        if isinstance(fact, PlayerActed) and fact.action in (Action.HIT, Action.DOUBLE):
            request = step
        else:
            yield step
    if request is not None:
        yield request
