"""Groups of findings: those that belong together are one alert that grows and shrinks.

Findings of one family, at one table, under one dealer, at one seat, are one group as long as no
two consecutive ones are further apart than a gap that can be set. A withdrawn finding no longer
proves anything, but the group keeps the id that its first finding gave it. The settled round
states the amounts owed and paid, and that no card lies face down any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

from alerting.alert import Evidence, capped
from alerting.display_names import alert_name
from alerting.kinds import format_amount
from alerting.settings import Settings
from blackjack.findings import Level
from surveillance.domain.alert_kinds import FAMILIES, family_of
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.phrases import counted, place
from surveillance.domain.sessions import sessions
from surveillance.domain.sightings import FindingRaised, FindingWithdrawn, RoundMoney, Sighting

KEPT_US: Final = 8 * 24 * 3600 * 1_000_000
"""A finding can be withdrawn, and a round settled again, for a week, as long as video is kept."""


class GroupedFinding(Struct, array_like=True):
    """A finding, and whether it stands."""

    found: FindingRaised
    stands: bool = True


class FindingGroupMemory(Memory, dict=True):
    findings: dict[str, GroupedFinding] = field(default_factory=dict)
    rounds: dict[str, RoundMoney] = field(default_factory=dict)
    """By round; the latest version."""
    latest_at: int = 0

    def __post_init__(self) -> None:
        self.make_index()

    def make_index(self) -> None:
        """Where findings are found again, so that none has to look at all others: not stored."""
        self.by_key: dict[str, dict[str, GroupedFinding]] = {}
        self.keys_of_round: dict[str, set[str]] = {}
        self.oldest_at = 0
        for kept in self.findings.values():
            self.index(kept)

    def index(self, kept: GroupedFinding) -> None:
        found = kept.found
        key = _key(found)
        self.by_key.setdefault(key, {})[found.id] = kept
        self.keys_of_round.setdefault(found.round, set()).add(key)
        self.oldest_at = min(self.oldest_at, found.at) if self.oldest_at else found.at

    def keep(self, kept: GroupedFinding) -> None:
        """The finding, in the place of what was known of it."""
        before = self.findings.get(kept.found.id)
        if before is not None:
            del self.by_key[_key(before.found)][kept.found.id]
        self.findings[kept.found.id] = kept
        self.index(kept)


class FindingGroups(Detector[FindingGroupMemory]):
    """About a table."""

    name = "stories"
    kinds = frozenset(each.kind for each in FAMILIES)
    sees = frozenset({FindingRaised, FindingWithdrawn, RoundMoney})
    memory = FindingGroupMemory

    def fold(
        self, memory: FindingGroupMemory, sighting: Sighting, settings: Settings
    ) -> Iterable[str]:
        match sighting:
            case FindingRaised():
                before = memory.findings.get(sighting.id)
                memory.keep(GroupedFinding(sighting))
                memory.latest_at = max(memory.latest_at, sighting.at)
                moved = () if before is None else (_key(before.found),)
                return (_key(sighting), *moved, *self._forget(memory, settings))
            case FindingWithdrawn(id=name):
                kept = memory.findings.get(name)
                if kept is None:
                    return ()
                memory.keep(GroupedFinding(kept.found, stands=False))
                return (_key(kept.found),)
            case RoundMoney(round=name, version=version):
                last = memory.rounds.get(name)
                if last is None or last.version < version:
                    memory.rounds[name] = sighting
                return sorted(memory.keys_of_round.get(name, ()))
            case _:
                return ()

    def judge(self, memory: FindingGroupMemory, key: str, settings: Settings) -> Iterator[Draft]:
        for group in _groups(memory, key, settings):
            standing = [kept.found for kept in group if kept.stands]
            if standing:
                yield _draft(memory, group[0].found.id, standing)

    def _forget(self, memory: FindingGroupMemory, settings: Settings) -> Iterable[str]:
        """Forget groups that ended too long ago; as a whole, so that none changes its id."""
        memory.since = max(memory.since, memory.latest_at - KEPT_US)
        if memory.oldest_at >= memory.since:
            return ()
        old = {
            _key(kept.found) for kept in memory.findings.values() if kept.found.at < memory.since
        }
        for key in old:
            for group in _groups(memory, key, settings):
                if group[-1].found.at < memory.since:
                    for kept in group:
                        del memory.findings[kept.found.id]
        if old:
            memory.rounds = {
                name: money for name, money in memory.rounds.items() if money.at >= memory.since
            }
            memory.make_index()
        return sorted(old)


def _groups(memory: FindingGroupMemory, key: str, settings: Settings) -> list[list[GroupedFinding]]:
    """The findings under a key, in order, split at long gaps."""
    own = sorted(
        memory.by_key.get(key, {}).values(),
        key=lambda each: (each.found.at, each.found.seq, each.found.id),
    )
    return sessions(
        own,
        at=lambda kept: kept.found.at,
        gap=lambda at: settings.microseconds("story_gap_seconds", at),
    )


def _key(found: FindingRaised) -> str:
    family = family_of(found.kind)
    round_id = found.round if family.by_round else ""
    return f"{family.kind}/{found.dealer}/{found.seat}/{round_id}"


def _draft(memory: FindingGroupMemory, identity: str, standing: list[FindingRaised]) -> Draft:
    last = standing[-1]
    family = family_of(last.kind)
    cents = sum(found.cents for found in standing)
    rounds = {found.round for found in standing}
    patrons = {found.patron for found in standing}
    return Draft(
        kind=family.kind,
        identity=identity,
        level=Level(min(found.level for found in standing)),
        sentence=_sentence(family.kind, standing, cents),
        rule=last.rule,
        evidence=tuple(_evidence(memory, each) for each in capped(standing)),
        evidence_count=len(standing),
        table=last.table,
        round=last.round if len(rounds) == 1 else "",
        seat=last.seat,
        dealer=last.dealer,
        patron=last.patron if len(patrons) == 1 else "",
        cents=cents,
        tells_hole_card=any(
            found.tells_hole_card and found.round not in memory.rounds for found in standing
        ),
        detail=_detail(standing),
    )


def _sentence(kind: str, standing: list[FindingRaised], cents: int) -> str:
    """One finding has a headline of its own; of several the number and the total come first."""
    last = standing[-1]
    if len(standing) == 1:
        return _with_table(last)
    stake = f", {format_amount(cents, kind).text} in all" if cents else ""
    times = counted(len(standing), "time")
    return f"{alert_name(kind)} {times}: {place(last.table, last.seat)}{stake}"


def _with_table(found: FindingRaised) -> str:
    """The headline of a finding, which as a rule names no table."""
    if found.table in found.text.split():
        return found.text
    if found.text.endswith("."):
        return f"{found.text} Table {found.table}."
    return f"{found.text}, table {found.table}"


def _detail(standing: list[FindingRaised]) -> str:
    last = standing[-1]
    if len(standing) == 1:
        return last.detail
    return f"Last: {last.text}" + (f" ({last.detail})" if last.detail else "")


def _evidence(memory: FindingGroupMemory, found: FindingRaised) -> Evidence:
    """Amounts owed and paid are those of the wager's own round, once it is settled."""
    settled = memory.rounds.get(found.round) if found.round else None
    wager = (found.seat, found.hand or 1, found.wager)
    amount = next(
        (
            paid
            for paid in (settled.amounts if settled is not None else ())
            if (paid.seat, paid.hand, paid.wager) == wager
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
