"""A fault plan: which faults, how often, written in TOML.

    every = 1                       # each fault that one table's log decides, so often a day
    patterns = 1                    # each pattern for surveillance, so often a day

    [per_day]
    "overpaid" = 3

    [per_thousand_rounds]
    "past post" = 0.5

A line of `per_day` replaces `every` for that fault; rates come on top.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from table_simulator.domain.chance import RandomStream
from table_simulator.domain.faults.fault_catalog import BY_NAME
from table_simulator.domain.habit import Habit
from table_simulator.domain.patterns.pattern_catalog import BY_NAME as PATTERNS_BY_NAME

COUNT_MAX = 1_000
"""Every round, for a rate; more faults of one kind than any floor has rounds to spare for."""

KEYS = ("every", "patterns", "per_day", "per_thousand_rounds")
PATTERN_NAMES = (*PATTERNS_BY_NAME, *(habit.value for habit in Habit))
NAMES = (*BY_NAME, *PATTERN_NAMES)


class InvalidPlan(ValueError):
    """A plan that cannot be followed; `problems` names every problem in it."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


@dataclass(frozen=True, slots=True)
class Plan:
    every: int = 0
    patterns: int = 0
    per_day: Mapping[str, int] = field(default_factory=dict)
    per_thousand_rounds: Mapping[str, float] = field(default_factory=dict)

    def counts(self, chance: RandomStream, *, rounds: int) -> dict[str, int]:
        """The number of plantings of each fault, on a floor that plays so many rounds."""
        counts = dict.fromkeys(BY_NAME, self.every)
        counts |= dict.fromkeys(PATTERN_NAMES, self.patterns) | dict(self.per_day)
        for name, rate in sorted(self.per_thousand_rounds.items()):
            struck = sum(chance.random() * 1_000 < rate for _ in range(rounds))
            counts[name] = counts.get(name, 0) + struck
        return {name: count for name, count in counts.items() if count}


def read_plan(text: str) -> Plan:
    """Parse a plan, or raise `InvalidPlan` with every problem in it."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidPlan([f"not TOML: {error}"]) from None
    problems = [
        f"unknown key {key!r}; expected {', '.join(KEYS)}" for key in document if key not in KEYS
    ]
    every, patterns = document.get("every", 0), document.get("patterns", 0)
    for key, number in (("every", every), ("patterns", patterns)):
        if not _is_count(number, (int,)):
            problems.append(f"{key} is {number!r}, not a whole number from 0 to {COUNT_MAX}")
    per_day = _numbers(document, "per_day", (int,), problems)
    rates = _numbers(document, "per_thousand_rounds", (int, float), problems)
    if problems:
        raise InvalidPlan(problems)
    return Plan(every, patterns, {name: int(count) for name, count in per_day.items()}, rates)


def read_fault(text: str) -> tuple[str, int]:
    """`NAME` or `NAME=COUNT`, as it is typed on a command line."""
    name, _, count = text.partition("=")
    problems: list[str] = []
    _check_name(name.strip(), problems)
    if count and not count.strip().isdecimal():
        problems.append(f"{count!r} is not a number")
    if problems:
        raise InvalidPlan(problems)
    return name.strip(), int(count) if count else 1


def _numbers(
    document: dict[str, Any],
    key: str,
    kinds: tuple[type[int] | type[float], ...],
    problems: list[str],
) -> dict[str, float]:
    table = document.get(key, {})
    if not isinstance(table, dict):
        problems.append(f"{key} is not a table")
        return {}
    for name, number in table.items():
        _check_name(name, problems)
        if not _is_count(number, kinds):
            whole = "" if float in kinds else "whole "
            problems.append(
                f"{key}: {name!r} is {number!r}, not a {whole}number from 0 to {COUNT_MAX}"
            )
    return table


def _is_count(number: object, kinds: tuple[type[int] | type[float], ...]) -> bool:
    """A number that is none (`nan`) is in no range either."""
    if isinstance(number, bool) or not isinstance(number, kinds):
        return False
    return 0 <= number <= COUNT_MAX


def _check_name(name: str, problems: list[str]) -> None:
    if name not in NAMES:
        near = get_close_matches(name, NAMES, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        problems.append(f"unknown fault {name!r}{hint}")
