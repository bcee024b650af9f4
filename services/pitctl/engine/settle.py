"""`pitctl settle`: read, fold and report; findings decide the exit status."""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Final, Protocol, cast

from blackjack.facts import Event
from blackjack.findings import Finding, Level, Withdrawal
from blackjack.hand_history import History, check
from blackjack.money import format_cents, format_result
from blackjack.outcomes import SettledRound
from pitctl.engine.settlement_page import SettlementPage
from pitctl.engine.settlement_records import RecordWriter
from pitctl.engine.source import BadLine, Bytes, NotText, events_of, history_of, is_events, lines_of
from pitctl.engine.table_set import FoldedEvent, SettlementTotals, TableSet
from pitctl.output.exit import ERROR, NEGATIVE, OK, print_error
from pitctl.output.text import Page, count_noun, escape

SAME_ERRORS_MAX: Final = 20
"""How often one error is printed; further ones are counted."""


class SettlementReport(Protocol):
    """Prints the result of each event, and the end."""

    def write(self, folded: FoldedEvent) -> None: ...

    def flush(self) -> None:
        """Hand the output so far to the reader at the other end of a pipe."""

    def end(self, tables: TableSet) -> None: ...


def run(path: str, *, as_json: bool, kind: str, findings_only: bool, chained: bool) -> int:
    """Settle a file, or standard input for `-`; return the exit status."""
    name = "<stdin>" if path == "-" else path
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            settlement = SettlementRun(name)
            source = settlement.read(cast(Bytes, file), kind=kind, chained=chained)
            return settlement.settle(source, as_json=as_json, findings_only=findings_only)
    except BrokenPipeError:
        raise
    except NotText as error:
        return _fail(f"{name} cannot be read: {error.advice}")
    except OSError as error:
        return _fail(
            f"{name} cannot be read: {error.strerror or error}. Give the path of a hand history "
            "or of JSON lines, or - for standard input."
        )


def _fail(reason: str) -> int:
    print_error(reason)
    return ERROR


class SettlementRun:
    """The settlement of one input."""

    def __init__(self, name: str) -> None:
        self._name = escape(name)
        self._history = History()
        self._tables = TableSet()
        self._bad_lines = 0
        self._errors: Counter[str] = Counter()
        self._unwritable = 0
        self._rounds: list[SettledRound] = []
        self._findings: list[Finding] = []
        self._withdrawals: list[Withdrawal] = []

    def read(self, file: Bytes, *, kind: str, chained: bool) -> Iterable[list[Event | BadLine]]:
        """The events of the input in order, and the unreadable lines."""
        lines = lines_of(file)
        events = kind == "events"
        if kind == "auto":
            events, lines = is_events(lines)
        if events:
            return events_of(lines, chained=chained)
        self._history, bad = history_of(lines)
        return [[*bad, *self._history.events]]

    def settle(
        self, source: Iterable[list[Event | BadLine]], *, as_json: bool, findings_only: bool
    ) -> int:
        report = self._records(findings_only) if as_json else self._printed(findings_only)
        events = 0
        for batch in source:
            found = [item for item in batch if isinstance(item, Event)]
            events += len(found)
            folded_events = self._tables.fold(found)
            for item in batch:
                if isinstance(item, BadLine):
                    self._report_line(item)
                    continue
                folded = next(folded_events)
                report.write(folded)
                self._remember(folded)
            report.flush()
        report.end(self._tables)
        self._count_errors()
        if not events and not self._bad_lines:
            return _fail(f"{self._name} has no events")
        unmet = self._check_expectations()
        page = Page(sys.stderr if as_json else sys.stdout)
        for line in self._summary(events, unmet):
            page.line(line, hang=2)
        if self._bad_lines or self._unwritable:
            return ERROR
        return NEGATIVE if self._tables.standing or unmet else OK

    def _records(self, findings_only: bool) -> SettlementReport:
        return RecordWriter(
            sys.stdout.buffer, findings_only=findings_only, report_error=self._report_record
        )

    def _printed(self, findings_only: bool) -> SettlementReport:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        history = self._history
        lines = {
            (event.table, event.seq): line
            for event, line in zip(history.events, history.lines, strict=True)
        }
        return SettlementPage(
            Page(sys.stdout),
            self._tables,
            line_of=lambda table, seq: lines.get((table, seq), 0),
            findings_only=findings_only,
        )

    # What goes to standard error -------------------------------------------------------

    def _report_line(self, bad: BadLine) -> None:
        self._bad_lines += 1
        column = f":{bad.column}" if bad.column else ""
        self._print_error(f":{bad.line}{column}", bad.reason)

    def _report_record(self, reason: str) -> None:
        self._unwritable += 1
        self._print_error("", f"cannot be written as a record: {reason}")

    def _print_error(self, where: str, reason: str) -> None:
        self._errors[reason] += 1
        if self._errors[reason] <= SAME_ERRORS_MAX:
            print(f"{self._name}{where}: {escape(reason)}", file=sys.stderr)

    def _count_errors(self) -> None:
        for reason, count in self._errors.items():
            if count > SAME_ERRORS_MAX:
                more = f"{count - SAME_ERRORS_MAX:,} more times"
                print(f"{self._name}: {more}: {escape(reason)}", file=sys.stderr)

    # Expectations ----------------------------------------------------------------------

    def _remember(self, folded: FoldedEvent) -> None:
        if self._history.expectations:
            self._rounds += folded.step.rounds
            self._findings += folded.step.findings
            self._withdrawals += folded.step.withdrawals

    def _check_expectations(self) -> int:
        """Report every `expect` line that is not met; return their number."""
        gone = [gone for gone in self._withdrawals if gone.id not in self._tables.standing]
        mismatches = check(self._history, self._rounds, self._findings, gone)
        for mismatch in mismatches:
            words = f"expected {mismatch.expected}, but {mismatch.actual}"
            print(f"{self._name}:{mismatch.line}: {escape(words)}", file=sys.stderr)
        return len(mismatches)

    # The end ---------------------------------------------------------------------------

    def _summary(self, events: int, unmet: int) -> list[str]:
        if not events:
            return [_unreadable(self._name, self._bad_lines)]
        lines = [money_line(self._tables.totals), _findings_line(self._tables)]
        expected = len(self._history.expectations)
        if expected:
            lines.append(f"{count_noun(expected, 'expectation')}, {unmet} not met")
        if self._bad_lines:
            lines.append(f"{count_noun(self._bad_lines, 'line')} could not be read")
        return lines


def _unreadable(name: str, bad_lines: int) -> str:
    return (
        f"{name} has no events, and {count_noun(bad_lines, 'unreadable line')}: "
        "choose --format history or --format events."
    )


def money_line(totals: SettlementTotals) -> str:
    """Money in one line; the difference is a result of the house."""
    text = (
        f"{count_noun(totals.rounds, 'round')}, {count_noun(totals.wagers, 'wager')}: "
        f"{format_cents(totals.owed_cents)} due to patrons, "
        f"{format_cents(totals.paid_cents)} paid, "
        f"net difference {format_result(-totals.difference_cents).text}"
    )
    wrong = (
        (totals.overpaid_cents, "overpaid"),
        (totals.underpaid_cents, "underpaid"),
    )
    words = ", ".join(f"{format_cents(cents)} {noun}" for cents, noun in wrong if cents)
    text += f" ({words})" if words else ""
    apart = (
        (totals.undetermined, "undetermined"),
        (totals.unobserved, "with unseen payments"),
        (totals.not_settled, "of other filings"),
    )
    words = ", ".join(f"{count:,} {noun}" for count, noun in apart if count)
    return f"{text}; not counted: {words}" if words else text


def _findings_line(tables: TableSet) -> str:
    levels = tables.levels()
    if not levels:
        return "no findings"
    counts = ", ".join(f"{levels[level]:,} {level.name}" for level in Level if levels[level])
    return f"{count_noun(levels.total(), 'finding')}: {counts}"
