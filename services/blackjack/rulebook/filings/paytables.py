"""The paytables of a data file: every figure is odds, every row an outcome of its evaluator."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from blackjack.money import PUSH, Odds
from blackjack.rulebook.filings.file_format import FilePaytable, FileRequirement, FilingFile
from blackjack.rulebook.filings.filing import FiledSideBet, HouseRequirement, Paytable, PaytableRow
from blackjack.rulebook.house_rules import HouseRules
from blackjack.settlement.side_bets import LOSS, SideBet

_ODDS: Final = re.compile(r"([1-9][0-9]{0,4}) to ([1-9][0-9]?)")
_HOUSE_TYPES: Final = {field.name: field.type for field in msgspec.structs.fields(HouseRules)}


class InvalidFilingKey(Exception):
    """One key that is wrong; the reader adds the file's name."""

    def __init__(self, key: str, problem: str) -> None:
        self.key = key
        self.problem = problem


def parse_odds(text: str) -> Odds:
    """Odds as a filing prints them, "50 to 1" or "push"; `ValueError` for anything else."""
    if text == "push":
        return PUSH
    match = _ODDS.fullmatch(text)
    if match is None:
        raise ValueError(f'{text!r} is no odds; write "50 to 1" or "push"')
    return Odds(int(match[1]), int(match[2]))


def check_decks(key: str, decks: tuple[int, ...], allowed: range | tuple[int, ...]) -> None:
    """Deck counts come in rising order, once each, and from those allowed."""
    if not decks or list(decks) != sorted(set(decks)):
        raise InvalidFilingKey(key, "name the deck counts once each, in rising order")
    for count in decks:
        if count not in allowed:
            raise InvalidFilingKey(key, f"{count} is not among {', '.join(map(str, allowed))}")


def paytable(
    key: str, shape: FilePaytable, filing: FilingFile, side_bets: Mapping[str, FiledSideBet]
) -> Paytable:
    """One paytable, with every row an outcome that its evaluators can give."""
    check_decks(f"{key}.decks", shape.decks, filing.decks)
    if shape.option < 1:
        raise InvalidFilingKey(f"{key}.option", f"{shape.option}: options count from 1")
    if not shape.clause:
        raise InvalidFilingKey(f"{key}.clause", "empty; a payout must name its source")
    if not shape.wagers or len(set(shape.wagers)) != len(shape.wagers):
        raise InvalidFilingKey(f"{key}.wagers", "name at least one wager, and each once")
    for wager in shape.wagers:
        if wager not in side_bets:
            raise InvalidFilingKey(f"{key}.wagers", f"{wager!r} is no side bet of this filing")
        for decks in shape.decks:
            _check_outcomes(key, shape, side_bets[wager].at(decks))
    return Paytable(
        game=filing.game,
        wagers=shape.wagers,
        decks=shape.decks,
        option=shape.option,
        rows=tuple(
            _row(f"{key}.pays.{outcome}", outcome, pays, filing.labels)
            for outcome, pays in shape.pays.items()
        ),
        filing=filing.filing,
        clause=shape.clause,
        requires=tuple(
            requirement(f"{key}.requires[{i}]", required)
            for i, required in enumerate(shape.requires)
        ),
        pays_as=MappingProxyType(shape.pays_as),
    )


def _check_outcomes(key: str, shape: FilePaytable, side_bet: SideBet) -> None:
    """Check that the evaluator's outcomes and the table's rows are the same, name by name."""
    if not shape.pays:
        raise InvalidFilingKey(f"{key}.pays", "a paytable pays something")
    for outcome in (*shape.pays, *shape.pays_as):
        if outcome not in side_bet.outcomes:
            why = "is never a row" if outcome == LOSS else f"is unknown to {side_bet.evaluator}"
            raise InvalidFilingKey(f"{key}.pays.{outcome}", f"{outcome!r} {why}")
    for outcome in side_bet.outcomes:
        if (outcome in shape.pays) == (outcome in shape.pays_as):
            raise InvalidFilingKey(
                f"{key}.pays.{outcome}", "has no row, or both a row and a pays_as"
            )
    for outcome, paid in shape.pays_as.items():
        if paid not in shape.pays:
            raise InvalidFilingKey(
                f"{key}.pays_as.{outcome}", f"{paid!r} is no row of this paytable"
            )


def _row(key: str, outcome: str, pays: str, labels: Mapping[str, str]) -> PaytableRow:
    if outcome not in labels:
        raise InvalidFilingKey(f"labels.{outcome}", "missing")
    try:
        return PaytableRow(outcome=outcome, label=labels[outcome], pays=parse_odds(pays))
    except ValueError as error:
        raise InvalidFilingKey(key, str(error)) from None


def requirement(key: str, shape: FileRequirement) -> HouseRequirement:
    """A house rule that the filing fixes, its value in the house rule's own type."""
    wanted = _HOUSE_TYPES.get(shape.rule)
    if wanted is None:
        raise InvalidFilingKey(f"{key}.rule", f"{shape.rule!r} is no house rule")
    try:
        value = (
            parse_odds(str(shape.value)) if wanted is Odds else msgspec.convert(shape.value, wanted)
        )
    except (ValueError, msgspec.ValidationError) as error:
        raise InvalidFilingKey(f"{key}.value", str(error)) from None
    return HouseRequirement(rule=shape.rule, value=value, clause=shape.clause)


def check_choices(shape: FilingFile, tables: tuple[Paytable, ...]) -> None:
    """One paytable an option, and at least one for every side bet at every deck count."""
    seen: set[tuple[str, int, int]] = set()
    for index, table in enumerate(tables):
        for wager in table.wagers:
            for decks in table.decks:
                if (wager, decks, table.option) in seen:
                    problem = f"{wager} at {decks} decks has option {table.option} already"
                    raise InvalidFilingKey(f"paytables[{index}].option", problem)
                seen.add((wager, decks, table.option))
    covered = {(wager, decks) for wager, decks, _ in seen}
    for wager in shape.side_bets:
        for decks in shape.decks:
            if (wager, decks) not in covered:
                raise InvalidFilingKey("paytables", f"none for {wager} at {decks} decks")
