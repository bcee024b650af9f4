"""The first decision: two cards against an up card, every move, and how the round ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from odds.main_game.analysis import Move
from odds.main_game.arrays import ACE_COLUMN, TEN_COLUMN, VALUES, Floats
from odds.main_game.deals import ENDS
from odds.main_game.hands import hands
from odds.main_game.main_rules import MainRules
from odds.main_game.openings import Opening
from odds.main_game.ranks import Ranks
from odds.main_game.split_play import Sisters, SplitPlay, best_split, ranks_left, sisters
from odds.main_game.split_results import NET_MAX, split_results

RETURNED_ON = range(13, 17)
"""Totals, hard or soft, on which the Half Back wager may be taken back."""


class Results(Struct, frozen=True, eq=False):
    """The ends of a start, with and without passing the peek; every number is a probability."""

    net: dict[float, float]
    stake: float
    ends: Floats
    """By the dealer's end, the blackjack last: how likely it is, together with this start."""
    mean_by_end: Floats
    """The same times the average win then."""
    natural: float = 0.0
    win: float = 0.0
    push: float = 0.0
    loss: float = 0.0
    surrender: float = 0.0


class StartPlay(Struct, frozen=True, eq=False):
    """A start with its values, its best move, and what follows from it; cards are columns."""

    low: int
    high: int
    pair: bool
    probability: float
    passes: float
    values: dict[Move, float]
    best: Move
    results: Results
    splits: tuple[SplitPlay, ...] = ()


def start_plays(opened: Opening, rules: MainRules, ranks: Ranks) -> Iterator[StartPlay]:
    """All starts of two cards against the up card of a deal."""
    for low in range(VALUES):
        for high in range(low, VALUES):
            place = hands().at(low, high)
            if (low, high) == (ACE_COLUMN, TEN_COLUMN) and opened.drawn[place] > 0.0:
                yield _natural(opened, rules, place)
            elif opened.passing[place] <= 0.0:
                continue
            elif low == high:
                yield from _pair(opened, rules, ranks, low)
            else:
                values = _values(opened, rules, place)
                yield _start(opened, rules, (low, high), values, share=1.0, pair=False)


def _natural(opened: Opening, rules: MainRules, place: int) -> StartPlay:
    probability = 2.0 * float(opened.drawn[place])
    passing = 2.0 * float(opened.passing[place])
    pays = rules.natural_net * rules.units
    ends = 2.0 * opened.ends[place]
    return StartPlay(
        low=ACE_COLUMN,
        high=TEN_COLUMN,
        pair=False,
        probability=probability,
        passes=passing / probability,
        values={Move.NATURAL: pays},
        best=Move.NATURAL,
        results=Results(
            net={pays: passing, 0.0: probability - passing},
            stake=rules.units * probability,
            ends=np.append(ends, probability - passing),
            mean_by_end=np.append(pays * ends, 0.0),
            natural=passing,
            push=probability - passing,
        ),
    )


def _pair(opened: Opening, rules: MainRules, ranks: Ranks, column: int) -> Iterator[StartPlay]:
    """Equal cards: those that may be split, and tens of different ranks that may not."""
    place = hands().at(column, column)
    values = _values(opened, rules, place)
    held = sisters(opened.deal, column)
    parts = list(ranks_left(opened.deal, column, ranks, rules))
    share = sum(part.share for part in parts)
    if share > 0.0:
        plays = [(part.share, best_split(opened.deal, held, part, rules)) for part in parts]
        net = sum(part * play.net for part, play in plays) / share
        passes = float(opened.passing[place] / opened.drawn[place])
        with_split = values | {Move.SPLIT: net / passes}
        if _best(with_split) is Move.SPLIT:
            yield _split(opened, rules, held, plays, with_split)
        else:
            yield _start(opened, rules, (column, column), with_split, share=share, pair=True)
    if share < 1.0:
        yield _start(opened, rules, (column, column), values, share=1.0 - share, pair=False)


def _split(
    opened: Opening,
    rules: MainRules,
    held: Sisters,
    plays: list[tuple[float, SplitPlay]],
    values: dict[Move, float],
) -> StartPlay:
    """A pair that is best split, by the shares of its ranks."""
    place = hands().at(held.pair, held.pair)
    drawn, passing = float(opened.drawn[place]), float(opened.passing[place])
    share = sum(part for part, _ in plays)
    net, first, stake = np.zeros(2 * NET_MAX + 1), np.zeros(3), 0.0
    mean_by_end = np.zeros(ENDS)
    for part, play in plays:
        ends = split_results(held, play)
        net += part * drawn * ends.net
        first += part * drawn * ends.first
        mean_by_end += part * drawn * ends.mean_by_end
        stake += part * drawn * play.stake
    lost = share * (drawn - passing)
    net[NET_MAX - rules.units] += lost
    win, push, loss = map(float, first)
    return StartPlay(
        low=held.pair,
        high=held.pair,
        pair=True,
        probability=share * drawn,
        passes=passing / drawn,
        values=values,
        best=Move.SPLIT,
        results=Results(
            net={float(units - NET_MAX): float(net[units]) for units in np.flatnonzero(net)},
            stake=stake + rules.units * lost,
            ends=np.append(share * opened.ends[place], lost),
            mean_by_end=np.append(mean_by_end, -rules.units * lost),
            win=win,
            push=push,
            loss=loss + lost,
        ),
        splits=tuple(play for _, play in plays),
    )


def _values(opened: Opening, rules: MainRules, place: int) -> dict[Move, float]:
    """The value of every move but a split, given that the peek found nothing."""
    every = hands()
    passing = opened.passing[place]
    child = every.child[place]
    stand = float(opened.standing[place] / passing - 1.0)
    hit = float(opened.brings[child].sum() / passing - 1.0)
    total, soft = int(every.total[place]), bool(every.total[place] > every.hard[place])
    values = {Move.STAND: rules.units * stand, Move.HIT: rules.units * hit}
    if rules.doubles(total, soft=soft):
        one_card = float(opened.standing[child].sum() / passing - 1.0)
        values[Move.DOUBLE] = (rules.units + 1) * one_card
    if rules.late_surrender:
        values[Move.SURRENDER] = -0.5
    if rules.half_back and total in RETURNED_ON:
        values[Move.RETURN] = max(stand, hit)
    return values


def _best(values: dict[Move, float]) -> Move:
    return max(values, key=lambda move: values[move])


def _start(
    opened: Opening,
    rules: MainRules,
    cards: tuple[int, int],
    values: dict[Move, float],
    *,
    share: float,
    pair: bool,
) -> StartPlay:
    """A start whose best move is not to split; `share` is its part of all such cards.

    `cards` are columns.
    """
    low, high = cards
    place = hands().at(low, high)
    weight = share if low == high else 2.0 * share
    probability = weight * float(opened.drawn[place])
    passing = weight * float(opened.passing[place])
    lost = probability - passing
    ends = weight * opened.ends[place]
    best = _best(values)
    if best is Move.SURRENDER:
        results = Results(
            net={-0.5: passing, -1.0: lost},
            stake=probability,
            ends=np.append(ends, lost),
            mean_by_end=np.append(-0.5 * ends, -lost),
            surrender=passing,
            loss=lost,
        )
    else:
        units = {Move.DOUBLE: rules.units + 1, Move.RETURN: 1}.get(best, rules.units)
        win, push = map(float, weight * _following(place, best, opened.stood, opened.played))
        back = weight * _following(place, best, opened.stood_by_end, opened.played_by_end)
        net = {float(units): win, 0.0: push, -float(units): passing - win - push}
        net[-float(rules.units)] = net.get(-float(rules.units), 0.0) + lost
        results = Results(
            net=net,
            stake=units * passing + rules.units * lost,
            ends=np.append(ends, lost),
            mean_by_end=np.append(units * (back - ends), -rules.units * lost),
            win=win,
            push=push,
            loss=probability - win - push,
        )
    return StartPlay(
        low=low,
        high=high,
        pair=pair,
        probability=probability,
        passes=passing / probability,
        values=values,
        best=best,
        results=results,
    )


def _following(place: int, best: Move, stood: Floats, played: Floats) -> Floats:
    """What comes of a hand by its best move, from what comes of all hands, in columns."""
    child = hands().child[place]
    match best:
        case Move.STAND:
            found: Floats = stood[place]
        case Move.DOUBLE:
            found = stood[child].sum(axis=0)
        case Move.HIT:
            found = played[child].sum(axis=0)
        case _:
            found = played[place]
    return found
