"""The problems of a rule set spec, all at once.

Every problem states the allowed values, so that one reading is enough to fix them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from blackjack.facts import CERTAIN
from blackjack.money import EVEN_MONEY, THREE_TO_TWO, TWO_TO_ONE, Odds
from blackjack.rulebook.filings import Dealing, Filing, HouseRequirement, Paytable
from blackjack.rulebook.house_rules import HouseRules, RuleSetSpec
from blackjack.rulebook.limit_checks import limit_problems

NATURAL_PAYS: Final = (THREE_TO_TWO, Odds(6, 5), Odds(7, 5), EVEN_MONEY, TWO_TO_ONE)
HANDS_MAX: Final = range(2, 5)
"""A pair may be split, and no filing goes beyond four hands."""


def well_typed(spec: RuleSetSpec) -> RuleSetSpec | str:
    """The spec with every field of its own type, or the first field that is not.

    A spec made in Python is not checked by anyone else, and a true that stands for 1 would
    have another hash.
    """
    try:
        return msgspec.convert(msgspec.to_builtins(spec), RuleSetSpec)
    except (msgspec.ValidationError, TypeError) as error:
        return f"the definition is malformed: {error}"


def chosen_tables(spec: RuleSetSpec, filing: Filing) -> dict[str, Paytable]:
    """The paytables that a spec chooses, as far as they are filed."""
    tables: dict[str, Paytable] = {}
    for wager in filing.side_bets:
        if wager in spec.paytables:
            table = filing.paytable(wager, spec.decks, spec.paytables[wager])
            if table is not None:
                tables[wager] = table
    return tables


def problems_of(spec: RuleSetSpec, filing: Filing) -> Iterator[str]:
    """Every problem of a spec under the filing and the State's rules."""
    if spec.decks not in filing.decks:
        filed = _list(filing.decks)
        yield f"{spec.decks} decks are not filed for {filing.title}; filed are {filed}"
    else:
        yield from _paytable_problems(spec, filing)
    for wager in sorted(spec.paytables.keys() - filing.side_bets.keys()):
        has = _list(filing.side_bets)
        yield f"{filing.title} has no side bet {wager!r}; it has {has}"
    tables = chosen_tables(spec, filing)
    yield from _house_problems(spec.house, filing, tables)
    yield from limit_problems(spec.limits, filing, tables)


def _paytable_problems(spec: RuleSetSpec, filing: Filing) -> Iterator[str]:
    for wager in filing.side_bets:
        filed = filing.paytables(wager, spec.decks)
        options = _list(table.option for table in filed)
        where = f"{wager} at {spec.decks} decks"
        option = spec.paytables.get(wager)
        if option is None:
            yield f"no paytable is chosen for {where}; filed are {options}"
        elif filing.paytable(wager, spec.decks, option) is None:
            yield f"paytable {option} is not filed for {where}; filed are {options}"
        else:
            yield from _shared_problems(spec, wager, filing.paytable(wager, spec.decks, option))


def _shared_problems(spec: RuleSetSpec, wager: str, table: Paytable | None) -> Iterator[str]:
    """A paytable that is printed once for several wagers is chosen once for all of them."""
    first, *others = table.wagers if table is not None else (wager,)
    if wager != first:
        return
    for other in others:
        if spec.paytables.get(other, spec.paytables[first]) != spec.paytables[first]:
            yield f"{first} and {other} share one paytable; choose the same option for both"


def _house_problems(
    house: HouseRules, filing: Filing, tables: dict[str, Paytable]
) -> Iterator[str]:
    if not 0 <= house.read_confidence_min <= CERTAIN:
        confidence = house.read_confidence_min
        yield f"house rule read_confidence_min is {confidence}; 0 to {CERTAIN} is allowed"
    if filing.dealing is Dealing.MATCH_MADNESS:
        yield from _handless_problems(house, filing)
        return
    if house.hands_max not in HANDS_MAX:
        yield f"house rule hands_max is {house.hands_max}; allowed are {_list(HANDS_MAX)}"
    if house.natural_pays not in NATURAL_PAYS:
        allowed = _list(NATURAL_PAYS)
        yield f"house rule natural_pays is {_written(house.natural_pays)}; allowed are {allowed}"
    required = dict.fromkeys(
        (
            *filing.house,
            *(requirement for table in tables.values() for requirement in table.requires),
        )
    )
    for requirement in required:
        if getattr(house, requirement.rule) != requirement.value:
            yield _unlike(house, requirement, filing.title)


def _handless_problems(house: HouseRules, filing: Filing) -> Iterator[str]:
    """Where there is no blackjack hand, its rules cannot be chosen."""
    default = HouseRules(read_confidence_min=house.read_confidence_min)
    for rule in house.__struct_fields__:
        if getattr(house, rule) != getattr(default, rule):
            yield f"house rule {rule} has no meaning in {filing.title}; leave the default"


def _unlike(house: HouseRules, required: HouseRequirement, title: str) -> str:
    value = getattr(house, required.rule)
    return (
        f"house rule {required.rule} is {_written(value)}; {title} requires "
        f"{_written(required.value)} ({required.clause})"
    )


def _written(value: object) -> str:
    """A value as a person reads it; odds of any kind are never shown as a push."""
    return f"{value.win} to {value.stake}" if isinstance(value, Odds) else str(value)


def _list(values: Iterable[object]) -> str:
    return ", ".join(map(str, values)) or "none"
