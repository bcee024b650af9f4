"""Rare deals on purpose: which cards to bring to the top before a round is dealt."""

from __future__ import annotations

from blackjack.cards.card import ACE, RANKS, SUITS
from table_simulator.domain import games
from table_simulator.domain.chance import RandomStream
from table_simulator.domain.play.shoe import Wish

ANY_RANK = frozenset(range(1, len(RANKS) + 1))
TENS = frozenset({10, 11, 12, 13})
ACES = frozenset({ACE})
EIGHTS = frozenset({8})


class DealOffsets:
    """Offsets of a standard deal to so many seats, counted from the top of the shoe."""

    def __init__(self, seats: int) -> None:
        self.upcard = seats
        self.hole = 2 * seats + 1
        self.next = 2 * seats + 2
        self.seats = seats

    def first(self, seat: int) -> int:
        return seat

    def second(self, seat: int) -> int:
        return self.seats + 1 + seat

    def third(self, seat: int) -> int:
        """Stand-alone Match Madness deals a third card to each player, none to the dealer."""
        return 2 * self.seats + 2 + seat


def wishes(rng: RandomStream, game: str, *, decks: int, seats: int) -> list[Wish]:
    """One rare deal for the game, for one seat or for several at once."""
    deal = DealOffsets(seats)
    lucky = [seat for seat in range(seats) if rng.random() < 0.4] or [rng.randrange(seats)]
    if game == games.MATCH_MADNESS_GAME:
        return _stand_alone(rng, deal, lucky[:2], single_deck=decks == 1)
    plans = [_insurance, _pairs]
    if game == games.DOUBLE_ACTION_III:
        plans += [_poker, _poker, _matches, _matches]
    if game == games.SKWEEZIT_BLACKJACK:
        plans += [_bellies, _bellies, _bellies]
    if game == games.DEAD_MANS_HAND_GAME:
        plans += [_aces_and_eights, _aces_and_eights, _pair_and_dealer_blackjack]
    if game == games.HALF_BACK_BLACKJACK:
        plans += [_replacement, _replacement, _replacement]
    return rng.choice(plans)(rng, deal, lucky)


def windfall(rng: RandomStream, *, seats: int) -> list[Wish]:
    """Three of a kind in one suit with the up card for the first seat: the rarest of all."""
    deal = DealOffsets(seats)
    rank, suit = _one(rng.randint(2, 9)), rng.choice(SUITS)
    return [(place, rank, suit) for place in (deal.upcard, deal.first(0), deal.second(0))]


def _one(rank: int) -> frozenset[int]:
    return frozenset({rank})


def _insurance(rng: RandomStream, deal: DealOffsets, lucky: list[int]) -> list[Wish]:
    """An ace or a ten up, now and then with blackjack, against naturals."""
    up, hole = rng.choice([(ACES, TENS), (ACES, ANY_RANK), (TENS, ACES)])
    plan: list[Wish] = [(deal.upcard, up, ""), (deal.hole, hole, "")]
    for seat in lucky[:2]:
        plan += [(deal.first(seat), ACES, ""), (deal.second(seat), TENS, "")]
    return plan


def _pairs(rng: RandomStream, deal: DealOffsets, lucky: list[int]) -> list[Wish]:
    """Pairs, and more of the same rank to follow: splits and resplits."""
    plan: list[Wish] = []
    for seat in lucky[:2]:
        rank = _one(rng.choice([1, 2, 3, 7, 8, 9, 10]))
        plan += [(deal.first(seat), rank, ""), (deal.second(seat), rank, "")]
        plan += [(deal.next + rng.randrange(6), rank, "") for _ in range(2)]
    return plan


def _poker(rng: RandomStream, deal: DealOffsets, lucky: list[int]) -> list[Wish]:
    """Three-card poker hands with the up card."""
    rank, suit = rng.randint(2, 12), rng.choice(SUITS)
    plan: list[Wish] = [(deal.upcard, _one(rank), suit)]
    for seat in lucky[:3]:
        ranks, wanted = rng.choice(
            [((rank, rank), suit), ((rank - 1, rank + 1), suit), ((rank, rank), "")]
        )
        plan.append((deal.first(seat), _one(ranks[0]), wanted))
        plan.append((deal.second(seat), _one(ranks[1]), wanted))
    return plan


def _matches(rng: RandomStream, deal: DealOffsets, lucky: list[int]) -> list[Wish]:
    """Up cards that match the hole card, once, twice or three times, suited or not."""
    rank, suit = _one(rng.randint(1, 13)), rng.choice([*SUITS, ""])
    plan: list[Wish] = [(deal.hole, rank, suit)]
    if rng.random() < 0.7:
        plan.append((deal.upcard, rank, suit))
    for seat in lucky[:2]:
        plan.append((deal.first(seat), rank, suit))
        if rng.random() < 0.7:
            plan.append((deal.second(seat), rank, suit))
    return plan


def _stand_alone(
    rng: RandomStream, deal: DealOffsets, lucky: list[int], *, single_deck: bool
) -> list[Wish]:
    rank, suit = _one(rng.randint(1, 13)), "" if single_deck else rng.choice([*SUITS, ""])
    count = rng.randint(1, 3)
    if single_deck:
        stacks = [(3 * seat, 3 * seat + 1, 3 * seat + 2) for seat in lucky]
        dealer = 3 * deal.seats + rng.randint(0, 1)
    else:
        stacks = [(deal.first(seat), deal.second(seat), deal.third(seat)) for seat in lucky]
        dealer = rng.choice([deal.upcard, deal.hole])
    plan: list[Wish] = [(dealer, rank, suit)]
    plan += [(offset, rank, suit) for stack in stacks for offset in stack[:count]]
    return plan


def _bellies(rng: RandomStream, deal: DealOffsets, lucky: list[int]) -> list[Wish]:
    rank, suit = rng.randint(3, 13), rng.choice([*SUITS, ""])
    plan: list[Wish] = [(deal.upcard, _one(rank), suit)]
    for seat in lucky[:3]:
        plan.append((deal.first(seat), _one(rank - 1), suit))
        plan.append((deal.second(seat), _one(rank % 13 + 1), suit))
    return plan


def _aces_and_eights(rng: RandomStream, deal: DealOffsets, lucky: list[int]) -> list[Wish]:
    """A pair of aces or eights for the first seat that plays, and both ranks to follow."""
    pair, other = rng.choice([(ACES, EIGHTS), (EIGHTS, ACES)])
    seat = lucky[0]
    plan: list[Wish] = [(deal.first(seat), pair, ""), (deal.second(seat), pair, "")]
    low = frozenset({2, 3, 4, 5, 6, 7, 9})
    plan += [(deal.upcard, low, ""), (deal.next, rng.choice([pair, other]), "")]
    plan += [(deal.next + 1 + step, other if rng.random() < 0.6 else pair, "") for step in range(6)]
    for before in range(seat):
        plan += [(deal.first(before), TENS, ""), (deal.second(before), frozenset({7, 9}), "")]
    return plan


def _pair_and_dealer_blackjack(
    rng: RandomStream, deal: DealOffsets, lucky: list[int]
) -> list[Wish]:
    up, hole = rng.choice([(ACES, TENS), (TENS, ACES)])
    plan: list[Wish] = [(deal.upcard, up, ""), (deal.hole, hole, "")]
    for seat in lucky[:2]:
        pair = rng.choice([ACES, EIGHTS])
        plan += [(deal.first(seat), pair, ""), (deal.second(seat), pair, "")]
    return plan


def _replacement(rng: RandomStream, deal: DealOffsets, lucky: list[int]) -> list[Wish]:
    """A three to six up, and what it is replaced with."""
    suit = rng.choice([*SUITS, ""])
    up, hole = rng.choice(
        [
            (ACES, TENS),
            (TENS, ACES),
            (ACES, ANY_RANK),
            (TENS, ANY_RANK),
            (frozenset({7, 8, 9}),) * 2,
        ]
    )
    plan: list[Wish] = [(deal.upcard, frozenset({3, 4, 5, 6}), ""), (deal.next, up, suit)]
    plan.append((deal.hole, hole, suit))
    pair = _one(rng.randint(6, 8))
    plan += [(deal.first(lucky[0]), pair, ""), (deal.second(lucky[0]), pair, "")]
    return plan
