"""The result of an audit, for people and for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, fields
from typing import Any

from blackjack.display_names import finding_name
from blackjack.findings import Finding, Kind, Level
from pitctl.engine.audit_worker import AuditedStream
from pitctl.engine.settle import money_line
from pitctl.engine.table_set import SettlementTotals
from pitctl.output.text import Page, count_noun
from table_simulator.domain.truth import TruthComparison
from wire.log_file import BadBytes


@dataclass(frozen=True, slots=True)
class AuditResult:
    """All streams of a file, in the order of their names."""

    streams: tuple[AuditedStream, ...]
    bad: tuple[BadBytes, ...]
    verdict: TruthComparison | None

    @property
    def totals(self) -> SettlementTotals:
        total = SettlementTotals()
        for field in fields(SettlementTotals):
            sums = sum(getattr(audited.totals, field.name) for audited in self.streams)
            setattr(total, field.name, sums)
        return total

    @property
    def findings(self) -> list[Finding]:
        return [found for audited in self.streams for found in audited.standing.values()]


# For people ----------------------------------------------------------------------------


def print_result(page: Page, result: AuditResult) -> None:
    events = sum(stream.events for stream in result.streams)
    streams = count_noun(len(result.streams), "stream")
    page.line(f"{count_noun(events, 'event')} in {streams}")
    page.line(money_line(result.totals), hang=2)
    kinds = _by_kind(result)
    if not kinds:
        page.line("no findings")
    else:
        page.line(_levels(result.findings))
        page.blank()
        verdict = result.verdict
        headings = ["kind", *(level.name for level in Level), "all"]
        rows = [_row(kind, levels) for kind, levels in kinds.items()]
        if verdict is not None:
            headings += ["planted", "planted and found"]
            for row, kind in zip(rows, kinds, strict=True):
                row += [str(verdict.planted[kind]), str(verdict.found[kind])]
        page.table(headings, rows)
    if result.verdict is not None:
        page.blank()
        _print_comparison(page, result.verdict)
    if result.bad:
        page.line(f"{count_noun(len(result.bad), 'place')} of the file could not be read")


def _row(kind: Kind, levels: Counter[Level]) -> list[str]:
    return [finding_name(kind), *(str(levels[level] or "") for level in Level), str(levels.total())]


def _print_comparison(page: Page, verdict: TruthComparison) -> None:
    planted, found = verdict.planted.total(), verdict.found.total()
    page.line(
        f"planted {planted}, found {found}, missed {len(verdict.missed)}, "
        f"unexpected {len(verdict.surplus)}"
    )
    for truth, kind in verdict.missed:
        where = truth.round or f"events {truth.first_seq} to {truth.last_seq}"
        page.line(
            f"missed: {finding_name(kind)} of {truth.fault!r} at {truth.table}, {where}", indent=2
        )
    for finding in verdict.surplus:
        where = finding.round or f"event {finding.seq}"
        page.line(
            f"unexpected: {finding_name(finding.kind)} at {finding.table}, {where}: {finding.text}",
            indent=2,
            hang=2,
        )


def _levels(findings: list[Finding]) -> str:
    levels = Counter(finding.level for finding in findings)
    counts = ", ".join(f"{levels[level]:,} {level.name}" for level in Level if levels[level])
    return f"{count_noun(levels.total(), 'finding')}: {counts}"


def _by_kind(result: AuditResult) -> dict[Kind, Counter[Level]]:
    """Standing findings and planted kinds, in the order of the kinds."""
    kinds: dict[Kind, Counter[Level]] = {}
    for finding in result.findings:
        kinds.setdefault(finding.kind, Counter())[finding.level] += 1
    for kind in result.verdict.planted if result.verdict is not None else ():
        kinds.setdefault(kind, Counter())
    order = list(Kind)
    return dict(sorted(kinds.items(), key=lambda item: order.index(item[0])))


# For programs --------------------------------------------------------------------------


def as_json_object(result: AuditResult) -> dict[str, Any]:
    verdict = result.verdict
    record: dict[str, Any] = {
        "streams": len(result.streams),
        "events": sum(stream.events for stream in result.streams),
        "totals": asdict(result.totals),
        "findings": {
            kind.value: {level.name: levels[level] for level in Level if levels[level]}
            for kind, levels in _by_kind(result).items()
        },
        "bad": [
            {"offset": span.offset, "bytes": span.length, "reason": span.reason}
            for span in result.bad
        ],
    }
    if verdict is not None:
        record["truth"] = {
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
                {
                    "id": finding.id,
                    "kind": finding.kind.value,
                    "table": finding.table,
                    "round": finding.round,
                }
                for finding in verdict.surplus
            ],
        }
    return record
