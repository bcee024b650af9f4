"""The expectations of a history against the results of the engine."""

from __future__ import annotations

from collections.abc import Iterable

from blackjack.findings import Finding, Withdrawal
from blackjack.hand_history.context import Context
from blackjack.hand_history.expectations import write_expectation
from blackjack.hand_history.model import (
    Expectation,
    ExpectedFinding,
    ExpectedNoFindings,
    ExpectedOutcome,
    ExpectedStatus,
    History,
    Mismatch,
)
from blackjack.money import format_cents
from blackjack.outcomes import Result, SettledRound, WagerOutcome
from blackjack.rulebook.rule_set import FILED
from blackjack.settlement.explanations import explain


def check(
    history: History,
    rounds: Iterable[SettledRound],
    findings: Iterable[Finding],
    withdrawals: Iterable[Withdrawal] = (),
    *,
    complete: bool = False,
) -> tuple[Mismatch, ...]:
    """Every expectation that is not met, in the order of the text.

    The latest version of a round counts, and a finding that was withdrawn is gone. With
    `complete`, a finding that no line expects is a mismatch in any case.
    """
    judge = _ExpectationCheck(history, rounds, findings, withdrawals)
    mismatches = [found for expected in history.expectations for found in judge.judge(expected)]
    if complete:
        mismatches += judge.unexpected_anywhere()
    return tuple(mismatches)


class _ExpectationCheck:
    def __init__(
        self,
        history: History,
        rounds: Iterable[SettledRound],
        findings: Iterable[Finding],
        withdrawals: Iterable[Withdrawal],
    ) -> None:
        self._rounds: dict[tuple[str, str], SettledRound] = {}
        for settled in rounds:
            key = (settled.table, settled.round)
            if key not in self._rounds or settled.version >= self._rounds[key].version:
                self._rounds[key] = settled
        gone = {withdrawal.id for withdrawal in withdrawals}
        by_id = {finding.id: finding for finding in findings}
        self._standing = [finding for finding in by_id.values() if finding.id not in gone]
        self._withdrawn = [finding for finding in by_id.values() if finding.id in gone]
        self._missing = self._match(history)
        self._reported: set[str] = set()

    def _match(self, history: History) -> set[int]:
        """Give every expected finding one of its own; the strictest lines choose first."""
        expected = [
            expectation
            for expectation in history.expectations
            if isinstance(expectation, ExpectedFinding)
        ]
        missing: set[int] = set()
        for expectation in sorted(expected, key=_strictness):
            pool = self._withdrawn if expectation.withdrawn else self._standing
            found = next((finding for finding in pool if _fits(expectation, finding)), None)
            if found is None:
                missing.add(id(expectation))
            else:
                pool.remove(found)
        return missing

    def judge(self, expected: Expectation) -> list[Mismatch]:
        match expected:
            case ExpectedOutcome():
                return self._outcome(expected)
            case ExpectedStatus():
                return self._status(expected)
            case ExpectedFinding():
                return self._finding(expected)
            case ExpectedNoFindings():
                return self._no_findings(expected)

    def _outcome(self, expected: ExpectedOutcome) -> list[Mismatch]:
        settled = self._rounds.get((expected.table, expected.round))
        if settled is None:
            return [_mismatch(expected, "the round was not settled")]
        key = (expected.seat, expected.hand, expected.wager, expected.tip)
        for outcome in settled.outcomes:
            if (outcome.seat, outcome.hand, outcome.wager, outcome.tip) == key:
                same = _agrees(expected, outcome)
                return [] if same else [_mismatch(expected, f"it is {_describe(outcome, settled)}")]
        held = ", ".join(f"{o.seat}.{o.hand} {o.wager}" for o in settled.outcomes) or "none"
        return [_mismatch(expected, f"there is no such wager; there are {held}")]

    def _status(self, expected: ExpectedStatus) -> list[Mismatch]:
        settled = self._rounds.get((expected.table, expected.round))
        if settled is None:
            return [_mismatch(expected, "the round was not settled")]
        version_fits = expected.version in (None, settled.version)
        if settled.status is expected.status and version_fits:
            return []
        actual = f"it is {settled.status.value} in version {settled.version}"
        return [_mismatch(expected, actual)]

    def _finding(self, expected: ExpectedFinding) -> list[Mismatch]:
        if id(expected) not in self._missing:
            return []
        pool = self._withdrawn if expected.withdrawn else self._standing
        near = [finding.text for finding in pool if finding.kind is expected.kind]
        actual = "; ".join(near) or "there is none"
        return [_mismatch(expected, actual)]

    def _no_findings(self, expected: ExpectedNoFindings) -> list[Mismatch]:
        mismatches: list[Mismatch] = []
        for finding in self._standing:
            in_scope = finding.table == expected.table and expected.round in ("", finding.round)
            if in_scope and finding.id not in self._reported:
                self._reported.add(finding.id)
                mismatches.append(_mismatch(expected, _found(finding)))
        return mismatches

    def unexpected_anywhere(self) -> list[Mismatch]:
        """What no line expects and no line has complained about yet."""
        return [
            Mismatch(0, "no finding that no line expects", _found(finding))
            for finding in self._standing
            if finding.id not in self._reported
        ]


def _strictness(expected: ExpectedFinding) -> tuple[int, int]:
    stated = (expected.seat, expected.hand, expected.wager, expected.cents, expected.level)
    return sum(value is None for value in stated) + (not expected.round), expected.line


def _fits(expected: ExpectedFinding, finding: Finding) -> bool:
    return (
        finding.table == expected.table
        and finding.kind is expected.kind
        and expected.round in ("", finding.round)
        and expected.seat in (None, finding.seat)
        and expected.hand in (None, finding.hand)
        and expected.wager in (None, finding.wager)
        and expected.cents in (None, finding.cents)
        and expected.level in (None, finding.level)
    )


def _agrees(expected: ExpectedOutcome, outcome: WagerOutcome) -> bool:
    if expected.result is not outcome.result or expected.outcome not in ("", outcome.outcome):
        return False
    if expected.coupon_cents not in (None, outcome.coupon_owed_cents):
        return False
    if expected.payment not in (None, outcome.payment):
        return False
    if expected.result is Result.UNDETERMINED:
        least_fits = expected.cents in (None, outcome.owed_cents_least)
        return least_fits and expected.cents_most in (None, outcome.owed_cents_most)
    moved = outcome.owed_cents if expected.result is Result.WON else outcome.taken_cents
    return expected.cents in (None, moved)


def _describe(outcome: WagerOutcome, settled: SettledRound) -> str:
    """An outcome in one line, with everything that an expectation can name."""
    owed = f"owed {format_cents(outcome.owed_cents)}, taken {format_cents(outcome.taken_cents)}"
    if outcome.result is Result.UNDETERMINED:
        owed = (
            f"{format_cents(outcome.owed_cents_least)} to {format_cents(outcome.owed_cents_most)}"
        )
    rules = FILED.get(settled.context.rule_set)
    coupon = f", coupon owed {format_cents(outcome.coupon_owed_cents)}" if outcome.coupon else ""
    return (
        f"{outcome.outcome or 'no outcome'} {outcome.result.value}, {owed}{coupon}, "
        f"payment {outcome.payment.value} ({explain(outcome, settled, rules)})"
    )


def _found(finding: Finding) -> str:
    where = f" at seat {finding.seat}" if finding.seat else ""
    return f"there is {finding.kind.value}{where}: {finding.text}"


def _mismatch(expected: Expectation, actual: str) -> Mismatch:
    context = Context()
    context.move_to(expected.table)
    text = write_expectation(expected, context).removeprefix("expect ")
    return Mismatch(expected.line, text, actual)
