"""The game in its plainest form: cards are dealt one by one, and chances are fractions.

Nothing of the analysis is used but its decisions. There are two evaluators. `Round` follows
a player with a fixed strategy, deals the hole card like any other, plays hand after hand,
and finds every way a round can end. `Knower` looks for the best moves on a hand that is
not split, or split once, from the cards that the player has seen; `Seer` does so
for one who minds the cards of both hands, and `Holder` for one whose hand is played for what a
coupon pays. Cards are ranks, from the ace at 0 to the king at 12.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from blackjack.rulebook.house_rules import SplitBy
from odds.main_game import MainRules, Move, Ranks, Strategy

Net = dict[Fraction, Fraction]
REPLACED = range(3, 7)
BUST = 22


class Ended(NamedTuple):
    """How a hand ended: its total (22 is bust), and its stake."""

    total: int
    stake: int


class Outcomes(NamedTuple):
    """Every net result, and every end of the first hand, with its chance."""

    net: Net
    first: dict[str, Fraction]

    @property
    def mean(self) -> Fraction:
        return sum((net * chance for net, chance in self.net.items()), Fraction())

    @property
    def variance(self) -> Fraction:
        mean = self.mean
        return sum(((net - mean) ** 2 * chance for net, chance in self.net.items()), Fraction())


def points(rank: int) -> int:
    return min(rank + 1, 10)


def count(cards: tuple[int, ...]) -> tuple[int, bool]:
    """The total of some ranks, and whether it is soft."""
    hard = sum(points(card) for card in cards)
    soft = 0 in cards and hard <= 11
    return (hard + 10, True) if soft else (hard, False)


def draws(shoe: Ranks) -> Iterator[tuple[int, Fraction, Ranks]]:
    """Every next card: its rank, its chance, the shoe without it."""
    cards = sum(shoe)
    for rank, left in enumerate(shoe):
        if left:
            yield rank, Fraction(left, cards), (*shoe[:rank], left - 1, *shoe[rank + 1 :])


@cache
def dealer_ends(shoe: Ranks, cards: tuple[int, ...], hits_soft_17: bool) -> dict[int, Fraction]:
    """The dealer's final total from here; 22 is bust."""
    total, soft = count(cards)
    if total > 17 or (total == 17 and not (soft and hits_soft_17)):
        return {min(total, BUST): Fraction(1)}
    ends: defaultdict[int, Fraction] = defaultdict(Fraction)
    for rank, chance, left in draws(shoe):
        for end, part in dealer_ends(left, tuple(sorted((*cards, rank))), hits_soft_17).items():
            ends[end] += chance * part
    return dict(ends)


def won(hand: Ended, dealer: int) -> int:
    """Net units of a hand against the dealer's final total."""
    if hand.total == BUST or (dealer != BUST and hand.total < dealer):
        return -hand.stake
    return hand.stake if dealer == BUST or hand.total > dealer else 0


class Round:
    """Rounds from a shoe, by rules, with a player who follows a strategy."""

    def __init__(self, rules: MainRules, ranks: Ranks, strategy: Strategy) -> None:
        self.rules = rules
        self.ranks = ranks
        self.strategy = strategy
        self.net: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        self.first: defaultdict[str, Fraction] = defaultdict(Fraction)
        self.natural = Fraction(rules.natural_pays.win, rules.natural_pays.stake) * rules.units

    def outcomes(self) -> Outcomes:
        for up, chance, shoe in draws(self.ranks):
            if self.rules.half_back and points(up) in REPLACED:
                for second, also, left in draws(shoe):
                    self._hole(second, points(up), chance * also, left)
            else:
                self._hole(up, 0, chance, shoe)
        return Outcomes(dict(self.net), dict(self.first))

    def _hole(self, up: int, discarded: int, chance: Fraction, shoe: Ranks) -> None:
        for hole, also, left in draws(shoe):
            dealt: defaultdict[tuple[int, int, Ranks], Fraction] = defaultdict(Fraction)
            for one, first, after_one in draws(left):
                for two, second, after_two in draws(after_one):
                    low, high = sorted((one, two))
                    dealt[low, high, after_two] += chance * also * first * second
            for (low, high, after), each in dealt.items():
                self._play((low, high), up, hole, discarded, each, after)

    def _play(
        self, cards: tuple[int, int], up: int, hole: int, discarded: int, chance: Fraction,
        shoe: Ranks,
    ) -> None:  # fmt: skip
        natural = count(cards)[0] == 21
        units = self.rules.units
        if count((up, hole))[0] == 21:
            self._add(Fraction(0 if natural else -units), "push" if natural else "loss", chance)
            return
        if natural:
            self._add(self.natural, "natural", chance)
            return
        by_value = self.rules.split_by is SplitBy.VALUE
        pair = cards[0] == cards[1] or (by_value and points(cards[0]) == points(cards[1]))
        one, two = (points(card) for card in cards)
        move = self.strategy.first((one, two), points(up), pair=pair, discarded=discarded)
        against = (points(up), discarded)
        if move is Move.SURRENDER:
            self._add(Fraction(-1, 2), "surrender", chance)
            return
        ways: dict[tuple[tuple[Ended, ...], Ranks], Fraction]
        if move is Move.SPLIT:
            ways = self._split(cards, against, shoe)
        elif move is Move.DOUBLE:
            ways = {((end,), left): part for end, left, part in one_card(cards, shoe, units + 1)}
        elif move is Move.STAND:
            ways = {((Ended(count(cards)[0], units),), shoe): Fraction(1)}
        else:
            stake = 1 if move is Move.RETURN else units
            ways = {}
            for (end, left), part in self._on(cards, against, shoe, move is Move.HIT).items():
                ways[(Ended(end.total, stake),), left] = part
        for (hands, left), part in ways.items():
            for total, end_chance in dealer_ends(
                left, tuple(sorted((up, hole))), self.rules.dealer_hits_soft_17
            ).items():
                results = [won(hand, total) for hand in hands]
                name = "win" if results[0] > 0 else "loss" if results[0] < 0 else "push"
                self._add(Fraction(sum(results)), name, chance * part * end_chance)

    def _add(self, net: Fraction, first: str, chance: Fraction) -> None:
        self.net[net] += chance
        self.first[first] += chance

    def _on(
        self, cards: tuple[int, ...], against: tuple[int, int], shoe: Ranks, hit: bool
    ) -> dict[tuple[Ended, Ranks], Fraction]:
        """Hit and stand by the strategy; the first hit may be decided already."""
        total, _ = count(cards)
        if total > 21:
            return {(Ended(BUST, 1), shoe): Fraction(1)}
        up, discarded = against
        if not hit and not self.strategy.hits(map(points, cards), up, discarded=discarded):
            return {(Ended(total, 1), shoe): Fraction(1)}
        ways: defaultdict[tuple[Ended, Ranks], Fraction] = defaultdict(Fraction)
        for rank, chance, left in draws(shoe):
            for end, part in self._on((*cards, rank), against, left, False).items():
                ways[end] += chance * part
        return ways

    def _split(
        self, cards: tuple[int, int], against: tuple[int, int], shoe: Ranks
    ) -> dict[tuple[tuple[Ended, ...], Ranks], Fraction]:
        """Hand after hand, each to its end, from the first to the last."""
        states: dict[tuple[int, int, tuple[Ended, ...], Ranks], Fraction]
        states = {(2, 2, (), shoe): Fraction(1)}
        ended: defaultdict[tuple[tuple[Ended, ...], Ranks], Fraction] = defaultdict(Fraction)
        while states:
            onward: defaultdict[tuple[int, int, tuple[Ended, ...], Ranks], Fraction]
            onward = defaultdict(Fraction)
            for (made, waiting, hands, here), chance in states.items():
                if not waiting:
                    ended[hands, here] += chance
                    continue
                for rank, also, left in draws(here):
                    hand = (cards[0], rank)
                    if self._move(hand, cards, against, made) is Move.SPLIT:
                        onward[made + 1, waiting + 1, hands, left] += chance * also
                        continue
                    for (end, after), part in self._split_hand(
                        hand, cards, against, made, left
                    ).items():
                        state = (made, waiting - 1, (*hands, end), after)
                        onward[state] += chance * also * part
            states = onward
        return ended

    def _move(
        self, hand: tuple[int, ...], pair: tuple[int, int], against: tuple[int, int], made: int
    ) -> Move:
        up, discarded = against
        by_value = self.rules.split_by is SplitBy.VALUE
        again = points(hand[1]) == points(pair[0]) if by_value else hand[1] == pair[0]
        return self.strategy.after_split(
            tuple(map(points, hand)), up, hands_made=made, pair=again, discarded=discarded
        )

    def _split_hand(
        self, hand: tuple[int, ...], pair: tuple[int, int], against: tuple[int, int], made: int,
        shoe: Ranks,
    ) -> dict[tuple[Ended, Ranks], Fraction]:  # fmt: skip
        total, _ = count(hand)
        if total > 21:
            return {(Ended(BUST, 1), shoe): Fraction(1)}
        move = self._move(hand, pair, against, made)
        ways: defaultdict[tuple[Ended, Ranks], Fraction] = defaultdict(Fraction)
        if move is Move.STAND:
            ways[Ended(total, 1), shoe] = Fraction(1)
        elif move is Move.DOUBLE:
            for end, left, chance in one_card(hand, shoe, 2):
                ways[end, left] += chance
        else:
            for rank, chance, left in draws(shoe):
                further = self._split_hand((*hand, rank), pair, against, made, left)
                for ended, part in further.items():
                    ways[ended] += chance * part
        return ways


def one_card(
    cards: tuple[int, ...], shoe: Ranks, stake: int
) -> Iterator[tuple[Ended, Ranks, Fraction]]:
    """A doubled hand: one card more, and no choice."""
    for rank, chance, left in draws(shoe):
        yield Ended(min(count((*cards, rank))[0], BUST), stake), left, chance


class Knower:
    """Best moves against an up card, by the known cards: one's own cards, and no blackjack."""

    def __init__(self, rules: MainRules, shoe: Ranks, up: int) -> None:
        self.rules = rules
        self.shoe = shoe
        """Without the up card, and whatever else is known to be gone."""
        self.up = up

    def chances(self, cards: tuple[int, ...]) -> Iterator[tuple[int, Fraction, Ranks]]:
        """Hole cards that make no blackjack, and the shoe without them."""
        left = list(self.shoe)
        for card in cards:
            left[card] -= 1
        holes = [draw for draw in draws(tuple(left)) if count((self.up, draw[0]))[0] != 21]
        passing = sum(chance for _, chance, _ in holes)
        for hole, chance, after in holes:
            yield hole, chance / passing, after

    def stand(self, cards: tuple[int, ...]) -> Fraction:
        hand = Ended(count(cards)[0], 1)
        value = Fraction()
        for hole, chance, left in self.chances(cards):
            ends = dealer_ends(left, tuple(sorted((self.up, hole))), self.rules.dealer_hits_soft_17)
            value += chance * sum(won(hand, end) * part for end, part in ends.items())
        return value

    def next_cards(self, cards: tuple[int, ...]) -> dict[int, Fraction]:
        found: defaultdict[int, Fraction] = defaultdict(Fraction)
        for _, chance, left in self.chances(cards):
            for rank, also, _ in draws(left):
                found[rank] += chance * also
        return found

    def hit(self, cards: tuple[int, ...]) -> Fraction:
        return sum(
            (
                chance * self.best(tuple(sorted((*cards, rank))))
                for rank, chance in self.next_cards(cards).items()
            ),
            Fraction(),
        )

    @cache  # noqa: B019 - a Knower lives as long as its test
    def best(self, cards: tuple[int, ...]) -> Fraction:
        if count(cards)[0] > 21:
            return Fraction(-1)
        return max(self.stand(cards), self.hit(cards))

    def double(self, cards: tuple[int, ...]) -> Fraction:
        value = Fraction()
        for rank, chance in self.next_cards(cards).items():
            drawn = tuple(sorted((*cards, rank)))
            value += chance * (Fraction(-1) if count(drawn)[0] > 21 else self.stand(drawn))
        return 2 * value

    def one_split_hand(self, card: int) -> Fraction:
        """A split hand of two at most; the shoe must lack its sister's first card already."""
        value = Fraction()
        for rank, chance in self.next_cards((card,)).items():
            cards = tuple(sorted((card, rank)))
            total, soft = count(cards)
            if card == 0 and not self.rules.hit_split_aces:
                value += chance * self.stand(cards)
                continue
            options = [self.best(cards)]
            if self.rules.double_after_split and self.rules.doubles(total, soft=soft):
                options.append(self.double(cards))
            value += chance * max(options)
        return value


class Seer(Knower):
    """One who minds all cards of both hands of a split, and plays them for their sum."""

    def split(self, card: int) -> Fraction:
        """Two hands at most, one after the other."""
        return self._first((card,), card)

    @cache  # noqa: B019
    def _first(self, cards: tuple[int, ...], card: int) -> Fraction:
        def then(ended: Ended, held: tuple[int, ...]) -> Fraction:
            return self._second((card,), held, ended)

        def onward(held: tuple[int, ...]) -> Fraction:
            return self._first(held, card)

        return self._choose(cards, (card,), onward, then)

    @cache  # noqa: B019
    def _second(self, cards: tuple[int, ...], others: tuple[int, ...], sister: Ended) -> Fraction:
        def then(ended: Ended, held: tuple[int, ...]) -> Fraction:
            value = Fraction()
            for hole, chance, left in self.chances((*held, *others)):
                dealer = tuple(sorted((self.up, hole)))
                ends = dealer_ends(left, dealer, self.rules.dealer_hits_soft_17)
                for end, part in ends.items():
                    value += chance * part * (won(ended, end) + won(sister, end))
            return value

        def onward(held: tuple[int, ...]) -> Fraction:
            return self._second(held, others, sister)

        return self._choose(cards, others, onward, then)

    def _choose(
        self,
        cards: tuple[int, ...],
        others: tuple[int, ...],
        onward: Callable[[tuple[int, ...]], Fraction],
        then: Callable[[Ended, tuple[int, ...]], Fraction],
    ) -> Fraction:
        """The best of hit, stand and double, by what comes after each."""
        total, soft = count(cards)
        if total > 21:
            return then(Ended(BUST, 1), cards)
        following = [
            (chance, tuple(sorted((*cards, rank))))
            for rank, chance in self.next_cards((*cards, *others)).items()
        ]
        options = [sum((chance * onward(held) for chance, held in following), Fraction())]
        if len(cards) > 1:
            options.append(then(Ended(total, 1), cards))
        if len(cards) == 2 and self.rules.doubles(total, soft=soft):
            doubled = (
                chance * then(Ended(min(count(held)[0], BUST), 2), held)
                for chance, held in following
            )
            options.append(sum(doubled, Fraction()))
        return max(options)


class Ends(NamedTuple):
    """How likely a hand wins and pushes; otherwise it loses."""

    win: Fraction
    push: Fraction


class Holder(Knower):
    """One who may only hit and stand, and plays for what a win and a push are worth to him."""

    def __init__(self, rules: MainRules, shoe: Ranks, up: int, worth: Ends) -> None:
        super().__init__(rules, shoe, up)
        self.worth = worth

    @cache  # noqa: B019
    def played(self, cards: tuple[int, ...]) -> Ends:
        """How the hand ends if the peek found nothing; where both moves are equal it stands."""
        if count(cards)[0] > 21:
            return Ends(Fraction(), Fraction())
        return max(self._stood(cards), self._hit(cards), key=self._value)

    def _value(self, ends: Ends) -> Fraction:
        return ends.win * self.worth.win + ends.push * self.worth.push

    def best_with_free_ace(self, cards: tuple[int, ...]) -> Fraction:
        """Two cards, one of them the free ace: played on, doubled or one wager taken back."""
        units, total = self.rules.units, count(cards)[0]
        each = self._value(self.played(cards)) - 1
        ways = [units * each]
        if self.rules.doubles(total, soft=True):
            drawn = (
                chance * self._value(self._stood(tuple(sorted((*cards, rank)))))
                for rank, chance in self.next_cards(cards).items()
                if count((*cards, rank))[0] <= 21
            )
            ways.append((units + 1) * (sum(drawn, Fraction()) - 1))
        if self.rules.half_back and 13 <= total <= 16:
            ways.append(each)
        return max(ways)

    def _hit(self, cards: tuple[int, ...]) -> Ends:
        following = [
            (chance, self.played(tuple(sorted((*cards, rank)))))
            for rank, chance in self.next_cards(cards).items()
        ]
        return Ends(
            win=sum((chance * ends.win for chance, ends in following), Fraction()),
            push=sum((chance * ends.push for chance, ends in following), Fraction()),
        )

    def _stood(self, cards: tuple[int, ...]) -> Ends:
        hand = Ended(count(cards)[0], 1)
        chances: defaultdict[int, Fraction] = defaultdict(Fraction)
        for hole, chance, left in self.chances(cards):
            dealer = tuple(sorted((self.up, hole)))
            ends = dealer_ends(left, dealer, self.rules.dealer_hits_soft_17)
            for end, part in ends.items():
                chances[won(hand, end)] += chance * part
        return Ends(win=chances[1], push=chances[0])


def up_cards(rules: MainRules, ranks: Ranks) -> Iterator[tuple[int, Fraction, Ranks]]:
    """Every up card that is played against, its chance, and the remaining shoe."""
    for first, chance, shoe in draws(ranks):
        if rules.half_back and points(first) in REPLACED:
            for up, also, left in draws(shoe):
                yield up, chance * also, left
        else:
            yield first, chance, shoe


def only_hit_or_stood_on(rules: MainRules, ranks: Ranks, worth: Ends) -> dict[str, Fraction]:
    """How the hand ends, by name."""
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    for up, chance, shoe in up_cards(rules, ranks):
        player = Holder(rules, shoe, up, worth)
        for first, also, left in draws(shoe):
            for second, odds, after in draws(left):
                cards = tuple(sorted((first, second)))
                weight = chance * also * odds
                blackjack = sum(
                    (part for hole, part, _ in draws(after) if count((up, hole))[0] == 21),
                    Fraction(),
                )
                passes = weight * (1 - blackjack)
                if count(cards)[0] == 21:
                    found["natural"] += passes
                    found["push"] += weight * blackjack
                    continue
                if passes:
                    ends = player.played(cards)
                    found["win"] += passes * ends.win
                    found["push"] += passes * ends.push
    found["loss"] = 1 - sum(found.values(), Fraction())
    return dict(found)


def net_with_free_ace(rules: MainRules, ranks: Ranks) -> Fraction:
    """What a round brings when any first card counts as an ace, in main wagers."""
    net = Fraction()
    for up, chance, shoe in up_cards(rules, ranks):
        for _, also, left in draws(shoe):
            # The shoe lacks the card that was dealt, and no ace.
            player = Holder(rules, (left[0] + 1, *left[1:]), up, Ends(Fraction(2), Fraction(1)))
            for second, odds, after in draws(left):
                weight = chance * also * odds
                blackjack = sum(
                    (part for hole, part, _ in draws(after) if count((up, hole))[0] == 21),
                    Fraction(),
                )
                cards = tuple(sorted((0, second)))
                if count(cards)[0] == 21:
                    paid = Fraction(rules.natural_pays.win, rules.natural_pays.stake)
                    net += weight * (1 - blackjack) * rules.units * paid
                    continue
                net -= weight * blackjack * rules.units
                if blackjack < 1:
                    net += weight * (1 - blackjack) * player.best_with_free_ace(cards)
    return net
