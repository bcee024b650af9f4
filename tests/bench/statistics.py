"""How often statistics cry wolf, and how soon they see one: `make statistics` for the long form.

Without misconduct: of so many table-days, on how many does a stream ever alarm? The bound is
the level. With misconduct of a stated size: how many rounds until it alarms, beside Wald's bound
where the alternative is simple (no test that errs so seldom can do with fewer on average), and
beside a z-test that is looked at after every round and pays for it by Bonferroni. For what is
rare a z-test is not honest at all, and an exact binomial one stands in its place.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import exp, lgamma, log, log1p, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Final

import msgspec
import numpy as np

from odds.round_theory import theory_of
from odds.shoe import CardCounts
from surveillance.domain.statistics import StreamKind, Subject, contributions, fold
from surveillance.domain.statistics.alarms import LEVELS
from surveillance.domain.statistics.peers import ODDS_RATIOS
from surveillance.domain.statistics.side_luck import side_law
from surveillance.domain.statistics.wealth import ALL_OF_IT
from tests.bench.fast_floor import (
    RULES,
    SIDE,
    Booleans,
    Floats,
    Floor,
    as_settled_round,
    side_brings,
)
from tests.bench.fast_misconduct import Counter, Lucky, Peeker, Steered
from tests.bench.fast_streams import (
    Counting,
    Stream,
    Streams,
    play_hole_card,
    play_main,
    play_peers,
    play_side,
)
from tests.bench.measure import Measurement, limited, show, timed, write

LEVEL: Final = 0.01
"""At which false alarms are counted: small enough to matter, large enough to be counted."""

AIM: Final = 1.5
"""Times Wald's bound, where the alternative is simple."""

ERRORS, COUPONS = 0.002, 0.25
"""How often honest dealers err, and how many bets come with a coupon. Nobody tells the streams."""

PAYMENTS: Final = 6
"""Payments and bets of a round, for what a dealer does."""

PEERS: Final = 11
"""Who deal at the same time."""

ROUNDS_TOGETHER: Final = 5
"""Of a dealer in a block."""

Step = Callable[[], None]


def measure(*, quick: bool) -> list[Measurement]:
    """False alarms, then power, then what it costs."""
    days, rounds = (1_000, 30) if quick else (10_000, 50)
    found = [*false_alarms(days, rounds), *cost(quick=quick)]
    return [*found, *(power(50, (0.4,)) if quick else power(200))]


# without misconduct ---------------------------------------------------------------------------


def false_alarms(days: int, rounds: int) -> list[Measurement]:
    """On how many table-days each stream ever alarms, with a 95 % interval."""
    floor, streams = Floor(days, seed=7), Streams(days)
    for _ in range(rounds):
        streams.play(floor.deal())
    watched = {**streams.by_name(), **_dealers(days, rounds)}
    return [_share(name, stream, days, rounds) for name, stream in watched.items()]


def _dealers(days: int, rounds: int) -> dict[str, Stream]:
    """A dealer among peers; what is usual is another on every day, and changes in the day."""
    rng = np.random.default_rng(29)
    found: dict[str, Stream] = {}
    for name, rate in (("dealer errors", ERRORS), ("coupons", COUPONS)):
        for peers in (2, PEERS):
            stream = Stream(days, len(ODDS_RATIOS), ALL_OF_IT)
            for _ in range(rounds // ROUNDS_TOGETHER):
                usual = np.minimum(rate * rng.uniform(0.2, 3.0, days), 1.0)
                play_peers(stream, rng, usual, usual, peers, ROUNDS_TOGETHER * PAYMENTS)
            found[f"{name}, {peers} peers"] = stream
    return found


def _share(name: str, stream: Stream, days: int, rounds: int) -> Measurement:
    alarmed = int((stream.peaks >= -log(LEVEL)).sum())
    low, high = interval(alarmed, days)
    unit = f"% of {days:,} days of {rounds} rounds ({100 * low:.2f} to {100 * high:.2f})"
    return limited(f"{name}: ever alarms", 100 * alarmed / days, unit, aim=100 * LEVEL)


def interval(hits: int, of: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's: all chances under which neither tail is unlikely.

    >>> [round(each, 4) for each in interval(0, 10)]
    [0.0, 0.3085]
    """
    tail = (1 - confidence) / 2
    low = _bisect(lambda p: 1 - _at_most(hits - 1, of, p) > tail) if hits else 0.0
    high = _bisect(lambda p: _at_most(hits, of, p) < tail) if hits < of else 1.0
    return low, high


def _bisect(beyond: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return high


def _at_most(hits: int, of: int, p: float) -> float:
    if p <= 0.0 or p >= 1.0:
        return float(p <= 0.0 or hits >= of)
    ways = (lgamma(of + 1) - lgamma(k + 1) - lgamma(of - k + 1) for k in range(hits + 1))
    return sum(exp(way + k * log(p) + (of - k) * log1p(-p)) for k, way in enumerate(ways))


# with misconduct ------------------------------------------------------------------------------


class Watch:
    """Days that are followed until all of them have alarmed, or for so long."""

    def __init__(self, days: int, level: float, limit: int) -> None:
        self.days, self.level, self.limit = days, level, limit
        self.rounds = 0
        self._first: dict[str, Floats] = {}

    def note(self, name: str, crossed: Booleans) -> None:
        """Which of the days have reached the threshold, by one method."""
        first = self._first.setdefault(name, np.full(self.days, np.inf))
        first[crossed & np.isinf(first)] = self.rounds

    def run(self, step: Step) -> None:
        while self.rounds < self.limit and (
            not self._first or any(np.isinf(each).any() for each in self._first.values())
        ):
            self.rounds += 1
            step()

    def seen(self, name: str) -> bool:
        """Whether all days have alarmed, by one method."""
        return name in self._first and not np.isinf(self._first[name]).any()

    def mean(self, name: str) -> float:
        """Rounds on average; days that never alarmed count as the limit."""
        return float(np.minimum(self._first[name], self.limit).mean())

    def never(self, name: str) -> int:
        return int(np.isinf(self._first[name]).sum())


class Repeated:
    """A z-test after every round: honest by Bonferroni, for as many looks as there may be."""

    def __init__(self, days: int, mean: float, variance: float, watch: Watch) -> None:
        self._sum = np.zeros(days)
        self._mean, self._deviation = mean, sqrt(variance)
        self._critical = NormalDist().inv_cdf(1 - watch.level / watch.limit)

    def look(self, values: Floats, times: int) -> Booleans:
        self._sum += values - self._mean
        return self._sum > self._critical * self._deviation * sqrt(times)


def power(days: int, shares: tuple[float, ...] = (0.1, 0.2, 0.4)) -> list[Measurement]:
    """Rounds until it is seen, by kind and size."""
    found: list[Measurement] = []
    for share in shares:
        found += _lucky(days, share)
    for times in (4, 10):
        found += _rate(
            f"errors {times} times those of peers", ERRORS, ERRORS * times, days, StreamKind.ERRORS
        )
    for share in (0.4, 0.6):
        name = f"coupons with {share:.0%} of bets, peers {COUPONS:.0%}"
        found += _rate(name, COUPONS, share, days, StreamKind.COUPONS)
    return [*found, *_steered(days), *_counter(days), *_peeker(days)]


def _lucky(days: int, share: float) -> list[Measurement]:
    watch = Watch(days, LEVELS[StreamKind.LUCK], limit=2_000)
    floor = Floor(days, seed=11, misconduct=Lucky(share))
    ours, best = Stream(days, 2), Stream(days, 2, (share,))
    wins = side_law(RULES, SIDE, CardCounts.of_decks(RULES.spec.decks))
    assert wins is not None
    chance = float(wins.wins)
    theory = theory_of(RULES)[SIDE]
    hits = Repeated(days, chance, chance * (1 - chance), watch)
    money = Repeated(days, -theory.edge, theory.variance, watch)
    growth: list[float] = []

    def step() -> None:
        each = floor.deal()
        if not watch.seen("ours"):
            before = best.angle(0)
            play_side(each, ours, best)
            growth.append(float((best.angle(0) - before).mean()))
            ours.look()
            watch.note("ours", ours.peaks >= -log(watch.level))
        brought = side_brings(each, 0)
        watch.note("hits", hits.look((brought > 0).astype(np.float64), watch.rounds))
        watch.note("money", money.look(brought - 1, watch.rounds))

    watch.run(step)
    wald = -log(watch.level) / (sum(growth) / len(growth))
    better = min(("hits", "money"), key=watch.mean)
    name = f"side bet helped in {share:.0%} of rounds"
    return _rows(name, watch, wald, better)


def _rate(
    name: str, baseline: float, rate: float, days: int, kind: StreamKind
) -> list[Measurement]:
    """Something that one does more often than peers; a round of a dealer a step.

    The exact test is that of somebody who knows what is usual, which ours does not. Wald's bound
    is that of somebody who compares with the same peers and knows how much he looks for.
    """
    watch = Watch(days, LEVELS[kind], limit=2_000)
    rng = np.random.default_rng(13)
    ours = Stream(days, len(ODDS_RATIOS), ALL_OF_IT)
    counts, critical = np.zeros(days), 0
    own, others = np.full(days, rate), np.full(days, baseline)
    best = Stream(days, 1, ALL_OF_IT)
    ratio = rate / (1 - rate) / (baseline / (1 - baseline))

    def step() -> None:
        nonlocal critical
        counts[:] += play_peers(ours, rng, own, others, PEERS, PAYMENTS, (best, ratio))
        watch.note("ours", ours.peaks >= -log(watch.level))
        payments = PAYMENTS * watch.rounds
        while 1 - _at_most(critical - 1, payments, baseline) > watch.level / watch.limit:
            critical += 1
        watch.note("exact", counts >= critical)

    watch.run(step)
    gain = float(best.angle(0).mean()) / watch.rounds
    return _rows(name, watch, -log(watch.level) / gain, "exact", "rounds")


def _rows(
    name: str, watch: Watch, wald: float, repeated: str, unit: str = "bets"
) -> list[Measurement]:
    ours = watch.mean("ours")
    bound = f"Wald's bound of {wald:,.0f}"
    test = "exact test" if repeated == "exact" else "z-test"
    z = f"{unit} until seen ({test}: {watch.mean(repeated):,.0f}{_missed(watch, repeated)})"
    ratio = ours / wald
    return [Measurement(name, ours, z, bound, round(ratio, 3), AIM, ratio <= AIM)]


def _missed(watch: Watch, name: str) -> str:
    never = watch.never(name)
    return f", {never} of {watch.days} never" if never else ""


def _steered(days: int) -> list[Measurement]:
    share = 0.2
    watch = Watch(days, LEVELS[StreamKind.LUCK], limit=2_000)
    floor, stream, table = Floor(days, 17, Steered(share)), Stream(days, 2), Stream(days, 2)

    def step() -> None:
        play_main(floor.deal(), stream, table)
        stream.look()
        watch.note("ours", stream.peaks >= -log(watch.level))

    watch.run(step)
    return [_alone(f"first card made an ace in {share:.0%} of rounds", watch)]


def _counter(days: int) -> list[Measurement]:
    watch = Watch(days, LEVELS[StreamKind.COUNT], limit=1_500)
    floor, counting = Floor(days, 19, Counter()), Counting(days, "main")

    def step() -> None:
        each = floor.deal()
        counting.play(each, each.stakes[0])
        watch.note("ours", counting.stream.peaks >= -log(watch.level))

    watch.run(step)
    return [_alone("main bets from one unit to twelve by the count", watch)]


def _peeker(days: int) -> list[Measurement]:
    share = 0.9
    watch = Watch(days, LEVELS[StreamKind.HOLE_CARD], limit=1_500)
    floor, stream = Floor(days, 23, Peeker(share)), Stream(days, 1)

    def step() -> None:
        play_hole_card(floor.deal(), stream)
        watch.note("ours", stream.peaks >= -log(watch.level))

    watch.run(step)
    return [_alone(f"hole card seen in {share:.0%} of decisions", watch)]


def _alone(name: str, watch: Watch) -> Measurement:
    """No simple alternative, and so no bound to be held against."""
    return Measurement(name, watch.mean("ours"), f"rounds until seen{_missed(watch, 'ours')}")


# what it costs --------------------------------------------------------------------------------


def cost(*, quick: bool) -> list[Measurement]:
    """Rounds a second for all subjects together, and the bytes of a patron's day."""
    rounds = 60 if quick else 400
    floor = Floor(1, seed=3)
    settled = [as_settled_round(floor.deal(), 0, number) for number in range(1, rounds + 1)]
    states: dict[str, Subject] = {}

    def work() -> None:
        states.clear()
        for each in settled:
            for found in contributions(each, RULES):
                states[found.subject] = fold(states.get(found.subject), found)

    work()
    seconds = timed(work)
    size = len(msgspec.msgpack.encode(states["patron:P-1"]))
    return [
        Measurement("rounds to the states of all their subjects", rounds / seconds, "rounds/s"),
        Measurement(f"state of a patron after {rounds} rounds", size, "bytes"),
    ]


if __name__ == "__main__":
    factor = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    measurements = [
        *false_alarms(10_000 * factor, 200),
        *power(400 * factor),
        *cost(quick=False),
    ]
    show(measurements)
    write(measurements, Path("build/statistics.json"))
