"""The theoretical win of wagers, the deviation of their win from it, and the inputs of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Final, NamedTuple

from accounting.domain.reports.composition import (
    EMPTY,
    Component,
    Composition,
    Period,
    ReportCell,
    Scope,
    ValueKind,
    added,
    by_formula,
    drill,
    in_whole_cents,
)
from accounting.domain.reports.inputs import RuleSetSummary, WagerExpectation, WagerTotals
from accounting.domain.reports.leaves import Leaf, Terms
from blackjack.display_names import wager_name

Rules = Mapping[str, RuleSetSummary]
PLACED: Final[Terms] = ((Leaf.PLACED, 1),)
JUDGED_WIN: Final[Terms] = ((Leaf.JUDGED_WIN, 1),)
BY_EDGE: Final = "placed x edge, in whole cents by table and day"
_MILLION: Final = 1_000_000
_THOUSAND: Final = 1_000


class Theory(NamedTuple):
    """Theoretical win, and a standard deviation; `win` is of the same wagers."""

    win: int
    expected: float
    deviation: float

    @property
    def z(self) -> float | None:
        return (self.win - self.expected) / self.deviation if self.deviation > 0 else None


def theory_of(plays: list[WagerTotals], rules: Mapping[str, RuleSetSummary]) -> Theory | None:
    """The theory of all wagers with known odds; None if there is none.

    Rounds are independent of each other: their variances add up. Wagers of one round are not:
    standard deviations of different wagers are added, which is the most that they can be together
    (Minkowski).
    """
    win, expected, known = 0, 0.0, False
    variances: dict[str, float] = {}
    for play in plays:
        ruled = rules.get(play.rule_set)
        theory = ruled.theory.get(play.wager) if ruled is not None else None
        if theory is None:
            continue
        known = True
        win += play.judged_win
        expected += play.placed * theory.edge
        variances[play.wager] = (
            variances.get(play.wager, 0.0)
            + play.squares * theory.variance
            + play.crosses * theory.covariance
        )
    if not known:
        return None
    deviation = sum(sqrt(max(variance, 0.0)) for variance in variances.values())
    return Theory(win, expected, deviation)


def without_theory(plays: list[WagerTotals], rules: Mapping[str, RuleSetSummary]) -> dict[str, int]:
    """The amounts placed on wagers without known odds, by wager."""
    left: dict[str, int] = {}
    for play in plays:
        ruled = rules.get(play.rule_set)
        if play.placed and (ruled is None or play.wager not in ruled.theory):
            left[play.wager] = left.get(play.wager, 0) + play.placed
    return left


class ExpectedWin:
    """Theoretical win and deviation as cells; `scope` selects their wagers in a drill-down."""

    def __init__(
        self, plays: list[WagerTotals], rules: Rules, period: Period, scope: Scope
    ) -> None:
        self._period = period
        self._scope = scope
        self._theory = theory_of(plays, rules)
        self._kinds: dict[
            tuple[str, str], tuple[list[WagerTotals], RuleSetSummary, WagerExpectation]
        ] = {}
        for play in plays:
            ruled = rules.get(play.rule_set)
            theory = ruled.theory.get(play.wager) if ruled is not None else None
            if ruled is not None and theory is not None:
                key = (play.rule_set, play.wager)
                self._kinds.setdefault(key, ([], ruled, theory))[0].append(play)

    @property
    def theoretical(self) -> ReportCell:
        """The amount placed on each kind of wager, times its edge.

        The sum of whole cents of each wager at a table on a day, so that all reports agree.
        """
        if self._theory is None:
            return EMPTY
        whole = sum(_in_cents(plays, theory) for plays, _, theory in self._kinds.values())
        return ReportCell(whole, made=self._expected)

    @property
    def placed(self) -> ReportCell:
        """The amount placed on wagers with known odds."""
        return added(self._placed_on(name, plays) for name, (plays, _, _) in self._kinds.items())

    def of(self, whole: Component) -> ReportCell:
        """The theoretical win, before rounding to cents, as a share of another amount."""
        by = whole.cell.value
        if self._theory is None or not isinstance(by, int) or not by:
            return EMPTY
        return by_formula(
            round(self._theory.expected * _MILLION / by),
            f"theoretical win, unrounded / {whole.words}",
            Component("theoretical win", self.theoretical),
            whole,
        )

    @property
    def z(self) -> ReportCell:
        theory = self._theory
        if theory is None or theory.z is None:
            return EMPTY
        return ReportCell(round(theory.z * _THOUSAND), made=self._deviated)

    @property
    def deviation(self) -> ReportCell:
        """The standard deviation; those of different wagers are added."""
        if self._theory is None:
            return EMPTY
        return ReportCell(round(self._theory.deviation), made=self._deviations)

    def _expected(self) -> Composition:
        return Composition(
            tuple(Component(self._words(name), self._by_edge(name)) for name in self._kinds)
        )

    def _by_edge(self, name: tuple[str, str]) -> ReportCell:
        plays, _, theory = self._kinds[name]
        edge = Component("edge", ReportCell(round(theory.edge * _MILLION)), ValueKind.SHARE)
        return by_formula(_in_cents(plays, theory), BY_EDGE, self._placed_on(name, plays), edge)

    def _deviated(self) -> Composition:
        won = [
            Component(
                self._words(name), self._facts(JUDGED_WIN, name, sum(p.judged_win for p in plays))
            )
            for name, (plays, _, _) in self._kinds.items()
        ]
        return Composition(
            (
                Component("win as owed, without coupons", added(won)),
                Component("theoretical win", self.theoretical),
                Component("standard deviation", self.deviation),
            ),
            "(win - theoretical win) / standard deviation",
        )

    def _deviations(self) -> Composition:
        """One component for each wager across rule sets: variances of one wager add up."""
        wagers: dict[str, float] = {}
        for (_, wager), (plays, _, theory) in self._kinds.items():
            wagers[wager] = wagers.get(wager, 0.0) + _variance(plays, theory)
        exact = [sqrt(max(variance, 0.0)) for variance in wagers.values()]
        return Composition(
            tuple(
                Component(wager_name(wager), ReportCell(cents, made=self._varied(wager)))
                for wager, cents in zip(wagers, in_whole_cents(exact), strict=True)
            )
        )

    def _varied(self, wager: str) -> Callable[[], Composition]:
        def parts() -> Composition:
            found: list[Component] = []
            for name, (plays, _, theory) in self._kinds.items():
                if name[1] != wager:
                    continue
                at = self._words(name)
                variance, covariance = theory.variance, theory.covariance
                found += [
                    self._placed_on(name, plays),
                    Component(
                        f"variance, {at}", ReportCell(round(variance * _THOUSAND)), ValueKind.NUMBER
                    ),
                    Component(
                        f"covariance, {at}",
                        ReportCell(round(covariance * _THOUSAND)),
                        ValueKind.NUMBER,
                    ),
                ]
            return Composition(
                tuple(found),
                "root of: each amount placed squared x variance, and each two of a round x"
                " covariance, of every round",
            )

        return parts

    def _placed_on(self, name: tuple[str, str], plays: list[WagerTotals]) -> Component:
        placed = self._facts(PLACED, name, _placed(plays))
        return Component(f"placed, {self._words(name)}", placed)

    def _facts(self, terms: Terms, name: tuple[str, str], value: int) -> ReportCell:
        scope = {**self._scope, "rule_set": (name[0],), "wager": (name[1],)}
        return ReportCell(value, drill(terms, self._period, scope))

    def _words(self, name: tuple[str, str]) -> str:
        _, ruled, _ = self._kinds[name]
        option = ruled.options.get(name[1], 0)
        paytable = f", paytable {option}" if option else ""
        wager = wager_name(name[1])
        return f"{wager}, {ruled.title}, {ruled.decks} decks{paytable} ({name[0][:12]})"


def _in_cents(plays: list[WagerTotals], theory: WagerExpectation) -> int:
    return sum(round(play.placed * theory.edge) for play in plays)


def _placed(plays: list[WagerTotals]) -> int:
    return sum(play.placed for play in plays)


def _variance(plays: list[WagerTotals], theory: WagerExpectation) -> float:
    return sum(play.squares * theory.variance + play.crosses * theory.covariance for play in plays)
