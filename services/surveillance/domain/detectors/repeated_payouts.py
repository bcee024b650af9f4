"""A dealer who pays wrongly again and again, at several tables.

At one table settlement counts, and makes the third in eight hours more urgent; a dealer who is
moved from table to table is seen only here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.alert import Evidence, capped, tellable
from alerting.kinds import KINDS
from alerting.settings import Settings
from blackjack.money import format_cents
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.sessions import sessions
from surveillance.domain.sightings import RoundMispays, Sighting

KIND: Final = "payout.repeated"
RULE: Final = "Conventions of the log: repeated mismatch"
KEPT_US: Final = 8 * 86_400_000_000


class DealerMemory(Memory):
    rounds: dict[str, RoundMispays] = field(default_factory=dict)
    latest_at: int = 0


class RepeatedPayouts(Detector[DealerMemory]):
    """About a dealer; rounds that no pause as long as a shift separates are one alert."""

    name = "repeated_payouts"
    kinds = frozenset({KIND})
    sees = frozenset({RoundMispays})
    memory = DealerMemory

    def fold(self, memory: DealerMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, RoundMispays) or sighting.at < memory.since:
            return ()
        place = f"{sighting.table}/{sighting.round}"
        known = memory.rounds.get(place)
        if known is None and not sighting.amounts:
            return ()
        if known is None or known.version <= sighting.version:
            memory.rounds[place] = sighting
        memory.latest_at = max(memory.latest_at, sighting.at)
        memory.since = max(memory.since, memory.latest_at - KEPT_US)
        memory.rounds = {
            name: each for name, each in memory.rounds.items() if each.at >= memory.since
        }
        return ("",)

    def judge(self, memory: DealerMemory, key: str, settings: Settings) -> Iterator[Draft]:
        wrong = sorted(memory.rounds.values(), key=lambda each: (each.at, each.table, each.round))

        def pause(at: int) -> int:
            return settings.microseconds("payout_repeated_seconds", at)

        for shift in sessions(wrong, at=lambda each: each.at, gap=pause):
            if proof := _repeated([each for each in shift if each.amounts], settings):
                identity = f"{shift[0].table}/{shift[0].round}"
                yield _draft(memory.about, identity, proof)


def _repeated(shift: list[RoundMispays], settings: Settings) -> list[RoundMispays]:
    """All of them, if so many lie in the time that counts, at more than one table."""
    for last in shift:
        window = settings.microseconds("payout_repeated_seconds", last.at)
        near = [each for each in shift if 0 <= last.at - each.at < window]
        many = len(near) >= settings.threshold("payout_repeated_count", last.at)
        if many and len({each.table for each in near}) > 1:
            return shift
    return []


def _draft(dealer: str, identity: str, proof: list[RoundMispays]) -> Draft:
    tables = ", ".join(sorted({each.table for each in proof}))
    paid = [(each, amount) for each in proof for amount in each.amounts]
    cents = sum([amount.paid_cents - amount.owed_cents for _, amount in paid])
    return Draft(
        kind=KIND,
        identity=identity,
        level=KINDS[KIND].level,
        sentence=f"Dealer {dealer} paid wrongly in {len(proof)} rounds, at the tables {tables}; "
        f"in all {format_cents(abs(cents))} too {'little' if cents < 0 else 'much'}: watch the "
        "dealer's next rounds.",
        rule=RULE,
        evidence=tuple(
            Evidence(
                at=each.at,
                words=f"{format_cents(amount.owed_cents)} owed, "
                f"{format_cents(amount.paid_cents)} paid",
                kind="payout",
                table=each.table,
                round=each.round,
                seat=amount.seat,
                hand=amount.hand,
                wager=amount.wager,
                first_seq=each.first_seq,
                last_seq=each.last_seq,
                dealer=dealer,
                cents=tellable(amount.paid_cents - amount.owed_cents),
                owed_cents=amount.owed_cents,
                paid_cents=amount.paid_cents,
            )
            for each, amount in capped(paid)
        ),
        evidence_count=len(paid),
        dealer=dealer,
        cents=cents,
    )
