"""From a data file to a filing: everything is checked, and every error names its key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from blackjack.rulebook.filings.file_format import CITED_IN_ANY_GAME, FileSideBet, FilingFile
from blackjack.rulebook.filings.filing import Dealing, FiledSideBet, Filing
from blackjack.rulebook.filings.paytables import (
    InvalidFilingKey,
    check_choices,
    check_decks,
    paytable,
    requirement,
)
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from blackjack.rulebook.state_rules import AGGREGATE_RULE, WAGER_RULE
from blackjack.settlement.side_bets import SideBet

DECKS_MAX: Final = 8
"""No filing goes beyond eight decks; a larger number is a slip of the pen."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


class BadFiling(ValueError):
    """A data file that cannot be a filing, with the key that is wrong and why."""

    def __init__(self, *, file: str, key: str, problem: str) -> None:
        self.file = file
        self.key = key
        self.problem = problem
        super().__init__(f"{file}: {key}: {problem}")


def read_filing(file: str, text: str, evaluators: Mapping[str, SideBet]) -> Filing:
    """The filing that a data file describes, or `BadFiling`."""
    try:
        shape = msgspec.convert(tomllib.loads(text), FilingFile)
        return _filing(shape, evaluators)
    except tomllib.TOMLDecodeError as error:
        raise BadFiling(file=file, key="(file)", problem=str(error)) from None
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        key = path.rstrip("`").lstrip(".") or "(file)"
        raise BadFiling(file=file, key=key, problem=problem) from None
    except InvalidFilingKey as rejected:
        raise BadFiling(file=file, key=rejected.key, problem=rejected.problem) from None


def _filing(shape: FilingFile, evaluators: Mapping[str, SideBet]) -> Filing:
    _check_names(shape)
    check_decks("decks", shape.decks, range(1, DECKS_MAX + 1))
    side_bets = {
        wager: _side_bet(f"side_bets.{wager}", wager, side_bet, shape.decks, evaluators)
        for wager, side_bet in shape.side_bets.items()
    }
    tables = tuple(
        paytable(f"paytables[{index}]", table, shape, side_bets)
        for index, table in enumerate(shape.paytables)
    )
    check_choices(shape, tables)
    return Filing(
        game=shape.game,
        title=shape.title,
        filing=shape.filing,
        decks=shape.decks,
        base_wagers=shape.base_wagers,
        dealing=shape.dealing,
        allows_promotions=shape.allows_promotions,
        more_wagers=shape.more_wagers,
        house=tuple(requirement(f"house[{i}]", fixed) for i, fixed in enumerate(shape.house)),
        clauses=MappingProxyType(_clauses(shape)),
        side_bets=MappingProxyType(side_bets),
        tables=tables,
    )


def _check_names(shape: FilingFile) -> None:
    if not _NAME.fullmatch(shape.game):
        raise InvalidFilingKey(
            "game", f"{shape.game!r} is no name; write small letters, digits and _"
        )
    for wager in shape.base_wagers:
        if wager not in (MAIN, HALF_BACK):
            raise InvalidFilingKey(
                "base_wagers", f"{wager!r} is none; there are {MAIN} and {HALF_BACK}"
            )
    if (MAIN in shape.base_wagers) != (shape.dealing is Dealing.STANDARD):
        raise InvalidFilingKey("base_wagers", f"{MAIN} belongs to standard dealing, and only to it")
    for wager in shape.side_bets:
        if not _NAME.fullmatch(wager) or wager in (MAIN, HALF_BACK, INSURANCE):
            raise InvalidFilingKey(f"side_bets.{wager}", "no name for a side bet")


def _clauses(shape: FilingFile) -> dict[str, str]:
    """Every clause that the engine may cite; what the file leaves out has a default."""
    for key, clause in shape.clauses.items():
        if not clause:
            raise InvalidFilingKey(f"clauses.{key}", "empty")
    for key in ("game", *(f"{wager}.win" for wager in shape.side_bets)):
        if key not in shape.clauses:
            raise InvalidFilingKey(f"clauses.{key}", "missing; the engine cites it")
    defaults = dict.fromkeys(CITED_IN_ANY_GAME, shape.clauses["game"])
    defaults |= {"wager_limit": WAGER_RULE, "aggregate": AGGREGATE_RULE}
    defaults |= {f"{wager}.settle": side_bet.clause for wager, side_bet in shape.side_bets.items()}
    return defaults | shape.clauses


def _side_bet(
    key: str,
    wager: str,
    shape: FileSideBet,
    decks: tuple[int, ...],
    evaluators: Mapping[str, SideBet],
) -> FiledSideBet:
    def evaluator(key: str, name: str) -> SideBet:
        if name not in evaluators:
            known = ", ".join(sorted(evaluators))
            raise InvalidFilingKey(key, f"unknown evaluator {name!r}; there are {known}")
        return evaluators[name]

    exceptions: dict[int, SideBet] = {}
    for text, name in shape.evaluator_at_decks.items():
        if text not in map(str, decks):
            raise InvalidFilingKey(
                f"{key}.evaluator_at_decks.{text}", "not a deck count of this filing"
            )
        exceptions[int(text)] = evaluator(f"{key}.evaluator_at_decks.{text}", name)
    if not shape.clause:
        raise InvalidFilingKey(f"{key}.clause", "empty; the engine cites it")
    return FiledSideBet(
        wager=wager,
        title=shape.title,
        settles=shape.settles,
        right_to_left=shape.right_to_left,
        clause=shape.clause,
        side_bet=evaluator(f"{key}.evaluator", shape.evaluator),
        exceptions=MappingProxyType(exceptions),
    )
