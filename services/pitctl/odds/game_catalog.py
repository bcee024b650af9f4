"""The contents of the filings as plain data: everything needed to set up a table.

The terms are those of the hand history, where a rule set is a line `rules GAME decks N WAGER
OPTION ...` and indented lines for settings that are not standard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final

from msgspec import Struct, structs

from blackjack.facts import CERTAIN, RuleSetActivated
from blackjack.hand_history.block_lines import write_rules
from blackjack.hand_history.settings import HOUSE
from blackjack.money import Odds, format_cents
from blackjack.rulebook.filings import Dealing, Filing, HouseRequirement, Paytable
from blackjack.rulebook.house_rules import HouseRules, PostedLimits
from blackjack.rulebook.promotions import PromotionKind, Terms
from blackjack.rulebook.rule_checks import HANDS_MAX, NATURAL_PAYS
from blackjack.rulebook.rule_set import RuleSet, compose, filed_specs
from blackjack.rulebook.state_rules import (
    AGGREGATE_ODDS,
    AGGREGATE_RULE,
    WAGER_CENTS_MAX,
    WAGER_RULE,
    may_have_aggregate,
)

_HOUSE: Final = {field.name: field for field in structs.fields(HouseRules)}
_NUMBERS: Final = {"hands_max": HANDS_MAX, "read_confidence_min": range(CERTAIN + 1)}
_LISTED_MAX: Final = 10
_MEANINGFUL_WITHOUT_HANDS: Final = ("read_confidence_min",)


class HouseRow(Struct, frozen=True):
    """A house rule: its standard value, the alternatives, or the clause that fixes it.

    `paytables` are the choices that fix it, where not all of the game's paytables do.
    """

    rule: str
    standard: str
    value: Any
    others: tuple[str, ...] = ()
    fixed_by: str = ""
    paytables: tuple[str, ...] = ()


class TableSetting(Struct, frozen=True):
    """A posted limit or another setting of the table."""

    words: str
    default: str
    allowed: str


class PaytableGroup(Struct, frozen=True):
    """The options of one wager, or of several that share them, at some deck counts."""

    wagers: tuple[str, ...]
    decks: tuple[int, ...]
    tables: tuple[Paytable, ...]


def house_rows(filing: Filing) -> Iterator[HouseRow]:
    """Every house rule that has a meaning in the game."""
    for rule, field in _HOUSE.items():
        if filing.dealing is Dealing.MATCH_MADNESS and rule not in _MEANINGFUL_WITHOUT_HANDS:
            continue
        fixed = [required for required in filing.house if required.rule == rule]
        required = _requirements(filing, rule)
        if fixed:
            yield _fixed(fixed[0], ())
            continue
        everywhere = _is_required_everywhere(filing, required)
        if everywhere and len({requirement.value for requirement in required}) == 1:
            clauses = "; ".join(requirement.clause for requirement in required)
            yield _fixed(structs.replace(next(iter(required)), clause=clauses), ())
            continue
        yield from (_fixed(requirement, tables) for requirement, tables in required.items())
        if not everywhere:
            standard = _words(rule, field.default)
            others = _others(rule, field.type, field.default)
            yield HouseRow(rule, standard, json_value(field.default), others)


def _fixed(required: HouseRequirement, tables: Sequence[Paytable]) -> HouseRow:
    words = _words(required.rule, required.value)
    chosen = tuple(option_words(table) for table in tables)
    return HouseRow(
        required.rule,
        words,
        json_value(required.value),
        (),
        required.clause,
        tuple(dict.fromkeys(chosen)),
    )


def _requirements(filing: Filing, rule: str) -> dict[HouseRequirement, list[Paytable]]:
    """The values that paytables require of a house rule, with those paytables."""
    required: dict[HouseRequirement, list[Paytable]] = {}
    for table in filing.tables:
        for requirement in table.requires:
            if requirement.rule == rule:
                required.setdefault(requirement, []).append(table)
    return required


def _is_required_everywhere(
    filing: Filing, required: Mapping[HouseRequirement, list[Paytable]]
) -> bool:
    """Whether no choice of paytables leaves the rule free: all of some wager require it."""
    requiring = {table for tables in required.values() for table in tables}
    return any(
        all(table in requiring for table in filing.tables if wager in table.wagers)
        for wager in filing.side_bets
    )


def option_words(table: Paytable) -> str:
    """The words of a line `rules` that choose a paytable."""
    return " ".join(f"{wager} {table.option}" for wager in table.wagers)


def _words(rule: str, value: object) -> str:
    """A house rule with this value, as a hand history writes it."""
    ways = (option.write(value) for option in HOUSE if option.name == rule)
    return next(filter(None, ways))


def _others(rule: str, kind: Any, standard: object) -> tuple[str, ...]:
    """The alternatives in words; a long range of numbers by its ends."""
    choices: Sequence[object]
    if rule in _NUMBERS:
        choices = _NUMBERS[rule]
        if len(choices) > _LISTED_MAX:
            return (f"{_words(rule, choices[0])} to {choices[-1]}",)
    elif kind is Odds:
        choices = NATURAL_PAYS
    elif kind is bool:
        choices = (False, True)
    else:
        choices = tuple(kind)
    return tuple(_words(rule, choice) for choice in choices if choice != standard)


def json_value(value: object) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Odds):
        return f"{value.win} to {value.stake}"
    return value.value if isinstance(value, Enum) else value


def settings(filing: Filing) -> Iterator[TableSetting]:
    """Posted limits and chips, with their defaults."""
    most = format_cents(WAGER_CENTS_MAX)
    usual = PostedLimits()
    yield TableSetting("limit WAGER min AMOUNT", "none", "up to the largest wager")
    yield TableSetting("limit WAGER max AMOUNT", most, f"up to {most} ({WAGER_RULE})")
    capped = [
        wager
        for wager in filing.side_bets
        if any(may_have_aggregate(t.top) for t in filing.tables if wager in t.wagers)
    ]
    if capped:
        yield TableSetting(
            "limit WAGER aggregate AMOUNT",
            "none",
            f"from {AGGREGATE_ODDS} times the largest wager, for {', '.join(capped)} where a "
            f"paytable reaches {AGGREGATE_ODDS} to 1 ({AGGREGATE_RULE})",
        )
    chip = format_cents(usual.smallest_chip_cents)
    yield TableSetting("smallest chip AMOUNT", chip, f"$0.01 to {most}")
    yield TableSetting("rounding for player", "default", "or: rounding for house")
    if filing.more_wagers is not None:
        yield TableSetting(
            "other wager NAME", "none", "wagers of other filings on the layout, a line each"
        )


def paytable_groups(filing: Filing, decks: int = 0) -> Iterator[PaytableGroup]:
    """Paytables side by side: for each wager, deck counts that have the same ones together."""
    seen: set[str] = set()
    for wager in filing.side_bets:
        groups: dict[tuple[Paytable, ...], list[int]] = {}
        for count in filing.decks:
            if decks in (0, count) and wager not in seen:
                groups.setdefault(filing.paytables(wager, count), []).append(count)
        for tables, counts in groups.items():
            seen.update(tables[0].wagers)
            yield PaytableGroup(tables[0].wagers, tuple(counts), tables)


def rule_sets(filing: Filing, decks: int = 0) -> Iterator[RuleSet]:
    """Every filed choice with standard house rules and no posted limits, the usual one first."""
    for spec in filed_specs(filing):
        if decks in (0, spec.decks):
            yield compose(spec)


def terms_in_words(terms: Terms) -> str:
    """The terms of a coupon that matter at the table."""
    parts = [
        f"pays {terms.pays}",
        f"natural pays {terms.natural_pays}",
        f"push {terms.on_push.value}",
        "match required" if terms.match_required else "no match required",
    ]
    if terms.kind is PromotionKind.HAND_BONUS:
        parts = [f"outcome {terms.bonus_outcome}"]
    if terms.kind is PromotionKind.FREE_ACE:
        parts = ["the first card counts as an ace; the hand is not split"]
    return ", ".join(parts)


def unusual(rule_set: RuleSet) -> str:
    """The settings of a rule set that are not standard for its game, in words."""
    lines = list(write_rules(RuleSetActivated(rule_set.hash, rule_set.spec)))
    return ", ".join(line.strip() for line in lines[1:]) or "standard house rules"


def rules_line(rule_set: RuleSet) -> str:
    """The lines of a hand history that choose a rule set."""
    return "\n".join(write_rules(RuleSetActivated(rule_set.hash, rule_set.spec)))
