"""Does somebody play as if he saw the hole card?

When all have acted, the hole card is any of the cards that nobody has seen, each as likely as
the other (but for those that the peek ruled out), whatever was decided, if nobody knew it. Each
decision suits some hole cards: to stand on fourteen suits those with which the dealer may
break, to draw to it those with which it loses. The ticket pays if the hole card is one that
suits, at the exact odds. Of several decisions in a round the least likely to be suited is
taken: which one that is depends on nothing but cards that were seen. To insure, or not to, is a
ticket of its own before the peek. Nothing here says that a decision was wrong, and none of it
is cheating: *advantage*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from blackjack.cards.card import ACE, TEN, Card
from blackjack.cards.hand import best_total, total_of
from blackjack.outcomes import HandCards, SettledRound
from blackjack.rulebook.house_rules import INSURANCE, MAIN
from blackjack.rulebook.rule_set import RuleSet
from odds.shoe import CardCounts
from surveillance.domain.statistics.evidence import StreamEvidence, StreamKind, Ticket
from surveillance.domain.statistics.unseen import (
    at_insurance,
    at_the_dealers_turn,
    has_blackjack,
    hole_card,
    up_card,
)

Suits = Callable[[int, bool], bool]
"""Whether a decision is the right one against this total of the dealer's two cards, soft or not."""

STIFF = range(12, 17)
"""Hard totals that the dealer must draw to and may break with."""


class HoleCard:
    """The unseen card of one round, and whom it suits."""

    def __init__(self, played: SettledRound, rules: RuleSet, shoe: CardCounts) -> None:
        self._played = played
        self._up = up_card(played)
        self._hole = hole_card(played)
        self._insures = rules.spec.house.insurance
        self._before = at_insurance(played, shoe)
        self._after = None if has_blackjack(played) else at_the_dealers_turn(played, shoe)

    def known_to(self, seats: Sequence[int]) -> StreamEvidence | None:
        """What the decisions at one patron's spots say."""
        if self._up is None or self._hole is None:
            return None
        found = [
            *self._insurance(self._up, self._hole, seats),
            *self._play(self._up, self._hole, seats),
        ]
        if not found:
            return None
        return StreamEvidence(
            StreamKind.HOLE_CARD,
            MAIN,
            (tuple([Ticket(suited / chance) for suited, chance in found]),),
            observed=sum([suited for suited, _ in found]),
            expected=sum([chance for _, chance in found]),
        )

    def _insurance(
        self, up: Card, hole: Card, seats: Sequence[int]
    ) -> Iterator[tuple[bool, float]]:
        if up.rank != ACE or not self._insures or self._before is None:
            return
        taken = any(bet.wager == INSURANCE and bet.seat in seats for bet in self._played.outcomes)
        tens = self._before[TEN - 1] / sum(self._before)
        chance = tens if taken else 1.0 - tens
        if 0.0 < chance < 1.0:
            yield (hole.points == TEN) is taken, chance

    def _play(self, up: Card, hole: Card, seats: Sequence[int]) -> Iterator[tuple[bool, float]]:
        if self._after is None:
            return
        hands = [hand for hand in self._played.hands if hand.seat in seats]
        decided = [suits for hand in hands for suits in decisions(hand)]
        judged = [(_chance(suits, up, self._after), place) for place, suits in enumerate(decided)]
        telling = [each for each in judged if 0.0 < each[0] < 1.0]
        if telling:
            chance, place = min(telling)
            yield decided[place](*total_of((up, hole))), chance


def decisions(hand: HandCards) -> Iterator[Suits]:
    """What was decided on hands that the dealer's total matters to."""
    known = [card for card in hand.cards if card is not None]
    one_card_only = hand.from_split and bool(known) and known[0].rank == ACE
    if len(known) < len(hand.cards) or hand.free_ace or one_card_only:
        return
    for size in range(2, len(known)):
        total, soft = total_of(known[:size])
        if hand.doubled:
            yield _doubled
        elif (total >= STIFF.start and not soft) or total >= 18:
            yield _drew_to(total)
    total, _ = total_of(known)
    if STIFF.start <= total < 21 and not hand.doubled and not hand.surrendered:
        yield _stood_on(total)


def _drew_to(total: int) -> Suits:
    return lambda house, soft: house > total if house >= 17 else soft or house not in STIFF


def _stood_on(total: int) -> Suits:
    return lambda house, soft: house <= total if house >= 17 else not soft and house in STIFF


def _doubled(house: int, soft: bool) -> bool:
    return not soft and house in STIFF


def _chance(suits: Suits, up: Card, unseen: Sequence[int]) -> float:
    """How likely the hole card suits, being any that the peek did not rule out."""
    suited = possible = 0
    natural = _WITH_BLACKJACK.get(up.points)
    for points, count in enumerate(unseen, 1):
        if count and points != natural:
            possible += count
            hard = up.points + points
            has_ace = ACE in (points, up.points)
            suited += count * suits(best_total(hard, has_ace), has_ace and hard <= 11)
    return suited / possible if possible else 0.0


_WITH_BLACKJACK: Final = {ACE: TEN, TEN: ACE}
"""By points of the up card: those of the hole card that make a blackjack."""
