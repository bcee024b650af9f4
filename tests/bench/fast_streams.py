"""The streams of many days at once, ticket by ticket as `surveillance.domain.statistics` has them.

A second form of the same, in arrays; a test holds both against each other, round by round.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from blackjack.cards.card import DECK
from blackjack.cards.hand import total_of
from odds.main_game.dealer import final_totals, no_blackjack
from odds.ways import plan_of
from surveillance.domain.statistics.counting import LOG_MIN, SLOPES
from surveillance.domain.statistics.hole_card import STIFF
from surveillance.domain.statistics.indices import weights_of
from surveillance.domain.statistics.main_luck import deal_values
from surveillance.domain.statistics.peers import ODDS_RATIOS, against_peers
from surveillance.domain.statistics.seat_odds import winning_rows
from surveillance.domain.statistics.wealth import ALL_OF_IT, SHARES
from tests.bench.fast_floor import (
    BY_POINTS,
    POINTS,
    RULES,
    SEATS,
    SIDE,
    Booleans,
    Cards,
    Floats,
    Round,
    results,
    side_brings,
    standing,
    total_and_soft,
)

DAYS_AT_ONCE: Final = 500
"""As many as fit into memory with all terms of a side bet."""


class Stream:
    """The wealth of one stream on every day, by angle and share."""

    def __init__(self, days: int, angles: int, shares: Sequence[float] = SHARES) -> None:
        self._shares = np.array(shares)
        self._logs = np.zeros((days, angles, len(shares)))
        self.peaks = np.zeros(days)

    @property
    def now(self) -> Floats:
        """The logarithm of the average of all angles and shares."""
        flat = self._logs.reshape(len(self._logs), -1)
        most = flat.max(axis=1)
        together: Floats = most + np.log(np.exp(flat - most[:, None]).mean(axis=1))
        return together

    def angle(self, number: int) -> Floats:
        """The logarithm of the wealth of one angle, with its first share."""
        return self._logs[:, number, 0].copy()

    def play(self, angle: int, values: Floats, who: Booleans | None = None) -> None:
        """A ticket by day, for those who have one."""
        factors = 1.0 - self._shares + self._shares * values[:, None]
        with np.errstate(divide="ignore"):
            gains = np.log(factors)
        self._logs[:, angle] += gains if who is None else np.where(who[:, None], gains, 0.0)

    def look(self) -> None:
        """After the round."""
        self.peaks = np.maximum(self.peaks, self.now)


# the side bet ---------------------------------------------------------------------------------


def side_average(left: Cards) -> Floats:
    """What a unit brings back on average, by day, from the cards left."""
    layout, table = plan_of(RULES.side_bet(SIDE)), RULES.paytables[SIDE]
    rows = [table.row(outcome) for outcome in layout.outcomes]
    pays = np.array([1 + row.pays.win / row.pays.stake if row else 0.0 for row in rows])
    found = np.empty(len(left))
    for first in range(0, len(left), DAYS_AT_ONCE):
        counts = left[first : first + DAYS_AT_ONCE]
        in_class = counts @ layout.members.T - layout.taken
        ways = counts[:, layout.last] * layout.times
        for classes, before in zip(layout.classes, layout.before, strict=True):
            ways *= in_class[:, classes] - before
        cards = counts.sum(axis=1).astype(np.float64)
        total = cards * (cards - 1) * (cards - 2)
        sums = np.add.reduceat(ways, layout.starts, axis=1)
        found[first : first + DAYS_AT_ONCE] = sums @ pays / total
    return found


@cache
def _wins_against(up: int) -> tuple[Cards, Cards]:
    """Which class a card is in, and which pairs of classes win."""
    winning = winning_rows(RULES.side_bet(SIDE), (DECK[up],))
    members = np.zeros((52, len(winning.classes)), dtype=np.int64)
    for number, cards in enumerate(winning.classes):
        members[list(cards), number] = 1
    wins = np.zeros((len(winning.classes),) * 2, dtype=np.int64)
    for one, two in winning.rows:
        wins[one, two] = 1
    return members, wins


def side_chances(left: Cards, up: Cards) -> Floats:
    """By day: how likely a spot wins, given the up card; it has left the shoe already."""
    found = np.zeros(len(left))
    cards = left.sum(axis=1)
    for each in range(52):
        days = np.flatnonzero(up == each)
        if len(days):
            members, wins = _wins_against(each)
            counts = left[days] @ members
            ways = np.einsum("da,ab,db->d", counts, wins, counts) - counts @ np.diag(wins)
            found[days] = ways / (cards[days] * (cards[days] - 1))
    return found


def play_side(each: Round, *patrons: Stream, table: Stream | None = None) -> None:
    """Wins of one spot after the other, and what all of them bring back."""
    average = side_average(each.left)
    left = each.left.copy()
    every = np.arange(len(left))
    left[every, each.up] -= 1
    for seat in range(SEATS):
        chance = side_chances(left, each.up)
        won = side_brings(each, seat) > 0
        open_ = (chance > 0) & (chance < 1)
        values = np.where(won, 1.0 / np.where(open_, chance, 1.0), 0.0)
        for stream in patrons if seat == 0 else ():
            stream.play(0, values, open_)
        if table is None:
            break
        table.play(0, values, open_)
        left[every, each.hands[seat, :, 0]] -= 1
        left[every, each.hands[seat, :, 1]] -= 1
    for stream in patrons:
        stream.play(1, side_brings(each, 0) / average)
    if table is not None:
        brought = np.mean([side_brings(each, seat) for seat in range(SEATS)], axis=0)
        table.play(1, brought / average)


# against peers --------------------------------------------------------------------------------


@cache
def _ratios(
    own: int, own_of: int, all_: int, all_of: int, ratios: tuple[float, ...]
) -> tuple[float, ...]:
    return tuple(np.exp(against_peers(own, own_of, all_, all_of, ratios)))


def play_peers(
    stream: Stream,
    rng: np.random.Generator,
    own_rate: Floats,
    rate: Floats,
    peers: int,
    payments: int,
    best: tuple[Stream, float] | None = None,
) -> Cards:
    """A block in which everybody has so many payments; by day, how often it happened to him.

    `best` is the stream of somebody who knows how many times as high his odds are."""
    own = rng.binomial(payments, own_rate)
    others = rng.binomial(payments * peers, rate)
    all_of = payments * (peers + 1)
    for each, ratios in ((stream, ODDS_RATIOS), *([(best[0], (best[1],))] if best else [])):
        values = np.array(
            [
                _ratios(one, payments, one + more, all_of, ratios)
                for one, more in zip(own.tolist(), others.tolist(), strict=True)
            ]
        )
        for angle in range(len(ratios)):
            each.play(angle, values[:, angle])
        each.look()
    return own


# the main game --------------------------------------------------------------------------------


def deal_average(left: Cards) -> Floats:
    """Of the value of a deal, by day."""
    table = np.array(deal_values(RULES))
    counts = (left @ BY_POINTS).astype(np.float64)
    cards = counts.sum(axis=1)
    found = np.zeros(len(left))
    for up in range(10):
        less = counts.copy()
        less[:, up] -= 1
        both = np.einsum("da,ab,db->d", less, table[up], less) - less @ np.diag(table[up])
        found += counts[:, up] * both / ((cards - 1) * (cards - 2))
    average: Floats = found / cards
    return average


def end_brings(each: Round) -> Floats:
    """By seat and day: what a unit that stands brings back on average at the dealer's turn."""
    ends = np.zeros((len(each.up), 6))
    for column in range(10):
        days = np.flatnonzero(POINTS[each.up] - 1 == column)
        if len(days):
            shoes = each.unseen[days].astype(np.float64)
            passes = no_blackjack(shoes, column)[:, None]
            soft = RULES.spec.house.dealer_hits_soft_17
            ends[days, 1:] = final_totals(shoes, column, hits_soft_17=soft) / passes
    ends[:, 0] = 1.0 - ends.sum(axis=1)
    against = np.array([0, 17, 18, 19, 20, 21])
    totals = each.totals[:, :, None]
    back = np.where(totals > against, 2.0, np.where(totals == against, 1.0, 0.0))
    brings: Floats = np.einsum("sde,de->sd", back, ends)
    return brings


def play_main(each: Round, patron: Stream, table: Stream) -> None:
    """The deal, then the dealer's end, for one spot and for all together."""
    values = np.array(deal_values(RULES))
    first, second = (POINTS[each.hands[:, :, place]] - 1 for place in (0, 1))
    dealt = values[POINTS[each.up] - 1, first, second] / deal_average(each.left)
    patron.play(0, dealt[0])
    table.play(0, (dealt * each.stakes).sum(axis=0) / each.stakes.sum(axis=0))
    stand = standing(each)
    due = end_brings(each) * each.stakes * stand
    back = results(each) * each.stakes * stand
    for stream, seats in ((patron, slice(0, 1)), (table, slice(None))):
        expected = due[seats].sum(axis=0)
        some = expected > 0
        stream.play(1, back[seats].sum(axis=0) / np.where(some, expected, 1.0), some)


# habits ---------------------------------------------------------------------------------------


class Counting:
    """Bets of the patron against the index of the shoe."""

    def __init__(self, days: int, wager: str) -> None:
        self.stream = Stream(days, len(SLOPES), ALL_OF_IT)
        weights = weights_of(RULES, wager)
        assert weights is not None
        self._weights = np.array(weights)
        self._before: tuple[Cards, Cards, Floats, Floats, Cards] | None = None

    def play(self, each: Round, cents: Cards) -> None:
        cards = each.left.sum(axis=1)
        index = each.left @ self._weights / cards
        variance = np.maximum(0.0, each.left @ self._weights**2 / cards - index**2)
        if self._before is not None:
            shoe, bets, rich, spread, had = self._before
            drawn = had - cards
            who = (shoe == each.shoe) & (bets != cents) & (drawn > 0)
            rise = (cents - bets) / np.maximum(cents, bets)
            far = np.where(rise > 0, rich, 1.0 - rich)
            change = (index - rich) * had
            for angle, slope in enumerate(SLOPES):
                bound = np.zeros(len(cards))
                for k in range(1, int(drawn[who].max(initial=0)) + 1):
                    reach = had / np.maximum(had - k, 1)
                    near = np.minimum(1.0, far * reach)
                    steep = np.abs(slope * rise) * near * reach
                    here = reach / near**2 * (np.exp(steep) - 1.0 - steep)
                    bound += np.where(who & (k <= drawn), here, 0.0)
                gain = np.maximum(LOG_MIN, slope * rise * change - spread * bound)
                values = np.exp(np.where(who, gain, 0.0))
                self.stream.play(angle, values, who)
        self._before = each.shoe, cents.copy(), index, variance, cards
        self.stream.look()


@cache
def _suits() -> Booleans:
    """By decision (drawn to, stood on), total, up card and hole card, in points: who it suits."""
    found = np.zeros((2, 22, 10, 10), dtype=np.bool_)
    for up in range(10):
        for hole in range(10):
            house, soft = total_of((DECK[up], DECK[hole]))
            for total in range(22):
                strong = house >= 17
                stiff = not soft and house in STIFF
                found[0, total, up, hole] = house > total if strong else not stiff
                found[1, total, up, hole] = house <= total if strong else stiff
    return found


def play_hole_card(each: Round, stream: Stream) -> None:
    """The patron's most telling decision of each round; nobody takes insurance here."""
    days = np.arange(len(each.up))
    up, hole = POINTS[each.up] - 1, POINTS[each.hole] - 1
    _no_insurance(each, stream)
    possible = each.unseen.astype(np.float64)
    possible[up == 0, 9] = 0.0
    possible[up == 9, 0] = 0.0
    of = possible.sum(axis=1)
    least = np.full(len(days), 2.0)
    suited = np.zeros(len(days), dtype=np.bool_)
    cards = each.hands[0]
    sizes = (cards >= 0).sum(axis=1)
    for size in range(2, cards.shape[1]):
        shown = np.where(np.arange(cards.shape[1]) < size, cards, -1)
        total, soft = total_and_soft(shown)
        drew = (size < sizes) & (((total >= STIFF.start) & ~soft) | (total >= 18))
        stood = (size == sizes) & (total >= STIFF.start) & (total < 21)
        for kind, who in ((0, drew), (1, stood)):
            fits = _suits()[kind, np.minimum(total, 21), up]
            chance = (fits * possible).sum(axis=1) / of
            better = who & (chance > 0) & (chance < 1) & (chance < least) & ~each.blackjack
            suited = np.where(better, fits[days, hole], suited)
            least = np.where(better, chance, least)
    stream.play(0, suited / np.where(least < 2, least, 1.0), least < 2)
    stream.look()


def _no_insurance(each: Round, stream: Stream) -> None:
    dealt = each.hands[:, :, :2].transpose(1, 0, 2).reshape(len(each.up), -1)
    left = each.left @ BY_POINTS
    for column in range(dealt.shape[1]):
        left[np.arange(len(left)), POINTS[dealt[:, column]] - 1] -= 1
    left[np.arange(len(left)), POINTS[each.up] - 1] -= 1
    chance = 1.0 - left[:, 9] / left.sum(axis=1)
    stream.play(0, (POINTS[each.hole] != 10) / chance, POINTS[each.up] == 1)


class Streams:
    """Everything that is watched on every day."""

    def __init__(self, days: int) -> None:
        self.patron_side, self.table_side = Stream(days, 2), Stream(days, 2)
        self.patron_main, self.table_main = Stream(days, 2), Stream(days, 2)
        self.count = Counting(days, "main")
        self.hole_card = Stream(days, 1)

    def play(self, each: Round) -> None:
        play_side(each, self.patron_side, table=self.table_side)
        play_main(each, self.patron_main, self.table_main)
        for stream in (self.patron_side, self.table_side, self.patron_main, self.table_main):
            stream.look()
        self.count.play(each, each.stakes[0])
        play_hole_card(each, self.hole_card)

    def by_name(self) -> dict[str, Stream]:
        return {
            "patron luck, side bet": self.patron_side,
            "table luck, side bet": self.table_side,
            "patron luck, main": self.patron_main,
            "table luck, main": self.table_main,
            "bet follows the count": self.count.stream,
            "plays the hole card": self.hole_card,
        }
