"""A round rebuilt from the log: every fact with the table after it, and the outcomes.

A settled round carries its opening context, so its own events are enough. A version is rebuilt from
the events that the log had when it was published: of a round that was healed, the first version had
a gap, and the second has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, structs

from blackjack.facts import (
    Action,
    CouponPresented,
    Event,
    Fact,
    HalfBackReturned,
    HeartbeatSent,
    InsuranceTaken,
    PlayerActed,
    PromotionDefined,
    ReadCorrected,
    RoundOpened,
    RuleSetActivated,
    SettlementCorrected,
)
from blackjack.findings import Finding, Kind, finding_id
from blackjack.outcomes import SettledRound, Step
from blackjack.play.coupons import is_sound
from blackjack.play.felt import BARE, Felt, felt_after, felt_of
from blackjack.play.replayed_round import Replay, ReplayedFact
from blackjack.play.table import Table, advance
from blackjack.rulebook.house_rules import HALF_BACK
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import FILED, Catalogue, NotFiled, RuleSet, compose
from round_archive.domain.differences import differences
from round_archive.domain.fact_text import NO_TITLES, Titles, describe, describe_covered, place_of

_SILENT: Final = HeartbeatSent()


class NotReplayable(Exception):
    """A round that cannot be rebuilt from the given events."""

    def __init__(self, round: str, reason: str) -> None:
        self.round = round
        self.reason = reason
        super().__init__(f'round "{round}" cannot be replayed: {reason}')


class StreamDefinitions(Struct, frozen=True):
    """Rule sets and promotion terms that the events of a table have defined."""

    catalogue: Catalogue = FILED
    terms: tuple[Terms, ...] = ()


def definitions_of(facts: Iterable[Fact], catalogue: Catalogue = FILED) -> StreamDefinitions:
    """The definitions among these facts of a table, added to the catalog."""
    rules: list[RuleSet] = []
    terms: dict[str, Terms] = {}
    for fact in facts:
        if isinstance(fact, RuleSetActivated) and fact.definition is not None:
            try:
                rules.append(compose(fact.definition))
            except NotFiled:
                continue
        elif isinstance(fact, PromotionDefined) and is_sound(fact):
            terms.setdefault(fact.promotion, fact.terms)
    return StreamDefinitions(catalogue.with_(*rules), tuple(terms.values()))


def select_events(emitted: SettledRound, events: Iterable[Event]) -> list[Event]:
    """Of a table's events in the order of the log, those that a version of a round is made from.

    `events` end with the one that caused the version. Of two with the same number the first
    counts, as in the fold. Beside the round's own there are later ones that reach back to it:
    corrections of its readings and payments, and terms of its coupons.
    """
    first, last = emitted.first_seq, emitted.last_seq
    own: dict[int, Event] = {}
    later: dict[int, Event] = {}
    for event in events:
        if event.table != emitted.table or event.seq < first:
            continue
        if event.seq <= last:
            own.setdefault(event.seq, event)
        elif _reaches_back(event.fact, emitted):
            later.setdefault(event.seq, event)
    promotions = {
        event.fact.promotion for event in own.values() if isinstance(event.fact, CouponPresented)
    }
    for event in later.values():
        if not isinstance(event.fact, PromotionDefined) or event.fact.promotion in promotions:
            own[event.seq] = event
    return [own[seq] for seq in sorted(own)]


def replay(
    emitted: SettledRound,
    events: Sequence[Event],
    *,
    definitions: StreamDefinitions,
    emitted_findings: Iterable[Finding] = (),
) -> Replay:
    """The round rebuilt from `events`, which are those of `select_events`.

    `definitions` are those that were known when the version was published. The priority of an
    error depends on the dealer's earlier ones, which are not facts of the round; so where nothing
    else is different, the level is that of the emitted finding.
    """
    if not events or not isinstance(events[0].fact, RoundOpened):
        raise NotReplayable(emitted.round, "the log does not have its first event")
    catalogue = _known_then(emitted, definitions.catalogue)
    rules = catalogue.get(emitted.context.rule_set)
    table = Table.resumed(
        emitted.table,
        emitted.context,
        first_seq=emitted.first_seq,
        terms=definitions.terms,
        catalogue=catalogue,
        names_used=_names_used(emitted, events[0].fact),
    )
    titles = _titles(rules)
    levels = {finding.id: finding for finding in emitted_findings}
    known: dict[str, Finding] = dict(levels)
    steps: list[ReplayedFact] = []
    settled: SettledRound | None = None
    felt = BARE
    for event in events:
        table, step = advance(table, _in_effect(event, emitted))
        settled, before = _settled(step, emitted.round, settled), felt
        felt = _felt(table, emitted.round, step, felt)
        found = tuple(_with_emitted_level(finding, levels) for finding in step.findings)
        known.update((finding.id, finding) for finding in found)
        fact = _with_amount(event.fact, before, felt)
        seat, hand = place_of(fact)
        words = describe(fact, titles)
        covered = describe_covered(fact, titles)
        steps.append(ReplayedFact(event, words, seat, hand, felt, found, step.withdrawals, covered))
    if settled is None:
        raise NotReplayable(emitted.round, "the log does not have its last event")
    replayed = structs.replace(settled, version=emitted.version, cause=emitted.cause)
    return Replay(emitted, replayed, tuple(steps), differences(emitted, replayed, known), rules)


def _reaches_back(fact: Fact, emitted: SettledRound) -> bool:
    if isinstance(fact, ReadCorrected):
        return emitted.first_seq <= fact.corrects_seq <= emitted.last_seq
    if isinstance(fact, SettlementCorrected):
        return fact.round == emitted.round
    return isinstance(fact, PromotionDefined)


def _known_then(emitted: SettledRound, catalogue: Catalogue) -> Catalogue:
    """A round without a game was judged before its rule set was known."""
    if emitted.game:
        return catalogue
    unknown = emitted.context.rule_set
    return Catalogue({rules.hash: rules for rules in catalogue if rules.hash != unknown})


def _names_used(emitted: SettledRound, opened: RoundOpened) -> tuple[str, ...]:
    """The name that the table used, where the round was renamed because it was used before."""
    return (opened.round,) if emitted.round != opened.round else ()


def _in_effect(event: Event, emitted: SettledRound) -> Event:
    """The event as far as it is about this round.

    A correction of an earlier round in the middle of this one counts there. Only where the earlier
    round was no longer in memory did it leave a finding in this one.
    """
    fact = event.fact
    if isinstance(fact, ReadCorrected) and fact.corrects_seq < emitted.first_seq:
        subject = f"read {fact.corrects_seq}"
    elif isinstance(fact, SettlementCorrected) and fact.round != emitted.round:
        subject = f"round {fact.round}"
    else:
        return event
    found = finding_id(emitted.table, emitted.round, Kind.OUT_OF_REACH, 0, 0, "", subject)
    return event if found in emitted.findings else structs.replace(event, fact=_SILENT)


def _settled(step: Step, round: str, before: SettledRound | None) -> SettledRound | None:
    return next((settled for settled in step.rounds if settled.round == round), before)


def _felt(table: Table, round: str, step: Step, before: Felt) -> Felt:
    played = table.state.round
    if played is not None and played.name == round:
        return felt_of(played)
    settled = _settled(step, round, None)
    return felt_after(settled, before) if settled is not None else before


def _with_emitted_level(found: Finding, levels: dict[str, Finding]) -> Finding:
    emitted = levels.get(found.id)
    if emitted is None:
        return found
    return emitted if structs.replace(emitted, level=found.level) == found else found


def _with_amount(fact: Fact, before: Felt, after: Felt) -> Fact:
    """A fact without an amount of its own, with the amount that follows from the rules."""
    match fact:
        case PlayerActed(action=Action.DOUBLE | Action.SPLIT, cents=0, seat=seat):
            added = after.stake_cents(seat) - before.stake_cents(seat)
        case InsuranceTaken(cents=0, even_money=False, seat=seat):
            added = after.stake_cents(seat) - before.stake_cents(seat)
        case HalfBackReturned(cents=0, seat=seat):
            added = next(
                (
                    wager.stake_cents
                    for wager in before.wagers
                    if wager.wager == HALF_BACK and wager.seat == seat
                ),
                0,
            )
        case _:
            return fact
    return structs.replace(fact, cents=max(0, added))


def _titles(rules: RuleSet | None) -> Titles:
    if rules is None:
        return NO_TITLES
    return {wager: each.title for wager, each in rules.filing.side_bets.items()}
