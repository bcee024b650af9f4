"""The facts of a round in chapters: bets, the deal, each player's hand, the dealer, payments."""

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


class Part(Enum):
    """What a chapter is about."""

    BETS = "the bets"
    DEAL = "the deal"
    PEEK = "insurance and peek"
    SEAT = "seat"
    DEALER = "the dealer"
    SPOTS = "the dealer's spots"
    PAYMENTS = "payments"
    AFTER = "after the round"


_TOLD_BY_THE_PICTURE: Final = (CardDealt, WagerPlaced, CouponPresented, RoundOpened)
"""Facts that the felt or the list of bets shows by itself, as long as nothing is wrong."""
_MOVES: Final = (WagerPaid, WagerCollected, WagerReturned, CardsRemoved)


class Chapter(Struct):
    """Steps that belong together; `seat` where they are one player's."""

    part: Part
    seat: int
    steps: list[ReplayedFact]

    @property
    def title(self) -> str:
        return f"seat {self.seat}" if self.part is Part.SEAT else self.part.value


def chapters(steps: Iterable[ReplayedFact], *, last_seq: int) -> list[Chapter]:
    """Steps in their order; whatever says nothing of itself belongs to what is going on."""
    told: list[Chapter] = []
    present, playing = (Part.BETS, 0), False
    for step in steps:
        fact = step.event.fact
        playing = playing or isinstance(fact, PlayerActed | DealerPeeked | InsuranceTaken)
        if step.event.seq > last_seq:
            present = (Part.AFTER, 0)
        else:
            present = _part(step, present, playing=playing) or present
        if not told or (told[-1].part, told[-1].seat) != present:
            told.append(Chapter(*present, []))
        told[-1].steps.append(step)
        if isinstance(fact, BetsClosed):
            present = (Part.DEAL, 0)
    return told


def _part(
    step: ReplayedFact, present: tuple[Part, int], *, playing: bool
) -> tuple[Part, int] | None:
    match step.event.fact:
        case RoundOpened() | BetsClosed():
            return (Part.BETS, 0)
        case CardDealt(seat=seat) if not playing:
            return (Part.DEAL, 0)
        case UpcardReplaced():
            return (Part.DEAL, 0)
        case PlayerActed(seat=seat) | HalfBackReturned(seat=seat):
            return (Part.SEAT, seat)
        case CardDealt(seat=seat) | CardExposed(seat=seat, place=Place.HAND) if seat != DEALER:
            return (Part.SEAT, seat)
        case InsuranceTaken() | DealerPeeked():
            return (Part.PEEK, 0)
        case HoleCardRevealed() | CardDealt():
            return (Part.DEALER, 0)
        case CardExposed(place=place):
            return (Part.DEALER, 0) if place is Place.HAND else (Part.SPOTS, 0)
        case fact if isinstance(fact, _MOVES):
            is_own = present == (Part.SEAT, fact.seat)
            return present if is_own else (Part.PAYMENTS, 0)
        case _:
            return None


def goes_without_saying(chapter: Chapter, step: ReplayedFact) -> bool:
    """Whether the felt or the list of bets tells it, and nothing is wrong with it."""
    if step.findings or step.withdrawals:
        return False
    fact = step.event.fact
    if chapter.part in (Part.BETS, Part.DEAL) and isinstance(fact, _TOLD_BY_THE_PICTURE):
        return True
    return isinstance(fact, CardsRemoved)


def with_their_cards(
    steps: Sequence[ReplayedFact], missing: dict[int, str]
) -> Iterator[ReplayedFact]:
    """A card that was asked for is told with the asking: "seat 3 hits: 5♦"."""
    asked: ReplayedFact | None = None
    for step in steps:
        fact = step.event.fact
        if asked is not None:
            answers = isinstance(fact, CardDealt) and (step.seat, step.hand) == (
                asked.seat,
                asked.hand,
            )
            if answers and isinstance(fact, CardDealt) and step.event.seq not in missing:
                dealt = fact.card.sign if fact.card is not None else "a card that was not read"
                found = (*asked.findings, *step.findings)
                gone = (*asked.withdrawals, *step.withdrawals)
                words = f"{asked.words}: {dealt}"
                yield structs.replace(asked, words=words, findings=found, withdrawals=gone)
                asked = None
                continue
            yield asked
            asked = None
        if isinstance(fact, PlayerActed) and fact.action in (Action.HIT, Action.DOUBLE):
            asked = step
        else:
            yield step
    if asked is not None:
        yield asked
