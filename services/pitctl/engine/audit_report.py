"""What an audit says, for people and for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, fields
from typing import Any

from blackjack.findings import Finding, Kind, Level
from pitctl.engine.audit_worker import Audited
from pitctl.engine.settle import money_line
from pitctl.engine.table_set import Totals
from pitctl.output.text import Page, counted
from table_simulator.domain.truth import TruthComparison
from wire.log_file import BadBytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """All streams of a file together, in the order of their names."""

    streams: tuple[Audited, ...]
    bad: tuple[BadBytes, ...]
    verdict: TruthComparison | None

    @property
    def totals(self) -> Totals:
        total = Totals()
        for each in fields(Totals):
            sums = sum(getattr(audited.totals, each.name) for audited in self.streams)
            setattr(total, each.name, sums)
        return total

    @property
    def findings(self) -> list[Finding]:
        return [found for audited in self.streams for found in audited.standing.values()]


# For people ----------------------------------------------------------------------------


def print_outcome(page: Page, outcome: Outcome) -> None:
    events = sum(each.events for each in outcome.streams)
    streams = counted(len(outcome.streams), "stream")
    page.line(f"{counted(events, 'event')} in {streams}")
    page.line(money_line(outcome.totals), hang=2)
    kinds = _by_kind(outcome)
    if not kinds:
        page.line("no findings")
    else:
        page.line(_levels(outcome.findings))
        page.blank()
        verdict = outcome.verdict
        headings = ["kind", *(level.name for level in Level), "all"]
        rows = [_row(kind, levels) for kind, levels in kinds.items()]
        if verdict is not None:
            headings += ["planted", "of them found"]
            for row, kind in zip(rows, kinds, strict=True):
                row += [str(verdict.planted[kind]), str(verdict.found[kind])]
        page.table(headings, rows)
    if outcome.verdict is not None:
        page.blank()
        _print_verdict(page, outcome.verdict)
    if outcome.bad:
        page.line(f"{counted(len(outcome.bad), 'place')} of the file could not be read")


def _row(kind: Kind, levels: Counter[Level]) -> list[str]:
    return [kind.value, *(str(levels[level] or "") for level in Level), str(levels.total())]


def _print_verdict(page: Page, verdict: TruthComparison) -> None:
    planted, found = verdict.planted.total(), verdict.found.total()
    page.line(
        f"planted {planted}, found {found}, missed {len(verdict.missed)}, "
        f"and {len(verdict.surplus)} that nothing planted accounts for"
    )
    for truth, kind in verdict.missed:
        where = truth.round or f"events {truth.first_seq} to {truth.last_seq}"
        page.line(f"missed: {kind.value} of {truth.fault!r} at {truth.table}, {where}", indent=2)
    for finding in verdict.surplus:
        where = finding.round or f"event {finding.seq}"
        page.line(
            f"surplus: {finding.kind.value} at {finding.table}, {where}: {finding.text}",
            indent=2,
            hang=2,
        )


def _levels(findings: list[Finding]) -> str:
    levels = Counter(each.level for each in findings)
    said = ", ".join(f"{levels[level]:,} {level.name}" for level in Level if levels[level])
    return f"{counted(levels.total(), 'finding')}: {said}"


def _by_kind(outcome: Outcome) -> dict[Kind, Counter[Level]]:
    """Findings that stand, and kinds that were planted, in the order of the catalogue."""
    kinds: dict[Kind, Counter[Level]] = {}
    for finding in outcome.findings:
        kinds.setdefault(finding.kind, Counter())[finding.level] += 1
    for kind in outcome.verdict.planted if outcome.verdict is not None else ():
        kinds.setdefault(kind, Counter())
    order = list(Kind)
    return dict(sorted(kinds.items(), key=lambda each: order.index(each[0])))


# For programs --------------------------------------------------------------------------


def as_json_object(outcome: Outcome) -> dict[str, Any]:
    verdict = outcome.verdict
    said: dict[str, Any] = {
        "streams": len(outcome.streams),
        "events": sum(each.events for each in outcome.streams),
        "totals": asdict(outcome.totals),
        "findings": {
            kind.value: {level.name: levels[level] for level in Level if levels[level]}
            for kind, levels in _by_kind(outcome).items()
        },
        "bad": [
            {"offset": each.offset, "bytes": each.length, "reason": each.reason}
            for each in outcome.bad
        ],
    }
    if verdict is not None:
        said["truth"] = {
            "planted": {kind.value: verdict.planted[kind] for kind in sorted(verdict.planted)},
            "found": {kind.value: verdict.found[kind] for kind in sorted(verdict.found)},
            "missed": [
                {
                    "fault": truth.fault,
                    "kind": kind.value,
                    "table": truth.table,
                    "round": truth.round,
                }
                for truth, kind in verdict.missed
            ],
            "surplus": [
                {"id": each.id, "kind": each.kind.value, "table": each.table, "round": each.round}
                for each in verdict.surplus
            ],
        }
    return said
