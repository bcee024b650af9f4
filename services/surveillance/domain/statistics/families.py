"""Many streams at once: which of them stand out, with a bound on the share of those that do not.

Streams live apart, each with a level of its own: of n streams at level a, at most n * a are
expected ever to alarm for nothing, whatever they have in common. Where many are shown together,
their e-values can be judged as a family: of the streams that e-BH names, at most a share of
`level` is expected to be named for nothing, whatever they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log


def discoveries(log_e_values: Mapping[str, float], *, level: float) -> tuple[str, ...]:
    """The streams that e-BH names, strongest first; e-values are given as logarithms.

    With K streams it names the k strongest, for the largest k of which the weakest has an
    e-value of at least K / (k * level).

    >>> discoveries({"a": 6.0, "b": 5.0, "c": 0.1}, level=0.05)
    ('a', 'b')
    """
    ranked = sorted(log_e_values, key=lambda name: (-log_e_values[name], name))
    everything = log(len(ranked) / level) if ranked else 0.0
    named = 0
    for place, name in enumerate(ranked, start=1):
        if log_e_values[name] >= everything - log(place):
            named = place
    return tuple(ranked[:named])
