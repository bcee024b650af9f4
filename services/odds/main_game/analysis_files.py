"""The analyses that are kept: which games, how they are made and written, how they compare.

`deploy/main_game_tables.py` calls this, and so do tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct, structs

from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.rule_set import FILED
from odds.main_game.analysis import ERROR_BOUND
from odds.main_game.analyzer import analyse
from odds.main_game.free_ace import value_with_free_ace
from odds.main_game.kept_analyses import StrategyTables
from odds.main_game.main_rules import MainRules
from odds.main_game.ranks import ranks_of
from odds.main_game.removal import effects_of_removal

DIGITS: Final = 10
"""Significant digits of a kept number."""

DIFFERENCE_MAX: Final = 1e-9
"""Relative for numbers above one: a unit in the last digit that is kept."""


def games() -> dict[str, tuple[MainRules, int]]:
    """Every game that is kept, by a name for people, with its number of decks.

    Those are all that are filed, with standard house rules and with either rule of soft 17.
    """
    found: dict[str, tuple[MainRules, int]] = {}
    for filed in FILED:
        if filed.filing.dealing is not Dealing.STANDARD:
            continue
        for hits_soft_17 in (False, True):
            rules = structs.replace(MainRules.of(filed), dealer_hits_soft_17=hits_soft_17)
            parts = [
                "half-back" if rules.half_back else "blackjack",
                str(filed.spec.decks),
                "h17" if hits_soft_17 else "s17",
                *(["resplit-aces"] if rules.resplit_aces else []),
            ]
            found["-".join(parts)] = (rules, filed.spec.decks)
    return dict(sorted(found.items()))


def make_tables(rules: MainRules, decks: int) -> StrategyTables:
    """The tables, computed again and rounded as they are kept."""
    ranks = ranks_of(decks)
    made = StrategyTables(
        analysis=analyse(rules, ranks),
        free_ace=value_with_free_ace(rules, ranks),
        removal=effects_of_removal(rules, ranks),
    )
    return rounded(made)


def rounded(tables: StrategyTables) -> StrategyTables:
    """The tables with ten digits of every number, and error bounds that include it."""
    analysis, free_ace = tables.analysis, tables.free_ace
    truthful = StrategyTables(
        analysis=structs.replace(analysis, error_bound=error_bound_of(analysis.edge)),
        free_ace=structs.replace(free_ace, error_bound=error_bound_of(free_ace.edge)),
        removal=tables.removal,
    )
    return msgspec.convert(_rounded(msgspec.to_builtins(truthful)), StrategyTables)


def error_bound_of(edge: float) -> float:
    """The largest error of an edge that is computed and then rounded.

    >>> f"{error_bound_of(0.0261509):.1e}"
    '6.0e-12'
    """
    exponent = int(f"{edge:.{DIGITS - 1}e}".partition("e")[2])
    return ERROR_BOUND + 0.5 * 10.0 ** (exponent + 1 - DIGITS)


def written(tables: StrategyTables) -> bytes:
    """The bytes of a file. Moves that a start does not have are left off the end of its row.

    So is the card discarded: a start that is kept is the average over it.
    """
    plain = msgspec.to_builtins(tables)
    for row in plain["analysis"]["starts"]:
        row.pop()
        while row[-1] is None:
            row.pop()
    return msgspec.json.encode(plain) + b"\n"


def differences(made: Struct, old: Struct) -> list[str]:
    """Where two tables, or parts of them, differ by more than rounding."""
    new, kept = (msgspec.json.decode(msgspec.json.encode(table)) for table in (made, old))
    return list(_differences(new, kept, where=""))


def _differences(made: object, old: object, where: str) -> Iterator[str]:
    if isinstance(made, dict) and isinstance(old, dict) and made.keys() == old.keys():
        for key in made:
            yield from _differences(made[key], old[key], f"{where}.{key}")
    elif isinstance(made, list) and isinstance(old, list) and len(made) == len(old):
        for place, (one, other) in enumerate(zip(made, old, strict=True)):
            yield from _differences(one, other, f"{where}[{place}]")
    elif isinstance(made, float) and isinstance(old, float):
        if abs(made - old) > DIFFERENCE_MAX * max(1.0, abs(old)):
            yield f"{where}: {old} is kept, {made} was made"
    elif made != old:
        yield f"{where}: {old!r} is kept, {made!r} was made"


def _rounded(value: object) -> object:
    """Plain data with every fraction rounded to the digits that are kept."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return value
