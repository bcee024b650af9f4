"""Alerts of a day: planted against raised, by kind of alert.

Alerts of statistics are only reported: a day of forty rounds per table is too short to require an
alarm of a test with so few false alarms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from alerting.alert import Alert
from alerting.kinds import KINDS, DecidedBy
from blackjack.findings import Level
from pitctl.output.text import Page, count_noun
from surveillance.domain.alert_kinds import family_of
from table_simulator.domain.truth import Truth

ALERTS_OF_PATTERNS: Final[Mapping[str, str]] = {
    "coupon used twice": "coupon.duplicate",
    "coupon unknown": "coupon.unknown",
    "coupon void": "coupon.void",
    "other patron's coupon": "coupon.other_patron",
    "coupon over the limit": "coupon.over_limit",
    "coupon washing": "coupon.washing",
    "patron in two places": "patron.two_places",
    "excluded patron": "patron.excluded",
    "errs at several tables": "payout.repeated",
    "structuring": "cash.reporting_line",
    "cash over the line": "cash.reporting_line",
    "anonymous cash over the line": "cash.no_patron",
    "anonymous structuring": "cash.no_patron",
    "debit over the limit": "cash.debit_limit",
    "pattern of shortages": "tray.shortage_pattern",
    "slip gap": "slip.gap",
    "signer missing": "slip.signers",
    "drop short": "box.variance",
    "silent table": "table.silent",
    "silent floor": "floor.silent",
}
"""The alert for each pattern that is decided without statistics."""


@dataclass(slots=True)
class AlertComparison:
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, Truth]] = field(default_factory=list)
    by_chance: Counter[str] = field(default_factory=Counter)
    """Alerts that statistics raise."""

    @property
    def is_clean(self) -> bool:
        return not self.missed


def compare_alerts(truths: Iterable[Truth], alerts: Iterable[Alert]) -> AlertComparison:
    """Count each planted fault once for every kind of alert that is due for it."""
    standing = list(alerts)
    watched = AlertComparison()
    for truth in truths:
        for kind, answers in due(truth, standing, through_gateway=True):
            watched.planted[kind] += 1
            if answers:
                watched.found[kind] += 1
            else:
                watched.missed.append((kind, truth))
    known = [alert.kind for alert in standing if alert.kind in KINDS]
    watched.by_chance.update(
        kind for kind in known if KINDS[kind].decided_by is DecidedBy.STATISTICS
    )
    return watched


def due(
    truth: Truth, alerts: Sequence[Alert], *, through_gateway: bool = False
) -> Iterator[tuple[str, list[Alert]]]:
    """The kinds of alert due for a planted fault, each with the alerts that report it."""
    if kind := ALERTS_OF_PATTERNS.get(truth.pattern):
        yield kind, [alert for alert in alerts if alert.kind == kind and is_about(truth, alert)]
    for finding in () if through_gateway and truth.rejected_as else truth.kinds:
        kind = family_of(finding.value).kind
        yield (
            kind,
            [
                alert
                for alert in alerts
                if alert.kind == kind
                and alert.table == truth.table
                and any(
                    proof.kind == finding.value and _is_at(truth, proof.round, proof.last_seq)
                    for proof in alert.evidence
                )
            ],
        )


def _is_at(truth: Truth, played: str, seq: int) -> bool:
    return played == truth.round if truth.round else truth.first_seq <= seq <= truth.last_seq


def is_about(truth: Truth, alert: Alert) -> bool:
    """Whether the alert, of a kind that is due for the truth, reports this very fault."""
    match alert.kind:
        case "coupon.unknown" | "coupon.duplicate" | "coupon.void" | "coupon.other_patron":
            return alert.coupon == truth.wager
        case "cash.reporting_line":
            urgent = truth.pattern == "cash over the line"
            return alert.patron == truth.patron and (alert.level is Level.P1) == urgent
        case "cash.no_patron":
            urgent = truth.pattern == "anonymous cash over the line"
            is_there = (alert.table, alert.seat) == (truth.table, truth.seat)
            return is_there and (alert.level is Level.P1) == urgent
        case (
            "coupon.over_limit"
            | "coupon.washing"
            | "patron.two_places"
            | "patron.excluded"
            | "cash.debit_limit"
        ):
            return alert.patron == truth.patron
        case "payout.repeated":
            return alert.dealer == truth.dealer
        case "floor.silent":
            return True
        case _:
            return alert.table == truth.table


def print_alerts(page: Page, watched: AlertComparison) -> None:
    """Print raised and planted alerts by family, then the missing ones in red."""
    families: dict[str, list[str]] = {}
    for kind in sorted(watched.planted):
        family, _, name = kind.partition(".")
        text = f"{name.replace('_', ' ')} {watched.found[kind]}/{watched.planted[kind]}"
        families.setdefault(family, []).append(text)
    planted, found = watched.planted.total(), watched.found.total()
    page.line(
        f"Surveillance raised {found} of {count_noun(planted, 'planted alert')} (raised/planted):"
    )
    for family, texts in families.items():
        page.line(f"{family + ':':<12} {', '.join(texts)}", indent=2, hang=15)
    statistics = ", ".join(f"{kind} {count}" for kind, count in sorted(watched.by_chance.items()))
    page.line(f"{'statistics:':<12} {statistics or 'no alerts'}", indent=2, hang=15)
    for kind, truth in watched.missed:
        where = truth.round or truth.patron or truth.table
        page.line((f"missing: {kind} for {truth.fault!r} at {where}", "bold red"), indent=2, hang=2)
