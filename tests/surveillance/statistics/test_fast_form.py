"""The measurements' fast form of the streams is that of the domain, round by round."""

from __future__ import annotations

import numpy as np
import pytest

from surveillance.domain.statistics import Subject, contributions, e_values, fold
from tests.bench.fast_floor import RULES, Floor, as_settled_round
from tests.bench.fast_streams import Streams

DAYS = 4
ROUNDS = 30
NAMES = {
    "patron luck, side bet": ("patron:P-1", "luck/skweezit"),
    "table luck, side bet": ("table:T-1", "luck/skweezit"),
    "patron luck, main": ("patron:P-1", "luck/main"),
    "table luck, main": ("table:T-1", "luck/main"),
    "bet follows the count": ("patron:P-1", "count/main"),
    "plays the hole card": ("patron:P-1", "hole_card/main"),
}


def test_both_forms_have_the_same_wealth_after_every_round() -> None:
    floor, streams = Floor(DAYS, seed=1), Streams(DAYS)
    states: list[dict[str, Subject]] = [{} for _ in range(DAYS)]
    for number in range(1, ROUNDS + 1):
        each = floor.deal()
        streams.play(each)
        for day, state in enumerate(states):
            for found in contributions(as_settled_round(each, day, number), RULES):
                state[found.subject] = fold(state.get(found.subject), found)
        for name, (subject, stream) in NAMES.items():
            slow = [e_values(state[subject]).get(stream, 0.0) for state in states]
            assert list(streams.by_name()[name].now) == pytest.approx(slow, abs=1e-9), name
    for name, (subject, stream) in NAMES.items():
        slow = [state[subject].tallies[stream].peak for state in states]
        assert list(streams.by_name()[name].peaks) == pytest.approx(slow, abs=1e-9), name
        assert np.ptp(streams.by_name()[name].now) > 0
