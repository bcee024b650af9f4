"""A simulated day, folded and watched without a broker: what was planted against what stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from alerting.alert import Alert
from alerting.kinds import KINDS, DecidedBy
from alerting.settings import PatronExcluded
from blackjack.facts import ChipsRedeemed, Event, RuleSetActivated
from blackjack.findings import Finding
from blackjack.outcomes import Step
from blackjack.play.table import Table, fold
from blackjack.rulebook.rule_set import Catalogue, NotFiled, compose
from deploy.demo.watched import due, is_about
from surveillance.domain.facts import JudgedRound, RoutableFact
from surveillance.domain.routing import sort
from surveillance.domain.sightings import SourcedSighting
from surveillance.domain.table_activity import ActivityTracker
from table_simulator.days.day import SimulatedDay
from table_simulator.domain.back_office import BACK_OFFICE
from table_simulator.domain.truth import Truth, TruthComparison, planted_vs_found
from table_simulator.grpc.office_entries import cage_events, promotion_events
from tests.surveillance.domain.watcher import Watcher, day_of
from wire.events import decode_event
from wire.office_facts import read_cage_fact, read_desk_fact

STATISTICAL = (
    "coupon substitution",
    "dealer dumping",
    "dealer error rate",
    "luck beyond chance",
    "bet follows the count",
    "side bet follows the count",
    "plays the hole card",
)

REPORT_LINE_CENTS = 10_000_00

COMPANIONS: Mapping[str, tuple[str, ...]] = {
    # A serial that two coupons bear was issued to one of those who used it.
    "coupon used twice": ("coupon.other_patron",),
}


@dataclass(slots=True)
class Sources:
    """What a day's topics hold, each in its own order."""

    placed: dict[str, list[SourcedSighting]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    rounds: int = 0

    def add(self, source: str, offset: int, facts: Iterable[RoutableFact]) -> None:
        kept = self.placed.setdefault(source, [])
        seen = [each for fact in facts for each in sort(fact, day_of=day_of)]
        kept += [
            SourcedSighting(source, offset, ordinal, each) for ordinal, each in enumerate(seen)
        ]


def sources_of(day: SimulatedDay, *, with_statistics: bool = False) -> Sources:
    """Everything that surveillance reads of a day; rounds with their rules for the statistics."""
    made = Sources()
    for name, events in _streams(day).items():
        _add_table(made, name, events, rules_of_events(events) if with_statistics else Catalogue())
    for number, desk in enumerate(promotion_events(day.desk, floor="")):
        fact = read_desk_fact(desk)
        made.add("promotion-events", number, [] if fact is None else [fact])
    for number, cage in enumerate(cage_events(day.cage, floor="")):
        cage.gaming_day = day_of(cage.at.ToMicroseconds())
        entered = read_cage_fact(cage)
        made.add("cage-events", number, [] if entered is None else [entered])
    excluded = [each for each in day.truths if each.pattern == "excluded patron"]
    for number, truth in enumerate(excluded):
        made.add("surveillance-settings", number, [PatronExcluded(f"x{number}", truth.patron, 0)])
    return made


def _streams(day: SimulatedDay) -> dict[str, list[Event]]:
    streams: dict[str, list[Event]] = {}
    for frame in day.frames:
        if frame.stream not in BACK_OFFICE:
            event = decode_event(frame.data, ingested_at=frame.ingested_at)
            streams.setdefault(frame.stream, []).append(event)
    return streams


def rules_of_events(events: list[Event]) -> Catalogue:
    """What the table has brought along, as far as it is sound."""
    found = Catalogue()
    for event in events:
        if isinstance(event.fact, RuleSetActivated) and event.fact.definition is not None:
            with suppress(NotFiled):
                found = found.with_(compose(event.fact.definition))
    return found


def _add_table(made: Sources, name: str, events: list[Event], rules: Catalogue) -> None:
    hearing = ActivityTracker()
    _, steps = fold(Table.new(name), events)
    heard = made.placed.setdefault(f"table-events/{name}", [])
    for offset, (event, step) in enumerate(zip(events, steps, strict=True)):
        made.add(f"table-events/{name}", offset, [event])
        spoke = enumerate(hearing.hear(event), 1_000)
        heard += [
            SourcedSighting(f"table-events/{name}", offset, each, seen) for each, seen in spoke
        ]
        made.add(f"findings/{name}", offset, (*step.findings, *step.withdrawals))
        judged = [JudgedRound(each, rules.get(each.context.rule_set)) for each in step.rounds]
        made.add(f"settled-rounds/{name}", offset, judged)
        made.rounds += sum(1 for each in step.rounds if each.version == 1)
        made.steps.append(step)


def standing_findings(steps: Iterable[Step]) -> list[Finding]:
    found: dict[str, Finding] = {}
    for step in steps:
        found |= {each.id: each for each in step.findings}
        for withdrawal in step.withdrawals:
            found.pop(withdrawal.id, None)
    return list(found.values())


@dataclass(slots=True)
class Measured:
    """`missed` was planted and not told; `false` was told and not planted, chance apart."""

    rounds: int
    planted: Counter[str]
    found: Counter[str]
    missed: list[Truth]
    false: list[Alert]
    alerts: list[Alert]
    """All that stands."""
    engine: TruthComparison


def measure(day: SimulatedDay, *, with_statistics: bool = False) -> Measured:
    made = sources_of(day, with_statistics=with_statistics)
    watcher = Watcher()
    for placed in made.placed.values():
        watcher.see_all(placed)
    findings = standing_findings(made.steps)
    engine = planted_vs_found(day.truths, findings)
    standing = watcher.standing()
    alerts = [each for each in standing if not _is_statistical(each)]
    planted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed: list[Truth] = []
    answered: set[str] = set()
    for truth in day.truths:
        for kind, answers in due(truth, alerts):
            planted[kind] += 1
            if answers:
                found[kind] += 1
                answered |= {each.id for each in answers}
            else:
                missed.append(truth)
        answered |= {each.id for each in alerts if _is_companion(truth, each)}
    answered |= {each.id for each in alerts if _is_due_by_the_books(day, each)}
    by_finding = {each.id for each in findings}
    false = [each for each in alerts if each.id not in answered and not _is_found(each, by_finding)]
    return Measured(made.rounds, planted, found, missed, false, standing, engine)


def _is_statistical(alert: Alert) -> bool:
    return KINDS[alert.kind].decided_by is DecidedBy.STATISTICS


def _is_companion(truth: Truth, alert: Alert) -> bool:
    return alert.kind in COMPANIONS.get(truth.pattern, ()) and is_about(truth, alert)


def _is_due_by_the_books(day: SimulatedDay, alert: Alert) -> bool:
    """Who wins a lot takes a lot home: that must be reported, though nobody planted it."""
    redeemed = sum(
        note.fact.cents
        for note in day.cage
        if isinstance(note.fact, ChipsRedeemed) and note.fact.patron == alert.patron
    )
    is_out = alert.kind == "cash.reporting_line" and " cash out " in alert.sentence
    return is_out and redeemed == alert.cents > REPORT_LINE_CENTS


def _is_found(alert: Alert, findings: set[str]) -> bool:
    """A story of findings: whether those are due is the engine's verdict."""
    return all(each.finding_id in findings for each in alert.evidence)
