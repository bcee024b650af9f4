"""The ground truth: planted faults, and their comparison with the findings.

What a day brings forth depends on the way it takes. In a log file everything that was planted
stands, and is found. On the way through a gateway some of it is rejected and never gets into the
log: it must be among the rejections, and must not be among the findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from msgspec import Struct

from blackjack.findings import Finding, Kind


class Truth(Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong in a log, or that is due to be found in it.

    `kinds` must all be found, in the round, or for what lies between rounds (`round` empty)
    in the range of numbers. `companions` may be found with it, each with its reason. A
    pattern is for surveillance: no finding of a single table is due, unless it has kinds.
    """

    fault: str
    table: str
    kinds: tuple[Kind, ...] = ()
    round: str = ""
    seat: int = 0
    wager: str = ""
    first_seq: int = 0
    last_seq: int = 0
    cents: int = 0
    companions: dict[Kind, str] = {}
    pattern: str = ""
    patron: str = ""
    dealer: str = ""
    tables: tuple[str, ...] = ()
    sizes: dict[str, float] = {}
    """Of a pattern: its sizes by name."""
    rejected_as: str = ""
    """The gateway's code, if it rejects the planted message: no kind is due then."""

    def holds(self, finding: Finding) -> bool:
        """Whether the finding is at the place of this truth."""
        if finding.table != self.table:
            return False
        if self.round:
            return finding.round == self.round
        return self.first_seq <= finding.seq <= self.last_seq


def count_due(ground_truth: Iterable[Truth], *, through_gateway: bool = False) -> int:
    """The number of expected findings, one for each kind, or rejections through a gateway."""
    return sum(
        1 if through_gateway and truth.rejected_as else len(truth.kinds) for truth in ground_truth
    )


Rejection = tuple[str, str]
"""The table in whose stream a gateway rejected a message, and the code of the rejection."""


@dataclass(frozen=True, slots=True)
class TruthComparison:
    """`missed` names a kind that was due at a truth; `surplus` has the unexplained findings."""

    missed: tuple[tuple[Truth, Kind], ...]
    surplus: tuple[Finding, ...]
    planted: Counter[Kind]
    found: Counter[Kind]
    """Planted findings that were found, by kind."""
    accepted_faults: tuple[Truth, ...] = ()
    """Messages that the gateway should have rejected, and did not."""
    unexpected_rejections: tuple[Rejection, ...] = ()
    """Rejections where nothing of the kind was planted."""
    due_rejections: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    """Planted rejections that happened, by code."""

    @property
    def is_clean(self) -> bool:
        return not (
            self.missed or self.surplus or self.accepted_faults or self.unexpected_rejections
        )


def planted_vs_found(
    ground_truth: Iterable[Truth],
    findings: Iterable[Finding],
    rejections: Iterable[Rejection] | None = None,
) -> TruthComparison:
    """Compare the findings that stand at the end with the planted ones, by kind and place.

    `rejections` are those of the gateway, if the day went through one. A rejected message may
    have been sent again, and rejected again: it counts once.
    """
    truths = list(ground_truth)
    if rejections is None:
        return _found([truth for truth in truths if truth.kinds], findings)
    verdict = _found([truth for truth in truths if truth.kinds and not truth.rejected_as], findings)
    due_rejections = [truth for truth in truths if truth.rejected_as]
    expected = {(truth.table, truth.rejected_as) for truth in due_rejections}
    seen = set(rejections)
    rejected = [truth for truth in due_rejections if (truth.table, truth.rejected_as) in seen]
    return replace(
        verdict,
        accepted_faults=tuple(truth for truth in due_rejections if truth not in rejected),
        unexpected_rejections=tuple(sorted(seen - expected)),
        due_rejections=Counter(truth.rejected_as for truth in due_rejections),
        rejected=Counter(truth.rejected_as for truth in rejected),
    )


def _found(expected: list[Truth], findings: Iterable[Finding]) -> TruthComparison:
    by_table: dict[str, list[Truth]] = {}
    for truth in expected:
        by_table.setdefault(truth.table, []).append(truth)
    answered: set[tuple[int, Kind]] = set()
    surplus = []
    for finding in findings:
        truths = [planted for planted in by_table.get(finding.table, ()) if planted.holds(finding)]
        expecting = [match for match in truths if finding.kind in match.kinds]
        answered |= {(id(match), finding.kind) for match in expecting}
        if not expecting and not any(finding.kind in match.companions for match in truths):
            surplus.append(finding)
    planted = [(truth, kind) for truth in expected for kind in truth.kinds]
    missed = tuple((truth, kind) for truth, kind in planted if (id(truth), kind) not in answered)
    return TruthComparison(
        missed,
        tuple(surplus),
        Counter(kind for _, kind in planted),
        Counter(kind for truth, kind in planted if (id(truth), kind) in answered),
    )
