"""A rule set: a filed game with a house's choices, all of which the filing allows.

What a filing does not allow cannot be made. `compose` is the only way to a `RuleSet`, and
reports all problems of a spec at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct, structs, to_builtins

from blackjack.rulebook.canonical import address
from blackjack.rulebook.filings import FILINGS, Dealing, Filing, Paytable
from blackjack.rulebook.house_rules import HouseRules, Peek, RuleSetSpec
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_checks import chosen_tables, problems_of, well_typed
from blackjack.settlement.side_bets import SideBet


class NotFiled(ValueError):
    """A spec that no filing allows, with every reason."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


class RuleSet(Struct, frozen=True, dict=True, eq=False):
    """What a table plays by. Two rule sets with one hash are the same in every amount."""

    spec: RuleSetSpec
    filing: Filing
    paytables: Mapping[str, Paytable]
    side_bets: Mapping[str, SideBet]

    def side_bet(self, wager: str) -> SideBet:
        """The evaluator that judges this wager with this rule set's decks."""
        return self.side_bets[wager]

    @cached_property
    def hash(self) -> str:
        """The content address over the choice and over every number that it brings."""
        return address(
            {
                "spec": canonical_spec(self.spec),
                "paytables": {wager: table.hash for wager, table in self.paytables.items()},
            }
        )

    @cached_property
    def name(self) -> str:
        """A short name for people; the hash is the one for machines."""
        decks = self.spec.decks
        parts = [self.filing.title, "1 deck" if decks == 1 else f"{decks} decks"]
        for wager, side_bet in self.filing.side_bets.items():
            table = self.paytables[wager]
            if len(table.wagers) == 1:
                parts.append(f"{side_bet.title} {table.option}")
            elif wager == table.wagers[0]:
                parts.append(f"paytable {table.option}")
        if self.filing.dealing is Dealing.STANDARD:
            parts.append("H17" if self.spec.house.dealer_hits_soft_17 else "S17")
        return ", ".join(parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)


def canonical_spec(spec: RuleSetSpec) -> dict[str, Any]:
    """A spec as its address has it: a rule that is newer than others is left out at its default.

    So a rule set that was published before there was such a choice keeps its address.
    """
    plain: dict[str, Any] = to_builtins(spec)
    if spec.house.peek is Peek.ACE_AND_TEN:
        del plain["house"]["peek"]
    return plain


def compose(spec: RuleSetSpec, filings: Mapping[str, Filing] = FILINGS) -> RuleSet:
    """The rule set of a spec, or `NotFiled` with every problem."""
    typed = well_typed(spec)
    if isinstance(typed, str):
        raise NotFiled((typed,))
    filing = filings.get(typed.game)
    if filing is None:
        raise NotFiled((f"game {typed.game!r} is not filed; filed are {', '.join(filings)}",))
    problems = tuple(problems_of(typed, filing))
    if problems:
        raise NotFiled(problems)
    return RuleSet(
        spec=typed,
        filing=filing,
        paytables=MappingProxyType(chosen_tables(typed, filing)),
        side_bets=MappingProxyType(
            {wager: side_bet.at(typed.decks) for wager, side_bet in filing.side_bets.items()}
        ),
    )


def standard_house(
    game: str, paytables: Mapping[str, int], filings: Mapping[str, Filing] = FILINGS
) -> HouseRules:
    """The default house rules, changed where the game or the chosen paytables require it."""
    filing = filings[game]
    required = list(filing.house)
    for table in filing.tables:
        if any(paytables.get(wager) == table.option for wager in table.wagers):
            required.extend(table.requires)
    changes: dict[str, Any] = {requirement.rule: requirement.value for requirement in required}
    return structs.replace(HouseRules(), **changes)


def filed_specs(filing: Filing) -> Iterator[RuleSetSpec]:
    """Every choice of decks and paytables that a filing has, with the standard house rules."""
    filings = {filing.game: filing}
    for decks in filing.decks:
        shared = {
            filing.paytables(wager, decks)[0].wagers: filing.paytables(wager, decks)
            for wager in filing.side_bets
        }
        for tables in product(*shared.values()):
            paytables = {wager: table.option for table in tables for wager in table.wagers}
            house = standard_house(filing.game, paytables, filings)
            yield RuleSetSpec(game=filing.game, decks=decks, paytables=paytables, house=house)


class Catalogue:
    """Rule sets, and terms of promotions, by hash: what a fact only names.

    Adding one makes a new catalogue; the old one stays as it was.
    """

    __slots__ = ("_rule_sets", "_terms")

    def __init__(
        self,
        rule_sets: Mapping[str, RuleSet] = MappingProxyType({}),
        terms: Mapping[str, Terms] = MappingProxyType({}),
    ) -> None:
        self._rule_sets = dict(rule_sets)
        self._terms = dict(terms)

    def get(self, rule_set_hash: str) -> RuleSet | None:
        """The rule set with this hash, if it is known here."""
        return self._rule_sets.get(rule_set_hash)

    def with_(self, *rule_sets: RuleSet) -> Catalogue:
        """This catalogue and these rule sets."""
        return Catalogue(self._rule_sets | {rules.hash: rules for rules in rule_sets}, self._terms)

    def terms(self, terms_hash: str) -> Terms | None:
        """The terms with this hash, if they are known here."""
        return self._terms.get(terms_hash)

    def with_terms(self, *terms: Terms) -> Catalogue:
        """This catalogue and these terms, as far as they can be paid by."""
        sound = {promotion.hash: promotion for promotion in terms if not promotion.problem}
        return Catalogue(self._rule_sets, self._terms | sound)

    def __contains__(self, rule_set_hash: object) -> bool:
        return rule_set_hash in self._rule_sets

    def __iter__(self) -> Iterator[RuleSet]:
        return iter(self._rule_sets.values())

    def __len__(self) -> int:
        return len(self._rule_sets)


FILED: Final = Catalogue().with_(
    *(compose(spec) for filing in FILINGS.values() for spec in filed_specs(filing))
)
"""Every filed choice of game, decks and paytables, with standard house rules and no limits."""
