"""Stories of findings: what belongs together becomes one alert that grows and shrinks.

Findings of one family, at one table, under one dealer, at one seat, are one story as long as no
two that follow each other lie further apart than the settable gap. A withdrawn finding no longer
proves anything, but the story keeps the name that its first finding gave it. The settled round
says what was owed and paid, and that no card lies face down any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from blackjack.findings import Level
from blackjack.money import format_cents
from surveillance.domain.alert_kinds import FAMILIES, family_of
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.sessions import sessions
from surveillance.domain.sightings import FindingRaised, FindingWithdrawn, RoundMoney, Sighting

KEPT_US: Final = 8 * 24 * 3600 * 1_000_000
"""A finding can be withdrawn, and a round judged anew, for a week: so long video is kept."""


class Kept(Struct, array_like=True):
    """A finding, and whether it stands."""

    found: FindingRaised
    stands: bool = True


class StoryMemory(Memory):
    findings: dict[str, Kept] = field(default_factory=dict)
    rounds: dict[str, RoundMoney] = field(default_factory=dict)
    """By round; the latest version."""
    latest_at: int = 0


class Stories(Detector[StoryMemory]):
    """About a table."""

    name = "stories"
    kinds = frozenset(each.kind for each in FAMILIES)
    sees = frozenset({FindingRaised, FindingWithdrawn, RoundMoney})
    memory = StoryMemory

    def fold(self, memory: StoryMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        match sighting:
            case FindingRaised():
                before = memory.findings.get(sighting.id)
                memory.findings[sighting.id] = Kept(sighting)
                memory.latest_at = max(memory.latest_at, sighting.at)
                moved = () if before is None else (_key(before.found),)
                return (_key(sighting), *moved, *self._forget(memory, settings))
            case FindingWithdrawn(id=name):
                kept = memory.findings.get(name)
                if kept is None:
                    return ()
                memory.findings[name] = Kept(kept.found, stands=False)
                return (_key(kept.found),)
            case RoundMoney(round=name, version=version):
                last = memory.rounds.get(name)
                if last is None or last.version < version:
                    memory.rounds[name] = sighting
                return sorted(
                    {
                        _key(each.found)
                        for each in memory.findings.values()
                        if each.found.round == name
                    }
                )
            case _:
                return ()

    def judge(self, memory: StoryMemory, key: str, settings: Settings) -> Iterator[Draft]:
        for story in _stories(memory, key, settings):
            standing = [each.found for each in story if each.stands]
            if standing:
                yield _draft(memory, story[0].found.id, standing)

    def _forget(self, memory: StoryMemory, settings: Settings) -> Iterable[str]:
        """Stories that ended longer ago than is kept; whole, so that none changes its name."""
        memory.since = max(memory.since, memory.latest_at - KEPT_US)
        old = {
            _key(each.found) for each in memory.findings.values() if each.found.at < memory.since
        }
        for key in old:
            for story in _stories(memory, key, settings):
                if story[-1].found.at < memory.since:
                    for each in story:
                        del memory.findings[each.found.id]
        if old:
            memory.rounds = {
                name: each for name, each in memory.rounds.items() if each.at >= memory.since
            }
        return sorted(old)


def _stories(memory: StoryMemory, key: str, settings: Settings) -> list[list[Kept]]:
    """What was found under a key, in order, cut where it pauses."""
    own = sorted(
        (each for each in memory.findings.values() if _key(each.found) == key),
        key=lambda each: (each.found.at, each.found.seq, each.found.id),
    )
    return sessions(
        own,
        at=lambda each: each.found.at,
        gap=lambda at: settings.microseconds("story_gap_seconds", at),
    )


def _key(found: FindingRaised) -> str:
    family = family_of(found.kind)
    each = found.round if family.by_round else ""
    return f"{family.kind}/{found.dealer}/{found.seat}/{each}"


def _draft(memory: StoryMemory, identity: str, standing: list[FindingRaised]) -> Draft:
    last = standing[-1]
    family = family_of(last.kind)
    cents = sum(each.cents for each in standing)
    rounds = {each.round for each in standing}
    patrons = {each.patron for each in standing}
    return Draft(
        kind=family.kind,
        identity=identity,
        level=Level(min(each.level for each in standing)),
        sentence=_sentence(family.kind, standing, cents),
        rule=last.rule,
        evidence=tuple(_evidence(memory, each) for each in standing),
        table=last.table,
        round=last.round if len(rounds) == 1 else "",
        seat=last.seat,
        dealer=last.dealer,
        patron=last.patron if len(patrons) == 1 else "",
        cents=cents,
        tells_hole_card=any(
            each.tells_hole_card and each.round not in memory.rounds for each in standing
        ),
    )


def _sentence(kind: str, standing: list[FindingRaised], cents: int) -> str:
    """One finding speaks for itself; of several the last does."""
    last = standing[-1]
    at_seat = f", seat {last.seat}" if last.seat else ""
    under = f", dealer {last.dealer}" if last.dealer else ""
    where = f"Table {last.table}{at_seat}{under}"
    if len(standing) == 1:
        return f"{where}: {last.text}"
    words = KINDS[kind].words if kind in KINDS else kind
    stake = f", {format_cents(cents)} at stake" if cents else ""
    return f"{where}: {len(standing)} times {words}{stake}; last: {last.text}"


def _evidence(memory: StoryMemory, found: FindingRaised) -> Evidence:
    """The wager's own round says what was owed and paid, once it is settled."""
    settled = memory.rounds.get(found.round) if found.round else None
    wager = (found.seat, found.hand or 1, found.wager)
    amount = next(
        (
            each
            for each in (settled.amounts if settled is not None else ())
            if (each.seat, each.hand, each.wager) == wager
        ),
        None,
    )
    return Evidence(
        at=found.at,
        words=found.text,
        table=found.table,
        round=found.round,
        seat=found.seat,
        hand=found.hand,
        wager=found.wager,
        first_seq=settled.first_seq if settled is not None else found.seq,
        last_seq=max(settled.last_seq, found.seq) if settled is not None else found.seq,
        finding_id=found.id,
        kind=found.kind,
        dealer=found.dealer,
        patron=found.patron,
        cents=found.cents,
        owed_cents=amount.owed_cents if amount is not None else None,
        paid_cents=amount.paid_cents if amount is not None else None,
    )
