"""The whole round: every up card, every start, every move, and what it all comes to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from odds.main_game.analysis import Analysis, FirstHand, Move, Start
from odds.main_game.arrays import points_of
from odds.main_game.deals import BLACKJACK, ENDS, SeenDeal, deals
from odds.main_game.main_rules import MainRules
from odds.main_game.openings import opening
from odds.main_game.ranks import Ranks, checked
from odds.main_game.starts import Results, StartPlay, start_plays
from odds.main_game.totals import TotalSums


def analyse(rules: MainRules, ranks: Ranks) -> Analysis:
    """The main game from this shoe, best played; `ShoeTooSmall` if a round could end it."""
    checked(ranks, rules)
    totals = TotalSums()
    rows: list[Start] = []
    ended: list[tuple[float, Results]] = []
    shared = 0.0
    for deal in deals(rules, ranks):
        opened = opening(deal)
        plays = list(start_plays(opened, rules, ranks))
        totals.add(opened, plays)
        rows.extend(_row(deal, play) for play in plays)
        ends = [*(play.results for play in plays), _never_passing(rules, plays)]
        ended.extend((deal.probability, end) for end in ends)
        shared += deal.probability * _square_of_the_shared(ends)
    net: defaultdict[float, float] = defaultdict(float)
    for weight, results in ended:
        for units, chance in results.net.items():
            net[units] += weight * chance
    mean = sum(units * chance for units, chance in net.items())
    return Analysis(
        rules=rules,
        ranks=ranks,
        edge=-mean,
        variance=sum((units - mean) ** 2 * chance for units, chance in net.items()),
        covariance=shared - mean**2,
        stake=sum(weight * results.stake for weight, results in ended),
        first_hand=FirstHand(
            natural=sum(weight * results.natural for weight, results in ended),
            win=sum(weight * results.win for weight, results in ended),
            push=sum(weight * results.push for weight, results in ended),
            loss=sum(weight * results.loss for weight, results in ended),
            surrender=sum(weight * results.surrender for weight, results in ended),
        ),
        net=tuple(sorted((units, chance) for units, chance in net.items() if chance > 0.0)),
        starts=_averages(rows),
        totals=totals.rows(),
    )


def starts_by_discard(rules: MainRules, ranks: Ranks) -> Iterator[Start]:
    """The starts of Half Back, each with the up card that was discarded before it."""
    checked(ranks, rules)
    for deal in deals(rules, ranks):
        for play in start_plays(opening(deal), rules, ranks):
            yield _row(deal, play)


def _never_passing(rules: MainRules, plays: Iterable[StartPlay]) -> Results:
    """Starts that cannot pass the peek: every card left would make the blackjack."""
    rest = 1.0 - sum(play.probability for play in plays)
    if rest < 1e-9:
        rest = 0.0
    ends = np.zeros(ENDS + 1)
    ends[BLACKJACK] = rest
    return Results(
        net={-float(rules.units): rest},
        stake=rules.units * rest,
        ends=ends,
        mean_by_end=-rules.units * ends,
        loss=rest,
    )


def _square_of_the_shared(results: Iterable[Results]) -> float:
    """The mean square of what a hand wins on average once the dealer's end is known.

    All of these are of one up card, so that this is what two hands against it have in common.
    """
    ends = np.sum([result.ends for result in results], axis=0)
    means = np.sum([result.mean_by_end for result in results], axis=0)
    possible = ends > 0.0
    return float(np.sum(means[possible] ** 2 / ends[possible]))


def _row(deal: SeenDeal, play: StartPlay) -> Start:
    values = play.values
    stand = values[Move.NATURAL] if play.best is Move.NATURAL else values[Move.STAND]
    return Start(
        low=points_of(play.low),
        high=points_of(play.high),
        up=deal.up_points,
        pair=play.pair,
        probability=deal.probability * play.probability,
        passes=play.passes,
        best=play.best,
        stand=stand,
        hit=values.get(Move.HIT, stand),
        double=values.get(Move.DOUBLE),
        split=values.get(Move.SPLIT),
        surrender=values.get(Move.SURRENDER),
        returned=values.get(Move.RETURN),
        discarded=deal.discarded_points,
    )


def _averages(rows: Iterable[Start]) -> tuple[Start, ...]:
    """One row for each start and up card, whatever was discarded before it."""
    alike: defaultdict[tuple[int, int, int, bool], list[Start]] = defaultdict(list)
    for row in rows:
        alike[row.up, row.low, row.high, row.pair].append(row)
    return tuple(_average(each) for _, each in sorted(alike.items()))


def _average(rows: list[Start]) -> Start:
    if len(rows) == 1 and not rows[0].discarded:
        return rows[0]
    passing = sum(row.probability * row.passes for row in rows)
    probability = sum(row.probability for row in rows)

    def mean(move: Move) -> float | None:
        if move not in rows[0].values:
            return None
        return sum(row.probability * row.passes * row.values[move] for row in rows) / passing

    means = {move: value for move in Move if (value := mean(move)) is not None}
    best = max(means, key=lambda move: means[move])
    stand = means.get(Move.STAND, means.get(Move.NATURAL, 0.0))
    return Start(
        low=rows[0].low,
        high=rows[0].high,
        up=rows[0].up,
        pair=rows[0].pair,
        probability=probability,
        passes=passing / probability,
        best=best,
        stand=stand,
        hit=means.get(Move.HIT, stand),
        double=means.get(Move.DOUBLE),
        split=means.get(Move.SPLIT),
        surrender=means.get(Move.SURRENDER),
        returned=means.get(Move.RETURN),
    )
