"""What was planted, and what was made of it: the ground truth against the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

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

    def holds(self, finding: Finding) -> bool:
        """Whether the finding is at the place of this truth."""
        if finding.table != self.table:
            return False
        if self.round:
            return finding.round == self.round
        return self.first_seq <= finding.seq <= self.last_seq


@dataclass(frozen=True, slots=True)
class Verdict:
    """`missed` names a kind that was due at a truth; `surplus` is what nothing accounts for."""

    missed: tuple[tuple[Truth, Kind], ...]
    surplus: tuple[Finding, ...]
    planted: Counter[Kind]
    found: Counter[Kind]
    """Of what was planted, by kind."""

    @property
    def is_clean(self) -> bool:
        return not self.missed and not self.surplus


def planted_vs_found(ground_truth: Iterable[Truth], findings: Iterable[Finding]) -> Verdict:
    """Compare what stands at the end with what was planted, by kind and place."""
    due = [truth for truth in ground_truth if truth.kinds]
    by_table: dict[str, list[Truth]] = {}
    for truth in due:
        by_table.setdefault(truth.table, []).append(truth)
    answered: set[tuple[int, Kind]] = set()
    surplus = []
    for finding in findings:
        truths = [each for each in by_table.get(finding.table, ()) if each.holds(finding)]
        expecting = [each for each in truths if finding.kind in each.kinds]
        answered |= {(id(each), finding.kind) for each in expecting}
        if not expecting and not any(finding.kind in each.companions for each in truths):
            surplus.append(finding)
    planted = [(truth, kind) for truth in due for kind in truth.kinds]
    missed = tuple((truth, kind) for truth, kind in planted if (id(truth), kind) not in answered)
    return Verdict(
        missed,
        tuple(surplus),
        Counter(kind for _, kind in planted),
        Counter(kind for truth, kind in planted if (id(truth), kind) in answered),
    )
