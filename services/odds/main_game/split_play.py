"""The best play of split hands: one way of playing for all hands that a pair becomes.

The sum over all sisters is linear in how one hand fares with a known number of pair cards gone
(`splitting`), and so is its best play: values are added up over those numbers first, weighted,
and each decision is then made once. The result is the best of its class, not only a good one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from blackjack.rulebook.house_rules import SplitBy
from odds.main_game.arrays import ACE_COLUMN, TEN_COLUMN, VALUES, Booleans, Floats, Integers
from odds.main_game.deals import RETURNS, SeenDeal
from odds.main_game.hand_play import best_play
from odds.main_game.hands import hands, sequence_weights
from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import Ranks
from odds.main_game.split_counts import all_hands, pair_chances


class Sisters(Struct, frozen=True, eq=False):
    """A hand that began with one card of a pair, with 0, 1, 2... further pair cards gone."""

    pair: int
    """The column of the pair's cards."""
    places: Integers
    drawn: Floats
    """By pair cards gone and hand: how likely its further cards are drawn in one order."""
    ends: Floats
    """By pair cards gone, hand, and end of the dealer."""
    standing: Floats
    """What comes back when it is stood on, weighted by `drawn`."""
    passing: Floats
    """That the hand is drawn and the peek finds nothing."""


class RankLeft(Struct, frozen=True):
    """Pairs whose rank has so many cards left, as a part of all pairs of their value."""

    cards: float
    share: float


class SplitPlay(Struct, frozen=True, eq=False):
    """How a pair is split and its hands are played, and what that brings.

    `net` and `stake` are units for all hands together, times the odds of passing the peek.
    A second card of the pair's own value is played by `hits_same`, other hands by `hits`.
    """

    split_hands_max: int
    net: float
    stake: float
    chances: Floats
    """How likely 0, 1, 2... further cards are all of the pair's rank."""
    same_rank: Floats
    """Which part of the cards of the pair's value is of its rank, with so many gone."""
    hits: Booleans
    hits_same: Booleans
    doubles: Booleans
    """By the column of the second card."""


def sisters(deal: SeenDeal, pair: int) -> Sisters:
    """Everything about a split hand that does not depend on how many may be made.

    `pair` is a column, here and below.
    """
    every = hands()
    places = deal.sets.members[pair]
    sets = deal.sets.with_pair[pair]
    further = every.counts[places].copy()
    further[:, pair] -= 1
    drawn = np.empty(sets.shape)
    for gone in range(len(sets)):
        left = deal.shoe.copy()
        left[pair] -= 2 + gone
        drawn[gone] = sequence_weights(left, further) if left[pair] >= 0 else 0.0
    ends = deal.ends[sets]
    returned = (ends * RETURNS[every.kind[places]]).sum(axis=2)
    return Sisters(
        pair=pair,
        places=places,
        drawn=drawn,
        ends=ends,
        standing=drawn * returned,
        passing=drawn * deal.passes[sets],
    )


def ranks_left(deal: SeenDeal, pair: int, ranks: Ranks, rules: MainRules) -> Iterator[RankLeft]:
    """The pairs of a value that may be split, by how many of their rank are left.

    Only tens are of several ranks, and the up card may be one of the four.
    """
    if pair != TEN_COLUMN or rules.split_by is SplitBy.VALUE:
        yield RankLeft(cards=float(deal.shoe[pair]) - 2.0, share=1.0)
        return
    tens = ranks[TEN_COLUMN:]
    all_pairs = float(deal.shoe[TEN_COLUMN] * (deal.shoe[TEN_COLUMN] - 1))
    ups = [(rank, count / sum(tens)) for rank, count in enumerate(tens)]
    shares: dict[int, float] = {}
    for up_rank, chance in ups if deal.up == TEN_COLUMN else [(-1, 1.0)]:
        for rank, count in enumerate(tens):
            held = count - (rank == up_rank)
            if held >= 2 and chance:
                share = chance * held * (held - 1) / all_pairs
                shares[held - 2] = shares.get(held - 2, 0.0) + share
    for cards, share in shares.items():
        yield RankLeft(cards=cards, share=share)


def best_split(deal: SeenDeal, held: Sisters, left: RankLeft, rules: MainRules) -> SplitPlay:
    """The best play of a pair that is split, and again as often as is good and allowed."""
    allowed = rules.split_hands_max(aces=held.pair == ACE_COLUMN)
    plays = (_split(deal, held, left, rules, hands_max) for hands_max in range(2, allowed + 1))
    return max(plays, key=lambda play: play.net)


def _split(
    deal: SeenDeal, held: Sisters, left: RankLeft, rules: MainRules, split_hands_max: int
) -> SplitPlay:
    length = len(held.drawn)
    value_left = deal.shoe[held.pair] - 2 - np.arange(length)
    same_rank = np.clip((left.cards - np.arange(length)) / np.maximum(value_left, 1.0), 0.0, 1.0)
    chances = pair_chances(left.cards, deal.shoe.sum() - 2, length)
    weights = all_hands(split_hands_max, length)
    other = chances * (weights.other + weights.any_card)
    same = chances * (weights.other * (1.0 - same_rank) + weights.any_card)
    net, stake = 0.0, 0.0
    doubles = np.zeros(VALUES, dtype=np.bool_)
    chosen = []
    for each, seconds in (
        (other, [column for column in range(VALUES) if column != held.pair]),
        (same, [held.pair]),
    ):
        hits, net_here, stake_here = _play(held, each, seconds, rules, doubles)
        chosen.append(hits)
        net += net_here
        stake += stake_here
    return SplitPlay(
        split_hands_max=split_hands_max,
        net=net,
        stake=stake,
        chances=chances,
        same_rank=same_rank,
        hits=chosen[0],
        hits_same=chosen[1],
        doubles=doubles,
    )


def _play(
    held: Sisters, weights: Floats, seconds: list[int], rules: MainRules, doubles: Booleans
) -> tuple[Booleans, float, float]:
    """Best play of all hands with one of these second cards; sets `doubles` where it is best."""
    every = hands()
    standing = np.zeros(len(every) + 1)
    standing[held.places] = weights @ held.standing
    passing = np.zeros(len(every))
    passing[held.places] = weights @ held.passing
    roots = every.child[every.at(held.pair), seconds]
    plays_on = rules.plays_on(aces=held.pair == ACE_COLUMN)
    if not plays_on:
        hits = np.zeros(len(every), dtype=np.bool_)
        return hits, *_sums(standing[roots] - passing[roots], passing[roots])
    brings, hits = best_play(standing[:-1])
    played = brings[roots] - passing[roots]
    stake = passing[roots]
    if rules.double_after_split:
        doubled = 2.0 * (standing[every.child[roots]].sum(axis=1) - passing[roots])
        better = doubled > played
        for place, root in enumerate(roots):
            total, soft = int(every.total[root]), every.total[root] > every.hard[root]
            better[place] &= rules.doubles(total, soft=bool(soft))
        doubles[seconds] = better
        played = np.where(better, doubled, played)
        stake = np.where(better, 2.0 * stake, stake)
    return hits, *_sums(played, stake)


def _sums(net: Floats, stake: Floats) -> tuple[float, float]:
    return float(net.sum()), float(stake.sum())
