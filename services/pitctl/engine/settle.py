"""`pitctl settle`: read, fold, report; what was found is the exit status."""

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
from pitctl.engine.settlement_page import Printed
from pitctl.engine.settlement_records import Records
from pitctl.engine.source import BadLine, Bytes, NotText, events_of, history_of, is_events, lines_of
from pitctl.engine.table_set import Pit, Totals, Turn
from pitctl.output.text import Page, counted, plain

CLEAN: Final = 0
FOUND: Final = 1
UNREADABLE: Final = 2

SAME_COMPLAINTS_MAX: Final = 20
"""How often one complaint is printed; what follows is counted."""


class Report(Protocol):
    """What is said of each event, and at the end."""

    def tell(self, turn: Turn) -> None: ...

    def flush(self) -> None:
        """Let a reader at the other end of a pipe see what there is."""

    def end(self, pit: Pit) -> None: ...


def run(path: str, *, as_json: bool, kind: str, findings_only: bool, chained: bool) -> int:
    """Settle a file, or standard input for `-`; the exit status."""
    name = "<stdin>" if path == "-" else path
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            settling = Settling(name)
            source = settling.read(cast(Bytes, file), kind=kind, chained=chained)
            return settling.settle(source, as_json=as_json, findings_only=findings_only)
    except BrokenPipeError:
        raise
    except NotText as error:
        return _refuse(f"{name} cannot be read: {error.advice}")
    except OSError as error:
        return _refuse(
            f"{name} cannot be read: {error.strerror or error}. Give the path of a hand history "
            "or of JSON lines, or - for standard input."
        )


def _refuse(reason: str) -> int:
    print(f"pitctl: {plain(reason)}", file=sys.stderr)
    return UNREADABLE


class Settling:
    """One input on its way through the tables to a report."""

    def __init__(self, name: str) -> None:
        self._name = plain(name)
        self._history = History()
        self._pit = Pit()
        self._bad_lines = 0
        self._complaints: Counter[str] = Counter()
        self._unwritable = 0
        self._rounds: list[SettledRound] = []
        self._findings: list[Finding] = []
        self._withdrawals: list[Withdrawal] = []

    def read(self, file: Bytes, *, kind: str, chained: bool) -> Iterable[list[Event | BadLine]]:
        """The events of the input in their order, and the lines that are none."""
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
            turns = self._pit.take(found)
            for item in batch:
                if isinstance(item, BadLine):
                    self._complain_of(item)
                    continue
                turn = next(turns)
                report.tell(turn)
                self._remember(turn)
            report.flush()
        report.end(self._pit)
        self._count_complaints()
        if not events and not self._bad_lines:
            return _refuse(f"{self._name} holds no events: there is nothing to settle")
        unmet = self._check_expectations()
        page = Page(sys.stderr if as_json else sys.stdout)
        for line in self._summary(events, unmet):
            page.line(line, hang=2)
        if self._bad_lines or self._unwritable:
            return UNREADABLE
        return FOUND if self._pit.standing or unmet else CLEAN

    def _records(self, findings_only: bool) -> Report:
        return Records(
            sys.stdout.buffer, findings_only=findings_only, complain=self._complain_of_record
        )

    def _printed(self, findings_only: bool) -> Report:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        history = self._history
        lines = {
            (event.table, event.seq): line
            for event, line in zip(history.events, history.lines, strict=True)
        }
        return Printed(
            Page(sys.stdout),
            self._pit,
            line_of=lambda table, seq: lines.get((table, seq), 0),
            findings_only=findings_only,
        )

    # What goes to standard error -------------------------------------------------------

    def _complain_of(self, bad: BadLine) -> None:
        self._bad_lines += 1
        column = f":{bad.column}" if bad.column else ""
        self._complain(f":{bad.line}{column}", bad.reason)

    def _complain_of_record(self, reason: str) -> None:
        self._unwritable += 1
        self._complain("", f"cannot be written as a record: {reason}")

    def _complain(self, where: str, reason: str) -> None:
        self._complaints[reason] += 1
        if self._complaints[reason] <= SAME_COMPLAINTS_MAX:
            print(f"{self._name}{where}: {plain(reason)}", file=sys.stderr)

    def _count_complaints(self) -> None:
        for reason, count in self._complaints.items():
            if count > SAME_COMPLAINTS_MAX:
                more = f"{count - SAME_COMPLAINTS_MAX:,} more times"
                print(f"{self._name}: {more}: {plain(reason)}", file=sys.stderr)

    # Expectations ----------------------------------------------------------------------

    def _remember(self, turn: Turn) -> None:
        if self._history.expectations:
            self._rounds += turn.step.rounds
            self._findings += turn.step.findings
            self._withdrawals += turn.step.withdrawals

    def _check_expectations(self) -> int:
        """Report every `expect` line that is not met; how many there are."""
        gone = [each for each in self._withdrawals if each.id not in self._pit.standing]
        mismatches = check(self._history, self._rounds, self._findings, gone)
        for each in mismatches:
            said = f"expected {each.expected}, but {each.actual}"
            print(f"{self._name}:{each.line}: {plain(said)}", file=sys.stderr)
        return len(mismatches)

    # The end ---------------------------------------------------------------------------

    def _summary(self, events: int, unmet: int) -> list[str]:
        if not events:
            return [_unreadable(self._name, self._bad_lines)]
        lines = [money_line(self._pit.totals), _found(self._pit)]
        expected = len(self._history.expectations)
        if expected:
            lines.append(f"{counted(expected, 'expectation')}, {unmet} not met")
        if self._bad_lines:
            lines.append(f"{counted(self._bad_lines, 'line')} could not be read")
        return lines


def _unreadable(name: str, bad_lines: int) -> str:
    return (
        f"{counted(bad_lines, 'line')} could not be read, and no event was found in {name}. "
        "Is it a hand history or JSON lines? --format says which."
    )


def money_line(totals: Totals) -> str:
    """Money in one line; the difference is a result of the house."""
    text = (
        f"{counted(totals.rounds, 'round')}, {counted(totals.wagers, 'wager')}: "
        f"{format_cents(totals.owed_cents)} due to patrons, "
        f"{format_cents(totals.paid_cents)} paid, "
        f"net difference {format_result(-totals.difference_cents).text}"
    )
    wrong = (
        (totals.overpaid_cents, "overpaid"),
        (totals.underpaid_cents, "underpaid"),
    )
    said = ", ".join(f"{format_cents(cents)} {what}" for cents, what in wrong if cents)
    text += f" ({said})" if said else ""
    apart = (
        (totals.undetermined, "undetermined"),
        (totals.unobserved, "not seen to be paid"),
        (totals.not_settled, "of other filings"),
    )
    said = ", ".join(f"{count:,} {what}" for count, what in apart if count)
    return f"{text}; not counted: {said}" if said else text


def _found(pit: Pit) -> str:
    levels = pit.levels()
    if not levels:
        return "no findings"
    said = ", ".join(f"{levels[level]:,} {level.name}" for level in Level if levels[level])
    return f"{counted(levels.total(), 'finding')}: {said}"
