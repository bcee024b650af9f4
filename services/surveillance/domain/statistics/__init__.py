"""Statistics that never cry wolf: e-processes of results, bets, decisions and payments.

    for contribution in contributions(settled_round, rule_set):     # one for each subject
        state = fold(state_of(contribution.subject), contribution)  # in any order
        for alarm in alarms(state):                                 # with its e-value and bound
            ...

- `contributions(round, rules, baselines)`: what a settled round says, by subject
  (`table:T`, `dealer:D`, `patron:P`, `shoe:T/S`, `pair:D/P`). Rounds that say nothing give none.
- `withdrawals(earlier subjects, round, contributions)`: for whom a later version is silent.
- `fold(state, contribution, window_us)`: the state of a subject, a msgspec Struct. It is a
  function of the set of contributions; repeats and their order change nothing. Many are folded
  faster with `add(state, entry)` for each and `settle(state)` for all.
- `dealt(round, rules)` and `peers`: what it counts where dealers and tables are compared.
- `alarms(state, levels)`: every stream of the subject that ever reached its threshold.
- `e_values(state)` and `discoveries(log e-values, level)`: many streams as a family (e-BH).

Why the bounds hold, and what could break them, is in docs/statistics.md.
"""

from surveillance.domain.statistics.alarms import ADVANTAGE, LEVELS, Alarm, alarms
from surveillance.domain.statistics.conduct import Baselines
from surveillance.domain.statistics.contributions import contributions, dealt, withdrawals
from surveillance.domain.statistics.evidence import (
    Bet,
    Contribution,
    Entry,
    StreamEvidence,
    StreamKind,
    Ticket,
)
from surveillance.domain.statistics.families import discoveries
from surveillance.domain.statistics.subject_state import (
    WINDOW_US,
    Subject,
    add,
    e_values,
    fold,
    settle,
)
from surveillance.domain.statistics.wealth import Tally

__all__ = [
    "ADVANTAGE",
    "LEVELS",
    "WINDOW_US",
    "Alarm",
    "Baselines",
    "Bet",
    "Contribution",
    "Entry",
    "StreamEvidence",
    "StreamKind",
    "Subject",
    "Tally",
    "Ticket",
    "add",
    "alarms",
    "contributions",
    "dealt",
    "discoveries",
    "e_values",
    "fold",
    "settle",
    "withdrawals",
]
