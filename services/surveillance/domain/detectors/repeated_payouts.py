"""Repeated mispays of a dealer at several tables.

Settlement counts those at one table, and makes the third in eight hours more urgent; a dealer who
moves between tables is seen only here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import field

from alerting.alert import Evidence, capped, clamp_cents
from alerting.kinds import KINDS
from alerting.settings import Settings
from blackjack.display_names import wager_name
from blackjack.money import format_cents, format_result
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.phrases import counted, listed
from surveillance.domain.sessions import sessions
from surveillance.domain.sightings import RoundMispays, Sighting

KIND: Final = "payout.repeated"
RULE: Final = "Conventions of the log: repeated mismatch"
KEPT_US: Final = 8 * 86_400_000_000


class DealerMemory(Memory):
    rounds: dict[str, RoundMispays] = field(default_factory=dict)
    latest_at: int = 0


class RepeatedPayouts(Detector[DealerMemory]):
    """About a dealer; mispays with no pause as long as a shift between them are one alert."""

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
            name: mispays for name, mispays in memory.rounds.items() if mispays.at >= memory.since
        }
        return ("",)

    def judge(self, memory: DealerMemory, key: str, settings: Settings) -> Iterator[Draft]:
        wrong = sorted(
            memory.rounds.values(), key=lambda mispays: (mispays.at, mispays.table, mispays.round)
        )

        def pause(at: int) -> int:
            return settings.microseconds("payout_repeated_seconds", at)

        for shift in sessions(wrong, at=lambda mispays: mispays.at, gap=pause):
            if proof := _repeated([mispays for mispays in shift if mispays.amounts], settings):
                identity = f"{shift[0].table}/{shift[0].round}"
                yield _draft(memory.about, identity, proof)


def _order(mispays: RoundMispays) -> tuple[int, str, str]:
    return (mispays.at, mispays.table, mispays.round)


def _repeated(shift: list[RoundMispays], settings: Settings) -> list[RoundMispays]:
    """All of them, if enough fall into the window, at more than one table."""
    times = [each.at for each in shift]
    for last in shift:
        window = settings.microseconds("payout_repeated_seconds", last.at)
        near = shift[bisect_right(times, last.at - window) : bisect_right(times, last.at)]
        many = len(near) >= settings.threshold("payout_repeated_count", last.at)
        if many and len({mispays.table for mispays in near}) > 1:
            return shift
    return []


def _draft(dealer: str, identity: str, proof: list[RoundMispays]) -> Draft:
    tables = sorted({mispays.table for mispays in proof})
    paid = [(mispays, amount) for mispays in proof for amount in mispays.amounts]
    cents = sum([amount.paid_cents - amount.owed_cents for _, amount in paid])
    return Draft(
        kind=KIND,
        identity=identity,
        level=KINDS[KIND].level,
        sentence=f"{counted(len(paid), 'mispay')} in {counted(len(proof), 'round')} at "
        f"{listed(tables, 'table')}, net {format_result(-cents).text}: observe dealer {dealer}",
        rule=RULE,
        evidence=tuple(
            Evidence(
                at=mispays.at,
                words=f"{wager_name(amount.wager)}: owed {format_cents(amount.owed_cents)}, "
                f"paid {format_cents(amount.paid_cents)}",
                kind="payout",
                table=mispays.table,
                round=mispays.round,
                seat=amount.seat,
                hand=amount.hand,
                wager=amount.wager,
                first_seq=mispays.first_seq,
                last_seq=mispays.last_seq,
                dealer=dealer,
                cents=clamp_cents(amount.paid_cents - amount.owed_cents),
                owed_cents=amount.owed_cents,
                paid_cents=amount.paid_cents,
            )
            for mispays, amount in capped(paid)
        ),
        evidence_count=len(paid),
        dealer=dealer,
        cents=cents,
        detail=f"Owed {format_cents(sum(amount.owed_cents for _, amount in paid))}, "
        f"paid {format_cents(sum(amount.paid_cents for _, amount in paid))}. "
        f"Tables: {', '.join(tables)}.",
    )
